/*
 * For tests of what happens inside an SM: streams whose lines and pages are there already, and tenants that share SMs.
 * cmocka.h comes first.
 */
#ifndef TESTS_SM_FIXTURE_H
#define TESTS_SM_FIXTURE_H

#include "chain.h"
#include "mix.h"

/* A load that hits L1 TLB and L1D: the LSU takes it one cycle after its issue, TLB and L1D take one each. */
enum { WARM_HIT = 1 + 1 + 1 };

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

/** All tenants on the same two SMs, each with its own buffers at the same virtual addresses. */
static inline struct mh_config shared_config(uint32_t tenants)
{
    struct mh_config cfg = script_config(2, tenants);

    script_share_sms(&cfg);
    return cfg;
}

/** A GPU at cycle 0 on which each tenant repeats a random mix, mix[t]; the caller keeps these as long as the GPU. */
static inline struct mh_gpu *mixed_gpu(const struct mh_config *cfg, struct mix *mix)
{
    struct script *s[MH_MAX_TENANTS];
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        mix[t] = (struct mix){.seed = 70 + t, .bytes = 1 << 20, .ops = 20, .lanes = 64, .threads = 128};
        s[t] = mix_script(&mix[t], 1, 6);
        script_repeat(s[t]);
    }
    return script_gpu(cfg, s);
}

#endif
