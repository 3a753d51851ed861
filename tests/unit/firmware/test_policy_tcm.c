/* TCM by hand: clusters, niceness, both shuffles. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "fake_window.h"
#include "policy/corun/tcm.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

static const struct tcm_config paper = {.thresh = 4, .over = 24, .banks = 8, .shuffle_tenths = 1};
static struct tcm tcm;
static struct tcm_counts counts[TCM_MAX_TENANTS];

static void tenant(uint32_t t, uint32_t instructions, uint32_t misses)
{
    counts[t] = (struct tcm_counts){.instructions = instructions, .misses = misses, .lines = misses};
}

/* Row hits of 100 reads, banks x cycles of 100. */
static void behaves(uint32_t t, uint32_t hits, uint32_t area)
{
    counts[t].reads = counts[t].cycles = 100;
    counts[t].hits = hits;
    counts[t].area = area;
}

/* From the lowest rank to the highest, as digits. */
static void order(const char *want)
{
    for (uint32_t i = 0; want[i]; i++) {
        assert_int_equal(tcm.order[i], want[i] - '0');
        assert_int_equal(tcm_rank(&tcm, (uint32_t)(want[i] - '0')), i);
    }
}

static void clusters(const struct tcm_config *config, uint32_t bandwidth, const char *want)
{
    tcm_cluster(&tcm, config, counts);
    assert_int_equal(tcm.bandwidth, bandwidth);
    order(want);
}

/* 600 lines, of which a sixth are 100. By MPKI 3, 1, 0, 2: 20 + 80 lines are latency-sensitive, exactly. */
static void clustering(void **state)
{
    (void)state;
    tcm_begin(&tcm, 4, 1);
    tenant(0, 1000, 200);
    tenant(1, 1000, 80);
    tenant(2, 1000, 300);
    tenant(3, 1000, 20);
    clusters(&paper, 2, "2013");
    counts[1].lines = 81; /* 601 lines: 101 are more than a sixth */
    clusters(&paper, 3, "2103");
    counts[1].lines = 80;
    counts[3].instructions = 200; /* MPKI 100: behind 1, whose 80 lines fit; 20 more fit, too */
    clusters(&paper, 2, "2031");
    const struct tcm_config none = {.thresh = 1, .over = 255, .banks = 8, .shuffle_tenths = 1};
    clusters(&none, 4, "3210");
    const struct tcm_config all = {.thresh = 1, .over = 1, .banks = 8, .shuffle_tenths = 1};
    clusters(&all, 0, "2031");
    tcm_shuffle(&tcm);
    order("2031");
}

/* Who reads nothing has the least, idle or not; who reads without an instruction the most. Of equals the first. */
static void odd_intensities(void **state)
{
    (void)state;
    const struct tcm_config all = {.thresh = 1, .over = 1, .banks = 8, .shuffle_tenths = 1};
    tcm_begin(&tcm, 5, 1);
    tenant(0, 0, 10);
    tenant(1, 100, 0);
    tenant(2, 0, 0);
    tenant(3, 4000000000u, 400000000u);
    tenant(4, 10, 1);
    clusters(&all, 0, "04321");
    tenant(4, 4000000000u, 399999999u); /* exact */
    clusters(&all, 0, "03421");
}

/* Places by parallelism 0 1 2 3, by locality 3 2 1 0 of tenants 0 1 2 3: niceness -3 -1 1 3. */
static void nice_ones(void **state)
{
    (void)state;
    tcm_begin(&tcm, 4, 1);
    for (uint32_t t = 0; t < 4; t++)
        tenant(t, 1000, 200);
    behaves(0, 90, 100);
    behaves(1, 60, 200);
    behaves(2, 40, 300);
    behaves(3, 10, 400);
    clusters(&paper, 4, "0123");
    assert_true(tcm.insertion); /* 3 banks of 8, 0.8 of locality */
    /* Parallelism 0 0 2 3 (two share a place), locality 3 2 0 0: niceness -3 -2 2 3. */
    behaves(1, 60, 100);
    behaves(3, 40, 400);
    clusters(&paper, 4, "0123");
    /* Swapped: tenant 0 the nicest. */
    behaves(0, 10, 800);
    behaves(2, 90, 100);
    clusters(&paper, 4, "2130");
    /* A latency-sensitive tenant has no place among them. */
    tenant(3, 1000, 10);
    clusters(&paper, 3, "2103");
}

/* Parallelism must differ by more than 0.8 banks, locality by more than 0.1. */
static void which_shuffle(void **state)
{
    (void)state;
    static const struct {
        uint32_t hits, area;
        bool insertion;
    } rows[] = {{11, 181, true}, {10, 181, false}, {11, 180, false}, {10, 180, false}, {100, 800, true}};
    tcm_begin(&tcm, 2, 1);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tenant(0, 1000, 200);
        tenant(1, 1000, 200);
        behaves(0, 0, 100);
        behaves(1, rows[i].hits, rows[i].area);
        tcm_cluster(&tcm, &paper, counts);
        assert_int_equal(tcm.insertion, rows[i].insertion);
    }
    /* The largest counts that are allowed: 31.9 banks beside 1, all hits beside none. */
    counts[0] = (struct tcm_counts){1, 1, 1, (1u << 29) - 1, 0, (1u << 27) - 1, (1u << 27) - 1};
    counts[1] = (struct tcm_counts){1, 1, 1, (1u << 29) - 1, (1u << 29) - 1, UINT32_MAX - 31, (1u << 27) - 1};
    const struct tcm_config wide = {.thresh = 1, .over = 255, .banks = 32, .shuffle_tenths = 9};
    tcm_cluster(&tcm, &wide, counts);
    assert_true(tcm.insertion);
}

/* 3 is the nicest. One after the other reaches the top; the least nice one is the last, and the first to leave it. */
static void insertion_shuffle(void **state)
{
    (void)state;
    static const char *const want[] = {"0123", "0132", "0321", "3210", "3210", "0321", "0132", "0123"};
    nice_ones(state);
    tenant(3, 1000, 200);
    behaves(0, 90, 100);
    behaves(1, 60, 200);
    behaves(2, 40, 300);
    behaves(3, 10, 400);
    tcm_cluster(&tcm, &paper, counts);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < 8; i++) {
            tcm_shuffle(&tcm);
            order(want[i]);
        }
}

/* Each of the six orders of three comes as often as another, and the latency-sensitive tenant stays on top. */
static void random_shuffle(void **state)
{
    (void)state;
    uint32_t seen[64] = {0};
    tcm_begin(&tcm, 4, 0);
    for (uint32_t t = 0; t < 4; t++)
        tenant(t, 1000, t == 1 ? 1 : 200);
    clusters(&paper, 3, "3201");
    assert_false(tcm.insertion);
    for (uint32_t i = 0; i < 60000; i++) {
        tcm_shuffle(&tcm);
        assert_int_equal(tcm.order[3], 1);
        seen[tcm.order[0] * 16 + tcm.order[1] * 4 + tcm.order[2]]++;
    }
    for (uint32_t i = 0, orders = 0; i < 64; i++) {
        orders += seen[i] > 0;
        if (seen[i])
            assert_in_range(seen[i], 9500, 10500);
        if (i == 63)
            assert_int_equal(orders, 6);
    }
}

/* Two of the same intensity: equal until the first quantum ends, however often they would be shuffled; then not. */
static void unranked(void **state)
{
    (void)state;
    tcm_begin(&tcm, 2, 1);
    for (uint32_t i = 0; i < 20; i++) {
        tcm_shuffle(&tcm);
        assert_int_equal(tcm_rank(&tcm, 0), 0);
        assert_int_equal(tcm_rank(&tcm, 1), 0);
        assert_int_equal(tcm.order[0], 0);
    }
    tenant(0, 1000, 200);
    tenant(1, 1000, 200);
    clusters(&paper, 2, "10");
}

int test_policy_tcm(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clustering),    cmocka_unit_test(odd_intensities),   cmocka_unit_test(nice_ones),
        cmocka_unit_test(which_shuffle), cmocka_unit_test(insertion_shuffle), cmocka_unit_test(random_shuffle),
        cmocka_unit_test(unranked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
