/* The numbers of CCBP's allocation: uses, fractions that just fit or do not, the largest ones. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "ccbp_by_hand.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

/* Two kernels leave room for a CTA of the third that is a fraction as well: at capacity, and off by next to nothing. */
static void fractions(void **state)
{
    static const struct ccbp_config one = {.sustainable = {1, 1}, .units = 1};
    static const struct {
        struct ccbp_use use[3];
        bool fits;
    } rows[] = {
        {{{0, 1, 3}, {0, 1, 3}, {0, 1, 3}}, true},
        {{{0, 1, 3}, {0, 1, 3}, {0, 2, 3}}, false},
        {{{0, 1, 2}, {0, 1, 3}, {0, 1, 6}}, true},
        {{{0, 1, 2}, {0, 1, 3}, {0, 715827882, 4294967292}}, true},
        {{{0, 1, 2}, {0, 1, 3}, {0, 715827883, 4294967292}}, false},
        {{{0, 1, 2}, {0, 1, 3}, {0, 715827882, 4294967291}}, false},
        {{{0, 1, 2}, {0, 1, 3}, {0, 715827882, 4294967293}}, true},
        {{{0, 4294967294, 4294967295}, {0, 1, 4294967295}, {0, 0, 1}}, true},
        {{{0, 4294967294, 4294967295}, {0, 1, 4294967295}, {0, 1, 4294967295}}, false},
        {{{0, 4294967293, 4294967295}, {0, 1, 4294967295}, {0, 1, 4294967295}}, true},
        {{{0, 4294967293, 4294967294}, {0, 0, 1}, {0, 1, 4294967295}}, true},
        {{{0, 4294967293, 4294967294}, {0, 0, 1}, {0, 1, 4294967293}}, false},
        {{{0, 0, 1}, {0, 0, 1}, {1, 0, 1}}, true},
        {{{0, 1, 4294967295}, {0, 0, 1}, {1, 0, 1}}, false},
        {{{1, 0, 1}, {0, 0, 1}, {0, 1, 4294967295}}, false},
        {{{0, 0, 1}, {0, 0, 1}, {1, 1, 4294967295}}, false},
    };
    struct ccbp_use use[3][2];

    (void)state;
    gpu(&one, &ten_ctas, 3);
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                kernel(k, LS, 1, 1, 0, 0);
                kernels[k].use = use[k];
                use[k][b] = rows[i].use[k];
                use[k][!b] = (struct ccbp_use){0, 0, 1};
            }
            run(10);
            if (allocation.grants[2].ctas != rows[i].fits || allocation.grants[1].ctas != 1)
                fail_msg("row %zu", i);
            assert_int_equal(ccbp_allocate_starved(&allocation), rows[i].fits ? 0 : 4);
        }
}

static void same(struct ccbp_use use, uint32_t whole, uint32_t rest, uint32_t over)
{
    assert_int_equal(use.whole, whole);
    assert_int_equal(use.rest, rest);
    assert_int_equal(use.over, over);
}

static void uses_by_hand(void **state)
{
    (void)state;
    same(ccbp_linear(20, 100, 8), 250, 0, 8);
    same(ccbp_linear(20, 101, 8), 252, 4, 8);
    same(ccbp_linear(1, UINT32_MAX - 1, 1), UINT32_MAX - 1, 0, 1);
    same(ccbp_linear(255, UINT32_MAX, 255), UINT32_MAX, 0, 255);
    same(ccbp_linear(255, UINT32_MAX, 1), UINT32_MAX, 0, 1); /* more than any capacity */
    same(ccbp_linear(20, 0, 255), 0, 0, 255);
    same(ccbp_point_of(20, 1000, 3, 2).other, 666, 2, 3);
    same(ccbp_point_of(20, 1000, 0, 2).other, 2000, 0, 1); /* nothing of its own: as 1 */
    same(ccbp_point_of(20, 1000, 0, 0).other, 0, 0, 1);
    same(ccbp_point_of(1, UINT32_MAX - 1, UINT32_MAX, UINT32_MAX).other, UINT32_MAX - 1, 0, UINT32_MAX);
    same(ccbp_point_of(1, UINT32_MAX - 1, UINT32_MAX, 7).other, 6, UINT32_MAX - 7, UINT32_MAX);
    same(ccbp_point_of(1, 1u << 31, 1, 2).other, UINT32_MAX, 0, 1); /* more than any capacity */
}

/* Units that CTAs can use: of ten units of 100 each. */
static void units_by_hand(void **state)
{
    static const struct {
        uint32_t own, units;
    } rows[] = {{0, 0}, {99, 0}, {100, 1}, {199, 1}, {200, 2}, {999, 9}, {1000, 10}, {1100, 10}, {UINT32_MAX, 10}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(ccbp_point_of(10, 1000, rows[i].own, 0).units, rows[i].units);
}

/* The largest numbers: M 255, a bandwidth that M times is next to 2^32, used whole. A CTA's share is 1/256. */
static void largest_numbers(void **state)
{
    enum { SUSTAINABLE = 16843008 };
    static const struct ccbp_config most = {.sustainable = {SUSTAINABLE, SUSTAINABLE}, .units = 255};
    static const struct ccbp_sm sm = {.amount = {1u << 20, 1u << 18, 1u << 12}, .slots = 255};

    (void)state;
    gpu(&most, &sm, 2);
    kernel(0, NBI, 1, 1, SUSTAINABLE, SUSTAINABLE);
    kernel(1, LS, 255, 255, SUSTAINABLE, SUSTAINABLE);
    kernels[1].cta = (struct ccbp_sm){.amount = {1u << 12, 0, 16}};
    assert_int_equal(run(10), 127 + 128 + 2);
    assert_int_equal(allocation.grants[0].units, 127);
    assert_int_equal(allocation.grants[1].ctas, 128);
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        same(allocation.grants[0].use[b], 127 * SUSTAINABLE, 0, b == CCBP_NOC ? 1 : SUSTAINABLE);
        same(allocation.grants[1].use[b], 128u * SUSTAINABLE, 0, 255);
        assert_int_equal(allocation.room[b], 0);
    }
}

int test_policy_ccbp_numbers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions),
        cmocka_unit_test(uses_by_hand),
        cmocka_unit_test(units_by_hand),
        cmocka_unit_test(largest_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
