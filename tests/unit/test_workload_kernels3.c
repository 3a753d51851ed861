/*
 * Generated kernels whose programs were not recorded, checked for what their algorithms promise: every element once, a
 * colouring that is one, a permutation that sorts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/gen.h"
#include "workload/op_stats.h"

static struct mh_workload *make(const char *name, uint64_t size, uint32_t lanes)
{
    struct mh_error err;
    struct mh_workload *w = mh_workload_create(name, size, 1, lanes, &err);

    if (!w)
        fail_msg("%s", err.text);
    return w;
}

/* ---- how often each element of a buffer is touched ---- */

struct touches {
    uint32_t launch, kind, pc; /* pc 0: any */
    uint64_t base, end, element;
    uint32_t *count;
};

static void touch(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct touches *t = ctx;

    if (op->kind != t->kind || at.launch != t->launch || (t->pc && op->pc != t->pc))
        return;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        if (a >= t->base && a < t->end)
            t->count[(a - t->base) / t->element]++;
    }
}

/* Counts of `count` elements from `offset` on; the caller frees them. */
static uint32_t *count_touches(const struct mh_workload *w, uint32_t lanes, uint32_t launch, enum mh_op_kind kind,
                               uint64_t base, uint64_t count, uint32_t element)
{
    struct touches t = {
        .launch = launch, .kind = kind, .base = base, .end = base + count * element, .element = element};

    t.count = calloc(count, sizeof *t.count);
    assert_non_null(t.count);
    walk_all(w, lanes, touch, &t);
    return t.count;
}

static void covers(const char *name, uint64_t size, uint32_t launch, enum mh_op_kind kind, uint32_t buffer,
                   uint64_t count, uint32_t element, uint32_t times)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct mh_workload *w = make(name, size, lanes);
        uint32_t *touched;

        assert_true(count * element <= w->buffers[buffer].bytes);
        touched = count_touches(w, lanes, launch, kind, w->buffers[buffer].base, count, element);
        for (uint64_t i = 0; i < count; i++)
            if (touched[i] != times)
                fail_msg("%s, %u lanes, launch %u: element %llu touched %u times, not %u", name, lanes, launch,
                         (unsigned long long)i, touched[i], times);
        free(touched);
        w->destroy(w);
    }
}

static void test_streams(void **state)
{
    (void)state;
    covers("GESUMMV", 100, 0, MH_OP_LOAD, 0, 100 * 100, 4, 1);
    covers("GESUMMV", 100, 0, MH_OP_LOAD, 1, 100 * 100, 4, 1);
    covers("GESUMMV", 100, 0, MH_OP_LOAD, 2, 100, 4, 200); /* x[j] by every row, twice */
    covers("GESUMMV", 100, 0, MH_OP_STORE, 3, 100, 4, 101);
    covers("KMeans", 1000, 0, MH_OP_LOAD, 0, 1000 * 34, 4, 1);
    covers("KMeans", 1000, 0, MH_OP_STORE, 1, 1000 * 34, 4, 1);
    covers("KMeans", 1000, 1, MH_OP_LOAD, 1, 1000 * 34, 4, 5);
    covers("PathFinder", 1000, 0, MH_OP_STORE, 2, 1000, 4, 1);
    covers("PathFinder", 1000, 1, MH_OP_STORE, 1, 1000, 4, 1);
    covers("JPEG", 96, 0, MH_OP_LOAD, 0, 96 * 96, 4, 1);
    covers("JPEG", 96, 0, MH_OP_STORE, 1, 96 * 96, 4, 1);
    covers("JPEG", 96, 1, MH_OP_STORE, 1, 96 * 96, 4, 1);
    covers("JPEG", 96, 2, MH_OP_STORE, 0, 96 * 96, 4, 1);
    covers("LIB", 500, 0, MH_OP_STORE, 0, 500, 4, 1);
    covers("LIB", 500, 1, MH_OP_STORE, 1, 500, 4, 1);
    covers("LavaMD", 2, 0, MH_OP_LOAD, 1, 8 * 100 * 4, 8, 9); /* its own, then all eight boxes of a 2 x 2 x 2 cube */
    covers("LavaMD", 2, 0, MH_OP_STORE, 3, 8 * 100 * 4, 8, 800);
    covers("SPMV", 40, 0, MH_OP_STORE, 4, 1600, 4, 1);
    covers("SRT", 8192, 0, MH_OP_STORE, 3, 8192, 4, 1);
    covers("SRT", 8192, 1, MH_OP_STORE, 2, 1024, 4, 1);
    covers("SSSP", 1024, 2, MH_OP_STORE, 5, 1024, 4, 1);
    covers("B+Tree", 40000, 0, MH_OP_STORE, 5, 400, 4, 1);  /* every key is found */
    covers("XSBench", 1000, 0, MH_OP_STORE, 3, 1000, 8, 1); /* small buffers come first */
}

/* Each distribution of an inner cell is loaded by that cell and stored by one neighbour. */
static void test_lbm(void **state)
{
    enum { Z = 6, PLANE = 128 * 120, CELLS = PLANE * Z, ENTRIES = 20, MARGIN = 2 * PLANE };
    struct mh_workload *w = make("LBM", Z, 32);
    uint32_t *in, *out;

    (void)state;
    in = count_touches(w, 32, 0, MH_OP_LOAD, w->buffers[0].base + MARGIN * 4, (uint64_t)CELLS * ENTRIES, 4);
    out = count_touches(w, 32, 0, MH_OP_STORE, w->buffers[1].base + MARGIN * 4, (uint64_t)CELLS * ENTRIES, 4);
    for (uint32_t e = 0; e < ENTRIES; e++)
        for (uint32_t z = 1; z < Z - 1; z++)
            for (uint32_t y = 1; y < 119; y++)
                for (uint32_t x = 1; x < 119; x++) {
                    const uint32_t i = e * CELLS + z * PLANE + y * 128 + x;

                    assert_int_equal(in[i], 1);
                    assert_int_equal(out[i], e < 19);
                }
    assert_int_equal(in[120], 0); /* padding */
    free(in);
    free(out);
    w->destroy(w);
}

struct directions {
    uint64_t cell; /* address of the warp's first cell in distribution 0 */
    int64_t step[19];
};

static void follow_directions(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct directions *d = ctx;

    (void)at;
    if (op->kind == MH_OP_STORE && op->pc >= 21 && op->pc < 40)
        d->step[op->pc - 21] = (int64_t)(mh_op_address(op, addr, 0) - d->cell) / 4 - (op->pc - 21) * 128 * 120 * 6;
}

/* The lattice: 19 different steps to neighbours, none to a corner, the opposite of each among them. */
static void test_lbm_directions(void **state)
{
    struct mh_workload *w = make("LBM", 6, 32);
    struct directions d = {.cell = w->buffers[1].base + ((2 + 3) * 128 * 120 + 40 * 128) * 4};

    (void)state;
    walk_warp(w, (struct walk_place){0, 3 * 120 + 40, 0}, follow_directions, &d);
    for (int i = 0; i < 19; i++) {
        int opposite = 0, same = 0, moves = 0;

        for (int k = 0; k < 19; k++) {
            opposite += d.step[k] == -d.step[i];
            same += d.step[k] == d.step[i];
        }
        assert_true(opposite == 1 && same == 1);
        for (int64_t z = -1; z <= 1; z++)
            for (int64_t y = -1; y <= 1; y++)
                for (int64_t x = -1; x <= 1; x++)
                    moves += d.step[i] == (z * 120 + y) * 128 + x && x * x + y * y + z * z <= 2;
        assert_int_equal(moves, 1);
    }
    w->destroy(w);
}

/* Row j1: its elements from the diagonal on are summed up over n observations, then mirrored. */
static void test_triangle(void **state)
{
    enum { N = 70 };

    (void)state;
    for (int corr = 0; corr < 2; corr++) {
        struct mh_workload *w = make(corr ? "CORR" : "COVAR", N, 64);
        uint32_t *stored =
            count_touches(w, 64, w->launch_count - 1, MH_OP_STORE, w->buffers[1].base, (uint64_t)N * N, 4);

        assert_int_equal(w->launch_count, corr ? 4 : 3);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t j = 0; j < N; j++) {
                /* COVAR's diagonal is zeroed, summed up and its own mirror image. The host sets CORR's last element. */
                const uint32_t expected = corr ? (i == j  ? i < N - 1
                                                  : i < j ? N
                                                          : 1)
                                               : (i == j  ? N + 2
                                                  : i < j ? N + 1
                                                          : 1);

                assert_int_equal(stored[i * N + j], expected);
            }
        free(stored);
        w->destroy(w);
    }
}

/* Launch i writes plane i + 1, all of it; the first and last planes are never written. */
static void test_conv3d(void **state)
{
    enum { N = 32 };
    struct mh_workload *w = make("3DCONV", N, 32);

    (void)state;
    assert_int_equal(w->launch_count, N - 2);
    for (uint32_t launch = 0; launch < N - 2; launch += N - 3) {
        uint32_t *stored = count_touches(w, 32, launch, MH_OP_STORE, w->buffers[1].base, N * N * N, 4);
        uint32_t *loaded = count_touches(w, 32, launch, MH_OP_LOAD, w->buffers[0].base, N * N * N, 4);

        for (uint32_t i = 0; i < N * N * N; i++)
            assert_int_equal(stored[i], i / (N * N) == launch + 1);
        /* In the middle of the lower plane: as (-1, -1), as (-1, +1), (0, +1), (+1, +1) of a neighbour. */
        assert_int_equal(loaded[launch * N * N + 10 * N + 10], 4);
        assert_int_equal(loaded[(launch + 1) * N * N + 10 * N + 10], 3);
        free(stored);
        free(loaded);
    }
    w->destroy(w);
}

/* ---- graphs: what the kernels did, read back from their addresses ---- */

enum { VERTICES = 1024, MAX_EDGES = 16384 };

struct story {
    uint32_t block, lanes, first_launch; /* threads per CTA; the launch that looks at every edge */
    uint32_t edge_pc, target_pc, mark_pc;
    uint64_t col, target, mark; /* bases of the columns, of an array read at a target, of one written when chosen */
    uint32_t edge[64], from[MAX_EDGES], to[MAX_EDGES], edges, degree[VERTICES];
    uint32_t when[VERTICES], chosen[VERTICES]; /* launch; how often */
};

static void follow(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct story *s = ctx;
    const uint32_t first = at.cta * s->block + at.warp * s->lanes;

    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t a = mh_op_address(op, addr, lane);

        if (at.launch == s->first_launch && op->pc == s->edge_pc)
            s->edge[lane] = (uint32_t)((a - s->col) / 4);
        if (at.launch == s->first_launch && op->pc == s->target_pc) {
            assert_true(s->edge[lane] < MAX_EDGES && s->to[s->edge[lane]] == 0);
            s->from[s->edge[lane]] = first + lane;
            s->to[s->edge[lane]] = (uint32_t)((a - s->target) / 4);
            s->degree[first + lane]++;
            s->edges++;
        }
        if (op->pc == s->mark_pc) {
            s->when[(a - s->mark) / 4] = at.launch;
            s->chosen[(a - s->mark) / 4]++;
        }
    }
}

/* No two neighbours are in the set, and who is not in it has a neighbour that is. */
static void test_mis(void **state)
{
    static struct story s;
    static uint32_t beside[VERTICES];

    (void)state;
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct mh_workload *w = make("MIS", VERTICES, lanes);
        const struct mh_buffer *b = w->buffers; /* rows, columns, stop, minimum, status, update, set, value */

        s = (struct story){
            .block = 128, .lanes = lanes, .first_launch = 1, .edge_pc = 8, .target_pc = 9, .mark_pc = 15};
        s.col = b[1].base, s.target = b[4].base, s.mark = b[6].base;
        walk_all(w, lanes, follow, &s);
        assert_int_equal(s.edges, b[1].bytes / 4);
        memset(beside, 0, sizeof beside);
        for (uint32_t e = 0; e < s.edges; e++) {
            assert_false(s.chosen[s.from[e]] && s.chosen[s.to[e]]);
            beside[s.from[e]] += s.chosen[s.to[e]];
        }
        for (uint32_t v = 0; v < VERTICES; v++) {
            assert_true(s.chosen[v] <= 1);
            assert_true(s.chosen[v] || beside[v]);
        }
        w->destroy(w);
    }
}

/* Everybody gets one colour; neighbours' colours differ, but for the source's hasty treatment of single edges. */
static void test_color(void **state)
{
    static struct story s;

    (void)state;
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct mh_workload *w = make("Color", VERTICES, lanes);
        const struct mh_buffer *b = w->buffers; /* rows, columns, stop, colour, value, maximum */

        s = (struct story){
            .block = 256, .lanes = lanes, .first_launch = 0, .edge_pc = 4, .target_pc = 5, .mark_pc = 13};
        s.col = b[1].base, s.target = s.mark = b[3].base;
        walk_all(w, lanes, follow, &s);
        assert_int_equal(s.edges, b[1].bytes / 4);
        for (uint32_t v = 0; v < VERTICES; v++)
            assert_int_equal(s.chosen[v], 1);
        for (uint32_t e = 0; e < s.edges; e++)
            if (s.degree[s.from[e]] > 1 && s.degree[s.to[e]] > 1)
                assert_int_not_equal(s.when[s.from[e]], s.when[s.to[e]]);
        w->destroy(w);
    }
}

/* The product looks at every edge once; the last vector_diff finds nothing, the ones before it do. */
static void test_sssp(void **state)
{
    struct mh_workload *w = make("SSSP", VERTICES, 32);
    const uint32_t edges = (uint32_t)(w->buffers[1].bytes / 4);

    (void)state;
    for (uint32_t round = 0; 3 * round + 1 < w->launch_count; round++) {
        uint32_t *weights = count_touches(w, 32, 3 * round + 2, MH_OP_LOAD, w->buffers[2].base, edges, 4);
        uint32_t *stops = count_touches(w, 32, 3 * round + 3, MH_OP_STORE, w->buffers[3].base, 1, 4);

        for (uint32_t e = 0; e < edges; e++)
            assert_int_equal(weights[e], 1);
        assert_true((stops[0] > 0) == (3 * round + 4 < w->launch_count));
        free(weights);
        free(stops);
    }
    w->destroy(w);
}

/* ---- sorting and searching ---- */

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
static void test_srt(void **state)
{
    static struct sorting s;
    static uint64_t value[ELEMENTS];
    struct mh_workload *w = make("SRT", ELEMENTS, 32);
    uint32_t n = 0;

    (void)state;
    s = (struct sorting){.input = w->buffers[0].base, .output = w->buffers[1].base};
    walk_all(w, 32, follow_sort, &s);
    for (uint32_t i = 0; i < ELEMENTS + 4096; i++)
        if (s.at[i])
            value[n++] = mh_random(1, s.at[i] - 1) >> 32;
    assert_int_equal(n, ELEMENTS);
    for (uint32_t i = 64; i < ELEMENTS; i++)
        assert_true(value[i] >= value[i - 64]);
    w->destroy(w);
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

    (void)at;
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        follow_lookup(s, (unsigned)__builtin_ctzll(m), op->pc, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
    for (uint32_t l = 0; op->kind == MH_OP_EXIT && l < 64; l++) {
        assert_true(s->steps[l] == 0 || s->steps[l] == 19 || s->steps[l] == 20); /* log2(768604) = 19.6 */
        s->steps[l] = 0;
    }
}

/* Searches end between two levels that were looked at; interpolation is between neighbours of the right nuclide. */
static void test_xsbench(void **state)
{
    static struct lookups s;
    struct mh_workload *w = make("XSBench", 10000, 64);

    (void)state;
    s = (struct lookups){.energies = w->buffers[4].base, .index = w->buffers[5].base, .grid = w->buffers[6].base};
    walk_all(w, 64, follow_lookups, &s);
    /* 34 x .139 + 5 x .052 + 4 x .409 + 27 x .154 + 21 x .208 + 9 x .038 = 15.49 nuclides a look-up; 1 % is 1.6 sigma
     */
    assert_in_range(s.nuclides, 150300, 159500);
    w->destroy(w);
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

    (void)at;
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
static void test_btree(void **state)
{
    struct mh_workload *w = make("B+Tree", 40000, 32);
    struct descent d = {.nodes = w->buffers[1].base, .records = w->buffers[0].base};

    (void)state;
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
    w->destroy(w);
}

/* ---- by hand ---- */

static void count_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    (void)at;
    (void)op;
    (void)addr;
    ++*(uint64_t *)ctx;
}

/* LIB: 40 steps over what is left of 80 rates: 79 + 78 + .. + 40 = 2380 times load L, store L. */
static void test_lib(void **state)
{
    struct mh_workload *w = make("LIB", 500, 32);
    uint64_t ops = 0;

    (void)state;
    walk_warp(w, (struct walk_place){0, 0, 0}, count_op, &ops);
    assert_int_equal(ops, 2 * 80 + 40 + 2 * 2380 + 3 * 40 + 2 * 15 + 40 + 1 + 1);
    ops = 0;
    walk_warp(w, (struct walk_place){1, 0, 0}, count_op, &ops);
    assert_int_equal(ops, 2 * 80 + 2 * 80 + 40 + 3 * 2380 + 3 * 40 + 2 * 40 + 6 * 15 + (40 * 6 + 39 * 4) + 40 + 2 * 40 +
                              2 * 40 + 1 + 4 * 2380 + 2 + 1);
    w->destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),  cmocka_unit_test(test_lbm),    cmocka_unit_test(test_lbm_directions),
        cmocka_unit_test(test_triangle), cmocka_unit_test(test_conv3d), cmocka_unit_test(test_mis),
        cmocka_unit_test(test_color),    cmocka_unit_test(test_sssp),   cmocka_unit_test(test_srt),
        cmocka_unit_test(test_xsbench),  cmocka_unit_test(test_btree),  cmocka_unit_test(test_lib),

    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
