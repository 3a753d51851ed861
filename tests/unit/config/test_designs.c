/* MASK's `PWCache`, which has no L2 TLB, and walkers without a limit; cycles by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "memhelm/config_file.h"
#include "translate_fixture.h"

/* No look-up: the miss of the L1 TLB is with the walkers when it has crossed the chip. */
enum { AROUND = ASK + WIRE + HIT };

static void design(struct mh_config *cfg, const char *name)
{
    struct mh_error err;
    small_config(cfg, 1);
    if (mh_config_design(cfg, name, &err))
        fail_msg("%s", err.text);
}

/* Each miss walks, and with the page walk cache reads the leaf alone; tokens or not, nothing keeps a translation. */
static void test_no_l2tlb(void **state)
{
    (void)state;
    for (uint32_t pwc = 0; pwc < 2; pwc++)
        for (uint32_t tokens = 0; tokens < 2; tokens++) {
            struct mh_config cfg;
            struct script *s;
            design(&cfg, "PWCache");
            cfg.walk.pwc_bytes *= pwc;
            struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
            const struct mh_counters *c = &g->tenant[0].count;
            assert_int_equal(script_read(g, MH_REG_CAP_L2TLB), 0);
            script_knob(g, MH_REG_TOKENS, tokens * cfg.sm.warps);
            chain_run(g);
            assert_int_equal(chain_cycles(s, 2), AROUND + (pwc ? PWC + READ : WALK));
            assert_int_equal(chain_cycles(s, 3), AROUND + (pwc ? PWC + READ : WALK));
            assert_int_equal(c->walks, 4);
            assert_int_equal(c->l2tlb_hit + c->bypass_hit + c->l2tlb_fill + c->bypass_fill, 0);
            script_end(g);
        }
}

/* Two SMs that miss the same page share its walk: MSHRs are left. */
static void test_no_l2tlb_merges(void **state)
{
    (void)state;
    struct mh_config cfg;
    script_config(&cfg, 2, 1);
    cfg.l2tlb.entries = 0;
    struct mh_gpu *g = one_load_each(&cfg, 0);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, 1);
    assert_int_equal(g->tenant[0].count.l2tlb_merge, 1);
    script_end(g);
}

/* 64 pages in one instruction: as many walks run as there are walkers, and the others wait; without a limit all run. */
static void test_unlimited_walkers(void **state)
{
    (void)state;
    static const uint32_t walkers[] = {0, 8, 64};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg;
        design(&cfg, "unlimited-walkers");
        assert_int_equal(cfg.walk.walkers, 0);
        cfg.l1tlb.mshrs = 64;
        cfg.walk.walkers = walkers[i];
        struct mh_gpu *g = list_gpu(&cfg, 64);
        uint32_t waiting = 0, running = 0;
        while (!g->tenant[0].count.completions) {
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
            mh_gpu_check(g);
            uint32_t now = mh_config_walkers(&cfg) - g->walkers[0].idle;
            running = now > running ? now : running;
            waiting = g->walkers[0].waiting.count > waiting ? g->walkers[0].waiting.count : waiting;
        }
        assert_int_equal(running, walkers[i] ? walkers[i] : 64);
        assert_int_equal(waiting, walkers[i] ? 64 - walkers[i] : 0);
        assert_int_equal(script_read(g, MH_REG_CAP_WALKERS), walkers[i] ? walkers[i] : 4096);
        script_end(g);
    }
}

/* 64 pages in one instruction: in the simulator one walk runs at a time, whatever there is of MSHRs and walkers. */
static void test_simulator(void **state)
{
    (void)state;
    struct mh_config cfg;
    design(&cfg, "simulator");
    cfg.l1tlb.mshrs = 64;
    struct mh_gpu *g = list_gpu(&cfg, 64);
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        assert_true(g->walkers[0].idle >= mh_config_walkers(&cfg) - 1);
    }
    assert_int_equal(g->tenant[0].count.walks, 64);
    script_end(g);
}

int test_designs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_l2tlb),
        cmocka_unit_test(test_no_l2tlb_merges),
        cmocka_unit_test(test_unlimited_walkers),
        cmocka_unit_test(test_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
