#include "pages/page_table.h"
#include "uvm/internal.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

/*
 * What is known of a tenant's arrays before it runs. No paper has it; CUDA does.
 *
 *   prefetch  its units come when the tenant comes, without a fault, as long as memory is free (cudaMemPrefetchAsync)
 *   host      it stays in host memory: lines that the L2 misses cross the link, each by itself (zero copy)
 *
 * A line goes before what is left of a unit that migrates: a link takes requests of both in turn, and a line is short.
 */

static int refuse(uint32_t tenant, const char *text, const char *why, struct mh_error *err)
{
    return mh_fail(err,
                   "tenants[%u].hints: '%s'; %s. Such as 0:host,2:prefetch: arrays by number, in the order of their "
                   "addresses",
                   tenant, text, why);
}

/* NUMBER:WORD. */
static int read_one(const char *item, uint32_t arrays, uint8_t *hint, const char **why)
{
    char *end;
    unsigned long array = strtoul(item, &end, 10);

    *why = "what follows the number is neither :host nor :prefetch";
    if (end == item || *item == '-' || *item == '+' || *item == ' ') {
        *why = "an array has a number";
        return -1;
    }
    if (array >= arrays) {
        *why = "the kernel has not as many arrays";
        return -1;
    }
    if (strcmp(end, ":host") && strcmp(end, ":prefetch"))
        return -1;
    hint[array] = end[1] == 'h' ? MH_HINT_HOST : MH_HINT_PREFETCH;
    return 0;
}

int mh_uvm_read_hints(const char *text, uint32_t tenant, uint32_t arrays, uint8_t *hint, struct mh_error *err)
{
    char items[MH_HINTS_MAX], *rest = items, *item;
    const char *why;

    strcpy(items, text);
    while (*text && (item = strsep(&rest, ",")))
        if (read_one(item, arrays, hint, &why))
            return refuse(tenant, text, why, err);
    return 0;
}

/* Units stand in order, those of a tenant together: two of one place came of two arrays. They migrate unless both
 * stay. */
uint8_t mh_uvm_both(uint8_t a, uint8_t b)
{
    if (a == b)
        return a;
    return a == MH_HINT_PREFETCH || b == MH_HINT_PREFETCH ? MH_HINT_PREFETCH : MH_HINT_NONE;
}

/* --- Prefetch. */

void mh_uvm_arrive(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_uvm *m = g->uvm;

    for (uint32_t i = 0; i < m->units; i++) {
        struct mh_unit *u = &m->unit[i];

        if (u->tenant != tenant || u->hint != MH_HINT_PREFETCH || u->state != MH_UNIT_HOST)
            continue;
        if (!mh_unit_fits(g, i))
            break;
        u->prefetched = true;
        g->tenant[tenant].count.uvm_prefetches++;
        mh_uvm_place(g, i);
        mh_uvm_hand_out(g);
    }
}

/* --- Host. */

bool mh_uvm_is_on_host(const struct mh_gpu *g, uint32_t frame)
{
    const uint64_t *on_host = g->uvm->on_host;

    return on_host && on_host[frame / 64] >> frame % 64 & 1;
}

int mh_uvm_keep_on_host(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    const uint64_t frames = g->cfg.memory.bytes / g->cfg.memory.page_bytes;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        if (u->hint != MH_HINT_HOST) {
            m->unit[kept++] = *u;
            continue;
        }
        if (!m->on_host && !(m->on_host = calloc((size_t)(frames + 63) / 64, sizeof *m->on_host)))
            return -1;
        for (uint32_t p = 0; p < m->pages; p++) {
            uint32_t frame = mh_pt_translate(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);

            m->on_host[frame / 64] |= 1ull << frame % 64;
        }
    }
    m->units = kept;
    return 0;
}

/* Cycle at which bytes of a line have crossed. What is left of the units that wait for the link comes so much later. */
static uint64_t cross(struct mh_link *l, uint32_t bytes, uint64_t from)
{
    uint64_t now = mh_ratio_floor(&l->to_bytes, from);

    l->lines_end = (l->lines_end > now ? l->lines_end : now) + bytes;
    if (l->position > now) {
        l->position += bytes;
        l->pushed += bytes;
    }
    return mh_ratio_ceil(&l->to_cycles, l->lines_end) + l->latency;
}

void mh_uvm_read_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes, uint32_t event)
{
    /* The request is short: it takes the other direction's time, and none of its bytes. */
    uint64_t at = cross(&g->uvm->in, bytes, g->wheel.now + g->uvm->out.latency);

    g->tenant[tenant].count.uvm_host_lines++;
    mh_wheel_add(&g->wheel, at, event);
}

void mh_uvm_write_line(struct mh_gpu *g, uint32_t tenant, uint32_t bytes)
{
    g->tenant[tenant].count.uvm_host_lines++;
    cross(&g->uvm->out, bytes, g->wheel.now);
}

/*
 * What comes with a faulted unit. `tree`: NVIDIA's driver sees a block of 2 MB as a binary tree of units of 64 KB.
 * Where more than half of a subtree's units are there or on their way, the rest is fetched too
 * (uvm_perf_prefetch_threshold is 51 %).
 *
 * `zheng`: ETC takes the prefetcher of Zheng et al. (HPCA 2016) and does not describe it; their text is not public.
 * From what others say of their locality-aware prefetcher: memory has regions of 2 MB, and while the link is idle the
 * next unit, in order, of the region comes that has faulted last. The rest is ours: a region that has come whole waits
 * for its next fault, also when some of it has left again, and those without a fault are not fetched, since with memory
 * full that would go on for ever.
 */

/* It is there or comes; one that leaves does not count. */
static bool is_near(const struct mh_unit *u)
{
    return u->state != MH_UNIT_HOST && u->state < MH_UNIT_DRAINING;
}

static bool more_than_half(const struct mh_uvm *m, uint32_t tenant, uint32_t first, uint32_t span)
{
    uint32_t near = 0, all = 0;

    for (uint32_t leaf = first; leaf < first + span; leaf++) {
        uint32_t unit = mh_unit_at(m, tenant, leaf);

        all += unit != MH_NONE;
        near += unit != MH_NONE && is_near(&m->unit[unit]);
    }
    return 2 * near > all;
}

static void fetch(struct mh_gpu *g, uint32_t unit)
{
    g->uvm->unit[unit].prefetched = true;
    g->tenant[g->uvm->unit[unit].tenant].count.uvm_prefetches++;
    mh_uvm_place(g, unit);
}

static void fetch_tree(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    const uint32_t tenant = m->unit[unit].tenant, leaf = m->unit[unit].vpn >> m->shift;
    uint32_t span = 1;

    for (uint32_t s = 2; s <= MH_UVM_BLOCK_BYTES / m->bytes; s *= 2)
        if (more_than_half(m, tenant, leaf & ~(s - 1), s))
            span = s;
    for (uint32_t i = 0; i < span; i++) {
        uint32_t other = mh_unit_at(m, tenant, (leaf & ~(span - 1)) + i);

        if (other == MH_NONE || m->unit[other].state != MH_UNIT_HOST)
            continue;
        m->unit[unit].brought++;
        fetch(g, other);
    }
}

/* --- Regions. */

static bool is_same_region(const struct mh_uvm *m, const struct mh_unit *a, const struct mh_unit *b)
{
    const uint32_t span = MH_UVM_BLOCK_BYTES / m->bytes;

    return a->tenant == b->tenant && (a->vpn >> m->shift) / span == (b->vpn >> m->shift) / span;
}

/* Units stand in the order of tenant and address. */
int mh_uvm_find_regions(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    if (g->cfg.uvm.prefetch != MH_PREFETCH_ZHENG)
        return 0;
    m->region = calloc(m->units, sizeof *m->region);
    if (!m->region)
        return -1;
    for (uint32_t i = 0; i < m->units; i++) {
        if (!i || !is_same_region(m, &m->unit[i - 1], &m->unit[i]))
            m->region[m->regions++].first = i;
        m->region[m->regions - 1].end = i + 1;
    }
    return 0;
}

void mh_uvm_forget_regions(struct mh_uvm *m, uint32_t tenant)
{
    for (uint32_t r = 0; r < m->regions; r++)
        if (m->unit[m->region[r].first].tenant == tenant)
            m->region[r].faulted = 0;
}

static void ask_for_region(struct mh_uvm *m, uint32_t unit)
{
    for (uint32_t r = 0; r < m->regions; r++) {
        struct mh_uvm_region *region = &m->region[r];

        if (unit < region->first || unit >= region->end)
            continue;
        region->next = region->first;
        region->faulted = ++m->region_faults;
        for (uint32_t i = region->first; i < region->end; i++)
            m->unit[unit].brought += m->unit[i].state == MH_UNIT_HOST;
    }
}

static struct mh_uvm_region *faulted_last(const struct mh_uvm *m)
{
    struct mh_uvm_region *last = NULL;

    for (uint32_t r = 0; r < m->regions; r++)
        if (m->region[r].faulted > (last ? last->faulted : 0))
            last = &m->region[r];
    return last;
}

/* Its next unit in host memory; MH_NONE: it has come whole. */
static uint32_t next_of(const struct mh_uvm *m, struct mh_uvm_region *r)
{
    while (r->next < r->end)
        if (m->unit[r->next++].state == MH_UNIT_HOST)
            return r->next - 1;
    r->faulted = 0;
    return MH_NONE;
}

void mh_uvm_prefetch_next(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    struct mh_uvm_region *r;

    while (!m->in.waiting.count && !m->placed.count && (r = faulted_last(m))) {
        uint32_t unit = next_of(m, r);

        if (unit == MH_NONE)
            continue;
        fetch(g, unit);
        mh_uvm_hand_out(g);
    }
}

/* --- */

void mh_uvm_prefetch(struct mh_gpu *g, uint32_t unit)
{
    if (g->cfg.uvm.prefetch == MH_PREFETCH_TREE)
        fetch_tree(g, unit);
    else
        ask_for_region(g->uvm, unit);
}

void mh_uvm_used(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    uint32_t unit = mh_unit_of(g->uvm, tenant, vpn);
    struct mh_unit *u = &g->uvm->unit[unit];

    if (unit == MH_NONE) /* of an array that stays on the host */
        return;
    g->tenant[tenant].count.uvm_prefetches_used += u->prefetched;
    u->prefetched = false;
}
