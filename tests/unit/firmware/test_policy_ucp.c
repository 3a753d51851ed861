/* UCP's lookahead by hand, beside the algorithm written again in rational numbers, and beside all partitions. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "fake_window.h"
#include "policy/corun/ucp.h"
#include "random.h"

/* The image of this test. It does not run. */
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { WAYS = 16, MOST = UCP_MAX_TENANTS };

static struct ucp_curve curve[MOST];
static uint8_t got[MOST];

static void hits(uint32_t t, uint32_t count, const uint32_t *list)
{
    memset(&curve[t], 0, sizeof curve[t]);
    memcpy(curve[t].hits, list, count * sizeof *list);
}
#define HITS(t, ...) hits(t, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static void gets(uint32_t tenants, uint32_t ways, const char *want)
{
    ucp_partition(curve, tenants, ways, got);
    for (uint32_t t = 0; t < tenants; t++)
        assert_int_equal(got[t], want[t] - '0');
}

static void by_hand(void **state)
{
    (void)state;
    /* Concave: ways go one by one, 90, 50, 40, 30; the tenth of tenant 1's is last. */
    HITS(0, 100, 90, 30, 5);
    HITS(1, 100, 50, 40, 10);
    gets(2, 6, "33");
    gets(2, 7, "34");
    /* Nothing until its fourth way: 3 more gain 120, 40 a way, more than 30; alone it would look like 0. */
    HITS(0, 0, 0, 0, 120);
    HITS(1, 0, 30, 30, 30);
    gets(2, 6, "42");
    gets(2, 4, "13"); /* out of reach: two ways are left */
    /* Equal gains: the first; of one tenant the fewest ways. */
    HITS(0, 0, 10, 10, 10);
    HITS(1, 0, 10, 10, 10);
    gets(2, 3, "21");
    gets(2, 5, "41");
    /* 7 of 3 ways are more than 2 of one, and less than 5 of two. */
    HITS(0, 0, 0, 0, 7);
    HITS(1, 0, 2, 2, 2);
    HITS(2, 0, 1, 4, 0);
    gets(3, 8, "413"); /* 2: two ways of 5; then 0: three of 7 */
    /* Ways that nobody wants: to the fewest. */
    HITS(0, 9, 5);
    HITS(1, 9);
    HITS(2, 9);
    gets(3, 8, "332");
    gets(3, 4, "211");
    gets(1, 16, "@"); /* all 16 */
}

/* Counters wrap; what was there counts half. */
static void samples(void **state)
{
    (void)state;
    uint32_t now[UCP_POSITIONS] = {UINT32_MAX - 4, 7};
    struct ucp_curve c;

    memset(&c, 1, sizeof c);
    ucp_begin(&c, now);
    assert_int_equal(c.hits[0] | c.hits[1] | c.hits[15], 0);
    now[0] += 20;
    now[1] += 5;
    ucp_sample(&c, now);
    assert_int_equal(c.hits[0], 20);
    assert_int_equal(c.hits[1], 5);
    now[0] += 1;
    ucp_sample(&c, now);
    assert_int_equal(c.hits[0], 11);
    assert_int_equal(c.hits[1], 2);
}

/* --- The algorithm again, from the functions of the paper: each utility summed anew, all pairs compared. */

static uint64_t utility(uint32_t t, uint32_t from, uint32_t to)
{
    uint64_t sum = 0;
    for (uint32_t w = from; w < to; w++)
        sum += w < UCP_POSITIONS ? curve[t].hits[w] : 0;
    return sum;
}

static void lookahead(uint32_t tenants, uint32_t ways, uint32_t *want)
{
    uint32_t left = ways - tenants;
    for (uint32_t t = 0; t < tenants; t++)
        want[t] = 1;
    while (left) {
        uint32_t winner = tenants, blocks = 1, of = 0, per = 1;
        for (uint32_t t = 0; t < tenants; t++)
            for (uint32_t n = 1; n <= left; n++) {
                uint64_t u = utility(t, want[t], want[t] + n);
                if (u * per > (uint64_t)of * n) {
                    winner = t;
                    of = (uint32_t)u;
                    per = blocks = n;
                }
            }
        for (uint32_t t = 0; winner == tenants || (!of && t < tenants); t++)
            if (winner == tenants || want[t] < want[winner])
                winner = t;
        want[winner] += blocks;
        left -= blocks;
    }
}

static void random_curves(void **state)
{
    (void)state;
    uint64_t rng = 3;
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t tenants = pick(&rng, 1, MOST), ways = pick(&rng, tenants, i % 20 ? WAYS : 40), want[MOST], all = 0;
        uint32_t shift = pick(&rng, 0, 3) ? pick(&rng, 2, 8) : 27;
        for (uint32_t t = 0; t < tenants; t++)
            for (uint32_t w = 0; w < UCP_POSITIONS; w++)
                curve[t].hits[w] = pick(&rng, 0, 2) ? 0 : (uint32_t)random_next(&rng) & ((1u << shift) - 1);
        ucp_partition(curve, tenants, ways, got);
        lookahead(tenants, ways, want);
        for (uint32_t t = 0; t < tenants; t++) {
            assert_int_equal(got[t], want[t]);
            all += got[t];
        }
        assert_int_equal(all, ways);
    }
}

/* --- All partitions. */

static uint64_t best_of(uint32_t t, uint32_t tenants, uint32_t ways)
{
    uint64_t best = 0;
    if (t + 1 == tenants)
        return utility(t, 0, ways);
    for (uint32_t n = 1; n + (tenants - 1 - t) <= ways; n++) {
        uint64_t u = utility(t, 0, n) + best_of(t + 1, tenants, ways - n);
        best = u > best ? u : best;
    }
    return best;
}

static uint64_t utility_got(uint32_t tenants)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < tenants; t++)
        sum += utility(t, 0, got[t]);
    return sum;
}

/* Where each way gains at most what the one before did, lookahead is the best there is; else it may be less. */
static void concave_is_optimal(void **state)
{
    (void)state;
    uint64_t rng = 4;
    uint32_t below = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t tenants = pick(&rng, 2, 4), ways = pick(&rng, tenants, 12), concave = i % 2;
        for (uint32_t t = 0; t < tenants; t++)
            for (uint32_t w = 0, last = 1000; w < UCP_POSITIONS; w++)
                curve[t].hits[w] = concave ? (last = pick(&rng, 0, last)) : pick(&rng, 0, 1) * pick(&rng, 0, 1000);
        ucp_partition(curve, tenants, ways, got);
        uint64_t best = best_of(0, tenants, ways), ours = utility_got(tenants);
        assert_true(ours <= best);
        if (concave)
            assert_int_equal(ours, best);
        below += ours < best;
    }
    assert_in_range(below, 1, 5000);
}

int test_policy_ucp(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(samples),
        cmocka_unit_test(random_curves),
        cmocka_unit_test(concave_is_optimal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
