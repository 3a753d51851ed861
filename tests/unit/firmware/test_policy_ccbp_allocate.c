/* CCBP's allocation by hand: table 3 of the paper, and each rule of algorithm 1. */
#include "unit/test.h"

#include "fake_window.h"
#include "ccbp_by_hand.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static void ctas(uint32_t first, uint32_t second, uint32_t third)
{
    assert_int_equal(allocation.grants[0].ctas, first);
    assert_int_equal(allocation.grants[1].ctas, second);
    assert_int_equal(allocation.grants[2].ctas, third);
}

/* K1 half a unit of each a CTA, K2 two of the NoC and four of DRAM, K3 three and one. */
static void table_3_kernels(void)
{
    gpu(&ten, &ten_ctas, 3);
    kernel(0, LS, 10, 2, 1, 1);
    kernel(1, DBI, 3, 1, 2, 4);
    kernel(2, NBI, 3, 1, 3, 1);
}

/* Quotas in sixths of a unit. */
static const struct {
    uint32_t iteration, kernel, ctas[3], noc[3], dram[3];
} table_3[] = {
    {1, 0, {1, 0, 0}, {3, 0, 0}, {3, 0, 0}},       {2, 1, {1, 1, 0}, {3, 3, 0}, {3, 6, 0}},
    {3, 2, {1, 1, 1}, {3, 3, 6}, {3, 6, 2}},       {6, 2, {2, 1, 1}, {6, 6, 12}, {6, 12, 4}},
    {11, 1, {4, 1, 1}, {12, 12, 18}, {12, 24, 6}}, {12, 2, {4, 1, 2}, {12, 12, 24}, {12, 24, 8}},
};

static void table_3_iterations(void **)
{
    uint32_t iteration = 0;

    table_3_kernels();
    ccbp_allocate_begin(&allocation, 10);
    for (size_t i = 0; i < sizeof table_3 / sizeof table_3[0]; i++) {
        uint32_t k = NOBODY;

        for (; iteration < table_3[i].iteration; iteration++)
            k = next();
        assert_int_equal(k, table_3[i].kernel);
        ctas(table_3[i].ctas[0], table_3[i].ctas[1], table_3[i].ctas[2]);
        for (k = 0; k < 3; k++) {
            quota(k, CCBP_NOC, table_3[i].noc[k], 6);
            quota(k, CCBP_DRAM, table_3[i].dram[k], 6);
        }
    }
    for (; iteration < 15; iteration++)
        next();
    ctas(5, 2, 2);
    assert_int_equal(next(), 0);
    assert_true(allocation.share[0] == CCBP_FINISHED && allocation.share[1] != CCBP_FINISHED);
}

/* The end, as algorithm 1 has it: iteration 16 asks for a sixth CTA of K1, and NoC 3 + 2.5 + 5 is more than ten. */
static void table_3_end(void **)
{
    static const uint32_t noc[] = {15, 15, 30}, dram[] = {15, 30, 10};

    table_3_kernels();
    assert_int_equal(run(10), 5 + 5 + 5 + 3); /* each is refused once */
    ctas(5, 2, 2);
    for (uint32_t k = 0; k < 3; k++) {
        quota(k, CCBP_NOC, noc[k], 6);
        quota(k, CCBP_DRAM, dram[k], 6);
    }
    assert_int_equal(ccbp_allocate_starved(&allocation), 0);
    assert_true(ccbp_allocate_fill(&allocation, 1));
    assert_false(ccbp_allocate_fill(&allocation, 1));
    ctas(6, 2, 2); /* as printed */
    for (uint32_t k = 0; k < 3; k++) {
        quota(k, CCBP_NOC, noc[k], 6);
        quota(k, CCBP_DRAM, dram[k], 6);
    }
    assert_int_equal(allocation.left.amount[CCBP_THREADS], 0);
}

/* At priority 0.1 K1 has a share of 0.1 with all ten CTAs: it gets them when the others have two units each. */
static void priority(void **)
{
    table_3_kernels();
    run(1);
    ctas(8, 1, 1);
    quota(0, CCBP_NOC, 4, 1);
    quota(1, CCBP_DRAM, 4, 1);
    quota(2, CCBP_NOC, 3, 1);
}

/* Alone, a kernel stops at the least of: what one CTA more could use, what was measured, the capacity. */
static void beyond_what_was_measured(void **)
{
    gpu(&ten, &ten_ctas, 1);
    kernel(0, DBI, 1, 1, 1, 4);
    assert_int_equal(run(10), 5);
    quota(0, CCBP_DRAM, 4, 1);
    quota(0, CCBP_NOC, 1, 1);
    kernel(0, DBI, 2, 1, 1, 4);
    run(10);
    quota(0, CCBP_DRAM, 8, 1);
    kernel(0, DBI, 3, 1, 1, 4);
    assert_int_equal(run(10), 11);
    quota(0, CCBP_DRAM, 10, 1);
    assert_int_equal(allocation.grants[0].ctas, 3);
    kernel(0, NBI, 2, 1, 3, 1);
    run(10);
    quota(0, CCBP_NOC, 6, 1);
    kernel(0, LS, 7, 1, 1, 0);
    assert_int_equal(run(10), 8);
    quota(0, CCBP_NOC, 7, 1);
    quota(0, CCBP_DRAM, 0, 1);
    kernel(0, LS, 0, 1, 1, 0);
    assert_int_equal(run(10), 1);
    assert_int_equal(ccbp_allocate_starved(&allocation), 1);
    kernel(0, NBI, 0, 1, 1, 0);
    assert_int_equal(run(10), 1);
    assert_int_equal(ccbp_allocate_starved(&allocation), 1);
}

/* A unit is worth five CTAs: one more for each unit, and the other bandwidth as if they used it all. */
static void one_cta_more_at_most(void **)
{
    static const struct ccbp_config two = {.sustainable = {10, 10}, .units = 2};

    gpu(&two, &ten_ctas, 1);
    kernel(0, NBI, 10, 1, 1, 1);
    assert_int_equal(run(10), 3);
    assert_int_equal(allocation.grants[0].ctas, 2);
    assert_int_equal(allocation.grants[0].units, 2);
    quota(0, CCBP_NOC, 10, 1);
    quota(0, CCBP_DRAM, 10, 1);
}

/* A CTA more makes the scale another one: 1 of DRAM for 2 of the NoC at first, 1 for 5 with two CTAs. */
static void scale_of_the_ctas(void **)
{
    gpu(&ten, &ten_ctas, 1);
    kernel(0, NBI, 2, 1, 1, 1);
    points[0][0] = ccbp_point_of(10, 10, 2, 1);
    points[0][1] = ccbp_point_of(10, 10, 5, 1);
    ccbp_allocate_begin(&allocation, 10);
    next();
    quota(0, CCBP_DRAM, 1, 2);
    next();
    quota(0, CCBP_DRAM, 1, 1);
    assert_int_equal(allocation.grants[0].ctas, 1); /* 2 is not less than 2 */
    next();
    quota(0, CCBP_DRAM, 3, 5);
    assert_int_equal(allocation.grants[0].ctas, 2);
}

/* A place, a share, a slot each; slots have no share. */
static void static_resources(void **)
{
    static const struct ccbp_sm sm = {.amount = {64, 0, 30}, .slots = 8};
    static const struct {
        uint32_t cta[CCBP_STATICS], ctas, share; /* of one CTA; at M 10 of 64 x 1 x 30 x 100 */
    } rows[] = {
        {{8, 0, 1}, 8, 8 * 30 * 100},   {{9, 0, 1}, 7, 9 * 30 * 100},
        {{1, 0, 10}, 3, 10 * 64 * 100}, {{1, 1, 1}, 0, 64 * 30 * 100},
        {{1, 0, 1}, 8, 64 * 100},       {{1, 0, 31}, 0, 31 * 64 * 100},
        {{16, 0, 7}, 4, 16 * 30 * 100}, {{0, 0, 0}, 8, 0},
    };

    gpu(&ten, &sm, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kernel(0, LS, MOST, 1, 0, 0);
        for (uint32_t r = 0; r < CCBP_STATICS; r++)
            kernels[0].cta.amount[r] = rows[i].cta[r];
        assert_int_equal(ccbp_most_ctas(&sm, &kernels[0].cta), rows[i].ctas);
        assert_int_equal(run(10), rows[i].ctas + 1);
        assert_int_equal(allocation.grants[0].ctas, rows[i].ctas);
        assert_int_equal(allocation.share_of_one[0], rows[i].share);
        assert_int_equal(allocation.left.slots, 8 - rows[i].ctas);
        assert_int_equal(allocation.left.amount[2], 30 - rows[i].ctas * rows[i].cta[2]);
        run(1);
        assert_int_equal(allocation.share_of_one[0], rows[i].share / 10);
    }
}

/* 0.3 of one and 3 x 0.1 of the other are the same share, which doubles deny: the first kernel asks. */
static void equal_shares(void **)
{
    static const struct ccbp_sm sm = {.amount = {262144, 98304, 2048}, .slots = 32};
    static const uint32_t order[] = {0, 1, 1, 1, 0, 1, 1, 1, 0};

    gpu(&ten, &sm, 2);
    kernel(0, LS, 32, 1, 0, 0);
    kernel(1, NBI, 32, 1, 1, 0);
    kernels[0].cta = (struct ccbp_sm){.amount = {0, 0, 614}}; /* 0.3 and a little less: 614.4 would be 0.3 */
    ccbp_allocate_begin(&allocation, 10);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        assert_int_equal(next(), order[i]);
    kernels[0].cta = (struct ccbp_sm){.amount = {0, 98304 / 3, 0}};
    ccbp_allocate_begin(&allocation, 9); /* a third x 0.9 */
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        assert_int_equal(next(), order[i]);
}

/* Eight alike: round robin, each an eighth. */
static void eight_alike(void **)
{
    static const struct ccbp_config eight = {.sustainable = {178956970, 178956970}, .units = 24};
    static const struct ccbp_sm sm = {.amount = {32, 32, 32}, .slots = 32};

    gpu(&eight, &sm, 8);
    for (uint32_t k = 0; k < 8; k++)
        kernel(k, DBI, 4, 1, 178956970 / 32, 178956970 / 32);
    ccbp_allocate_begin(&allocation, 10);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(next(), i % 8);
    for (uint32_t k = 0; k < 8; k++) {
        assert_int_equal(next(), k);
        quota(k, CCBP_NOC, 178956970, 8);
        quota(k, CCBP_DRAM, 178956970, 8);
        assert_int_equal(allocation.grants[k].ctas, 3);
    }
    assert_int_equal(next(), NOBODY);
}

/* --- The numbers of CCBP's allocation: uses, fractions that just fit or do not, the largest ones. */

/* Two kernels leave room for a CTA of the third that is a fraction as well: at capacity, and off by next to nothing. */
static void fractions(void **)
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

static void uses_by_hand(void **)
{
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
static void units_by_hand(void **)
{
    static const struct {
        uint32_t own, units;
    } rows[] = {{0, 0}, {99, 0}, {100, 1}, {199, 1}, {200, 2}, {999, 9}, {1000, 10}, {1100, 10}, {UINT32_MAX, 10}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(ccbp_point_of(10, 1000, rows[i].own, 0).units, rows[i].units);
}

/* The largest numbers: M 255, a bandwidth that M times is next to 2^32, used whole. A CTA's share is 1/256. */
static void largest_numbers(void **)
{
    enum { SUSTAINABLE = 16843008 };
    static const struct ccbp_config most = {.sustainable = {SUSTAINABLE, SUSTAINABLE}, .units = 255};
    static const struct ccbp_sm sm = {.amount = {1u << 20, 1u << 18, 1u << 12}, .slots = 255};

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

int test_policy_ccbp_allocate(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_3_iterations),
                                       cmocka_unit_test(table_3_end),
                                       cmocka_unit_test(priority),
                                       cmocka_unit_test(beyond_what_was_measured),
                                       cmocka_unit_test(one_cta_more_at_most),
                                       cmocka_unit_test(scale_of_the_ctas),
                                       cmocka_unit_test(static_resources),
                                       cmocka_unit_test(equal_shares),
                                       cmocka_unit_test(eight_alike),
                                       cmocka_unit_test(fractions),
                                       cmocka_unit_test(uses_by_hand),
                                       cmocka_unit_test(units_by_hand),
                                       cmocka_unit_test(largest_numbers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
