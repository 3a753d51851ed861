/* Every generated kernel at a small size: bounds, determinism, barriers, and first ops worked out by hand. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { MAX_BUFFERS = 8 };

static const struct small {
    const char *name;
    uint64_t size;
    bool data; /* addresses or masks depend on the seed */
} small[] = {
    {"MVT", 300, false},
    {"ATAX", 300, false},
    {"BICG", 300, false},
    {"GUPS", 4096, true},
    {"HISTO", 512, true},
    {"RED", 65536, false},
    {"SCAN", 9000, false},
    {"MM", 96, false},
    {"BP", 4096, false},
    {"3DS", 72, false},
    {"2DCONV", 100, false},
    {"3DCONV", 32, false},
    {"FDTD", 100, false},
    {"GESUMMV", 300, false},
    {"CORR", 100, false},
    {"COVAR", 100, false},
    {"SSSP", 1024, true},
    {"LUD", 64, false},
    {"NW", 64, false},
    {"HS", 100, false},
    {"SAD", 48, false},
    {"SRAD", 192, false},
    {"FFT", 5, false},
    {"TRD", 1280, false},
    {"BLK", 70000, false},
    {"NN", 2, false},
    {"SCP", 768, false},
    {"CONS", 256, false},
    {"FWT", 16384, false},
    {"LPS", 50, false},
    {"BFS", 1024, true},
    {"SC", 1000, true},
    {"CFD", 4, true},
    {"LULESH", 9, false},
    {"RAY", 70, true},
    {"QTC", 320, true},
    {"MUM", 500, true},
    {"MIS", 1024, true},
    {"Color", 1024, true},
    {"KMeans", 1000, false},
    {"PathFinder", 1000, false},
    {"SPMV", 40, false},
    {"LBM", 4, false},
    {"JPEG", 96, false},
    {"LavaMD", 2, false},
    {"LIB", 100, false},
    {"B+Tree", 40000, true},
    {"SRT", 8192, true},
    {"XSBench", 1000, true},
    {"HISTO1024", 20000, true},
    {"GEMM", 100, false},
    {"SGEMM", 128, false},
    {"HISTO256", 50000, false},
    {"FFT256", 3, false},
    {"3DS8", 32, false},
    {"CHASE", 4 << 20, true},
    {"STREAM", 65536, false},
    {"ALU", 10000, false},
    {"SHARED", 10000, false},
    {"ATOMIC", 5, false},
    {"PAGED", 1, true},
    {"LINEAR", 1, false},
    {"FLASH", 300, false},
    {"TOKENWISE", 70, false},
    {"DECODE@launches=0-13", 1, true},
    {"PREFILL@launches=0-9", 100, true},
    {"EMBED", 16, true},
    {"JOIN", 30000, true},
    {"RADIX", 70 * 4096, true},
    {"MOE", 3, true},
};

struct checker {
    const struct mh_workload *w;
    uint32_t lanes;
    uint32_t buffer;                   /* where the lane before was */
    uint64_t barriers, first_barriers; /* of this warp, of its CTA's first */
};

static bool lies_in(const struct mh_buffer *b, uint64_t address, uint32_t bytes)
{
    return address >= b->base && address + bytes <= b->base + b->bytes;
}

/* Millions of lanes come through here: no assertion of cmocka's for each of them. */
static void check_lane(struct checker *k, uint64_t address, uint32_t bytes)
{
    if (address % (bytes > 16 ? 16 : bytes))
        fail_msg("address 0x%llx is not aligned for %u bytes", (unsigned long long)address, bytes);
    if (lies_in(&k->w->buffers[k->buffer], address, bytes))
        return;
    for (k->buffer = 0; k->buffer < k->w->buffer_count; k->buffer++)
        if (lies_in(&k->w->buffers[k->buffer], address, bytes))
            return;
    fail_msg("address 0x%llx lies in no buffer", (unsigned long long)address);
}

static void check_memory(struct checker *k, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    uint32_t threads = k->w->launches[at.launch].threads - at.warp * k->lanes;

    assert_true(op->mask != 0);
    assert_true(op->bytes >= 1 && op->bytes <= 32);
    assert_true(op->pc > 0 && op->pc < 64);
    assert_true(!op->list || !op->row); /* one or the other */
    if (threads < 64)
        assert_true(op->mask >> threads == 0);
    if (k->lanes < 64)
        assert_true(op->mask >> k->lanes == 0);
    for (uint64_t m = op->mask; m; m &= m - 1)
        check_lane(k, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)), op->bytes);
}

static void check_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct checker *k = ctx;

    assert_true(op->kind <= MH_OP_EXIT);
    assert_true(op->gap < 10000);
    if (mh_op_is_memory(op))
        check_memory(k, at, op, addr);
    if (op->kind == MH_OP_BARRIER) {
        k->barriers++;
        assert_true(op->pc > 0);
    }
    if (op->kind != MH_OP_EXIT)
        return;
    if (at.warp == 0)
        k->first_barriers = k->barriers;
    assert_int_equal(k->barriers, k->first_barriers);
    k->barriers = 0;
}

static void check_all(const struct mh_workload *w, uint32_t lanes)
{
    struct checker k = {.w = w, .lanes = lanes};

    walk_all(w, lanes, check_op, &k);
}

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * 0x100000001b3u;
}

static void mix_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    mix(ctx, op->kind | (uint64_t)op->bytes << 8 | (uint64_t)op->row << 16 | (uint64_t)op->gap << 32);
    mix(ctx, op->pc | (uint64_t)mh_op_needs(op) << 32);
    mix(ctx, op->ways);
    if (!mh_op_is_memory(op))
        return;
    mix(ctx, op->mask);
    for (uint64_t m = op->list ? op->mask : 0; m; m &= m - 1)
        mix(ctx, addr[__builtin_ctzll(m)]);
    if (!op->list) {
        mix(ctx, op->base);
        mix(ctx, (uint64_t)op->stride);
        mix(ctx, op->row ? (uint64_t)op->pitch : 0);
    }
}

/* Of all fields of all ops: streams with equal hashes have the same addresses, and one of them need be checked. */
static uint64_t hash_all(const struct mh_workload *w, uint32_t lanes)
{
    uint64_t hash = 0;

    for (uint32_t l = 0; l < w->launch_count; l++)
        mix(&hash, w->launches[l].ctas | (uint64_t)w->launches[l].threads << 32);
    walk_all(w, lanes, mix_op, &hash);
    return hash;
}

static void check_layout(const struct mh_workload *w)
{
    assert_true(w->buffer_count > 0 && w->launch_count > 0);
    assert_true(w->buffers[0].base >= (uint64_t)4 << 30);
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        const struct mh_buffer *b = &w->buffers[i];

        assert_true(b->bytes > 0 && b->base + b->bytes <= (uint64_t)1 << 39);
        assert_int_equal(b->base % (b->bytes >= 1 << 20 ? 2 << 20 : 512), 0);
        if (i > 0)
            assert_true(b[-1].base + b[-1].bytes <= b->base);
    }
    for (uint32_t i = 0; i < w->launch_count; i++) {
        const struct mh_launch *l = &w->launches[i];

        assert_non_null(l->name);
        assert_true(l->ctas > 0 && l->threads > 0 && l->threads <= 1024);
        assert_true(l->registers * l->threads <= 65536 && l->shared_bytes <= 164 << 10); /* of an A100 */
    }
}

TEST(test_every_kernel)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
            LOCAL_WORKLOAD(a) = walk_make(small[i].name, small[i].size, 7, lanes);
            LOCAL_WORKLOAD(b) = walk_make(small[i].name, small[i].size, 7, lanes);
            LOCAL_WORKLOAD(c) = walk_make(small[i].name, small[i].size, 8, lanes);
            uint64_t hash = hash_all(a, lanes);

            check_layout(a);
            check_all(a, lanes);
            assert_true(hash_all(a, lanes) == hash); /* replay of the same object */
            assert_true(hash_all(b, lanes) == hash);
            assert_true((hash_all(c, lanes) != hash) == small[i].data);
            if (small[i].data)
                check_all(c, lanes);
        }
}

/* Other inputs and forms keep the same rules. */
TEST(test_variants)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        const struct mh_kernel *k = mh_kernel_find(small[i].name);
        uint64_t first = 0;

        for (uint32_t v = 0; k->variants && k->variants[v]; v++) {
            char spec[64];
            struct mh_workload *w;
            uint64_t hash;

            snprintf(spec, sizeof spec, "%s@%s%s", k->name, k->variants[v], mh_launches_part(small[i].name));
            w = walk_make(spec, small[i].size, 1, 32);
            check_layout(w);
            check_all(w, 32);
            hash = hash_all(w, 32);
            assert_true(v == 0 || hash != first);
            first = v ? first : hash;
            w->destroy(w);
        }
    }
}

/* What a kernel claims to need at least is no more than it then has. */
TEST(test_least_bytes)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        const struct mh_kernel *k = mh_kernel_find(small[i].name);
        for (uint32_t v = 0; k->least_bytes && (v == 0 || (k->variants && k->variants[v])); v++) {
            struct mh_kernel_args args = {.size = small[i].size, .seed = 1, .lanes = 32, .variant = v};
            LOCAL_WORKLOAD(w) = mh_kernel_create(k, &args, NULL);
            uint64_t bytes = 0;
            assert_non_null(w);
            for (uint32_t b = 0; b < w->buffer_count; b++)
                bytes += w->buffers[b].bytes;
            assert_true(mh_kernel_least_bytes(k, args.size) > 0 && mh_kernel_least_bytes(k, args.size) <= bytes);
        }
    }
}

TEST(test_all_kernels_are_covered)
{
    size_t count = 0;

    for (; mh_kernels[count]; count++) {
        const struct mh_kernel *k = mh_kernels[count];
        size_t i = 0;

        while (i < sizeof small / sizeof *small && mh_kernel_find(small[i].name) != k)
            i++;
        assert_true(i < sizeof small / sizeof *small);
        for (uint32_t v = 0; v == 0 || (k->variants && k->variants[v]); v++) {
            assert_int_equal(mh_kernel_check_size(k, v, k->size_min, NULL), 0);
            assert_int_equal(mh_kernel_check_size(k, v, k->size_default, NULL), 0);
            assert_int_equal(mh_kernel_check_size(k, v, k->size_max, NULL), 0);
        }
        assert_true((k->size_multiple || k->size_powers) == (k->size_reason != NULL));
    }
    assert_int_equal(count, sizeof small / sizeof *small);
}

/* The first ops of a warp: at the largest sizes some have hundreds of millions. */
static void check_start(struct checker *k, struct walk_place at)
{
    struct mh_cursor c = {.launch = at.launch, .cta = at.cta, .warp = at.warp};
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = {.kind = MH_OP_LOAD};

    k->w->start(k->w, &c);
    for (int i = 0; i < 20000 && op.kind != MH_OP_EXIT; i++) {
        k->w->next(k->w, &c, &op, addr);
        check_op(k, at, &op, addr);
    }
    k->barriers = 0;
}

/*
 * Kernels whose input data take seconds to make at their largest size are built at a fraction of it. Their buffers grow
 * in proportion to the size and stay below 4 GiB at the largest: what a large size can break, 32 bits for an offset, no
 * size that they have comes near.
 */
static const struct fraction {
    const char *name;
    uint32_t part;
} fractions[] = {{"BFS", 128}, {"SSSP", 128}, {"MIS", 128}, {"Color", 128}, {"SC", 16}, {"SRT", 16}, {"MUM", 4}};

static uint32_t part_of(const struct mh_kernel *k)
{
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        if (mh_kernel_find(fractions[i].name) == k)
            return fractions[i].part;
    return 1;
}

static void check_limit(const struct mh_kernel *k, uint64_t size, uint32_t part)
{
    LOCAL_WORKLOAD(w) = walk_make(k->name, size, 1, 64);
    struct checker c = {.w = w, .lanes = 64};

    check_layout(w);
    for (uint32_t b = 0; part > 1 && b < w->buffer_count; b++)
        assert_true(w->buffers[b].bytes * part < (uint64_t)1 << 32);
    for (uint32_t l = 0; l < w->launch_count; l++)
        check_start(&c, (struct walk_place){l, w->launches[l].ctas - 1, 0});
}

/* The largest and smallest sizes build, and their first warps stay inside the buffers. */
TEST(test_size_limits)
{
    for (size_t i = 0; mh_kernels[i]; i++) {
        const struct mh_kernel *k = mh_kernels[i];

        check_limit(k, k->size_min, 1);
        check_limit(k, k->size_max / part_of(k), part_of(k));
    }
}

/* HPCC's shift register as far as 2^12 table entries show it: an index doubles, and 7 is added (xor) when the hidden
 * top bit is shifted out. */
static void check_gups(const char *spec, uint32_t threads, uint32_t warp, int lanes, int updates)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 4096, 5, 32);
    struct mh_cursor c = {.cta = 3, .warp = warp};
    uint64_t addr[MH_MAX_LANES], r[32] = {0}, table = w->buffers[0].base;
    struct mh_op op;
    unsigned wrong = 0;

    w->start(w, &c);
    w->next(w, &c, &op, addr);
    assert_int_equal(op.kind, MH_OP_LOAD);
    assert_true(mh_op_address(&op, addr, 0) == w->buffers[1].base + (3 * threads + 32 * warp) * 8);
    for (int step = 0; step < updates; step++) {
        w->next(w, &c, &op, addr);
        assert_true(op.list && op.kind == MH_OP_LOAD && op.wait == (step == 0));
        assert_int_equal(__builtin_popcountll(op.mask), lanes);
        for (int l = 0; l < lanes; l++) {
            uint64_t index = (addr[l] - table) / 8;

            if (step % 48 > 0 && index != ((r[l] << 1) & 4095) && index != (((r[l] << 1) ^ 7) & 4095))
                wrong++;
            r[l] = index;
        }
        w->next(w, &c, &op, addr);
        assert_true(op.kind == MH_OP_STORE && op.wait && (addr[7] - table) / 8 == r[7]);
    }
    assert_int_equal(wrong, 0);
    w->next(w, &c, &op, addr);
    assert_int_equal(op.kind, MH_OP_EXIT);
}

TEST(test_gups_register)
{
    LOCAL_WORKLOAD(w) = walk_make("GUPS@15", 4096, 5, 32);

    assert_int_equal(w->launches[0].ctas, 32);
    assert_int_equal(w->launches[0].threads, 15);
    check_gups("GUPS", 256, 2, 32, 48);
    check_gups("GUPS@256", 256, 2, 32, 48);
    check_gups("GUPS@15", 15, 0, 15, 256);
}

TEST_GROUP(.slow = true);
