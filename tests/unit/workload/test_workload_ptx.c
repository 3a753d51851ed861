/* Kernels that know their PTX: gaps read off published PTX by hand, and what else workload.instructions changes. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { SEED = 3, TEXT = 4096 };

static struct mh_workload *ptx(const char *name, uint64_t size, uint32_t lanes)
{
    struct mh_workload *w = walk_make(name, size, SEED, lanes);

    mh_workload_ptx(w);
    return w;
}

/* Appends "L1:16 " for a load with pc 1 after a gap of 16; stores S, barriers B, the end E. */
static void note_gap(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    char *text = ctx;
    const size_t used = strlen(text);

    if (op->kind == MH_OP_EXIT)
        snprintf(text + used, TEXT - used, "E:%u", op->gap);
    else
        snprintf(text + used, TEXT - used, "%c%u:%u ", "LSAB"[op->kind], op -> pc, op -> gap);
}

/* Whether the stream of a warp begins so. */
static void check_gaps(const struct mh_workload *w, uint32_t launch, uint32_t cta, uint32_t warp, const char *expected)
{
    char text[TEXT] = "";

    walk_warp(w, (struct walk_place){launch, cta, warp}, note_gap, text);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("launch %u, CTA %u, warp %u: %.400s", launch, cta, warp, text);
}

/*
 * nvcc 4.0, sm_20. 10 + 6 to the input, its shared write, 19 to the weight, its shared write, four to the product.
 * Steps: 9 before the loop, a test of 7, a sum of 15, 4 to repeat. Rows 0 and 1 are a warp's: the sum of step 1 is
 * every warp's, of step 2 (multiples of 4) every second one's. In adjust_weights 28, 2, 4; the second time 2, 3; then
 * 10 of the test for the first row, and two addresses.
 */
TEST(test_bp)
{
    struct mh_workload *w = ptx("BP", 4096, 32);

    check_gaps(w, 0, 1, 0, "L1:16 B2:1 L3:19 B4:1 B5:4 B6:31 B7:26 B8:26 B9:26 B10:4 S11:1 B12:0 S13:12 E:1");
    check_gaps(w, 0, 1, 2, "L1:16 B2:1 L3:19 B4:1 B5:4 B6:31 B7:26 B8:11 B9:11 B10:4");
    check_gaps(w, 0, 1, 7, "L1:16 B2:1 L3:19 B4:1 B5:4 B6:31 B7:11 B8:11 B9:11 B10:4");
    check_gaps(w, 1, 1, 0, "L20:28 L21:0 L22:2 L23:0 S24:4 L25:0 L26:2 L27:0 S28:3 B29:0 E:11");
    check_gaps(w, 1, 0, 0, "L20:28 L21:0 L22:2 L23:0 S24:4 L25:0 L26:2 L27:0 S28:3 B29:0 L30:12 L31:0 L32:2 S33:3 ");
    w->destroy(w);
    w = ptx("BP", 4096, 64); /* rows 0 to 3: the sums of steps 1 and 2 are every warp's */
    check_gaps(w, 0, 1, 1, "L1:16 B2:1 L3:19 B4:1 B5:4 B6:31 B7:26 B8:11 B9:11 B10:4");
    check_gaps(w, 0, 1, 2, "L1:16 B2:1 L3:19 B4:1 B5:4 B6:31 B7:26 B8:26 B9:11 B10:4");
    w->destroy(w);
}

/*
 * nvcc 8.0, sm_20. 22 + 2 + 3 to the first row, a shared write. In the first row 4 + 25 that set up the loop, then 11
 * of tests and 9 to the weight; later rows begin with 2 of the loop. Behind a weight 3, to the second barrier 3 + 2
 * + 2.
 */
TEST(test_pathfinder)
{
    LOCAL_WORKLOAD(w) = ptx("PathFinder", 1000, 32);

    check_gaps(w, 0, 1, 2, "L1:27 B2:1 L3:49 B4:3 B5:7 L3:22 B4:3 B5:7 L3:22 B4:3 B5:7 ");
}

/*
 * nvcc 4.0, sm_20. 9 + 21 + 18 to the pixel, 14 to the barrier. 18 + 30 + 21 + 17 to the first row of three positions,
 * whose rows begin with 8 and end with 9; between two fetches 17, 15, 18, 18 and 14. After the last row 23 more.
 */
TEST(test_sad)
{
    static const char row[] = "L34:17 L35:15 L36:18 L37:18 L38:14 ";
    LOCAL_WORKLOAD(w) = ptx("SAD@cuda", 48, 32);
    char text[TEXT];

    snprintf(text, sizeof text, "L31:48 B32:14 L33:94 %sL33:17 %sL33:17 %sL33:17 %sL33:57 ", row, row, row, row);
    check_gaps(w, 0, 3, 0, text);
    snprintf(text, sizeof text, "B32:14 L33:94 %sL33:17 ", row);
    check_gaps(w, 0, 3, 1, text);
    check_gaps(w, 1, 3, 0, "L10:98 L11:0 L12:0 L13:0 S14:1 S15:1 S16:1 S17:1 S18:1 L10:8 L11:0 ");
    check_gaps(w, 2, 3, 0, "L20:50 L21:0 L22:0 L23:0 S24:1 S25:1 S26:1 S27:1 S28:1 L20:8 L21:0 ");
}

/* What a stream is, but for its gaps; or with them. */
struct digest {
    bool gaps;
    uint64_t hash;
};

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x100000001b3u;
}

static void mix_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct digest *d = ctx;

    mix(&d->hash, op->kind | (uint64_t)(op->kind == MH_OP_EXIT ? 0 : op->pc) << 8 | (uint64_t)at.launch << 32);
    if (d->gaps)
        mix(&d->hash, op->gap);
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        mix(&d->hash, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
}

static uint64_t digest(const char *name, uint64_t size, bool as_ptx, bool gaps)
{
    LOCAL_WORKLOAD(w) = as_ptx ? ptx(name, size, 32) : walk_make(name, size, SEED, 32);
    struct digest d = {.gaps = gaps};

    walk_all(w, 32, mix_op, &d);
    return d.hash;
}

/* Gaps alone change, but where a header says more; a kernel that does not know its PTX stays as it is. */
TEST(test_same_accesses)
{
    static const struct {
        const char *name;
        uint64_t size;
        bool knows, same;
    } kernels[] = {
        {"CFD", 4, true, true},
        {"SPMV", 40, true, true},
        {"KMeans", 1000, true, true},
        {"LBM", 4, true, true},
        {"LBM@cuda", 4, true, true},
        {"FDTD", 100, true, true},
        {"SAD@cuda", 48, true, true},
        {"SRT", 8192, true, true},
        {"BP", 4096, true, true},
        {"B+Tree", 40000, true, true},
        {"HISTO1024", 20000, true, true},
        {"PathFinder", 1000, true, true},
        {"BFS@uniform", 2000, true, false},
        {"LavaMD", 2, true, false},
        {"MVT", 300, false, true},
        {"2DCONV", 100, false, true},
    };

    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const char *name = kernels[i].name;
        const uint64_t size = kernels[i].size;

        assert_true((digest(name, size, false, false) == digest(name, size, true, false)) == kernels[i].same);
        assert_true((digest(name, size, false, true) != digest(name, size, true, true)) == kernels[i].knows);
    }
}

/* Lanes of each pc. */
static void count_lanes(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t *lanes = ctx;

    if (mh_op_is_memory(op))
        lanes[op->pc] += (uint64_t)__builtin_popcountll(op->mask);
}

/* A vertex of the frontier is read once, and again after each new vertex that it finds; never for its first edge alone.
 */
TEST(test_bfs)
{
    uint64_t lanes[64] = {0};
    LOCAL_WORKLOAD(w) = ptx("BFS@uniform", 2000, 32);

    walk_all(w, 32, count_lanes, lanes);
    assert_true(lanes[2] > 1000 && lanes[9] > 1000 && lanes[3] == 0);
    assert_int_equal(lanes[4], lanes[2] + lanes[9]);
    assert_int_equal(lanes[5], lanes[4]);
}

struct sums {
    uint64_t read, stores;
};

static void follow_sum(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct sums *s = ctx;

    if (op->pc >= 16 && op->pc < 20)
        s->read = mh_op_address(op, addr, 0);
    if (op->pc < 20 || op->pc >= 24)
        return;
    assert_true(op->kind == MH_OP_STORE && op->wait && mh_op_address(op, addr, 0) == s->read);
    s->read = 0;
    s->stores++;
}

/* clang 14, sm_20: each of a particle's four sums is read just before it is stored. */
TEST(test_lavamd)
{
    struct sums s = {0};
    LOCAL_WORKLOAD(w) = ptx("LavaMD", 2, 32);

    walk_all(w, 32, follow_sum, &s);
    assert_int_equal(s.stores, 8 * 8 * 4 * 100 * 4); /* 8 boxes, 8 neighbours, four warps, 100 particles */
    check_gaps(w, 0, 3, 0,
               "L1:14 L2:10 L3:1 L4:1 L5:1 B6:7 L7:0 L9:26 L10:7 L11:1 L12:1 L13:1 L14:1 B15:8 "
               "L16:58 S20:1 L17:0 S21:1 L18:0 S22:1 L19:0 S23:1 L16:54 S20:1 ");
}
