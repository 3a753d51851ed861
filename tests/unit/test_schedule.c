/* Warp schedulers: the order in which ready warps issue, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu/gpu.h"

static struct mh_sm sm_with(enum mh_scheduler scheduler, uint32_t group)
{
    struct mh_sm sm = {.scheduler = scheduler, .group = group, .ports = 1, .port[0].last = MH_NONE};
    for (uint32_t w = 0; w < MH_MAX_WARPS; w++)
        sm.age[w] = (w * 37) % MH_MAX_WARPS; /* a permutation: age is not the slot */
    return sm;
}

/* Lets the warps of `ready` issue `count` times; each choice must be the next number. */
static void expect(struct mh_sm *sm, uint64_t ready, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sm->port[0].last = mh_sm_choose(sm, &sm->port[0], ready);
        assert_int_equal(sm->port[0].last, order[i]);
    }
}

static void test_gto(void **state)
{
    (void)state;
    struct mh_sm sm = sm_with(MH_GTO, 8);
    /* ages of slots 1, 2, 3, 7: 37, 10, 47, 3 */
    expect(&sm, 1 << 1 | 1 << 2 | 1 << 3, (uint32_t[]){2, 2, 2}, 3);
    expect(&sm, 1 << 1 | 1 << 3, (uint32_t[]){1, 1}, 2); /* 2 stalls: the oldest of the others, and that one stays */
    expect(&sm, 1 << 1 | 1 << 2 | 1 << 7, (uint32_t[]){1}, 1);
    expect(&sm, 1 << 2 | 1 << 7, (uint32_t[]){7}, 1);
}

static void test_lrr(void **state)
{
    (void)state;
    struct mh_sm sm = sm_with(MH_LRR, 8);
    uint64_t ready = 1ull << 0 | 1ull << 5 | 1ull << 40 | 1ull << 63;
    expect(&sm, ready, (uint32_t[]){0, 5, 40, 63, 0, 5}, 6);
    expect(&sm, ready & ~(1ull << 40), (uint32_t[]){63, 0}, 2);
    expect(&sm, 1ull << 40, (uint32_t[]){40, 40}, 2);
}

static void test_two_level(void **state)
{
    (void)state;
    struct mh_sm sm = sm_with(MH_TWO_LEVEL, 4);
    uint64_t ready = 0xf0 | 1 << 1 | 1 << 9 | 1 << 10;
    expect(&sm, ready, (uint32_t[]){1, 1, 1}, 3);                      /* alone in its group */
    expect(&sm, ready & ~2ull, (uint32_t[]){4, 5, 6, 7, 4, 5}, 6);     /* it stalls: the next group */
    expect(&sm, 1 << 1 | 1 << 9 | 1 << 10, (uint32_t[]){9, 10, 9}, 3); /* that group stalls */
    expect(&sm, 1 << 1 | 1 << 2, (uint32_t[]){1, 2, 1}, 3);            /* around the end */
    sm = sm_with(MH_TWO_LEVEL, 64);
    expect(&sm, 1ull << 63 | 1, (uint32_t[]){0, 63, 0}, 3); /* one group of all */
}

/* Scheduler 1 of 4 has slots 1, 5, 9 ..; a group of two of them is eight slots of the SM. */
static void test_groups_of_one_scheduler(void **state)
{
    (void)state;
    struct mh_sm sm = sm_with(MH_TWO_LEVEL, 2);
    sm.ports = 4;
    uint64_t ready = 1ull << 1 | 1ull << 5 | 1ull << 9 | 1ull << 13 | 1ull << 61;
    expect(&sm, ready, (uint32_t[]){1, 5, 1}, 3);
    expect(&sm, ready & ~(1ull << 1 | 1ull << 5), (uint32_t[]){9, 13, 9}, 3);
    expect(&sm, 1ull << 61 | 1ull << 1, (uint32_t[]){61, 61}, 2);
    expect(&sm, 1ull << 5, (uint32_t[]){5}, 1);
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(mh_scheduler_named("gto"), MH_GTO);
    assert_int_equal(mh_scheduler_named("lrr"), MH_LRR);
    assert_int_equal(mh_scheduler_named("two-level"), MH_TWO_LEVEL);
    assert_int_equal(mh_scheduler_named("GTO "), MH_SCHEDULERS);
    assert_int_equal(mh_scheduler_named(""), MH_SCHEDULERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gto),       cmocka_unit_test(test_lrr),
        cmocka_unit_test(test_two_level), cmocka_unit_test(test_groups_of_one_scheduler),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
