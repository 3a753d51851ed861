/* The first ops of generated kernels, worked out by hand. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

struct expected {
    enum mh_op_kind kind;
    uint32_t gap;
    bool wait;
    uint64_t mask;
    uint64_t lane0, lane1; /* addresses of the two lowest active lanes (one: the same) */
};

static void expect(const char *name, uint64_t size, uint32_t lanes, struct mh_cursor c, const struct expected *e,
                   size_t count)
{
    LOCAL_WORKLOAD(w) = walk_make(name, size, 1, lanes);
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;

    w->start(w, &c);
    for (size_t i = 0; i < count; i++) {
        w->next(w, &c, &op, addr);
        assert_int_equal(op.kind, e[i].kind);
        assert_int_equal(op.gap, e[i].gap);
        assert_int_equal(op.wait, e[i].wait);
        if (!mh_op_is_memory(&op))
            continue;
        assert_true(op.mask == e[i].mask);
        assert_true(mh_op_address(&op, addr, (unsigned)__builtin_ctzll(op.mask)) == e[i].lane0);
        op.mask = op.mask & (op.mask - 1) ? op.mask & (op.mask - 1) : op.mask;
        assert_true(mh_op_address(&op, addr, (unsigned)__builtin_ctzll(op.mask)) == e[i].lane1);
    }
}

#define EXPECT(name, size, lanes, launch_, cta_, warp_, ...)                                                           \
    do {                                                                                                               \
        const struct expected e_[] = {__VA_ARGS__};                                                                    \
        expect(name, size, lanes, (struct mh_cursor){.launch = launch_, .cta = cta_, .warp = warp_}, e_,               \
               sizeof e_ / sizeof *e_);                                                                                \
    } while (0)

#define G4 0x100000000u

TEST(test_streams_and_tiles)
{
    const uint64_t all = 0xffffffff;

    /* 300 x 300 floats at 4 GiB (360000 bytes, below 1 MiB: packed), the next buffer at the next 512: 360448. */
    EXPECT("MVT", 300, 32, 0, 0, 1, {MH_OP_LOAD, 9, false, all, G4 + 360448 + 128, G4 + 360448 + 132},
           {MH_OP_LOAD, 4, false, all, G4 + 32 * 1200, G4 + 33 * 1200},
           {MH_OP_LOAD, 2, false, all, G4 + 360448 + 2 * 1536, G4 + 360448 + 2 * 1536},
           {MH_OP_STORE, 1, true, all, G4 + 360448 + 128, G4 + 360448 + 132},
           {MH_OP_LOAD, 6, false, all, G4 + 32 * 1200 + 4, G4 + 33 * 1200 + 4});
    /* Row 288 is the last warp with work: 12 of its threads; the one behind it has none. */
    EXPECT("MVT", 300, 32, 1, 1, 1, {MH_OP_LOAD, 8, false, 0xfff, G4 + 360448 + 1536 + 1152, G4 + 360448 + 1536 + 1156},
           {MH_OP_LOAD, 5, false, 0xfff, G4 + 1152, G4 + 1156},
           {MH_OP_LOAD, 2, false, 0xfff, G4 + 360448 + 3 * 1536, G4 + 360448 + 3 * 1536},
           {MH_OP_STORE, 1, true, 0xfff, G4 + 360448 + 1536 + 1152, G4 + 360448 + 1536 + 1156},
           {MH_OP_LOAD, 7, false, 0xfff, G4 + 1200 + 1152, G4 + 1200 + 1156});
    EXPECT("MVT", 300, 32, 1, 1, 2, {MH_OP_EXIT, 4, false, 0, 0, 0});
    /* 32 Ki floats below 1 MiB; partial sums of block 1's first warp: elements 512.., 768.., and one grid further. */
    EXPECT("RED", 65536, 64, 0, 1, 0, {MH_OP_LOAD, 11, false, ~0ull, G4 + 2048, G4 + 2052},
           {MH_OP_LOAD, 2, false, ~0ull, G4 + 3072, G4 + 3076},
           {MH_OP_LOAD, 9, true, ~0ull, G4 + 2048 + 131072, G4 + 2052 + 131072},
           {MH_OP_LOAD, 2, false, ~0ull, G4 + 3072 + 131072, G4 + 3076 + 131072}, {MH_OP_BARRIER, 9, true, 0, 0, 0},
           {MH_OP_BARRIER, 8, false, 0, 0, 0}, {MH_OP_BARRIER, 8, false, 0, 0, 0},
           {MH_OP_STORE, 42, false, 1, G4 + 262144 + 4, G4 + 262144 + 4}, {MH_OP_EXIT, 1, false, 0, 0, 0});
    /* Second tile of C, warp 1 of 64 lanes = rows 2 and 3; A's tile 0, B's tile 1; matrices of 36864 bytes. */
    EXPECT("MM", 96, 64, 0, 1, 1, {MH_OP_LOAD, 18, false, ~0ull, G4 + 2 * 384, G4 + 2 * 384 + 4},
           {MH_OP_LOAD, 4, false, ~0ull, G4 + 36864 + 2 * 384 + 128, G4 + 36864 + 2 * 384 + 132},
           {MH_OP_BARRIER, 2, true, 0, 0, 0}, {MH_OP_BARRIER, 160, false, 0, 0, 0},
           {MH_OP_LOAD, 6, false, ~0ull, G4 + 2 * 384 + 128, G4 + 2 * 384 + 132});
    /* Block 1 of 64: 9000 / 4 / 64 = 35 float4 a block, so elements 140..279 and lanes 0..11 of warp 4. */
    EXPECT("SCAN", 9000, 32, 0, 1, 4, {MH_OP_LOAD, 18, false, 0xfff, G4 + (140 + 128) * 4, G4 + (140 + 129) * 4},
           {MH_OP_BARRIER, 6, true, 0, 0, 0}, {MH_OP_BARRIER, 2, false, 0, 0, 0}, {MH_OP_BARRIER, 2, false, 0, 0, 0},
           {MH_OP_EXIT, 5, false, 0, 0, 0});
    /* Lower left corner of a 72 x 72 x 9 grid: no left, no lower neighbour; row 3 of the block looks up into row 4. */
    EXPECT("3DS", 72, 32, 0, 0, 3, {MH_OP_BARRIER, 24, false, 0, 0, 0},
           {MH_OP_LOAD, 8, false, all, G4 + 3 * 288, G4 + 3 * 288 + 4},
           {MH_OP_LOAD, 4, false, all, G4 + 3 * 288 + 20736, G4 + 3 * 288 + 20740},
           {MH_OP_LOAD, 8, false, all, G4 + 3 * 288 + 128, G4 + 3 * 288 + 132},
           {MH_OP_LOAD, 4, false, all, G4 + 3 * 288 + 20864, G4 + 3 * 288 + 20868}, {MH_OP_BARRIER, 4, true, 0, 0, 0},
           {MH_OP_LOAD, 6, false, all, G4 + 3 * 288 + 41472, G4 + 3 * 288 + 41476},
           {MH_OP_LOAD, 5, false, all - 1, G4 + 4 * 288 + 20740, G4 + 4 * 288 + 20744},
           {MH_OP_STORE, 14, true, all - 1, G4 + 186880 + 3 * 288 + 20740, G4 + 186880 + 3 * 288 + 20744},
           {MH_OP_LOAD, 6, false, all, G4 + 3 * 288 + 41600, G4 + 3 * 288 + 41604},
           {MH_OP_LOAD, 5, false, 1u << 31, G4 + 3 * 288 + 20992, G4 + 3 * 288 + 20992});
}

TEST(test_tables_and_grids)
{
    const uint64_t all = 0xffffffff;

    /* 100 x 100 floats: 40000 bytes, the next buffer 40448 on; vectors of 400 bytes take 512. Rows 96 .. 99. */
    EXPECT("GESUMMV", 100, 32, 0, 0, 3, {MH_OP_LOAD, 14, false, 15, G4 + 96 * 400, G4 + 97 * 400},
           {MH_OP_LOAD, 2, false, 15, G4 + 80896, G4 + 80896},
           {MH_OP_LOAD, 0, false, 15, G4 + 80896 + 1024 + 384, G4 + 80896 + 1024 + 388},
           {MH_OP_STORE, 1, true, 15, G4 + 80896 + 1024 + 384, G4 + 80896 + 1024 + 388},
           {MH_OP_LOAD, 1, false, 15, G4 + 40448 + 96 * 400, G4 + 40448 + 97 * 400},
           {MH_OP_LOAD, 0, false, 15, G4 + 80896, G4 + 80896},
           {MH_OP_LOAD, 0, false, 15, G4 + 80896 + 512 + 384, G4 + 80896 + 512 + 388},
           {MH_OP_STORE, 1, true, 15, G4 + 80896 + 512 + 384, G4 + 80896 + 512 + 388},
           {MH_OP_LOAD, 6, false, 15, G4 + 96 * 400 + 4, G4 + 97 * 400 + 4});
    /* Points 32 .. 63, 136 bytes each; 1000 points are 136000 bytes, the columns begin at 136192. */
    EXPECT("KMeans", 1000, 32, 0, 0, 1, {MH_OP_LOAD, 9, false, all, G4 + 32 * 136, G4 + 33 * 136},
           {MH_OP_STORE, 4, true, all, G4 + 136192 + 128, G4 + 136192 + 132},
           {MH_OP_LOAD, 6, false, all, G4 + 32 * 136 + 4, G4 + 33 * 136 + 4},
           {MH_OP_STORE, 4, true, all, G4 + 136192 + 4000 + 128, G4 + 136192 + 4000 + 132});
    /* Block 0 starts 20 columns before the grid: of its first warp, threads 20 .. 31 are in the grid. 99 rows of
     * weights are 396000 bytes, 4000 of a row take 4096. In row 1 thread 0 and 1 of a piece have dropped out: not
     * these. */
    EXPECT("PathFinder", 1000, 32, 0, 0, 0, {MH_OP_LOAD, 30, false, 0xfff00000, G4 + 396288, G4 + 396292},
           {MH_OP_BARRIER, 2, true, 0, 0, 0}, {MH_OP_LOAD, 21, false, 0xfff00000, G4, G4 + 4},
           {MH_OP_BARRIER, 3, true, 0, 0, 0}, {MH_OP_BARRIER, 7, false, 0, 0, 0},
           {MH_OP_LOAD, 21, false, 0xfff00000, G4 + 4000, G4 + 4004});
    /* Block 1 starts at column 196; its first thread drops out of the first row. */
    EXPECT("PathFinder", 1000, 32, 0, 1, 0, {MH_OP_LOAD, 30, false, all, G4 + 396288 + 784, G4 + 396288 + 788},
           {MH_OP_BARRIER, 2, true, 0, 0, 0}, {MH_OP_LOAD, 21, false, all - 1, G4 + 788, G4 + 792},
           {MH_OP_BARRIER, 3, true, 0, 0, 0}, {MH_OP_BARRIER, 7, false, 0, 0, 0},
           {MH_OP_LOAD, 21, false, all - 3, G4 + 4000 + 792, G4 + 4000 + 796});
    /* Box 1 of 2 x 2 x 2, particles 96 .. 99 of it: boxes are 656 bytes, positions begin at 5632, 3200 bytes a box. */
    EXPECT("LavaMD", 2, 32, 0, 1, 3, {MH_OP_LOAD, 12, false, all, G4 + 656 + 16, G4 + 656 + 16},
           {MH_OP_LOAD, 6, true, 15, G4 + 5632 + 196 * 32, G4 + 5632 + 197 * 32},
           {MH_OP_LOAD, 1, false, 15, G4 + 5632 + 196 * 32 + 8, G4 + 5632 + 197 * 32 + 8});
    /* Second row of blocks, first warp: rows 8 and 9 of the image, columns 0 .. 31 of 100; no left neighbour. */
    EXPECT("2DCONV", 100, 64, 0, 4, 0, {MH_OP_LOAD, 20, false, 0xfffffffefffffffe, G4 + 7 * 400, G4 + 7 * 400 + 4},
           {MH_OP_LOAD, 3, false, 0xfffffffefffffffe, G4 + 7 * 400 + 4, G4 + 7 * 400 + 8});
    /* Cells 96 .. 119 of row 1 of plane 1, behind two planes of margin; rows of 128 cells, planes of 61440 bytes; the
     * next distribution lies 6 planes further. */
    EXPECT("LBM@cuda", 6, 32, 0, 121, 3,
           {MH_OP_LOAD, 14, false, 0xffffff, G4 + (2 + 1) * 61440 + 512 + 384, G4 + 3 * 61440 + 512 + 388},
           {MH_OP_LOAD, 3, false, 0xffffff, G4 + (6 + 3) * 61440 + 512 + 384, G4 + 9 * 61440 + 512 + 388});
    /* What comes to them from the south lies in row 0. */
    EXPECT("LBM", 6, 32, 0, 121, 3,
           {MH_OP_LOAD, 14, false, 0xffffff, G4 + (2 + 1) * 61440 + 512 + 384, G4 + 3 * 61440 + 512 + 388},
           {MH_OP_LOAD, 6, false, 0xffffff, G4 + (6 + 3) * 61440 + 384, G4 + 9 * 61440 + 388});
}

static void count_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    ++*(uint64_t *)ctx;
}

/* LIB: 40 steps over what is left of 80 rates: 79 + 78 + .. + 40 = 2380 times load L, store L. */
TEST(test_lib)
{
    LOCAL_WORKLOAD(w) = walk_make("LIB", 500, 1, 32);
    uint64_t ops = 0;

    walk_warp(w, (struct walk_place){0, 0, 0}, count_op, &ops);
    assert_int_equal(ops, 2 * 80 + 40 + 2 * 2380 + 3 * 40 + 2 * 15 + 40 + 1 + 1);
    ops = 0;
    walk_warp(w, (struct walk_place){1, 0, 0}, count_op, &ops);
    assert_int_equal(ops, 2 * 80 + 2 * 80 + 40 + 3 * 2380 + 3 * 40 + 2 * 40 + 6 * 15 + (40 * 6 + 39 * 4) + 40 + 2 * 40 +
                              2 * 40 + 1 + 4 * 2380 + 2 + 1);
}
