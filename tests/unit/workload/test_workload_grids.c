/*
 * What kernels on grids and matrices touch, element by element: found here once more in the simplest way and compared
 * with the addresses.
 */
#include "unit/test.h"
#include "touches.h"
#include "workload/graph.h"

enum { SEED = 3 };

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

TEST(test_convolution)
{
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

TEST(test_grids)
{
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
    return element >= 5 * 6 * 1096 && element < 25 * 6 * 1096 && element % 1096 < 1090;
}

static uint32_t sads_third(uint64_t element, uint64_t size)
{
    return element < 5 * 6 * 1096 && element % 1096 < 1090;
}

static uint32_t sads_second_read(uint64_t element, uint64_t size)
{
    return element >= 25 * 6 * 1096 && element % 1096 < 1090;
}

/* Eight bytes at a time, the padding too. */
static uint32_t sads_copied(uint64_t element, uint64_t size)
{
    return element >= 25 * 6 * 1096 / 4;
}

TEST(test_sad)
{
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
    struct touches t = touches_of(name, 48, SEED, 32, 0, LOAD, 0, 0, 2);
    uint64_t sum = 0;

    for (uint64_t i = 0; i < t.count; i++)
        sum += t.times[i];
    end_touches(&t);
    return sum;
}

/* 96 blocks look at 1089 positions of 4 x 4 pixels; in the CUDA form three positions share six pixels a row. */
TEST(test_sad_texels)
{
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

TEST(test_lulesh)
{
    enum { NODE_LIST, POSITION = 3, VELOCITY = 6, FORCE = 12, CORNER_FORCE = 16 };

    check_touches("LULESH", 9, 1, LOAD, 0, NODE_LIST, 4, once);
    for (uint32_t axis = 0; axis < 3; axis++) {
        check_touches("LULESH", 9, 1, LOAD, 0, POSITION + axis, 8, elements_around);
        check_touches("LULESH", 9, 6, LOAD, 0, VELOCITY + axis, 8, elements_around);
        check_touches("LULESH", 9, 1, STORE, 0, CORNER_FORCE + axis, 8, once);
        check_touches("LULESH", 9, 2, LOAD, 0, CORNER_FORCE + axis, 8, once); /* each is one node's */
        check_touches("LULESH", 9, 2, STORE, 0, FORCE + axis, 8, once);
    }
}

/* Each row reads x at every column of its own; x[0] is read for padding, too. */
TEST(test_spmv_mesh)
{
    enum { N = 17, X = 3 };
    struct touches t = touches_of("SPMV", N, 1, 32, 0, LOAD, 0, X, 4),
                   other = touches_of("SPMV", N, 2, 32, 0, LOAD, 0, X, 4);
    struct mh_graph *matrix = mh_matrix_mesh(N);

    assert_non_null(matrix);
    for (uint32_t i = 1; i < N * N; i++) {
        assert_int_equal(t.times[i], mh_graph_degree(matrix, i)); /* columns are as rows */
        assert_int_equal(t.times[i], other.times[i]);             /* nothing is random */
    }
    free(matrix);
    end_touches(&t);
    end_touches(&other);
}

/* Each distribution of an inner cell is loaded once, by a neighbour or by the cell, and stored once, the other way. */
static void check_lbm(const char *spec)
{
    enum { Z = 6, PLANE = 128 * 120, CELLS = PLANE * Z, ENTRIES = 20, MARGIN = 2 * PLANE };
    LOCAL_WORKLOAD(w) = walk_make(spec, Z, 1, 32);
    uint32_t *in, *out;

    in = count_touches(w, 32, 0, MH_OP_LOAD, 0, w->buffers[0].base + MARGIN * 4, (uint64_t)CELLS * ENTRIES, 4);
    out = count_touches(w, 32, 0, MH_OP_STORE, 0, w->buffers[1].base + MARGIN * 4, (uint64_t)CELLS * ENTRIES, 4);
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
}

TEST(test_lbm)
{
    check_lbm("LBM");
    check_lbm("LBM@cuda");
}

struct directions {
    bool scatters;
    uint64_t cell; /* address of the warp's first cell in distribution 0 */
    int64_t step[19];
};

static void follow_directions(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct directions *d = ctx;
    const uint32_t i = op->pc - (d->scatters ? 21 : 1);

    if (op->kind == (d->scatters ? MH_OP_STORE : MH_OP_LOAD) && i < 19)
        d->step[i] = (int64_t)(mh_op_address(op, addr, 0) - d->cell) / 4 - i * 128 * 120 * 6;
}

/* The lattice: 19 different steps to neighbours, none to a corner, the opposite of each among them. */
static struct directions check_lattice(const char *spec, bool scatters)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 6, 1, 32);
    struct directions d = {.scatters = scatters,
                           .cell = w->buffers[scatters].base + ((2 + 3) * 128 * 120 + 40 * 128) * 4};

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
    return d;
}

/* What the CUDA form sends to the east, the OpenCL form fetches from the west. */
TEST(test_lbm_directions)
{
    const struct directions from = check_lattice("LBM", false), to = check_lattice("LBM@cuda", true);

    for (int i = 0; i < 19; i++)
        assert_true(from.step[i] == -to.step[i]);
}

/* Row j1: its elements from the diagonal on are summed up over n observations, then mirrored. */
TEST(test_triangle)
{
    enum { N = 70 };

    for (int corr = 0; corr < 2; corr++) {
        LOCAL_WORKLOAD(w) = walk_make(corr ? "CORR" : "COVAR", N, 1, 64);
        uint32_t *stored =
            count_touches(w, 64, w->launch_count - 1, MH_OP_STORE, 0, w->buffers[1].base, (uint64_t)N * N, 4);
        uint32_t *loaded =
            count_touches(w, 64, w->launch_count - 1, MH_OP_LOAD, 0, w->buffers[1].base, (uint64_t)N * N, 4);

        assert_int_equal(w->launch_count, corr ? 4 : 3);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t j = 0; j < N; j++) {
                const uint32_t read = corr && i < j ? 2 : 0; /* before the loop and to mirror it */
                /* COVAR's diagonal is zeroed, summed up and its own mirror image. The host sets CORR's last element. */
                const uint32_t expected = corr ? (i == j  ? i < N - 1
                                                  : i < j ? N
                                                          : 1)
                                               : (i == j  ? N + 2
                                                  : i < j ? N + 1
                                                          : 1);

                assert_int_equal(stored[i * N + j], expected);
                assert_int_equal(loaded[i * N + j], read);
            }
        free(loaded);
        free(stored);
    }
}

static void count_store(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    const uint64_t launch = ((uint64_t *)ctx)[1];

    *(uint64_t *)ctx += op->kind == MH_OP_STORE && at.launch == launch;
}

static uint64_t count_stores(const struct mh_workload *w, uint32_t launch)
{
    uint64_t count[2] = {0, launch};

    walk_all(w, 32, count_store, count);
    return count[0];
}

/* Launch i writes plane i + 1, all of it, rim and inside with one store a warp; the first and last planes are never
 * written. */
TEST(test_conv3d)
{
    enum { N = 32 };
    LOCAL_WORKLOAD(w) = walk_make("3DCONV", N, 1, 32);

    assert_int_equal(w->launch_count, N - 2);
    for (uint32_t launch = 0; launch < N - 2; launch += N - 3) {
        uint32_t *stored = count_touches(w, 32, launch, MH_OP_STORE, 0, w->buffers[1].base, N * N * N, 4);
        uint32_t *loaded = count_touches(w, 32, launch, MH_OP_LOAD, 0, w->buffers[0].base, N * N * N, 4);

        for (uint32_t i = 0; i < N * N * N; i++)
            assert_int_equal(stored[i], i / (N * N) == launch + 1);
        assert_int_equal(count_stores(w, launch), N * N / 32);
        /* In the middle of the lower plane: as (-1, -1), as (-1, +1), (0, +1), (+1, +1) of a neighbour. */
        assert_int_equal(loaded[launch * N * N + 10 * N + 10], 4);
        assert_int_equal(loaded[(launch + 1) * N * N + 10 * N + 10], 3);
        free(stored);
        free(loaded);
    }
}

/* Inner points of the stencil are stored once, the shell never. */
TEST(test_stencil_coverage)
{
    enum { N = 72, Z = N / 8 };

    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("3DS", N, 1, lanes);
        uint32_t *loaded = count_touches(w, lanes, 0, LOAD, 0, w->buffers[0].base, N * N * Z, 4);
        uint32_t *stored = count_touches(w, lanes, 0, STORE, 0, w->buffers[1].base, N * N * Z, 4);

        for (unsigned z = 0, i = 0; z < Z; z++)
            for (unsigned y = 0; y < N; y++)
                for (unsigned x = 0; x < N; x++, i++) {
                    bool inner = x > 0 && x < N - 1 && y > 0 && y < N - 1 && z > 0 && z < Z - 1;
                    /* Points on the rim of a 64 x 4 block are read again by the neighbour block, in inner planes,
                     * where the reader itself is an inner point. */
                    bool in_x = x > 0 && x<N - 1, in_y = y> 0 && y<N - 1, in_z = z> 0 && z < Z - 1;
                    unsigned halo = in_z ? (in_y && (x == 63 || x == 64)) + (in_x && y % 4 == 3 && y + 1 < N - 1) +
                                               (in_x && y % 4 == 0 && y > 1)
                                         : 0;

                    assert_int_equal(stored[i], inner);
                    assert_int_equal(loaded[i], 1 + halo);
                }
        free(loaded);
        free(stored);
    }
}
