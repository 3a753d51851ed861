/* IOMMU: two TLBs in front of the walkers; cycles by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "translate_fixture.h"

/* The way there and back, and the look-ups. */
enum { FAR = 40, FIRST = 3, SECOND = 7 };
/* What a load costs beside the IOMMU's part; the cycle of the IOMMU's look-up. */
enum { AROUND = ASK + L2TLB + FAR + FAR + WIRE + HIT, REACH = ASK + L2TLB + FAR };

static void iommu_config(struct mh_config *cfg, uint32_t sms, uint32_t first, uint32_t second)
{
    walking_config(cfg, sms);
    cfg->iommu.latency = FAR;
    cfg->iommu.l1_entries = first;
    cfg->iommu.l1_latency = FIRST;
    cfg->iommu.l2_entries = second;
    cfg->iommu.l2_ways = second ? second : 1;
    cfg->iommu.l2_latency = SECOND;
}

/* Two entries in the first TLB hold what the L2 TLB, with one, has lost. */
static void test_first_tlb_hit(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    for (uint32_t second = 0; second <= 4; second += 4) {
        iommu_config(&cfg, 1, 2, second);
        struct mh_gpu *g = to_and_fro_ended(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        assert_int_equal(chain_cycles(s, 2), AROUND + FIRST);
        assert_int_equal(chain_cycles(s, 3), AROUND + FIRST);
        assert_int_equal(c->iommu_l1_access, 4);
        assert_int_equal(c->iommu_l1_hit, 2);
        assert_int_equal(c->iommu_l2_access, second ? 2 : 0);
        assert_int_equal(c->iommu_l2_hit, 0);
        assert_int_equal(c->walks, 2);
        assert_int_equal(c->l2tlb_fill, 4); /* hit or walk, the translation fills the L2 TLB */
        mh_gpu_destroy(g);
    }
}

/* One entry in the first TLB, four in the second. */
static void test_second_tlb_hit(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    iommu_config(&cfg, 1, 1, 4);
    struct mh_gpu *g = to_and_fro_ended(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(chain_cycles(s, 2), AROUND + FIRST + SECOND);
    assert_int_equal(chain_cycles(s, 3), AROUND + FIRST + SECOND);
    assert_int_equal(c->iommu_l1_hit, 0);
    assert_int_equal(c->iommu_l2_access, 4);
    assert_int_equal(c->iommu_l2_hit, 2);
    assert_int_equal(c->walks, 2);
    mh_gpu_destroy(g);
}

/* A hit in the second TLB fills the first, where the least recently used makes room: page 1, then page 2. */
static void test_second_fills_first(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    static const uint32_t page[] = {0, 1, 2, 0, 2, 0, 1, 2}, second[] = {1, 1, 1, 1, 0, 0, 1, 1};
    uint64_t addr[8];
    for (uint32_t i = 0; i < 8; i++)
        addr[i] = in_page(page[i], page[i] * 128);
    iommu_config(&cfg, 1, 2, 4);
    struct mh_gpu *g = chain_ended(&cfg, 8, addr, &s);
    for (uint32_t i = 3; i < 8; i++)
        assert_int_equal(chain_cycles(s, i), AROUND + FIRST + second[i] * SECOND);
    assert_int_equal(g->tenant[0].count.walks, 3);
    mh_gpu_destroy(g);
}

/* One entry each: every load walks. 4 reads without a page walk cache, 1 with all levels in it. */
static void test_walks(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t pwc = i & 1, second = i / 2;
        uint64_t tlbs = FIRST + second * SECOND, walk = pwc ? PWC + READ : WALK;
        iommu_config(&cfg, 1, 1, second);
        cfg.walk.pwc_bytes = pwc * 1024;
        struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        script_until(g, &c->walks, 2);
        uint64_t cold = c->walk_cycles;
        chain_run(g);
        assert_int_equal(chain_cycles(s, 2), AROUND + tlbs + walk);
        assert_int_equal(chain_cycles(s, 3), AROUND + tlbs + walk);
        assert_int_equal(c->walk_cycles - cold, 2 * (tlbs + walk)); /* from the IOMMU's look-up on */
        assert_int_equal(c->iommu_l1_hit + c->iommu_l2_hit, 0);
        mh_gpu_destroy(g);
    }
}

/* On the same chip: no way. */
static void test_no_distance(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 0)};
    iommu_config(&cfg, 1, 2, 0);
    cfg.iommu.latency = 0;
    struct mh_gpu *g = chain_ended(&cfg, 3, addr, &s);
    assert_int_equal(chain_cycles(s, 2), AROUND - 2 * FAR + FIRST);
    mh_gpu_destroy(g);
}

/* Five SMs miss the L2 TLB two a cycle; the IOMMU starts one look-up a cycle, in order of arrival. */
static void test_port(void **state)
{
    (void)state;
    struct mh_config cfg;
    iommu_config(&cfg, 5, 1, 0);
    struct mh_gpu *g = one_load_each(&cfg, 1);
    mh_gpu_advance(g, ASK + 2);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 5);
    for (uint32_t k = 0; k < 6; k++) {
        mh_gpu_advance(g, REACH + k - 1);
        assert_int_equal(g->tenant[0].count.iommu_l1_access, k < 5 ? k : 5);
    }
    chain_run(g);
    mh_gpu_destroy(g);
}

/* Two SMs, one page: one request. */
static void test_merge(void **state)
{
    (void)state;
    struct mh_config cfg;
    iommu_config(&cfg, 2, 1, 1);
    struct mh_gpu *g = one_load_each(&cfg, 0);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 2);
    assert_int_equal(g->tenant[0].count.iommu_l1_access, 1);
    assert_int_equal(g->tenant[0].count.walks, 1);
    mh_gpu_destroy(g);
}

/*
 * One walker, a buffer of one. Of pages 0, 1, 2 and the warm one the first walks, the second is in the buffer, the
 * third finds it full, and the last waits behind it although the first TLB has it. When the first walk ends the third
 * is looked up, and the last a cycle later.
 */
static void test_full_buffer(void **state)
{
    (void)state;
    static const uint64_t page[] = {0, 1, 2, 5};
    struct mh_config cfg;
    iommu_config(&cfg, 1, 8, 0);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 1;
    struct mh_gpu *g = warm_list_gpu(&cfg, 5, 4, page);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = mh_gpu_now(g) + REACH, cold = c->walk_cycles;
    mh_gpu_advance(g, first + FIRST + WALK - 1);
    assert_int_equal(c->iommu_l1_access, 2 + 2);
    assert_true(g->iommu->stalled);
    mh_gpu_advance(g, first + FIRST + WALK);
    assert_int_equal(c->iommu_l1_access, 2 + 3);
    assert_int_equal(c->iommu_l1_hit, 0);
    mh_gpu_advance(g, first + FIRST + WALK + 1);
    assert_int_equal(c->iommu_l1_access, 2 + 4);
    assert_int_equal(c->iommu_l1_hit, 1);
    script_until(g, &c->walks, 2 + 3);
    assert_int_equal(mh_gpu_now(g), first + FIRST + 3 * WALK);
    assert_int_equal(c->walk_cycles - cold, (FIRST + WALK) + (FIRST + 2 * WALK - 1) + 2 * WALK);
    mh_gpu_destroy(g);
}

/* Two L2 TLB MSHRs: a third page is looked up in the L2 TLB when the first translation is back. */
static void test_bounded_by_mshrs(void **state)
{
    (void)state;
    static const uint64_t page[] = {0, 1, 2};
    struct mh_config cfg;
    iommu_config(&cfg, 1, 1, 0);
    cfg.l2tlb.mshrs = 2;
    struct mh_gpu *g = warm_list_gpu(&cfg, 5, 3, page);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t back = mh_gpu_now(g) + REACH + FIRST + WALK + FAR;
    mh_gpu_advance(g, back - 1);
    assert_int_equal(c->walks, 2 + 2);
    assert_int_equal(c->l2tlb_access, 2 + 2);
    mh_gpu_advance(g, back);
    assert_int_equal(c->l2tlb_access, 2 + 3);
    mh_gpu_destroy(g);
}

int test_iommu(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_tlb_hit),
        cmocka_unit_test(test_second_tlb_hit),
        cmocka_unit_test(test_second_fills_first),
        cmocka_unit_test(test_walks),
        cmocka_unit_test(test_no_distance),
        cmocka_unit_test(test_port),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_full_buffer),
        cmocka_unit_test(test_bounded_by_mshrs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
