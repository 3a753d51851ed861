/*
 * Microbenchmarks: one property of the memory system each, to compare a preset with published curves. No paper's
 * workload; the suite "microbenchmark" keeps them apart. All are ours, in the shape of the published programs: Mei and
 * Chu (TPDS 2017) for CHASE, McCalpin's STREAM for STREAM.
 */
#include "workload/gen.h"

#define MICRO "microbenchmark"

/*
 * CHASE: one lane follows a chain of pointers that visits every element once, in random order, and begins again. The
 * size is the footprint in bytes, the variant the distance between elements. From 4 KiB on each element lies one line
 * further in its stride than the one below: else all would compete for a few sets of the caches.
 */
enum { POINTER = 8, STEPS = 65536 /* of a launch, at least */, APART = 128, SPREAD_FROM = 4096 };

static const char *const strides[] = {"128", "32", "64", "256", "4K", "64K", "2M", NULL};
static const uint32_t stride_bytes[] = {128, 32, 64, 256, 4096, 65536, 2 << 20};

enum { ELEMENTS, TOTAL }; /* p[] */

static uint64_t element(const struct mh_gen *g, uint64_t step)
{
    const uint64_t stride = stride_bytes[g->variant], i = mh_shuffled(g->seed, step % g->p[ELEMENTS], g->p[ELEMENTS]);

    return g->base[0] + i * stride + (stride < SPREAD_FROM ? 0 : i % (stride / APART) * APART);
}

static void chase_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    switch (c->state) {
    case 0:
        for (; c->v[0] < g->p[TOTAL]; c->v[0]++)
            MH_LOAD(1, POINTER, 0, true, 1, element(g, c->v[0]), 0);
        MH_END(0, false);
    }
}

static void chase_build(struct mh_gen *g)
{
    const uint64_t stride = stride_bytes[g->variant], n = g->n / stride;

    if (!n) {
        g->failed = mh_fail(g->err, "CHASE@%s: size %llu is less than the stride: use %llu or more",
                            strides[g->variant], (unsigned long long)g->n, (unsigned long long)stride);
        return;
    }
    g->p[ELEMENTS] = n;
    g->p[TOTAL] = mh_ceil_div(STEPS, n) * n;
    MH_BUFFERS(g, g->n);
    mh_gen_launch(g, (struct mh_launch){.name = "chase", .ctas = 1, .threads = 1, .registers = 8}, chase_body);
}

const struct mh_kernel mh_kernel_chase = {
    .name = "CHASE",
    .suite = MICRO,
    .summary = "one lane follows pointers through a footprint in random order; @ the stride: latency, TLB reach",
    MH_SIZE("footprint in bytes", 2 << 20, 128, (uint64_t)1 << 38),
    .variants = strides,
    .least_bytes = 1,
    .build = chase_build,
};

/*
 * STREAM: all SMs move arrays, 16 bytes a thread and access, four accesses on their way per warp. `read`, `copy` and
 * `write` pass once; with `reread` each block reads its 16 KiB 64 times, so that L1Ds serve it.
 */
enum { VECTOR = 16, THREADS = 256, UNROLLED = 4, PART = VECTOR * THREADS * UNROLLED, REREADS = 64 };
enum { READ, COPY, WRITE, REREAD };

static const char *const moves[] = {"read", "copy", "write", "reread", NULL};

/* Address of the warp's access number v[1] in array `array`: asked for at the access, behind the loop's step. */
static uint64_t stream_at(const struct mh_gen *g, const struct mh_cursor *c, uint32_t array)
{
    return g->base[array] + c->cta * (uint64_t)PART + c->warp * g->lanes * VECTOR + c->v[1] * THREADS * VECTOR;
}

static void stream_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = mh_mask_first(g->lanes), passes = g->variant == REREAD ? REREADS : 1;

    switch (c->state) {
    case 0:
        for (; c->v[0] < passes; c->v[0]++) {
            for (c->v[1] = 0; g->variant != WRITE && c->v[1] < UNROLLED; c->v[1]++)
                MH_LOAD(1 + (uint32_t)c->v[1], VECTOR, 1, false, mask, stream_at(g, c, 0), VECTOR);
            for (c->v[1] = 0; (g->variant == COPY || g->variant == WRITE) && c->v[1] < UNROLLED; c->v[1]++)
                MH_STORE(5 + (uint32_t)c->v[1], VECTOR, 1, MH_NEEDS(UNROLLED - c->v[1], 0), mask,
                         stream_at(g, c, g->variant == COPY), VECTOR);
        }
        MH_END(1, false);
    }
}

static void stream_build(struct mh_gen *g)
{
    struct mh_launch l = {
        .name = moves[g->variant], .ctas = (uint32_t)(g->n / PART), .threads = THREADS, .registers = 32};

    MH_BUFFERS(g, g->n);
    if (g->variant == COPY)
        MH_BUFFERS(g, g->n);
    mh_gen_launch(g, l, stream_body);
}

const struct mh_kernel mh_kernel_stream = {
    .name = "STREAM",
    .suite = MICRO,
    .summary = "all SMs read, copy or write arrays, or reread 16 KiB a block in their L1Ds: bandwidth",
    MH_SIZE("bytes of an array", 64 << 20, PART, (uint64_t)1 << 37),
    MH_MULTIPLE(PART, "16 KiB a block"),
    .variants = moves,
    .least_bytes = 1,
    .build = stream_build,
};

/*
 * ALU and SHARED: chains of instructions that depend on each other, in one CTA. A warp stores its result after each
 * 4096 of them. ALU computes (the pointer chase of Abdelkhalik et al., arXiv 2208.11174, without the pointer); the
 * variant is the number of warps. SHARED is one warp that reads shared memory, its lanes a stride of 4-byte words
 * apart, as in Sun et al., arXiv 2206.02874; the variant is the stride.
 */
enum { STORE_EVERY = 4096, BANKS = 32, WORD = 4 };

static const char *const warp_counts[] = {"1", "2", "4", "8", "16", "32", NULL};
static const char *const word_strides[] = {"1", "2", "4", "8", "16", "32", NULL};

enum { LEFT, LAST };

/* Passes over the banks: lanes whose words lie in one bank take turns. */
static uint8_t passes(const struct mh_gen *g)
{
    return (uint8_t)((g->lanes << g->variant) / BANKS);
}

static void chain(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint8_t ways)
{
    switch (c->state) {
    case 0:
        for (c->v[LEFT] = g->n; c->v[LEFT]; c->v[LEFT] -= c->v[LAST]) {
            c->v[LAST] = c->v[LEFT] < STORE_EVERY ? c->v[LEFT] : STORE_EVERY;
            mh_op_affine(op, MH_OP_STORE, 1, WORD, (uint32_t)c->v[LAST], 0, mh_mask_first(g->lanes),
                         g->base[0] + (uint64_t)c->warp * g->lanes * WORD, WORD);
            op->ways = ways;
            MH_YIELD;
        }
        MH_END(0, false);
    }
}

static void alu_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    chain(g, c, op, 0);
}

static void shared_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    chain(g, c, op, passes(g));
}

static void alu_build(struct mh_gen *g)
{
    const uint32_t threads = g->lanes << g->variant;

    MH_BUFFERS(g, (uint64_t)threads * WORD);
    mh_gen_launch(g, (struct mh_launch){.name = "alu", .ctas = 1, .threads = threads, .registers = 8}, alu_body);
}

static void shared_build(struct mh_gen *g)
{
    const struct mh_launch l = {.name = "shared",
                                .ctas = 1,
                                .threads = g->lanes,
                                .registers = 8,
                                .shared_bytes = (g->lanes << g->variant) * WORD};

    MH_BUFFERS(g, g->lanes * WORD);
    mh_gen_launch(g, l, shared_body);
}

const struct mh_kernel mh_kernel_alu = {
    .name = "ALU",
    .suite = MICRO,
    .summary = "chains of dependent instructions, one per warp of a CTA; @ the warps: latency, and how it is hidden",
    MH_SIZE("instructions of a warp", 1 << 20, 1, 1 << 30),
    .variants = warp_counts,
    .build = alu_build,
};

const struct mh_kernel mh_kernel_shared = {
    .name = "SHARED",
    .suite = MICRO,
    .summary = "a warp reads shared memory, each read needs the one before; @ the stride in words: bank conflicts",
    MH_SIZE("reads", 1 << 20, 1, 1 << 30),
    .variants = word_strides,
    .build = shared_build,
};

/*
 * ATOMIC: each warp's first lane adds to a word and uses the result for the next addition. `chain` is one warp:
 * latency. With `same` all SMs have warps, and one word: the rate of one address. With `apart` each warp has a line of
 * its own: the rate of the banks.
 */
enum { CHAIN, SAME, ATOMIC_APART, ATOMIC_CTAS = 1024 };

static const char *const places[] = {"chain", "same", "apart", NULL};

static void atomic_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const enum mh_op_kind kind = g->results ? MH_OP_LOAD : MH_OP_ATOMIC;
    const uint32_t pc = g->results ? MH_PC_RESULT | 1 : 1;
    const uint64_t warp = c->cta * (uint64_t)(THREADS / g->lanes) + c->warp;
    const uint64_t at = g->base[0] + (g->variant == ATOMIC_APART ? warp * APART : 0);

    switch (c->state) {
    case 0:
        for (; c->v[0] < g->n; c->v[0]++)
            MH_MEM(kind, pc, WORD, 0, true, 1, at, 0);
        MH_END(0, true);
    }
}

static void atomic_build(struct mh_gen *g)
{
    const bool one = g->variant == CHAIN;
    struct mh_launch l = {
        .name = "atomic", .ctas = one ? 1 : ATOMIC_CTAS, .threads = one ? 1 : THREADS, .registers = 16};

    MH_BUFFERS(g, (uint64_t)ATOMIC_CTAS * THREADS / 32 * APART);
    mh_gen_launch(g, l, atomic_body);
}

const struct mh_kernel mh_kernel_atomic = {
    .name = "ATOMIC",
    .suite = MICRO,
    .summary = "warps add to one word, or to one each, and use the results; @ chain: one warp alone; l2.atomics bank",
    MH_SIZE("additions of a warp", 256, 1, (uint64_t)1 << 30),
    .variants = places,
    .build = atomic_build,
};
