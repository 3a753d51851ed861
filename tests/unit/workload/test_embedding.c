/*
 * EMBED against FBGEMM's forward kernel: each access of a bag by hand, and who is popular; Zipf's distribution beside
 * sums of pow().
 */
#include "unit/test.h"

#include <math.h>

#include "engine/random.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"
#include "workload/zipf.h"

enum { WEIGHTS, PLACEMENTS, WEIGHTS_OFFSETS, D_OFFSETS, INDICES, OFFSETS, OUTPUT }; /* in order of allocation */

/* Rows before tables 12 and 20, and rows per bag: by hand from the table of MLPerf's sizes. */
static const uint64_t rows_to_12 =
    39884406ull + 39043 + 17289 + 7420 + 20263 + 3 + 7120 + 1543 + 63 + 38532951 + 2953546 + 403346;
static const uint64_t rows_to_20 = rows_to_12 + 10 + 2208 + 11938 + 155 + 4 + 976 + 14 + 39979771;
enum {
    INDICES_TO_12 = 3 + 2 + 1 + 2 + 6 + 1 + 1 + 1 + 1 + 7 + 3 + 8,
    INDICES_TO_20 = INDICES_TO_12 + 1 + 6 + 9 + 5 + 1 + 1 + 1 + 12,
    ALL_INDICES = INDICES_TO_20 + 100 + 27 + 10 + 3 + 1 + 1,
};

/* Weights begin at 4 GiB; the rest is small and stands in one slab behind them, or large. */
static uint64_t base_of(const struct mh_workload *w, uint32_t buffer)
{
    return w->buffers[buffer].base;
}

static struct mh_op step(const struct mh_workload *w, struct mh_cursor *c)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;

    w->next(w, c, &op, addr);
    assert_false(op.list);
    return op;
}

static void loads(const struct mh_workload *w, struct mh_cursor *c, uint32_t bytes, uint64_t mask, uint64_t base,
                  int64_t stride)
{
    const struct mh_op op = step(w, c);

    assert_int_equal(op.kind, MH_OP_LOAD);
    assert_int_equal(op.bytes, bytes);
    assert_true(op.mask == mask && op.base == base && op.stride == stride);
}

/* Sample 5 of table 12, which has 10 rows: one row a bag. Of 16 samples, bag 12 * 16 + 5 is warp 5 of block 12. */
static void check_short_bag(const char *spec, uint32_t element)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 16, 3, 32);
    struct mh_cursor c = {.cta = 12, .warp = 5};
    struct mh_op op;

    assert_true(w->launches->ctas == 26 && w->launches->threads == 512);
    assert_int_equal(w->buffers[WEIGHTS].bytes, 187767399ull * 128 * element);
    assert_int_equal(w->buffers[INDICES].bytes, 16 * ALL_INDICES * 8);
    w->start(w, &c);
    loads(w, &c, 8, UINT32_MAX, base_of(w, OFFSETS) + 197 * 8, 0);
    loads(w, &c, 8, UINT32_MAX, base_of(w, OFFSETS) + 198 * 8, 0);
    loads(w, &c, 4, UINT32_MAX, base_of(w, D_OFFSETS) + 12 * 4, 0);
    loads(w, &c, 4, UINT32_MAX, base_of(w, D_OFFSETS) + 13 * 4, 0);
    loads(w, &c, 8, UINT32_MAX, base_of(w, WEIGHTS_OFFSETS) + 12 * 8, 0);
    loads(w, &c, 4, UINT32_MAX, base_of(w, PLACEMENTS) + 12 * 4, 0);
    loads(w, &c, 8, 1, base_of(w, INDICES) + (INDICES_TO_12 * 16 + 5) * 8, 8);
    op = step(w, &c);
    const uint64_t row = (op.base - base_of(w, WEIGHTS)) / (128 * element);
    assert_true(op.mask == UINT32_MAX && op.wait == 1 && op.bytes == 4 * element && op.stride == 4 * element);
    assert_in_range(row, rows_to_12, rows_to_12 + 9);
    assert_int_equal((op.base - base_of(w, WEIGHTS)) % (128 * element), 0);
    op = step(w, &c);
    assert_true(op.kind == MH_OP_STORE && op.wait == 1 && op.bytes == 16 && op.stride == 16 && op.mask == UINT32_MAX);
    assert_true(op.base == base_of(w, OUTPUT) + (5 * 26 + 12) * 512);
    assert_int_equal(step(w, &c).kind, MH_OP_EXIT);
}

TEST(test_short_bag)
{
    check_short_bag("EMBED", 2);
    check_short_bag("EMBED@fp32", 4);
}

/* Sample 2 of table 20: 100 rows, indices as many as lanes at a time; a row is 32 lanes of any warp. */
static void check_long_bag(uint32_t lanes)
{
    LOCAL_WORKLOAD(w) = walk_make("EMBED@fp32", 16, 3, lanes);
    const uint32_t bags = 512 / lanes, bag = 20 * 16 + 2;
    struct mh_cursor c = {.cta = bag / bags, .warp = bag % bags};
    struct mh_op op;

    w->start(w, &c);
    for (int i = 0; i < 6; i++)
        assert_int_equal(step(w, &c).kind, MH_OP_LOAD);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t left = 100 - i < lanes ? 100 - i : lanes;

        if (i % lanes == 0)
            loads(w, &c, 8, left == 64 ? UINT64_MAX : ((uint64_t)1 << left) - 1,
                  base_of(w, INDICES) + (INDICES_TO_20 * 16 + 200 + i) * 8, 8);
        op = step(w, &c);
        assert_true(op.kind == MH_OP_LOAD && op.mask == UINT32_MAX && op.bytes == 16 && op.stride == 16);
        assert_in_range((op.base - base_of(w, WEIGHTS)) / 512, rows_to_20, rows_to_20 + 25641294);
    }
    assert_int_equal(step(w, &c).kind, MH_OP_STORE);
}

TEST(test_long_bag)
{
    check_long_bag(32);
    check_long_bag(64);
}

struct tally {
    uint64_t first, last, all, hot, rows, lines;
};

static void count_rows(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct tally *t = ctx;
    struct mh_op_footprint f;

    if (op->kind != MH_OP_LOAD || op->pc != 8)
        return;
    mh_op_footprint(op, addr, &f);
    t->rows++;
    t->lines += f.lines;
    t->all += op->base >= t->first && op->base < t->last;
    t->hot += op->base == t->first;
}

/* Of table 20's rows, n = 25641295, the most popular one is drawn with 1 / (1 + 1/2 + .. + 1/n). */
static void check_popular(const char *spec, uint32_t element)
{
    enum { SAMPLES = 512, HEAD = 1000 };
    LOCAL_WORKLOAD(w) = walk_make(spec, SAMPLES, 1, 32);
    const uint64_t row = 128 * element, first = base_of(w, WEIGHTS) + rows_to_20 * row;
    struct tally t = {.first = first, .last = first + 25641295 * row};
    double sum = log(25641295.5) - log(HEAD + .5), share; /* the integral of 1 / r, by ranks' middles */

    for (int r = 1; r <= HEAD; r++)
        sum += 1. / r;
    walk_all(w, 32, count_rows, &t);
    assert_int_equal(t.all, 100 * SAMPLES);
    assert_int_equal(t.rows, ALL_INDICES * SAMPLES);
    assert_int_equal(t.lines, t.rows * row / 128);
    share = (double)t.hot / (double)t.all;
    assert_true(fabs(share * sum - 1) < 4 / sqrt((double)t.hot)); /* four standard deviations */
}

TEST(test_popular)
{
    check_popular("EMBED@fp16-sorted", 2);
    check_popular("EMBED@fp32-sorted", 4);
}

/* Scattered: the most popular row lies anywhere, and a batch of indices names other rows than with another exponent. */
TEST(test_scattered)
{
    LOCAL_WORKLOAD(w) = walk_make("EMBED@fp32", 512, 1, 32);
    struct tally t = {.first = base_of(w, WEIGHTS) + rows_to_20 * 512};

    t.last = t.first + 25641295ull * 512;
    walk_all(w, 32, count_rows, &t);
    assert_true(t.all == 51200 && t.hot < 10);
}

enum { RANKS = 200000, DRAWS = 20000 };

/* The inverse: a random word w of 2^64 draws the rank whose cumulative share holds w, but for the parts' width. */
static void check_inverse(uint32_t hundredths, uint64_t n)
{
    double *share = calloc(n + 1, sizeof *share);
    struct mh_zipf z;

    for (uint64_t r = 1; r <= n; r++)
        share[r] = share[r - 1] + pow((double)r, -(double)hundredths / 100);
    mh_zipf_make(&z, hundredths);
    for (uint64_t i = 0; i < DRAWS; i++) {
        const uint64_t random = mh_random(hundredths, i), rank = mh_zipf_draw(&z, random, n) + 1;
        const double at = (double)random / 18446744073709551616.0 * share[n];

        assert_in_range(rank, 1, n);
        if (at < share[rank - 1] - share[n] * 1e-4 || at > share[rank] + share[n] * 1e-4)
            fail_msg("s %u: %.6f drew rank %llu of shares %.6f to %.6f", hundredths, at, (unsigned long long)rank,
                     share[rank - 1], share[rank]);
    }
    free(share);
}

TEST(test_draws)
{
    static const uint32_t exponents[] = {0, 30, 90, 100, 105, 120};

    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        check_inverse(exponents[i], RANKS);
        check_inverse(exponents[i], 65);
        check_inverse(exponents[i], 8);
    }
}

TEST(test_ends)
{
    struct mh_zipf z;

    mh_zipf_make(&z, 105);
    for (unsigned bits = 0; bits < MH_ZIPF_BITS - 1; bits++) {
        const uint64_t n = (uint64_t)1 << bits, last = mh_zipf_draw(&z, UINT64_MAX, n);

        assert_int_equal(mh_zipf_draw(&z, 0, n), 0);
        assert_true(last < n && last >= n - n / 32 - 1);
    }
}

/* Each of n places once, in another order for another seed. */
TEST(test_shuffled)
{
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 1000, 65536};
    static uint8_t seen[65536];

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t moved = 0;

        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < counts[k]; i++) {
            const uint64_t to = mh_shuffled(5, i, counts[k]);

            assert_true(to < counts[k] && !seen[to]++);
            moved += to != mh_shuffled(6, i, counts[k]);
        }
        assert_true(counts[k] < 1000 || moved > counts[k] * 9 / 10);
    }
}
