/* Histograms with counters in shared memory. */
#include "workload/gen.h"

/*
 * HISTO1024: histogram of floats, the first phase of Rodinia's hybridsort (histogram1024Kernel): 64 blocks of 96
 * threads stride over the data; each warp of 32 counts in a histogram of its own in shared memory, three of them a
 * block, and tries again for lanes whose counter another one has overwritten; then the block adds the sum of its three
 * to the result with atomic operations. Data are uniform, as the source draws them, the same as SRT's. Gaps count the
 * source's operations as LLVM IR would, or clang 14's PTX for sm_20.
 */

enum { HISTO1024_BLOCKS = 64, HISTO1024_BLOCK = 96, OWNERS = 32 /* threads that share a histogram */, WORD = 4 };
enum {
    HISTO1024_BINS = 1024,
    BIN_SHIFT = 22,
    CLEARED = HISTO1024_BLOCK / OWNERS * HISTO1024_BINS / HISTO1024_BLOCK /* counters a thread clears */
};
enum { HISTO1024_DATA, RESULT }; /* buffers */

/* Operations of LLVM IR, PTX instructions. */
#define HISTO1024_GAP_CLEAR                                                                                            \
    MH_GAP(6 + 5 * CLEARED, 16 + 7 * CLEARED)   /* ids, tag; i, compare, branch, address, shared write */
#define GAP_ELEMENT MH_GAP(5, c->v[0] ? 2 : 12) /* i, compare, branch, extension, address */
#define GAP_BIN     MH_GAP(6, 10) /* difference, quotient, product, conversion, mask, address; with PTX the loop */
#define HISTO1024_GAP_COUNT                                                                                            \
    8 /* shared read, mask, sum, tag, write, read, compare, branch; again for every equal lane */
#define HISTO1024_GAP_MERGE                                                                                            \
    MH_GAP(16, c->v[0] == tid ? 31 : 32) /* loop, three shared reads with addresses, masks, sums; address */

/* How often a warp of the source goes through addData1024: as often as the most popular bin among its lanes. */
static uint32_t rounds(const struct mh_gen *g, uint64_t first, uint64_t mask)
{
    uint32_t bin[MH_MAX_LANES], most = 1;

    for (uint32_t l = 0; l < g->lanes && mask >> l & 1; l++) {
        uint32_t same = 1;

        bin[l] = (uint32_t)(mh_random(g->seed, first + l) >> (32 + BIN_SHIFT));
        for (uint32_t k = l / OWNERS * OWNERS; k < l; k++)
            same += bin[k] == bin[l];
        most = same > most ? same : most;
    }
    return most;
}

/* c->v[]: offset of the warp's elements from its first; rounds that the last ones took. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, first = (uint64_t)c->cta * HISTO1024_BLOCK + tid;
    const uint32_t threads = HISTO1024_BLOCK - tid < g->lanes ? (uint32_t)(HISTO1024_BLOCK - tid) : g->lanes;
    const uint64_t mask = mh_mask_below(first + c->v[0], g->n, threads);

    switch (c->state) {
    case 0:
        MH_BARRIER(1, HISTO1024_GAP_CLEAR, false);
        for (; first + c->v[0] < g->n; c->v[0] += HISTO1024_BLOCKS * HISTO1024_BLOCK) {
            MH_LOAD(2, WORD, c->v[0] ? GAP_BIN + HISTO1024_GAP_COUNT * (uint32_t)c->v[1] + GAP_ELEMENT : GAP_ELEMENT,
                    c->v[0] > 0, mh_mask_below(first + c->v[0], g->n, threads),
                    g->base[HISTO1024_DATA] + (first + c->v[0]) * WORD, WORD);
            c->v[1] = rounds(g, first + c->v[0], mask);
        }
        MH_BARRIER(3, GAP_BIN + HISTO1024_GAP_COUNT * (uint32_t)c->v[1] + MH_GAP(0, 2), true);
        for (c->v[0] = tid; c->v[0] < HISTO1024_BINS; c->v[0] += HISTO1024_BLOCK)
            MH_MEM(MH_OP_ATOMIC, 4, WORD, HISTO1024_GAP_MERGE, false, mh_mask_below(c->v[0], HISTO1024_BINS, threads),
                   g->base[RESULT] + c->v[0] * WORD, WORD);
        MH_END(MH_GAP(3, 4), false);
    }
}

static void histo1024_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * WORD, HISTO1024_BINS * WORD);
    mh_gen_launch(g,
                  (struct mh_launch){"histogram1024Kernel", HISTO1024_BLOCKS, HISTO1024_BLOCK, 16 /* ours */,
                                     HISTO1024_BLOCK / OWNERS * HISTO1024_BINS * WORD},
                  body);
}

const struct mh_kernel mh_kernel_histo1024 = {
    .name = "HISTO1024",
    .suite = "Rodinia",
    .summary =
        "histogram of floats (hybridsort); streams, counters in shared memory limit the blocks, atomics at the end",
    MH_SIZE("elements of 4 bytes", (uint64_t)1 << 22, 64, (uint64_t)1 << 30), /* hybridsort's own size */
    .build = histo1024_build,
};

/*
 * HISTO256: the CUDA SDK's histogram256: 240 blocks of six warps stride over the data, four bytes a thread at a time,
 * and count in a histogram per warp in shared memory; each block stores the sum of its six, and a second launch adds up
 * the blocks' histograms, a block per bin. Gaps count the source's operations as LLVM IR would; that a thread repeats
 * its update when another of its warp has overwritten it is left out.
 *
 * MASK's authors publish it as HISTO (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark).
 */

enum { HISTO256_BLOCKS = 240, HISTO256_BLOCK = 6 * 32, HISTO256_BINS = 256, MERGE_BLOCK = 256 };
enum { HISTO256_DATA, HISTOGRAM, PARTIAL }; /* buffers */

enum {
    HISTO256_GAP_CLEAR = 40, /* ids, eight shared addresses and writes, tag */
    GAP_START = 8,           /* index, compare, branch, extension, address */
    HISTO256_GAP_COUNT =
        42,         /* four bytes: shift, mask, shared address, read, mask, add, or, write, read, compare, branch */
    GAP_STRIDE = 5, /* next index, compare, branch, extension, address */
    HISTO256_GAP_MERGE = 34, /* six shared addresses, reads, masks, sums; index, address */
    GAP_PARTIAL = 6,         /* loop test, index, extension, address */
    GAP_HALVE = 8,           /* loop test, compare, branch, two shared addresses and reads, sum, write */
};

static void count(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, first = (uint64_t)c->cta * HISTO256_BLOCK + tid;

    switch (c->state) {
    case 0:
        MH_BARRIER(1, HISTO256_GAP_CLEAR, false);
        for (; first + c->v[0] < g->n; c->v[0] += HISTO256_BLOCKS * HISTO256_BLOCK)
            MH_LOAD(2, WORD, c->v[0] ? HISTO256_GAP_COUNT + GAP_STRIDE : GAP_START, c->v[0] > 0,
                    mh_mask_below(first + c->v[0], g->n, g->lanes), g->base[HISTO256_DATA] + (first + c->v[0]) * WORD,
                    WORD);
        MH_BARRIER(3, HISTO256_GAP_COUNT, true);
        for (c->v[0] = tid; c->v[0] < HISTO256_BINS; c->v[0] += HISTO256_BLOCK)
            MH_STORE(4, WORD, HISTO256_GAP_MERGE, false, mh_mask_below(c->v[0], HISTO256_BINS, g->lanes),
                     g->base[PARTIAL] + ((uint64_t)c->cta * HISTO256_BINS + c->v[0]) * WORD, WORD);
        MH_END(1, false);
    }
}

static void merge(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_PARTIAL, false, mh_mask_below(tid, HISTO256_BLOCKS, g->lanes),
                g->base[PARTIAL] + (tid * HISTO256_BINS + c->cta) * WORD, HISTO256_BINS * WORD);
        for (c->v[0] = MERGE_BLOCK / 2; c->v[0] > 0; c->v[0] /= 2)
            MH_BARRIER(2, GAP_HALVE, c->v[0] == MERGE_BLOCK / 2);
        if (tid == 0)
            MH_STORE(3, WORD, GAP_HALVE, false, 1, g->base[HISTOGRAM] + c->cta * WORD, WORD);
        MH_END(1, false);
    }
}

static void histo256_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * WORD, HISTO256_BINS * WORD, HISTO256_BLOCKS * HISTO256_BINS * WORD);
    mh_gen_launch(g,
                  (struct mh_launch){"histogram256Kernel", HISTO256_BLOCKS, HISTO256_BLOCK, 16 /* ours */,
                                     HISTO256_BLOCK / 32 * HISTO256_BINS * WORD},
                  count);
    mh_gen_launch(
        g, (struct mh_launch){"mergeHistogram256Kernel", HISTO256_BINS, MERGE_BLOCK, 12 /* ours */, MERGE_BLOCK * WORD},
        merge);
}

const struct mh_kernel mh_kernel_histo256 = {
    .name = "HISTO256",
    .suite = "CUDA SDK",
    .summary = "histogram of bytes; streams, counters in shared memory, partial histograms a row apart",
    MH_SIZE("words of 4 bytes", 1920 * 1080, 1, (uint64_t)1 << 30), /* the MAFIA suite's */
    .build = histo256_build,
};
