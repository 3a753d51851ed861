/* Warps among the look-ups of the L2 TLB, window by window: counters L2TLB_WARPS and L2TLB_WINDOWS. */
#ifndef MEMHELM_TRANSLATE_WINDOW_H
#define MEMHELM_TRANSLATE_WINDOW_H

#include "engine/gpu.h"
#include "engine/request.h"
#include "translate/l2tlb.h"

/** Windows are of all tenants together, as in figure 12 of Shin et al., so each tenant has as many. */
static inline void mh_l2tlb_end_window(struct mh_gpu *g, struct mh_l2tlb_window *w)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        g->tenant[t].count.l2tlb_warps += w->warps[t];
        g->tenant[t].count.l2tlb_windows++;
    }
    *w = (struct mh_l2tlb_window){0};
}

/** A look-up for the L1 TLB MSHR `e`, of this ID. */
static inline void mh_l2tlb_count_warp(struct mh_gpu *g, uint32_t mshr, const struct mh_tlb_mshr *e)
{
    struct mh_l2tlb_window *w = &g->l2tlb->window;
    uint64_t *seen = &w->seen[mh_quotient(&g->l1tlb_mshrs, mshr)];

    w->warps[e->tenant] += !(*seen >> e->warp & 1);
    *seen |= 1ull << e->warp;
    if (++w->look_ups == MH_L2TLB_WINDOW)
        mh_l2tlb_end_window(g, w);
}

#endif
