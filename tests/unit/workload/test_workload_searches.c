/* Kernels that cluster, sort and search: the result is found here once more and compared with what they touched. */
#include "unit/test.h"
#include "touches.h"
#include "workload/gen.h"
#include "workload/kernels/qtc.h"

enum { SEED = 3 };

static void check_streamcluster(const char *spec)
{
    for (uint32_t launch = 0; launch < 4; launch++) {
        struct touches sums = touches_of(spec, 700, SEED, 64, launch, STORE, 0, 4, 4);
        uint32_t better = 0;

        for (uint32_t p = 0; p < 700; p++) {
            uint32_t own = 0;

            for (uint32_t k = 0; k < 17; k++)
                own += sums.times[p * 17 + k];
            assert_int_equal(own, 1);
            better += sums.times[p * 17 + 16];
        }
        assert_true(better > 0 && better < 350); /* itself at least; the nearest of 16 is seldom beaten */
        end_touches(&sums);
    }
}

/* In the OpenCL form each of three work-groups reads the candidate's coordinates, once. */
TEST(test_streamcluster)
{
    struct touches copied;
    uint32_t read = 0;

    check_streamcluster("SC");
    check_streamcluster("SC@opencl");
    copied = touches_of("SC@opencl", 768, SEED, 64, 0, LOAD, 14, 0, 4);
    for (uint64_t i = 0; i < copied.count; i++)
        read += copied.times[i];
    assert_int_equal(read, 3 * 256);
    end_touches(&copied);
}

enum { POINTS = 320 };

static bool near(const struct mh_qtc *d, uint32_t a, uint32_t b)
{
    for (uint32_t e = d->row[a]; e < d->row[a + 1]; e++)
        if (d->near[e] == b)
            return true;
    return a == b;
}

TEST(test_clusters)
{
    struct mh_qtc *d = mh_qtc_make(POINTS, SEED);
    struct touches in = touches_of("QTC", POINTS, SEED, 32, 3, STORE, 20, 4, 1);
    struct touches centre = touches_of("QTC", POINTS, SEED, 32, 3, STORE, 6, 4, 1);
    struct touches moved = touches_of("QTC", POINTS, SEED, 32, 3, LOAD, 28, 4, 1);
    struct touches distances = touches_of("QTC", POINTS, SEED, 32, 3, LOAD, 15, 0, 4);
    const uint32_t degree = d->row[d->winner + 1] - d->row[d->winner];
    uint32_t members = 0, looked = 0;

    for (uint32_t i = 0; i < POINTS; i++) {
        in.times[i] += centre.times[i];
        assert_true(in.times[i] <= 1);
        assert_int_equal(moved.times[i], 1);
        members += in.times[i];
    }
    assert_true(members > 4 && members == d->steps[d->winner]);
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t within = 0;

        for (uint32_t k = 0; k < POINTS; k++)
            within += in.times[k] && near(d, i, k);
        assert_int_equal(within == members, in.times[i]); /* all near each other, and no other is */
    }
    for (uint32_t i = 0; i < POINTS * POINTS; i++) { /* in each step, from each one left to the latest member */
        assert_true(!distances.times[i] || (near(d, d->winner, i / POINTS) && in.times[i % POINTS]));
        looked += distances.times[i];
    }
    assert_int_equal(looked, members * degree - members * (members - 1) / 2);
    end_touches(&in);
    end_touches(&centre);
    end_touches(&moved);
    end_touches(&distances);
    free(d);
}

enum { BASES = 400, READS = BASES * 5 / 2, READ = 25, MIN_MATCH = 20, STARTS = 6 };

static void make_read(uint8_t read[READ], const uint8_t text[BASES], uint64_t number)
{
    const uint64_t r = mh_random(~(uint64_t)SEED, 2 * number), errors = mh_random(~(uint64_t)SEED, 2 * number + 1);

    for (uint32_t b = 0; b < READ; b++) {
        const uint64_t change = mh_random(errors, b);

        read[b] = (uint8_t)((text[r % (BASES + 1 - READ) + b] + (change % 16 ? 0 : 1 + (change >> 32) % 3)) & 3);
    }
}

static uint32_t longest_match(const uint8_t *suffix, uint32_t length, const uint8_t text[BASES])
{
    uint32_t best = 0;

    for (uint32_t at = 0; at < BASES; at++) {
        uint32_t k = 0;

        while (k < length && at + k < BASES && text[at + k] == suffix[k])
            k++;
        best = k > best ? k : best;
    }
    return best;
}

TEST(test_matches)
{
    struct touches found = touches_of("MUM", BASES, SEED, 32, 0, STORE, 20, 0, 8);
    uint8_t text[BASES], read[READ];
    uint32_t matches = 0;

    assert_int_equal(found.count, READS * STARTS);
    for (uint32_t i = 0; i < BASES; i++)
        text[i] = mh_random(SEED, i) & 3;
    for (uint32_t r = 0; r < READS; r++) {
        make_read(read, text, r);
        for (uint32_t s = 0; s < STARTS; s++) {
            const bool match = longest_match(read + s, READ - s, text) >= MIN_MATCH;

            assert_int_equal(found.times[r * STARTS + s], match);
            matches += match;
        }
    }
    assert_true(matches > READS / 2 && matches < READS * STARTS);
    end_touches(&found);
}

enum { ELEMENTS = 8192 };

struct sorting {
    uint64_t input, output;
    uint32_t element[64], at[ELEMENTS + 4096]; /* 1 + the element that goes there */
};

static void follow_sort(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct sorting *s = ctx;

    for (uint64_t m = at.launch == 2 && (op->pc == 14 || op->pc == 16) ? op->mask : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t a = mh_op_address(op, addr, lane);

        if (op->pc == 14) {
            s->element[lane] = (uint32_t)((a - s->input) / 4);
        } else {
            assert_int_equal(s->at[(a - s->output) / 4], 0);
            s->at[(a - s->output) / 4] = 1 + s->element[lane];
        }
    }
}

/* Every element has a place of its own, and those that lie 64 apart, a few buckets, are in order. */
TEST(test_srt)
{
    static struct sorting s;
    static uint64_t value[ELEMENTS];
    LOCAL_WORKLOAD(w) = walk_make("SRT", ELEMENTS, 1, 32);
    uint32_t n = 0;

    s = (struct sorting){.input = w->buffers[0].base, .output = w->buffers[1].base};
    walk_all(w, 32, follow_sort, &s);
    for (uint32_t i = 0; i < ELEMENTS + 4096; i++)
        if (s.at[i])
            value[n++] = mh_random(1, s.at[i] - 1) >> 32;
    assert_int_equal(n, ELEMENTS);
    for (uint32_t i = 64; i < ELEMENTS; i++)
        assert_true(value[i] >= value[i - 64]);
}

enum { LEVELS = 68 * 11303 };

struct lookups {
    uint64_t energies, index, grid;
    uint32_t examined[64][32], steps[64], level[64], nuclide[64], nuclides;
    uint64_t upper[64];
};

static bool has_examined(const struct lookups *s, unsigned lane, uint32_t level)
{
    for (uint32_t i = 0; i < s->steps[lane]; i++)
        if (s->examined[lane][i] == level)
            return true;
    return false;
}

static void follow_lookup(struct lookups *s, unsigned lane, uint32_t pc, uint64_t a)
{
    if (pc == 1) {
        assert_true(s->steps[lane] < 20);
        s->examined[lane][s->steps[lane]++] = (uint32_t)((a - s->energies) / 8);
    } else if (pc == 6) {
        s->level[lane] = (uint32_t)((a - s->index) / 4 / 68);
        s->nuclide[lane] = (uint32_t)((a - s->index) / 4 % 68);
        assert_true(s->level[lane] == 0 || has_examined(s, lane, s->level[lane]));
        assert_true(s->level[lane] == LEVELS - 2 || has_examined(s, lane, s->level[lane] + 1));
        s->nuclides++;
    } else if (pc == 7) {
        s->upper[lane] = a;
    } else if (pc == 8) {
        assert_true(s->upper[lane] == a + 48);
        assert_int_equal((a - s->grid) / 48 / 11303, s->nuclide[lane]);
    }
}

static void follow_lookups(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct lookups *s = ctx;

    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        follow_lookup(s, (unsigned)__builtin_ctzll(m), op->pc, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
    for (uint32_t l = 0; op->kind == MH_OP_EXIT && l < 64; l++) {
        assert_true(s->steps[l] == 0 || s->steps[l] == 19 || s->steps[l] == 20); /* log2(768604) = 19.6 */
        s->steps[l] = 0;
    }
}

/* Searches end between two levels that were looked at; interpolation is between neighbours of the right nuclide. */
TEST(test_xsbench)
{
    static struct lookups s;
    LOCAL_WORKLOAD(w) = walk_make("XSBench", 10000, 1, 64);

    s = (struct lookups){.energies = w->buffers[4].base, .index = w->buffers[5].base, .grid = w->buffers[6].base};
    walk_all(w, 64, follow_lookups, &s);
    /* 34 x .139 + 5 x .052 + 4 x .409 + 27 x .154 + 21 x .208 + 9 x .038 = 15.49 nuclides a look-up; 1 % is 1.6 sigma
     */
    assert_in_range(s.nuclides, 150300, 159500);
}

struct descent {
    uint64_t nodes, records;
    uint32_t node[3], slot[3], depth;
    uint64_t hits;
};

static void follow_descent(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct descent *d = ctx;
    uint64_t a = mh_op_is_memory(op) ? mh_op_address(op, addr, (unsigned)__builtin_ctzll(op->mask)) : 0;

    if (mh_op_is_memory(op) && (op->pc == 6 || op->pc == 15)) { /* indices[] of the node, behind its location */
        assert_true((op->mask & (op->mask - 1)) == 0);
        d->hits++;
        d->depth = op->pc == 15 ? 2 : (a - d->nodes) / 2068 == 0 ? 0 : 1;
        d->node[d->depth] = (uint32_t)((a - d->nodes) / 2068);
        d->slot[d->depth] = (uint32_t)((a - d->nodes) % 2068 - 4) / 4;
    }
    if (!mh_op_is_memory(op) || op->pc != 16)
        return;
    assert_int_equal((a - d->records) / 4, (d->node[2] - 3) * 128 + d->slot[2]); /* leaves hold 128 keys each */
}

/* 40000 keys: 312 leaves (the last one with 192 keys), two nodes above, a root. The hits of a level may come from any
 * warp of the block, so the way down is checked per block: 1 + 1 + 1 hits, and a leaf under the right node. */
TEST(test_btree)
{
    LOCAL_WORKLOAD(w) = walk_make("B+Tree", 40000, 1, 32);
    struct descent d = {.nodes = w->buffers[1].base, .records = w->buffers[0].base};

    assert_int_equal(w->buffers[1].bytes, (1 + 2 + 312) * 2068);
    for (uint32_t cta = 0; cta < 400; cta++) {
        d.hits = 0;
        for (uint32_t warp = 0; warp < 8; warp++)
            walk_warp(w, (struct walk_place){0, cta, warp}, follow_descent, &d);
        assert_int_equal(d.hits, 3);
        assert_int_equal(d.node[0], 0);
        assert_int_equal(d.node[1], 1 + d.slot[0]);
        assert_int_equal(d.node[2], 3 + d.slot[0] * 128 + d.slot[1]);
    }
}
