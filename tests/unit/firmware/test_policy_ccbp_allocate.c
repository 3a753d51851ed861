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

TEST(table_3_iterations)
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
TEST(table_3_end)
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
TEST(priority)
{
    table_3_kernels();
    run(1);
    ctas(8, 1, 1);
    quota(0, CCBP_NOC, 4, 1);
    quota(1, CCBP_DRAM, 4, 1);
    quota(2, CCBP_NOC, 3, 1);
}

/* Alone, a kernel stops at the least of: what one CTA more could use, what was measured, the capacity. */
TEST(beyond_what_was_measured)
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

/* A place, a share, a slot each; slots have no share. */
TEST(static_resources)
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

/* --- The numbers of CCBP's allocation: uses, fractions that just fit or do not, the largest ones. */

static void same(struct ccbp_use use, uint32_t whole, uint32_t rest, uint32_t over)
{
    assert_int_equal(use.whole, whole);
    assert_int_equal(use.rest, rest);
    assert_int_equal(use.over, over);
}

TEST(uses_by_hand)
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
TEST(units_by_hand)
{
    static const struct {
        uint32_t own, units;
    } rows[] = {{0, 0}, {99, 0}, {100, 1}, {199, 1}, {200, 2}, {999, 9}, {1000, 10}, {1100, 10}, {UINT32_MAX, 10}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(ccbp_point_of(10, 1000, rows[i].own, 0).units, rows[i].units);
}

/* The largest numbers: M 255, a bandwidth that M times is next to 2^32, used whole. A CTA's share is 1/256. */
TEST(largest_numbers)
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
