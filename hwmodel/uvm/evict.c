/*
 * Eviction: who leaves, and when it may. A unit whose waiters have been answered stays until their lines have passed
 * the L1D: else one unit of memory could be asked for by many for ever, and nobody would get on.
 */
#include "cache/l2.h"
#include "engine/random.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "uvm/internal.h"

struct lines_of {
    const struct mh_gpu *g;
    const struct mh_unit *unit;
};

static bool is_of(const void *ctx, uint32_t line)
{
    const struct lines_of *l = ctx;
    const uint32_t *frame = mh_unit_frames(l->g->uvm, l->unit);

    for (uint32_t p = 0; p < l->g->uvm->pages; p++)
        if (line >> l->g->page_shift == frame[p])
            return true;
    return false;
}

/* A translation has been answered, or a line of it waits to be replayed. */
static bool is_pinned(const struct mh_gpu *g, const struct mh_unit *u)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (mh_lsu_replays(g, &g->sm[s], u->tenant, u->vpn, g->uvm->pages))
            return true;
    return false;
}

bool mh_unit_in_use(const struct mh_gpu *g, const struct mh_unit *u)
{
    const struct lines_of lines = {g, u};

    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (mh_l1d_waits(g, &g->sm[s], is_of, &lines))
            return true;
    return is_pinned(g, u) || mh_noc_carries(g->noc, is_of, &lines) || mh_l2_waits(g, is_of, &lines);
}

static uint32_t nth_oldest(const struct mh_uvm *m, uint64_t n)
{
    uint32_t unit = m->oldest;

    for (; n; n--)
        unit = m->unit[unit].newer;
    return unit;
}

/* The first of those that nothing pins, from `from` on in the order of age, round. MH_NONE: all are pinned. */
static uint32_t choose(const struct mh_gpu *g, uint32_t from)
{
    const struct mh_uvm *m = g->uvm;
    uint32_t unit = from;

    for (uint32_t n = m->here; n; n--) {
        if (!is_pinned(g, &m->unit[unit]))
            return unit;
        unit = m->unit[unit].newer == MH_NONE ? m->oldest : m->unit[unit].newer;
    }
    return MH_NONE;
}

static uint32_t victim(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    if (!m->here)
        return MH_NONE;
    if (g->cfg.uvm.evict[0] == 'r')
        return choose(g, nth_oldest(m, mh_random(g->cfg.run.seed, m->drawn++) % m->here));
    return choose(g, m->oldest);
}

static void poll(struct mh_gpu *g, uint64_t cycle)
{
    if (g->uvm->drain_event)
        return;
    g->uvm->drain_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_UVM_DRAIN, 0));
}

static void evict(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;

    g->tenant[m->unit[unit].tenant].count.uvm_evictions++;
    mh_unit_unmap(g, unit);
    m->unit[unit].state = MH_UNIT_DRAINING;
    m->leaving++;
    mh_unit_push(m, &m->draining, unit);
}

/* A fault finds memory full: up to uvm.evict_bytes leave at once (ETC, table 1), and those that come wait for them. */
void mh_uvm_make_room(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    uint32_t most = g->cfg.uvm.evict_bytes / m->bytes;

    if (m->leaving)
        return;
    for (uint32_t n = most ? most : 1; n; n--) {
        uint32_t unit = victim(g);

        if (unit == MH_NONE)
            break;
        evict(g, unit);
    }
    /* All are pinned, or on their way here: they will not be for long. */
    poll(g, g->wheel.now + (m->leaving ? 0 : MH_UVM_POLL));
}

/* Those that nothing uses any more go; the others are looked at again. */
void mh_uvm_drain(struct mh_gpu *g, uint32_t none)
{
    struct mh_uvm *m = g->uvm;

    (void)none;
    m->drain_event = false;
    for (uint32_t n = m->draining.count; n; n--) {
        uint32_t unit = mh_unit_pop(m, &m->draining);

        if (mh_unit_in_use(g, &m->unit[unit]))
            mh_unit_push(m, &m->draining, unit);
        else
            mh_uvm_send_home(g, unit);
    }
    if (m->draining.count)
        poll(g, g->wheel.now + MH_UVM_POLL);
    else if (m->placed.count && !m->leaving)
        mh_uvm_make_room(g);
}
