#include <stdlib.h>

#include "uvm/internal.h"

/*
 * What comes with a faulted unit. `tree`: NVIDIA's driver sees a block of 2 MB as a binary tree of units of 64 KB.
 * Where more than half of a subtree's units are there or on their way, the rest is fetched too
 * (uvm_perf_prefetch_threshold is 51 %).
 *
 * `driver`: the tree as the open driver counts it (uvm_perf_prefetch.c). A block's faults of one batch are serviced
 * together: its tree holds what has been serviced before and these faults, neither what they bring nor faults that
 * still wait in the buffer. Each fault brings its largest subtree above the threshold. A unit whose own fault waits in
 * the buffer comes with that fault's batch (ours); the driver brings it now and finds its fault served.
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

/* It is there, comes, or is in the batch that has been handled. */
static bool is_serviced(const struct mh_unit *u)
{
    return is_near(u) && u->state != MH_UNIT_FAULTED;
}

typedef bool counts_fn(const struct mh_unit *u);

/* A subtree has 32 units at most: count x 100 > units x 51 says the same. */
static bool more_than_half(const struct mh_uvm *m, uint32_t tenant, uint32_t first, uint32_t span, counts_fn *counts)
{
    uint32_t near = 0, all = 0;

    for (uint32_t leaf = first; leaf < first + span; leaf++) {
        uint32_t unit = mh_unit_at(m, tenant, leaf);

        all += unit != MH_NONE;
        near += unit != MH_NONE && counts(&m->unit[unit]);
    }
    return 2 * near > all;
}

static void fetch(struct mh_gpu *g, uint32_t unit)
{
    g->uvm->unit[unit].prefetched = true;
    g->tenant[g->uvm->unit[unit].tenant].count.uvm_prefetches++;
    mh_uvm_place(g, unit);
}

/* Units of the largest subtree around the unit of which more than half count. */
static uint32_t dense_span(const struct mh_uvm *m, const struct mh_unit *u, counts_fn *counts)
{
    const uint32_t leaf = u->vpn >> m->shift;
    uint32_t span = 1;

    for (uint32_t s = 2; s <= MH_UVM_BLOCK_BYTES / m->bytes; s *= 2)
        if (more_than_half(m, u->tenant, leaf & ~(s - 1), s, counts))
            span = s;
    return span;
}

static void fetch_subtree(struct mh_gpu *g, uint32_t unit, uint32_t span)
{
    struct mh_uvm *m = g->uvm;
    const uint32_t tenant = m->unit[unit].tenant, leaf = m->unit[unit].vpn >> m->shift;

    for (uint32_t i = 0; i < span; i++) {
        uint32_t other = mh_unit_at(m, tenant, (leaf & ~(span - 1)) + i);

        if (other == MH_NONE || m->unit[other].state != MH_UNIT_HOST)
            continue;
        m->unit[unit].brought++;
        fetch(g, other);
    }
}

static void ask_for_region(struct mh_uvm *m, uint32_t unit)
{
    struct mh_uvm_region *region = mh_uvm_region_of(m, unit);

    region->next = region->first;
    region->faulted = ++m->region_faults;
    for (uint32_t i = region->first; i < region->end; i++)
        m->unit[unit].brought += m->unit[i].state == MH_UNIT_HOST;
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

void mh_uvm_plan_batch(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    uint32_t unit = m->batch.head;

    if (g->cfg.uvm.prefetch != MH_PREFETCH_DRIVER)
        return;
    for (uint32_t n = m->batch.count; n; n--, unit = m->unit[unit].next)
        m->unit[unit].span = (uint8_t)dense_span(m, &m->unit[unit], is_serviced);
}

void mh_uvm_prefetch(struct mh_gpu *g, uint32_t unit)
{
    const struct mh_unit *u = &g->uvm->unit[unit];

    switch (g->cfg.uvm.prefetch) {
    case MH_PREFETCH_TREE:
        fetch_subtree(g, unit, dense_span(g->uvm, u, is_near));
        break;
    case MH_PREFETCH_DRIVER:
        fetch_subtree(g, unit, u->span);
        break;
    case MH_PREFETCH_ZHENG:
        ask_for_region(g->uvm, unit);
        break;
    case MH_PREFETCH_NONE:
        break;
    }
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

/* Blocks of 2 MB of virtual memory, in which a driver handles faults and ETC's prefetcher looks ahead. */

static bool is_same_region(const struct mh_uvm *m, const struct mh_unit *a, const struct mh_unit *b)
{
    const uint32_t span = MH_UVM_BLOCK_BYTES / m->bytes;

    return a->tenant == b->tenant && (a->vpn >> m->shift) / span == (b->vpn >> m->shift) / span;
}

/* Units stand in the order of tenant and address. */
int mh_uvm_find_regions(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    if (g->cfg.uvm.prefetch != MH_PREFETCH_ZHENG && !g->cfg.uvm.block_ns)
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

struct mh_uvm_region *mh_uvm_region_of(const struct mh_uvm *m, uint32_t unit)
{
    uint32_t low = 0, high = m->regions - 1;

    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;

        if (m->region[middle].first <= unit)
            low = middle;
        else
            high = middle - 1;
    }
    return &m->region[low];
}

void mh_uvm_forget_regions(struct mh_uvm *m, uint32_t tenant)
{
    for (uint32_t r = 0; r < m->regions; r++)
        if (m->unit[m->region[r].first].tenant == tenant)
            m->region[r].faulted = 0;
}
