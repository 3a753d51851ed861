/*
 * What comes with a faulted unit. `tree`: NVIDIA's driver sees a block of 2 MB as a binary tree of units of 64 KB.
 * Where more than half of a subtree's units are there or on their way, the rest is fetched too
 * (uvm_perf_prefetch_threshold is 51 %). ETC takes the prefetcher of Zheng et al. (HPCA 2016) and does not describe it.
 */
#include "uvm/internal.h"

/* It is there or comes; one that leaves does not count. */
static bool is_near(const struct mh_unit *u)
{
    return u->state != MH_UNIT_HOST && u->state < MH_UNIT_DRAINING;
}

/* The unit of the tenant's leaf with this number; MH_NONE: the workload has none there. */
static uint32_t at_leaf(const struct mh_uvm *m, uint32_t tenant, uint32_t leaf)
{
    return mh_unit_of(m, tenant, leaf << m->shift);
}

static bool more_than_half(const struct mh_uvm *m, uint32_t tenant, uint32_t first, uint32_t span)
{
    uint32_t near = 0, all = 0;

    for (uint32_t leaf = first; leaf < first + span; leaf++) {
        uint32_t unit = at_leaf(m, tenant, leaf);

        all += unit != MH_NONE;
        near += unit != MH_NONE && is_near(&m->unit[unit]);
    }
    return 2 * near > all;
}

void mh_uvm_prefetch(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    const uint32_t tenant = m->unit[unit].tenant, leaf = m->unit[unit].vpn >> m->shift;
    uint32_t span = 1;

    for (uint32_t s = 2; s <= MH_UVM_BLOCK_BYTES / m->bytes; s *= 2)
        if (more_than_half(m, tenant, leaf & ~(s - 1), s))
            span = s;
    for (uint32_t i = 0; i < span; i++) {
        uint32_t other = at_leaf(m, tenant, (leaf & ~(span - 1)) + i);

        if (other == MH_NONE || m->unit[other].state != MH_UNIT_HOST)
            continue;
        m->unit[other].prefetched = true;
        g->tenant[tenant].count.uvm_prefetches++;
        mh_uvm_place(g, other);
    }
}

void mh_uvm_used(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    struct mh_unit *u = &g->uvm->unit[mh_unit_of(g->uvm, tenant, vpn)];

    g->tenant[tenant].count.uvm_prefetches_used += u->prefetched;
    u->prefetched = false;
}
