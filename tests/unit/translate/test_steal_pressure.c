/* A tenant whose queues are full stops nobody else's look-ups, with and without an IOMMU; copies for each tenant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "translate_fixture.h"

enum { LIST = 60, LATER = 500 };

/* One walker and one place for each of two tenants, and few of all else. */
static void narrow_config(struct mh_config *cfg, bool iommu)
{
    walking_config(cfg, 2);
    script_config(cfg, 2, 2);
    cfg->l1tlb.entries = 1;
    cfg->l2tlb.mshrs = 8;
    cfg->l2tlb.queue = 4;
    cfg->walk.walkers = 2;
    cfg->walk.buffer = 2;
    cfg->iommu.latency = iommu ? 10 : 0;
    cfg->iommu.l1_entries = iommu;
    cfg->iommu.l2_entries = 0;
}

/* Tenant 0 loads `pages` pages at once; tenant 1 one page, later. */
static struct mh_gpu *two_tenants(const struct mh_config *cfg, uint32_t pages)
{
    struct script *s[2];
    uint64_t addr[MH_MAX_LANES] = {0};
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, 64 * SCRIPT_PAGE);
        script_warps(s[t], 1);
    }
    for (uint32_t l = 0; l < pages; l++)
        addr[l] = in_page(l, 0);
    if (pages)
        script_add_list(s[0], 0, 0, 0, op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (64 - pages), 0, 0), addr);
    script_add(s[1], 0, 0, 0, op_after(LATER, op_load(in_page(0, 0))));
    script_add(s[1], 0, 0, 0, op_wait(op_barrier()));
    return script_gpu(cfg, s);
}

/* The cycle at which tenant 1 has its page. */
static uint64_t page_of_the_second(bool iommu, bool queues, uint32_t pages)
{
    struct mh_config cfg;
    narrow_config(&cfg, iommu);
    struct mh_gpu *g = two_tenants(&cfg, pages);
    script_knob(g, MH_REG_WALK_QUEUES, queues);
    uint64_t done = script_until(g, &g->tenant[1].count.walks, 1);
    mh_gpu_check(g);
    if (pages) /* it was full all the while */
        assert_true(g->tenant[0].count.walks < LIST - 10);
    script_until(g, &g->tenant[1].count.completions, 1);
    if (pages)
        chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, pages);
    script_end(g);
    return done;
}

/* Beside a full queue the walk takes as long as alone, but for what the other's reads cost in the L2 and DRAM. */
static void test_full_queues_stop_their_tenant(void **state)
{
    (void)state;
    for (uint32_t iommu = 0; iommu < 2; iommu++) {
        uint64_t alone = page_of_the_second(iommu, true, 0), beside = page_of_the_second(iommu, true, LIST);
        uint64_t shared = page_of_the_second(iommu, false, LIST);
        assert_in_range(beside, alone, alone + WALK);
        assert_true(shared > alone + 3 * WALK);
    }
}

/* How many walks of tenant 0, whose queue is full, end between the load of tenant 1 and the beginning of its walk. */
static uint64_t ends_before_the_second(const char *lanes)
{
    struct mh_config cfg;
    narrow_config(&cfg, false);
    strcpy(cfg.l2tlb.lanes, lanes);
    struct mh_gpu *g = two_tenants(&cfg, LIST);
    script_knob(g, MH_REG_WALK_QUEUES, 1);
    mh_gpu_advance(g, LATER);
    uint64_t before = g->tenant[0].count.walks;
    script_until(g, &g->tenant[1].count.walks_live, 1);
    uint64_t ended = g->tenant[0].count.walks - before;
    mh_gpu_check(g);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, LIST);
    script_end(g);
    return ended;
}

/*
 * l2tlb.lanes one: behind the four look-ups that have the credits, and the one whose SM was first to wait for a credit.
 * Each enters when a walk ends, and with the last of them tenant 1's, whose walker is idle.
 */
static void test_one_lane(void **state)
{
    (void)state;
    assert_int_equal(ends_before_the_second("tenant"), 0);
    assert_int_equal(ends_before_the_second("one"), 4 + 1);
}

/* Eight MSHRs. Of tenant 0 five walks find room, one with its walker and four in its queue: all, or half of the MSHRs.
 */
static void test_mshr_table(void **state)
{
    static const char *const tables[] = {"split", "one"};
    (void)state;
    for (uint32_t one = 0; one < 2; one++) {
        struct mh_config cfg;
        uint32_t most = 0;
        narrow_config(&cfg, false);
        cfg.walk.buffer = 8;
        cfg.l2tlb.queue = 64;
        strcpy(cfg.l2tlb.mshr_table, tables[one]);
        struct mh_gpu *g = two_tenants(&cfg, LIST);
        script_knob(g, MH_REG_WALK_QUEUES, 1);
        while (!g->tenant[0].count.completions) {
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
            most = g->l2tlb->part[0].held > most ? g->l2tlb->part[0].held : most;
        }
        assert_int_equal(most, one ? 5 : 4);
        mh_gpu_check(g);
        chain_run(g);
        script_end(g);
    }
}

/* Look-ups that are stalled and SMs that wait go on, in whichever lane the change of queues puts them. */
static void test_changes_under_pressure(void **state)
{
    (void)state;
    for (uint32_t iommu = 0; iommu < 2; iommu++)
        for (uint64_t when = 1; when < 2500; when += 97) {
            struct mh_config cfg;
            narrow_config(&cfg, iommu);
            struct mh_gpu *g = two_tenants(&cfg, LIST);
            for (uint32_t i = 1; i < 6; i++) {
                mh_gpu_advance(g, when * i);
                script_write(g, MH_REG_WALK_QUEUES, i % 2);
                script_knob(g, MH_REG_WALKER_OWNER, i == 3);
                mh_gpu_check(g);
            }
            while (g->tenant[0].count.completions + g->tenant[1].count.completions < 2)
                mh_gpu_advance(g, mh_gpu_now(g) + 1000);
            script_assert_idle(g);
            assert_int_equal(g->tenant[0].count.walks, LIST);
            mh_gpu_destroy(g);
        }
}

/* Two tenants go to and fro between two pages each, in an L2 TLB of two: with one each they hit, with one for both not.
 */
static uint64_t hits(bool private)
{
    struct mh_config cfg;
    struct script *s[2];
    walking_config(&cfg, 2);
    script_config(&cfg, 2, 2);
    cfg.l1tlb.entries = 1;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 2;
    cfg.l2tlb.bypass_entries = 0;
    cfg.l2tlb.private = private;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, 64 * SCRIPT_PAGE);
        script_warps(s[t], 1);
        for (uint32_t i = 0; i < 20; i++)
            script_add(s[t], 0, 0, 0, op_wait(op_load(in_page(i % 2, 128 * i))));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    while (g->tenant[0].count.completions + g->tenant[1].count.completions < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    uint64_t n = g->tenant[0].count.l2tlb_hit + g->tenant[1].count.l2tlb_hit;
    script_end(g);
    return n;
}

static void test_private_l2tlb(void **state)
{
    (void)state;
    assert_int_equal(hits(true), 2 * 18);
    assert_true(hits(false) < 18);
}

/* One walker each: both walk at once, and a queue of the other's is not in the way. */
static void test_private_walkers(void **state)
{
    (void)state;
    uint64_t done[2];
    for (uint32_t private = 0; private < 2; private ++) {
        struct mh_config cfg;
        narrow_config(&cfg, false);
        cfg.walk.walkers = cfg.walk.buffer = 1;
        cfg.walk.private = private;
        cfg.l2tlb.private = private;
        struct mh_gpu *g = two_tenants(&cfg, LIST);
        done[private] = script_until(g, &g->tenant[1].count.walks, 1);
        chain_run(g);
        script_end(g);
    }
    assert_true(done[1] + 3 * WALK < done[0]);
}

int test_steal_pressure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_queues_stop_their_tenant),
        cmocka_unit_test(test_one_lane),
        cmocka_unit_test(test_mshr_table),
        cmocka_unit_test(test_changes_under_pressure),
        cmocka_unit_test(test_private_l2tlb),
        cmocka_unit_test(test_private_walkers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
