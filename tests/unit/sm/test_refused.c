/* L1D look-ups that are refused (RESERVATION_FAILS), one for each cycle in which the LSU stands for it; by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "warm.h"

/* Preset `mask`, DRAM clock = GPU clock, bank closed: LSU 1, there 8, DRAM 48, L2 10, back 8 + 4, L1 TLB and L1D 2. */
enum { MISS = 1 + 8 + 48 + 10 + 8 + 4 + 2 };

static struct mh_config config(void)
{
    struct mh_config cfg;
    script_config(&cfg, 1, 1);
    return cfg;
}

static uint64_t fails(struct mh_gpu *g, uint32_t tenant)
{
    return mh_gpu_stats(g)->tenant[tenant].reservation_fails;
}

/* In the second launch of a warm script, and until all that it has sent is done. */
static void assert_refused(const struct mh_config *cfg, struct script *s, uint64_t cycles)
{
    struct mh_gpu *g = script_gpu(cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    uint64_t before = fails(g, 0);
    script_until(g, &g->tenant[0].count.completions, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(fails(g, 0) - before, cycles);
    script_end(g);
}

static struct script *two_misses(void)
{
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(in_page(0, 1024)));
    script_add(s, 1, 0, 0, op_load(in_page(1, 1024)));
    return s;
}

/* The LSU takes the first at 1, and tries the second from 2 until the first one's line is there. */
static void test_no_mshr(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    assert_refused(&cfg, two_misses(), 0);
    cfg.l1d.mshrs = 1;
    assert_refused(&cfg, two_misses(), MISS - 2);
}

/* An instruction that the LSU accepts in the cycle in which the line comes: it tries a cycle later. */
static void test_tries_a_cycle_later(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    struct script *s = warm_script(2);
    cfg.l1d.mshrs = 1;
    cfg.sm.schedulers = 2;
    script_add(s, 1, 0, 0, op_load(in_page(0, 1024)));
    script_add(s, 1, 0, 0, op_load(in_page(1, 1024)));
    script_add(s, 1, 0, 1, op_after(MISS, op_store(hot(0))));
    assert_refused(&cfg, s, MISS + 1 - 2);
}

static void test_no_pending_place(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    cfg.sm.pending = 1;
    assert_refused(&cfg, two_misses(), MISS - 2);
}

/* Whole lines take five flits each: the first goes at 1, the next at 6 and 11; one can wait for its turn. */
static void test_no_place_in_the_miss_queue(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1d.miss_queue = 1;
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 1, 0, 0, op_store_lines(in_page(0, 1024 + 128 * i), 1));
    assert_refused(&cfg, s, (6 - 3) + (11 - 7));
}

/* The second waits until the first is acknowledged, but a store is no miss. */
static void test_no_store_buffer_entry(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1d.store_buffer = 1;
    for (uint32_t i = 0; i < 2; i++)
        script_add(s, 1, 0, 0, op_store(in_page(0, 1024 + 128 * i)));
    assert_refused(&cfg, s, 0);
}

/* Pages without an MSHR of the L1 TLB are not looked up in the L1D. */
static void test_no_tlb_mshr(void **state)
{
    (void)state;
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1tlb.mshrs = 1;
    for (uint32_t i = 0; i < 3; i++)
        script_add(s, 1, 0, 0, op_load(in_page(100 + i, 0)));
    assert_refused(&cfg, s, 0);
}

/* Whose line is refused, not who has what it needs; and up to the cycle in which one looks. */
static void test_of_the_tenant_that_waits(void **state)
{
    (void)state;
    struct mh_config cfg;
    struct script *s[2];
    script_config(&cfg, 1, 2);
    script_share_sms(&cfg);
    cfg.l1tlb.ideal = 1;
    cfg.l1d.mshrs = 1;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, SCRIPT_PAGE);
        script_warps(s[t], 1);
        script_add(s[t], 0, 0, 0, op_load(in_page(0, 0)));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 40);
    assert_int_equal(fails(g, 1), 40 - 2);
    assert_int_equal(fails(g, 1), 40 - 2);
    mh_gpu_advance(g, 1000);
    assert_int_equal(fails(g, 0), 0);
    assert_int_equal(fails(g, 1), MISS - 2);
    script_end(g);
}

int test_refused(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_mshr),
        cmocka_unit_test(test_tries_a_cycle_later),
        cmocka_unit_test(test_no_pending_place),
        cmocka_unit_test(test_no_place_in_the_miss_queue),
        cmocka_unit_test(test_no_store_buffer_entry),
        cmocka_unit_test(test_no_tlb_mshr),
        cmocka_unit_test(test_of_the_tenant_that_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
