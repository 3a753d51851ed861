/*
 * Streams of one SM whose lines and pages are there already, for tests of what happens inside the SM.
 */
#ifndef TESTS_WARM_H
#define TESTS_WARM_H

#include "chain.h"

/* A load that hits L1 TLB and L1D: the LSU takes it one cycle after its issue, TLB and L1D take one each. */
enum { HIT = 1 + 1 + 1 };

/* Lines that are in the L1D, of pages that are in the L1 TLB; each in a set of its own. */
static inline uint64_t hot(uint64_t i)
{
    return in_page(i, i * MH_LINE_BYTES);
}

/*
 * A script whose first launch loads hot(0 .. 7), so that in the second one these loads hit; returns it. The second
 * launch has `warps` warps, whose streams the test adds; they all begin at the cycle script_placed(s, 1, 0).
 */
static inline struct script *warm_script(uint32_t warps)
{
    struct script *s = script_new();
    uint64_t addr[MH_MAX_LANES];
    script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_warps(s, 1);
    for (uint32_t l = 0; l < 8; l++)
        addr[l] = hot(l);
    script_add_list(s, 0, 0, 0, op_lanes(MH_OP_LOAD, 4, 0xff, 0, 0), addr);
    script_warps(s, warps);
    return s;
}

static inline struct mh_gpu *run(const struct mh_config *cfg, struct script *s)
{
    struct mh_gpu *g = script_gpu(cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    return g;
}

static inline uint64_t issued(const struct script *s, uint32_t warp, uint32_t index)
{
    return script_issued(s, 1, 0, warp, index) - script_placed(s, 1, 0);
}

#endif
