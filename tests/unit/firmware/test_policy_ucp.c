/* UCP and TCM: by hand, against the algorithms written again, and against all partitions. */
#include "unit/test.h"

#include "fake_window.h"
#include "policy/corun/ucp.h"
#include "random.h"
#include "policy/corun/tcm.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

enum { WAYS = 16, MOST = UCP_MAX_TENANTS };

static struct ucp_curve curve[MOST];
static uint8_t got[MOST];

static void hits_ucp(uint32_t t, uint32_t count, const uint32_t *list)
{
    memset(&curve[t], 0, sizeof curve[t]);
    memcpy(curve[t].hits, list, count * sizeof *list);
}
#define HITS(t, ...) hits_ucp(t, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static void gets(uint32_t tenants, uint32_t ways, const char *want)
{
    ucp_partition(curve, tenants, ways, got);
    for (uint32_t t = 0; t < tenants; t++)
        assert_int_equal(got[t], want[t] - '0');
}

TEST(by_hand)
{
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
    /* Ways without demand: to the tenant with the fewest. */
    HITS(0, 9, 5);
    HITS(1, 9);
    HITS(2, 9);
    gets(3, 8, "332");
    gets(3, 4, "211");
    gets(1, 16, "@"); /* all 16 */
}

/* Counters wrap; what was there counts half. */
TEST(samples)
{
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

TEST(random_curves)
{
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
TEST(concave_is_optimal)
{
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

/* --- TCM by hand: clusters, niceness, both shuffles. */

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
TEST(clustering)
{
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

/* A tenant without reads has the least; one that reads without an instruction the most. Of equals the first. */
TEST(odd_intensities)
{
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
TEST(nice_ones)
{
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
TEST(which_shuffle)
{
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
    /* The largest counts that are allowed: 31.9 banks against 1, all hits against none. */
    counts[0] = (struct tcm_counts){1, 1, 1, (1u << 29) - 1, 0, (1u << 27) - 1, (1u << 27) - 1};
    counts[1] = (struct tcm_counts){1, 1, 1, (1u << 29) - 1, (1u << 29) - 1, UINT32_MAX - 31, (1u << 27) - 1};
    const struct tcm_config wide = {.thresh = 1, .over = 255, .banks = 32, .shuffle_tenths = 9};
    tcm_cluster(&tcm, &wide, counts);
    assert_true(tcm.insertion);
}

/* 3 is the nicest. One after the other reaches the top; the least nice one is the last, and the first to leave it. */
TEST(insertion_shuffle)
{
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
TEST(random_shuffle)
{
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
TEST(unranked)
{
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
