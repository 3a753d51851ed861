#include "uvm/internal.h"

#include <stdlib.h>

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
