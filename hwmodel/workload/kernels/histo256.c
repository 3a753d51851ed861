/*
 * HISTO256: the CUDA SDK's histogram256: 240 blocks of six warps stride over the data, four bytes a thread at a time,
 * and count in a histogram per warp in shared memory; each block stores the sum of its six, and a second launch adds up
 * the blocks' histograms, a block per bin. Gaps count the source's operations as LLVM IR would; that a thread repeats
 * its update when another of its warp has overwritten it is left out.
 *
 * MASK's authors publish it as HISTO (CMU-SAFARI/Mosaic, v3.x/pthread_benchmark). CTAs x threads at the default size:
 * 240 x 192, 256 x 256; 8 MiB.
 */
#include "workload/gen.h"

enum { WORD = 4, BLOCKS = 240, BLOCK = 6 * 32, BINS = 256, MERGE_BLOCK = 256 };
enum { DATA, HISTOGRAM, PARTIAL }; /* buffers */

enum {
    GAP_CLEAR = 40,  /* ids, eight shared addresses and writes, tag */
    GAP_START = 8,   /* index, compare, branch, extension, address */
    GAP_COUNT = 42,  /* four bytes: shift, mask, shared address, read, mask, add, or, write, read, compare, branch */
    GAP_STRIDE = 5,  /* next index, compare, branch, extension, address */
    GAP_MERGE = 34,  /* six shared addresses, reads, masks, sums; index, address */
    GAP_PARTIAL = 6, /* loop test, index, extension, address */
    GAP_HALVE = 8,   /* loop test, compare, branch, two shared addresses and reads, sum, write */
};

static void count(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, first = (uint64_t)c->cta * BLOCK + tid;

    switch (c->state) {
    case 0:
        MH_BARRIER(1, GAP_CLEAR, false);
        for (; first + c->v[0] < g->n; c->v[0] += BLOCKS * BLOCK)
            MH_LOAD(2, WORD, c->v[0] ? GAP_COUNT + GAP_STRIDE : GAP_START, c->v[0] > 0,
                    mh_mask_below(first + c->v[0], g->n, g->lanes), g->base[DATA] + (first + c->v[0]) * WORD, WORD);
        MH_BARRIER(3, GAP_COUNT, true);
        for (c->v[0] = tid; c->v[0] < BINS; c->v[0] += BLOCK)
            MH_STORE(4, WORD, GAP_MERGE, false, mh_mask_below(c->v[0], BINS, g->lanes),
                     g->base[PARTIAL] + ((uint64_t)c->cta * BINS + c->v[0]) * WORD, WORD);
        MH_END(1, false);
    }
}

static void merge(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, GAP_PARTIAL, false, mh_mask_below(tid, BLOCKS, g->lanes),
                g->base[PARTIAL] + (tid * BINS + c->cta) * WORD, BINS * WORD);
        for (c->v[0] = MERGE_BLOCK / 2; c->v[0] > 0; c->v[0] /= 2)
            MH_BARRIER(2, GAP_HALVE, c->v[0] == MERGE_BLOCK / 2);
        if (tid == 0)
            MH_STORE(3, WORD, GAP_HALVE, false, 1, g->base[HISTOGRAM] + c->cta * WORD, WORD);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, BINS * WORD);
    mh_gen_buffer(g, BLOCKS * BINS * WORD);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "histogram256Kernel",
                                     .ctas = BLOCKS,
                                     .threads = BLOCK,
                                     .registers = 16, /* ours */
                                     .shared_bytes = BLOCK / 32 * BINS * WORD},
                  count);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "mergeHistogram256Kernel",
                                     .ctas = BINS,
                                     .threads = MERGE_BLOCK,
                                     .registers = 12, /* ours */
                                     .shared_bytes = MERGE_BLOCK * WORD},
                  merge);
}

const struct mh_kernel mh_kernel_histo256 = {
    .name = "HISTO256",
    .suite = "CUDA SDK",
    .summary = "histogram of bytes; streams, counters in shared memory, partial histograms a row apart",
    .size_meaning = "words of 4 bytes",
    .size_default = 1920 * 1080, /* the MAFIA suite's */
    .size_min = 1,
    .size_max = (uint64_t)1 << 30,
    .build = build,
};
