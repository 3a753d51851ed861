/* Prefetch of the next page's translation (TLB_PREFETCH). */
#include "unit/test.h"
#include "translate_fixture.h"

static struct mh_gpu *prefetching(const struct mh_config *cfg, uint32_t count, const uint64_t *addr, struct script **s)
{
    struct mh_gpu *g = chain_gpu(cfg, count, addr, s);
    script_knob(g, MH_REG_TLB_PREFETCH, 1);
    chain_run(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 10000); /* a walk that nobody waits for */
    return g;
}

/* Page 1 comes with page 0, and is in the L2 TLB when it is wanted: a hit, which leads to no walk. */
TEST(test_next_page)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(0, 128), in_page(0, 256), in_page(0, 384), in_page(1, 0)};
    LOCAL_GPU(g) = prefetching(&cfg, 5, addr, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->tlb_prefetches, 1);
    assert_int_equal(c->walks, 2);
    assert_int_equal(c->l2tlb_access, 2);
    assert_int_equal(c->l2tlb_hit + c->bypass_hit, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].walk_instr, 1); /* the walk of page 1 is of no instruction */
    script_assert_idle(g);
}

/* Downwards, each page's next one is there already. */
TEST(test_page_that_is_there)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    LOCAL_GPU(g) = prefetching(&cfg, 3, (uint64_t[]){in_page(2, 0), in_page(1, 0), in_page(0, 0)}, &s);
    assert_int_equal(g->tenant[0].count.tlb_prefetches, 1); /* page 3 */
    assert_int_equal(g->tenant[0].count.walks, 4);
}

/* The last page of the buffer: the one behind it is not mapped. */
TEST(test_page_that_is_not_mapped)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    LOCAL_GPU(g) = prefetching(&cfg, 1, (uint64_t[]){in_page(CHAIN_PAGES - 1, 0)}, &s);
    assert_int_equal(g->tenant[0].count.tlb_prefetches, 0);
    assert_int_equal(g->tenant[0].count.walks, 1);
}

/* A walk that waits takes the walker: there is a prefetch behind the last one alone. */
TEST(test_busy_walker)
{
    struct mh_config cfg = walking_config(1);
    cfg.walk.walkers = 1;
    LOCAL_GPU(g) = list_gpu(&cfg, 4);
    script_knob(g, MH_REG_TLB_PREFETCH, 1);
    script_until(g, &g->tenant[0].count.completions, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 10000);
    assert_int_equal(g->tenant[0].count.tlb_prefetches, 1); /* page 4 */
    assert_int_equal(g->tenant[0].count.walks, 5);
    script_assert_idle(g);
}

/* A look-up that misses while its page is walked ahead joins that walk. */
TEST(test_joins)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    cfg.walk.pwc_bytes = 0;
    cfg.l2.latency = 200; /* a walk is longer than a load that hits */
    LOCAL_GPU(g) = prefetching(&cfg, 3, (uint64_t[]){in_page(0, 0), in_page(1, 0), in_page(2, 0)}, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->l2tlb_merge, 2);
    assert_int_equal(c->walks, 4); /* joined walks lead to prefetches, of page 3 at last */
    assert_int_equal(c->tlb_prefetches, 3);
}

/*
 * Two pages of 2 MiB and two of 64 KiB behind them. The walk of the first large page brings the second, that of the
 * first small one the other; both are hits when they are wanted, and a hit leads to no walk.
 */
TEST(test_large_pages)
{
    enum { SMALL = 64 << 10, LARGE = 2 << 20, LOADS = 5 };
    static const uint32_t first[] = {0, LARGE, 2 * LARGE, 2 * LARGE + SMALL};
    struct mh_config cfg = small_config(1);
    struct script *s = script_new();
    cfg.memory.bytes = 1ull << 32;
    cfg.memory.page_bytes = SMALL;
    cfg.memory.large_bytes = LARGE;
    script_buffer(s, SCRIPT_BASE, 2 * LARGE + 2 * SMALL);
    script_warps(s, 1);
    for (uint32_t page = 0; page < 4; page++)
        for (uint32_t i = 0; i < LOADS; i++)
            script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + first[page] + i * 128)));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_knob(g, MH_REG_TLB_PREFETCH, 1);
    chain_run(g);
    mh_gpu_advance(g, mh_gpu_now(g) + 10000);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->tlb_prefetches, 2);
    assert_int_equal(c->walks, 4);
    assert_int_equal(c->l2tlb_access, 4);
    assert_int_equal(c->l2tlb_hit + c->bypass_hit, 2);
    script_assert_idle(g);
}

/* No effect with an IOMMU; and 0 is as without the knob. */
TEST(test_off)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    cfg.iommu.l1_entries = 4;
    struct mh_gpu *g = prefetching(&cfg, 1, (uint64_t[]){in_page(0, 0)}, &s);
    assert_int_equal(g->tenant[0].count.tlb_prefetches, 0);
    mh_gpu_destroy(g);
    cfg.iommu.l1_entries = 0;
    g = chain_ended(&cfg, 1, (uint64_t[]){in_page(0, 0)}, &s);
    assert_int_equal(g->tenant[0].count.tlb_prefetches, 0);
    assert_int_equal(g->tenant[0].count.walks, 1);
    mh_gpu_destroy(g);
    cfg.l2tlb.entries = 0; /* nothing to prefetch into */
    LOCAL_GPU(none) = chain_gpu(&cfg, 1, (uint64_t[]){in_page(0, 0)}, &s);
    script_refused(none, MH_REG_TLB_PREFETCH, 1);
}
