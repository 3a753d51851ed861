/*
 * What translations cost in preset `mask` on an otherwise idle GPU, and configurations in which every load needs one.
 */
#ifndef TESTS_TRANSLATE_FIXTURE_H
#define TESTS_TRANSLATE_FIXTURE_H

#include "chain.h"

/*
 * A load reaches the LSU in the cycle after its issue. An L1D hit is there L1 TLB 1 + L1D 1 later. A miss leaves for
 * the L2 TLB when the L1 TLB has been looked up; the L2 TLB is 8 away and takes 10. A read of a page table entry that
 * hits the L2: crossbar 8, L2 10, crossbar 8, and the second of its two flits 1. A look-up in the page walk cache: 10.
 */
enum { LSU = 1, L1TLB = 1, HIT = 1 + 1, WIRE = 8, L2TLB = 10, READ = 8 + 10 + 8 + 1, WALK = 4 * READ, PWC = 10 };
/* From the issue to the look-up in the L2 TLB. */
enum { ASK = LSU + L1TLB + WIRE };

/** One page in the L1 TLB: going to and fro between two pages always misses it. */
static inline struct mh_config small_config(uint32_t sms)
{
    struct mh_config cfg = script_config(sms, 1);

    cfg.l1tlb.entries = 1;
    return cfg;
}

/** The same, with one page in the L2 TLB and no bypass cache: every change of page leaves it. */
static inline struct mh_config walking_config(uint32_t sms)
{
    struct mh_config cfg = small_config(sms);

    cfg.l2tlb.entries = 1;
    cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    return cfg;
}

/** One warp that loads `pages` pages in one instruction; the GPU at cycle 0. */
static inline struct mh_gpu *list_gpu(const struct mh_config *cfg, uint32_t pages)
{
    uint64_t addr[MH_MAX_LANES];
    struct script *s = script_paged(64, 1);
    for (uint32_t l = 0; l < pages; l++)
        addr[l] = in_page(l, 0);
    script_add_list(s, 0, 0, 0, op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (64 - pages), 0, 0), addr);
    return script_gpu(cfg, &s);
}

/** A chain of loads of page 0, page 1, page 0, page 1; from the third on, their lines are in the L1D. */
static inline struct mh_gpu *to_and_fro_gpu(const struct mh_config *cfg, struct script **s)
{
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 0), in_page(1, 128)};
    return chain_gpu(cfg, 4, addr, s);
}

/** to_and_fro_gpu() after its run. */
static inline struct mh_gpu *to_and_fro_ended(const struct mh_config *cfg, struct script **s)
{
    struct mh_gpu *g = to_and_fro_gpu(cfg, s);
    chain_run(g);
    return g;
}

/** A CTA for each SM, of one warp that loads page `i` * step; the GPU at cycle 0. */
static inline struct mh_gpu *one_load_each(const struct mh_config *cfg, uint32_t step)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = cfg->sm.count, .threads = 64});
    for (uint32_t cta = 0; cta < cfg->sm.count; cta++)
        script_add(s, 0, cta, 0, op_load(in_page(cta * step, 0)));
    return script_gpu(cfg, &s);
}

/**
 * Loads `warm` and then `warm` + 1, whose page table lines the pages around them share, then the `count` pages of
 * page[] in one instruction; the GPU at the cycle in which that is issued. The first of the two has left the L1 TLB
 * again.
 */
static inline struct mh_gpu *warm_list_gpu(const struct mh_config *cfg, uint64_t warm, uint32_t count,
                                           const uint64_t *page)
{
    uint64_t addr[MH_MAX_LANES];
    struct script *s = script_paged(64, 1);
    script_ops(s, 0, 0, 0, op_load(in_page(warm, 0)), op_wait(op_load(in_page(warm + 1, 0))));
    for (uint32_t l = 0; l < count; l++)
        addr[l] = in_page(page[l], 0);
    script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (64 - count), 0, 0)), addr);
    struct mh_gpu *g = script_gpu(cfg, &s);
    while (script_issued(s, 0, 0, 0, 2) == SCRIPT_NEVER)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return g;
}

#endif
