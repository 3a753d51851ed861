/*
 * What generated kernels touch, element by element, and whether the data that decide it are what they should be: found
 * here once more in the simplest way and compared with the addresses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/gen.h"
#include "workload/graph.h"
#include "workload/kernels/qtc.h"
#include "workload/op_stats.h"

enum { SEED = 3 };

/* How often each element of a buffer was touched by ops of one kind, or of one instruction. */
struct touches {
    struct mh_workload *w;
    uint64_t base, count;
    uint32_t element;
    uint32_t launch; /* UINT32_MAX: all */
    int kind;
    uint32_t pc; /* 0: all */
    uint32_t *times;
};

static void touch(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct touches *t = ctx;

    if (op->kind != t->kind || (t->launch != UINT32_MAX && at.launch != t->launch) || (t->pc && op->pc != t->pc))
        return;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        for (uint64_t b = 0; b < op->bytes; b += t->element)
            if (a + b >= t->base && a + b < t->base + t->count * t->element)
                t->times[(a + b - t->base) / t->element]++;
    }
}

/* `buffer` counts in the order of addresses, which for small buffers is that of allocation. */
static struct touches touches_of(const char *name, uint64_t size, uint32_t lanes, uint32_t launch, int kind,
                                 uint32_t pc, uint32_t buffer, uint32_t element)
{
    struct mh_error err;
    struct touches t = {.launch = launch, .kind = kind, .pc = pc, .element = element};

    t.w = mh_workload_create(name, size, SEED, lanes, &err);
    if (!t.w)
        fail_msg("%s", err.text);
    t.base = t.w->buffers[buffer].base;
    t.count = t.w->buffers[buffer].bytes / element;
    t.times = calloc(t.count, sizeof *t.times);
    assert_non_null(t.times);
    walk_all(t.w, lanes, touch, &t);
    return t;
}

static void end_touches(struct touches *t)
{
    free(t->times);
    t->w->destroy(t->w);
}

typedef uint32_t expected_touches(uint64_t element, uint64_t size);

static uint32_t once(uint64_t element, uint64_t size)
{
    (void)element;
    (void)size;
    return 1;
}

static uint32_t twice(uint64_t element, uint64_t size)
{
    return 2 * once(element, size);
}

static void check_touches(const char *name, uint64_t size, uint32_t launch, int kind, uint32_t pc, uint32_t buffer,
                          uint32_t element, expected_touches *expected)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        struct touches t = touches_of(name, size, lanes, launch, kind, pc, buffer, element);

        for (uint64_t i = 0; i < t.count; i++)
            if (t.times[i] != expected(i, size))
                fail_msg("%s, %u lanes, launch %u, buffer %u: element %llu touched %u times, not %u", name, lanes,
                         launch, buffer, (unsigned long long)i, t.times[i], expected(i, size));
        end_touches(&t);
    }
}

enum { LOAD = MH_OP_LOAD, STORE = MH_OP_STORE };

static void test_streams(void **state)
{
    (void)state;
    for (uint32_t l = 0; l < 2; l++) {
        check_touches("TRD", 1280, l, LOAD, 0, 3 * l, 4, once);
        check_touches("TRD", 1280, l, LOAD, 0, 3 * l + 1, 4, once);
        check_touches("TRD", 1280, l, STORE, 0, 3 * l + 2, 4, once);
    }
    for (uint32_t b = 0; b < 5; b++)
        check_touches("BLK", 50000, 0, b < 2 ? STORE : LOAD, 0, b, 4, once);
    check_touches("NN", 1001, 0, LOAD, 0, 0, 4, once);
    check_touches("NN", 1001, 0, STORE, 0, 1, 4, once);
    check_touches("SCP", 768, 0, LOAD, 0, 0, 4, once);
    check_touches("SCP", 768, 0, LOAD, 0, 1, 4, once);
    check_touches("SCP", 768, 0, STORE, 0, 2, 4, once);
    for (uint32_t l = 0; l < 2; l++) {
        check_touches("FFT", 5, l, LOAD, 0, 0, 4, once);
        check_touches("FFT", 5, l, STORE, 0, 0, 4, twice);
    }
}

/* Three transforms of three passes over 2^14 elements, the product before the last. */
static void test_walsh(void **state)
{
    (void)state;
    for (uint32_t l = 0; l < 10; l++) {
        const uint32_t buffer = l < 3 ? 0 : 1;

        check_touches("FWT", 16384, l, LOAD, 0, buffer, 4, once);
        check_touches("FWT", 16384, l, STORE, 0, buffer, 4, once);
    }
    check_touches("FWT", 16384, 6, LOAD, 0, 0, 4, once);
}

/* Two blocks of 128 pixels a row, four of 64 rows; halos are 16 pixels and 8 rows on the inner sides. */
static uint32_t rows_touched(uint64_t element, uint64_t size)
{
    const uint64_t x = element % size;

    return x >= 112 && x < 144 ? 2 : 1;
}

static uint32_t columns_touched(uint64_t element, uint64_t size)
{
    const uint64_t y = element / size, in = y % 64;

    return (in < 8 && y >= 64) || (in >= 56 && y < 192) ? 2 : 1;
}

static void test_convolution(void **state)
{
    (void)state;
    check_touches("CONS", 256, 0, LOAD, 0, 0, 4, rows_touched);
    check_touches("CONS", 256, 0, STORE, 0, 2, 4, once);
    check_touches("CONS", 256, 1, LOAD, 0, 2, 4, columns_touched);
    check_touches("CONS", 256, 1, STORE, 0, 1, 4, once);
}

/* Rows of 512 bytes; a block's 32 x 4 points with one more on each side. */
static uint32_t laplace_loaded(uint64_t element, uint64_t size)
{
    const int64_t x = (int64_t)(element % 128), y = (int64_t)(element / 128 % size), n = (int64_t)size;
    uint32_t blocks = 0;

    for (int64_t by = 0; by < n; by += 4)
        for (int64_t bx = 0; bx < n; bx += 32)
            blocks += x < n && x >= bx - 1 && x <= bx + 32 && y >= by - 1 && y <= by + 4;
    return blocks;
}

static uint32_t laplace_stored(uint64_t element, uint64_t size)
{
    return element % 128 < size;
}

static void test_grids(void **state)
{
    (void)state;
    check_touches("LPS", 42, 0, LOAD, 0, 0, 4, laplace_loaded);
    check_touches("LPS", 42, 0, STORE, 0, 1, 4, laplace_stored);
    check_touches("LPS", 42, 1, STORE, 0, 0, 4, laplace_stored);
    check_touches("HS", 100, 0, STORE, 0, 0, 4, once);
    check_touches("HS", 100, 1, STORE, 0, 1, 4, once);
    check_touches("RAY", 70, 0, LOAD, 0, 0, 4, once);
    check_touches("RAY", 70, 0, STORE, 0, 0, 4, twice);
}

/* Sums of one block at 1089 positions fill 1096 places; a later launch works on words, hence on one place more. */
static uint32_t sads_first(uint64_t element, uint64_t size)
{
    (void)size; /* 3 x 2 macroblocks */
    return element >= 25 * 6 * 1096 && element % 1096 < 1089;
}

static uint32_t sads_second(uint64_t element, uint64_t size)
{
    (void)size;
    return element >= 5 * 6 * 1096 && element < 25 * 6 * 1096 && element % 1096 < 1090;
}

static uint32_t sads_third(uint64_t element, uint64_t size)
{
    (void)size;
    return element < 5 * 6 * 1096 && element % 1096 < 1090;
}

static uint32_t sads_second_read(uint64_t element, uint64_t size)
{
    (void)size;
    return element >= 25 * 6 * 1096 && element % 1096 < 1090;
}

/* Eight bytes at a time, the padding too. */
static uint32_t sads_copied(uint64_t element, uint64_t size)
{
    (void)size;
    return element >= 25 * 6 * 1096 / 4;
}

static void test_sad(void **state)
{
    (void)state;
    check_touches("SAD", 48, 0, STORE, 0, 1, 2, sads_first);
    check_touches("SAD", 48, 1, LOAD, 0, 1, 2, sads_second_read);
    check_touches("SAD", 48, 1, STORE, 0, 1, 2, sads_second);
    check_touches("SAD", 48, 2, STORE, 0, 1, 2, sads_third);
    check_touches("SAD@cuda", 48, 0, STORE, 40, 1, 8, sads_copied);
    check_touches("SAD@cuda", 48, 0, LOAD, 31, 2, 2, once);
    check_touches("SAD@cuda", 48, 1, LOAD, 0, 1, 2, sads_second_read);
}

static uint64_t texels_of(const char *name)
{
    struct touches t = touches_of(name, 48, 32, 0, LOAD, 0, 0, 2);
    uint64_t sum = 0;

    for (uint64_t i = 0; i < t.count; i++)
        sum += t.times[i];
    end_touches(&t);
    return sum;
}

/* 96 blocks look at 1089 positions of 4 x 4 pixels; in the CUDA form three positions share six pixels a row. */
static void test_sad_texels(void **state)
{
    (void)state;
    assert_int_equal(texels_of("SAD"), 96 * 1089 * 16);
    assert_int_equal(texels_of("SAD@cuda"), 96 * 1089 / 3 * 24);
}

/* Nodes at the surface have fewer elements. */
static uint32_t elements_around(uint64_t node, uint64_t size)
{
    const uint64_t edge = size + 1, at[] = {node % edge, node / edge % edge, node / edge / edge};
    uint32_t count = 1;

    for (int i = 0; i < 3; i++)
        count *= at[i] == 0 || at[i] == size ? 1 : 2;
    return count;
}

static void test_lulesh(void **state)
{
    enum { NODE_LIST, POSITION = 3, VELOCITY = 6, FORCE = 12, CORNER_FORCE = 16 };

    (void)state;
    check_touches("LULESH", 9, 1, LOAD, 0, NODE_LIST, 4, once);
    for (uint32_t axis = 0; axis < 3; axis++) {
        check_touches("LULESH", 9, 1, LOAD, 0, POSITION + axis, 8, elements_around);
        check_touches("LULESH", 9, 6, LOAD, 0, VELOCITY + axis, 8, elements_around);
        check_touches("LULESH", 9, 1, STORE, 0, CORNER_FORCE + axis, 8, once);
        check_touches("LULESH", 9, 2, LOAD, 0, CORNER_FORCE + axis, 8, once); /* each is one node's */
        check_touches("LULESH", 9, 2, STORE, 0, FORCE + axis, 8, once);
    }
}

/* ---- BFS against a search by sweeps ---- */

static void sweep_levels(const struct mh_graph *g, uint32_t *level)
{
    uint32_t source = 0;

    while (mh_graph_degree(g, source) < g->max_degree)
        source++;
    for (uint32_t v = 0; v < g->vertices; v++)
        level[v] = v == source ? 0 : UINT32_MAX;
    for (uint32_t l = 0; l < g->vertices; l++)
        for (uint32_t v = 0; v < g->vertices; v++)
            for (uint32_t e = g->row[v]; level[v] == l && e < g->row[v + 1]; e++)
                if (level[g->col[e]] == UINT32_MAX)
                    level[g->col[e]] = l + 1;
}

static void test_bfs(void **state)
{
    struct mh_graph *g = mh_graph_rmat(1024, SEED, NULL);
    uint32_t level[1024], reached = 0, deepest = 0;
    struct touches edges = touches_of("BFS", 1024, 32, UINT32_MAX, LOAD, 6, 1, 4), next;

    (void)state;
    assert_non_null(g);
    sweep_levels(g, level);
    for (uint32_t v = 0; v < 1024; v++) {
        for (uint32_t e = g->row[v]; e < g->row[v + 1]; e++)
            assert_int_equal(edges.times[e], level[v] != UINT32_MAX); /* each vertex expands once */
        if (level[v] != UINT32_MAX) {
            reached++;
            deepest = level[v] > deepest ? level[v] : deepest;
        }
    }
    assert_true(reached > 512 && deepest >= 2);
    assert_int_equal(edges.w->launch_count, 2 * (deepest + 1));
    for (uint32_t l = 0; l <= deepest; l++) { /* and enters the frontier at its level */
        next = touches_of("BFS", 1024, 64, 2 * l + 1, STORE, 21, 2, 1);
        for (uint32_t v = 0; v < 1024; v++)
            assert_int_equal(next.times[v], level[v] == l + 1);
        end_touches(&next);
    }
    end_touches(&edges);
    free(g);
}

/* ---- CFD: who is whose neighbour ---- */

enum { CUBES = 4, TETS = 6 * CUBES * CUBES * CUBES, FACES = 4 };

struct mesh {
    uint64_t state, neighbours; /* buffers */
    uint32_t behind[TETS][FACES], count[TETS];
};

static void note_neighbour(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct mesh *m = ctx;
    const uint64_t first = at.cta * 192u + at.warp * 32u;

    if (at.launch != 2 || op->pc != 13 || op->kind != MH_OP_LOAD)
        return;
    for (uint64_t bits = op->mask; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(bits);
        const uint64_t other = (addr[l] - m->state) / 4;

        if (other < TETS && first + l < TETS) { /* the first of its variables; not one of the padding */
            assert_true(m->count[first + l] < FACES);
            m->behind[first + l][m->count[first + l]++] = (uint32_t)other;
        }
    }
}

static void test_mesh(void **state)
{
    static struct mesh m;
    struct mh_error err;
    struct mh_workload *w = mh_workload_create("CFD", CUBES, SEED, 32, &err);
    uint32_t inner = 0;

    (void)state;
    assert_non_null(w);
    m.state = w->buffers[3].base;
    walk_all(w, 32, note_neighbour, &m);
    for (uint32_t e = 0; e < TETS; e++) {
        inner += m.count[e];
        for (uint32_t f = 0; f < m.count[e]; f++) {
            const uint32_t other = m.behind[e][f];
            uint32_t back = 0;

            assert_true(other != e);
            for (uint32_t k = 0; k < m.count[other]; k++)
                back += m.behind[other][k] == e;
            assert_int_equal(back, 1);
        }
    }
    assert_int_equal(inner, TETS * FACES - 6 * 2 * CUBES * CUBES); /* two triangles a square of the surface */
    w->destroy(w);
}

/* ---- SC: every point changes one of its own sums ---- */

static void test_streamcluster(void **state)
{
    (void)state;
    for (uint32_t launch = 0; launch < 4; launch++) {
        struct touches sums = touches_of("SC", 700, 64, launch, STORE, 0, 4, 4);
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

/* ---- QTC: the winning cluster ---- */

enum { POINTS = 320 };

static bool near(const struct mh_qtc *d, uint32_t a, uint32_t b)
{
    for (uint32_t e = d->row[a]; e < d->row[a + 1]; e++)
        if (d->near[e] == b)
            return true;
    return a == b;
}

static void test_clusters(void **state)
{
    struct mh_qtc *d = mh_qtc_make(POINTS, SEED);
    struct touches in = touches_of("QTC", POINTS, 32, 3, STORE, 20, 4, 1);
    struct touches centre = touches_of("QTC", POINTS, 32, 3, STORE, 6, 4, 1);
    struct touches moved = touches_of("QTC", POINTS, 32, 3, LOAD, 28, 4, 1);
    struct touches distances = touches_of("QTC", POINTS, 32, 3, LOAD, 15, 0, 4);
    const uint32_t degree = d->row[d->winner + 1] - d->row[d->winner];
    uint32_t members = 0, looked = 0;

    (void)state;
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
        assert_int_equal(within == members, in.times[i]); /* all near each other, and nobody else is */
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

/* ---- MUM: which suffixes of reads match ---- */

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

static void test_matches(void **state)
{
    struct touches found = touches_of("MUM", BASES, 32, 0, STORE, 20, 0, 8);
    uint8_t text[BASES], read[READ];
    uint32_t matches = 0;

    (void)state;
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

/* ---- bad input ---- */

static void rejects(const char *name, uint64_t size, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(name, size, 1, 32, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' does not say '%s'", err.text, text);
}

static void test_bad_sizes(void **state)
{
    (void)state;
    rejects("LUD", 100, "LUD: size 100 is not a multiple of the tile, 16");
    rejects("NW", 100, "not a multiple of the tile, 16");
    rejects("SAD", 100, "not a multiple of 16");
    rejects("SRAD", 100, "not a multiple of 64");
    rejects("TRD", 200, "not a multiple of 128");
    rejects("SCP", 300, "not a multiple of 256");
    rejects("CONS", 200, "not a multiple of 128");
    rejects("FWT", 10000, "not a power of two");
    rejects("BFS", 1025, "not a power of two");
    rejects("QTC", 300, "not a multiple of 64");
    assert_ptr_equal(mh_kernel_find("luh"), mh_kernel_find("LULESH"));
    assert_ptr_equal(mh_kernel_find("BFS2"), mh_kernel_find("BFS"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),       cmocka_unit_test(test_walsh),    cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_grids),         cmocka_unit_test(test_sad),      cmocka_unit_test(test_lulesh),
        cmocka_unit_test(test_sad_texels),    cmocka_unit_test(test_bfs),      cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_streamcluster), cmocka_unit_test(test_clusters), cmocka_unit_test(test_matches),
        cmocka_unit_test(test_bad_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
