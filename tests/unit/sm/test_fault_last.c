/* sm.fault_last: a warp that waits for a page which is not there issues last; by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "script.h"

enum { GAP = 5000 }; /* longer than the walk, shorter than the handler takes */

/* Two warps of one CTA that compute; the first has asked for a page before. */
static struct mh_gpu *two_warps(uint32_t fault_last)
{
    struct mh_config cfg;
    script_config(&cfg, 1, 1);
    strcpy(cfg.sm.scheduler, "lrr");
    strcpy(cfg.uvm.mode, "on");
    cfg.sm.fault_last = fault_last;
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    script_warps(s, 2);
    script_add(s, 0, 0, 0, op_load(SCRIPT_BASE));
    script_add(s, 0, 0, 0, op_after(GAP, op_exit()));
    script_add(s, 0, 0, 1, op_after(GAP, op_exit()));
    return script_gpu(&cfg, &s);
}

static uint32_t left(const struct mh_gpu *g, uint32_t warp)
{
    return mh_warp_gap(&g->sm[0], &g->sm[0].warp[warp]);
}

static void test_in_turn_without(void **state)
{
    (void)state;
    struct mh_gpu *g = two_warps(0);
    uint64_t fault = script_until(g, &g->tenant[0].count.uvm_faults, 1);
    uint32_t waits = left(g, 0), runs = left(g, 1);
    mh_gpu_advance(g, fault + 100);
    assert_int_equal(left(g, 0), waits - 50);
    assert_int_equal(left(g, 1), runs - 50);
    mh_gpu_destroy(g);
}

/* In turn until the walk finds that the page is not there; then the other one, to its end; then the one that waits. */
static void test_last_with(void **state)
{
    (void)state;
    struct mh_gpu *g = two_warps(1);
    uint64_t fault = script_until(g, &g->tenant[0].count.uvm_faults, 1);
    uint32_t waits = left(g, 0), runs = left(g, 1);
    assert_true(waits < GAP && runs < GAP);
    mh_gpu_advance(g, fault + runs);
    assert_int_equal(left(g, 0), waits);
    mh_gpu_advance(g, fault + runs + 10);
    assert_int_equal(left(g, 0), waits - 10);
    mh_gpu_destroy(g);
}

/* The page has come: it is a warp as any other. The handler takes 20 us, the link 4 us more. */
static void test_no_longer_when_it_has_come(void **state)
{
    (void)state;
    struct mh_gpu *g = two_warps(1);
    script_until(g, &g->tenant[0].count.uvm_faults, 1);
    assert_int_equal(g->sm[0].faulting, 1);
    script_until(g, &g->tenant[0].count.uvm_fault_cycles, 1);
    assert_int_equal(g->sm[0].faulting, 0);
    mh_gpu_destroy(g);
}

int test_fault_last(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn_without),
        cmocka_unit_test(test_last_with),
        cmocka_unit_test(test_no_longer_when_it_has_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
