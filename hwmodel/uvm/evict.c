/*
 * Eviction: the choice of the victim. A unit whose waiters have been answered stays until their lines have passed the
 * L1D: else one unit of memory could be asked for by many for ever, and none would make progress.
 */
#include "control/control.h"
#include "engine/random.h"
#include "sm/sm.h"
#include "uvm/internal.h"

/* A translation has been answered, or a line of it waits to be replayed. */
static bool is_pinned(const struct mh_gpu *g, const struct mh_unit *u)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (mh_lsu_replays(g, &g->sm[s], u->tenant, u->vpn, g->uvm->pages))
            return true;
    return false;
}

static bool is_above_quota(const struct mh_gpu *g, uint32_t tenant)
{
    return g->uvm->held[tenant] > (uint64_t)g->knobs.uvm_quota[tenant] * g->uvm->bytes;
}

static bool some_above_quota(const struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        if (is_above_quota(g, t))
            return true;
    return false;
}

static uint32_t nth_oldest(const struct mh_uvm *m, uint64_t n)
{
    uint32_t unit = m->oldest;

    for (; n; n--)
        unit = m->unit[unit].newer;
    return unit;
}

/*
 * The first of those that nothing pins, from `from` on in the order of age, round; if `above`, of tenants above their
 * quota alone. MH_NONE: there is none.
 */
static uint32_t choose(const struct mh_gpu *g, uint32_t from, bool above)
{
    const struct mh_uvm *m = g->uvm;
    uint32_t unit = from;

    for (uint32_t n = m->here; n; n--) {
        const struct mh_unit *u = &m->unit[unit];

        if ((!above || is_above_quota(g, u->tenant)) && !is_pinned(g, u))
            return unit;
        unit = u->newer == MH_NONE ? m->oldest : u->newer;
    }
    return MH_NONE;
}

static uint32_t victim(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    uint32_t from = m->oldest, unit = MH_NONE;

    if (!m->here)
        return MH_NONE;
    if (g->cfg.uvm.evict == MH_EVICT_RANDOM)
        from = nth_oldest(m, mh_random(g->cfg.run.seed, m->drawn++) % m->here);
    if (some_above_quota(g))
        unit = choose(g, from, true);
    return unit == MH_NONE ? choose(g, from, false) : unit;
}

static void evict(struct mh_gpu *g, uint32_t unit)
{
    g->tenant[g->uvm->unit[unit].tenant].count.uvm_evictions++;
    mh_control_evicted(g->control, g->uvm->unit[unit].tenant);
    mh_uvm_leave(g, unit);
}

/* NVIDIA's driver evicts chunks of 2 MB (uvm_pmm_gpu.c, pick_root_chunk_to_evict): with the victim goes what else is
 * there of its block. Returns how many have left. */
static uint32_t evict_block(struct mh_gpu *g, uint32_t unit, uint32_t most)
{
    const struct mh_uvm *m = g->uvm;
    const uint32_t tenant = m->unit[unit].tenant, span = MH_UVM_BLOCK_BYTES / m->bytes;
    const uint32_t first = m->unit[unit].vpn >> m->shift & ~(span - 1);
    uint32_t n = 1;

    evict(g, unit);
    for (uint32_t i = 0; i < span && n < most; i++) {
        uint32_t other = mh_unit_at(m, tenant, first + i);

        if (other == MH_NONE || m->unit[other].state != MH_UNIT_HERE || is_pinned(g, &m->unit[other]))
            continue;
        evict(g, other);
        n++;
    }
    return n;
}

/* Evicts at most `most` units, until `bytes` will be free. Returns the number of evicted units. */
static uint32_t evict_some(struct mh_gpu *g, uint32_t most, uint64_t bytes)
{
    uint32_t n = 0;

    while (n < most && mh_uvm_room(g->uvm) < bytes) {
        uint32_t unit = victim(g);

        if (unit == MH_NONE)
            break;
        if (g->cfg.uvm.evict_block) {
            n += evict_block(g, unit, most - n);
        } else {
            evict(g, unit);
            n++;
        }
    }
    return n;
}

/* Those that drain have just begun to leave, all of them because memory was full. */
static void note_needed(struct mh_uvm *m)
{
    m->needed = m->draining.count;
    for (uint32_t unit = m->draining.head, n = m->draining.count; n; n--, unit = m->unit[unit].next)
        m->unit[unit].needed = true;
}

/* Bytes that an eviction aims to free (uvm.evict_amount). */
static uint64_t wanted_bytes(struct mh_gpu *g)
{
    const struct mh_uvm *m = g->uvm;
    const enum mh_evict_amount amount = g->cfg.uvm.evict_amount;
    uint64_t bytes = 0;

    if (amount == MH_EVICT_MOST)
        return UINT64_MAX;
    for (uint32_t unit = m->placed.head, n = m->placed.count; n; n--, unit = m->unit[unit].next) {
        if (bytes && (amount == MH_EVICT_PAGE || (amount == MH_EVICT_FAULT && !m->unit[unit].follows)))
            break;
        bytes += mh_unit_bytes(g, unit);
    }
    return bytes;
}

/* A fault finds memory full: up to uvm.evict_bytes leave at once (ETC, table 1), and those that come wait for them. */
void mh_uvm_make_room(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    uint32_t most = g->cfg.uvm.evict_bytes / m->bytes;

    if (m->leaving)
        return;
    if (m->placed.count)
        m->unit[m->placed.head].evicted += (uint16_t)evict_some(g, most ? most : 1, wanted_bytes(g));
    else
        (void)evict_some(g, 1, UINT64_MAX); /* pages have overflowed, and memory with them */
    note_needed(m);
    /* All are pinned, or on their way here: they will not be for long. */
    mh_uvm_look(g, g->wheel.now + (m->leaving ? 0 : MH_UVM_POLL));
}

void mh_uvm_evict_overfull(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    if (m->overfull == MH_NONE)
        return;
    if (m->unit[m->overfull].state == MH_UNIT_HERE && m->taken > m->memory + m->leaving_bytes)
        evict(g, m->overfull);
    m->overfull = MH_NONE;
}

void mh_uvm_tell_room(const struct mh_gpu *g, FILE *out)
{
    const struct mh_uvm *m = g->uvm;

    fprintf(out, "; GPU memory has room for %u units", m->capacity);
    if (m->oldest != MH_NONE)
        fprintf(out, ", the oldest there is unit %u of tenant %u, %s", m->oldest, m->unit[m->oldest].tenant,
                is_pinned(g, &m->unit[m->oldest]) ? "pinned: lines of it are still to be looked up in an L1D"
                                                  : "which nothing pins");
    if (m->draining.count)
        fprintf(out, ", and unit %u of tenant %u waits for what is under way to it", m->draining.head,
                m->unit[m->draining.head].tenant);
}

/* --- Ahead of need. */

static bool is_oversubscribed(const struct mh_gpu *g)
{
    uint64_t allocated = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        allocated += g->tenant[t].presence == MH_PRESENT ? g->uvm->allocated[t] : 0;
    return allocated > g->uvm->capacity;
}

/*
 * ETC, sec. 4.2: the driver looks when it has allocated a fault's page, and eviction overlaps with the handling of that
 * fault (figure 5b; "starting the eviction process at the same time as the occurrence of the page fault"). So the page
 * counts as allocated when the handler takes the fault up, not when its data may come, a fault latency later. Units
 * that leave already count as free, and pages promised do not (ours): each fault of a batch would evict anew for the
 * same shortage.
 */
void mh_uvm_evict_ahead(struct mh_gpu *g, uint32_t unit)
{
    const struct mh_uvm *m = g->uvm;
    uint64_t wanted = (uint64_t)g->knobs.evict_free + m->batch.count + m->placed.count;
    uint32_t ahead = g->knobs.evict_ahead[m->unit[unit].tenant];

    if (!ahead || mh_uvm_room(m) >= wanted * m->bytes || !is_oversubscribed(g))
        return;
    m->unit[unit].evicted += (uint16_t)evict_some(g, ahead, wanted * m->bytes);
    mh_uvm_look(g, g->wheel.now);
}
