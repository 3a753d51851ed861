/*
 * HISTO1024: histogram of floats, the first phase of Rodinia's hybridsort (histogram1024Kernel): 64 blocks of 96
 * threads stride over the data; each warp of 32 counts in a histogram of its own in shared memory, three of them a
 * block, and tries again for lanes whose counter another one has overwritten; then the block adds the sum of its three
 * to the result with atomic operations. Data are uniform, as the source draws them, the same as SRT's. Gaps count the
 * source's operations as LLVM IR would, or clang 14's PTX for sm_20.
 *
 * CTAs x threads at the default size: 64 x 96; 16 MiB.
 */
#include "workload/gen.h"

enum { BLOCKS = 64, BLOCK = 96, OWNERS = 32 /* threads that share a histogram */, WORD = 4 };
enum { BINS = 1024, BIN_SHIFT = 22, CLEARED = BLOCK / OWNERS * BINS / BLOCK /* counters a thread clears */ };
enum { DATA, RESULT }; /* buffers */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_CLEAR   MH_GAP(6 + 5 * CLEARED, 16 + 7 * CLEARED) /* ids, tag; i, compare, branch, address, shared write */
#define GAP_ELEMENT MH_GAP(5, c->v[0] ? 2 : 12)               /* i, compare, branch, extension, address */
#define GAP_BIN     MH_GAP(6, 10) /* difference, quotient, product, conversion, mask, address; with PTX the loop */
#define GAP_COUNT   8 /* shared read, mask, sum, tag, write, read, compare, branch; again for every equal lane */
#define GAP_MERGE                                                                                                      \
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
    const uint64_t tid = c->warp * g->lanes, first = (uint64_t)c->cta * BLOCK + tid;
    const uint32_t threads = BLOCK - tid < g->lanes ? (uint32_t)(BLOCK - tid) : g->lanes;
    const uint64_t mask = mh_mask_below(first + c->v[0], g->n, threads);

    switch (c->state) {
    case 0:
        MH_BARRIER(1, GAP_CLEAR, false);
        for (; first + c->v[0] < g->n; c->v[0] += BLOCKS * BLOCK) {
            MH_LOAD(2, WORD, c->v[0] ? GAP_BIN + GAP_COUNT * (uint32_t)c->v[1] + GAP_ELEMENT : GAP_ELEMENT, c->v[0] > 0,
                    mh_mask_below(first + c->v[0], g->n, threads), g->base[DATA] + (first + c->v[0]) * WORD, WORD);
            c->v[1] = rounds(g, first + c->v[0], mask);
        }
        MH_BARRIER(3, GAP_BIN + GAP_COUNT * (uint32_t)c->v[1] + MH_GAP(0, 2), true);
        for (c->v[0] = tid; c->v[0] < BINS; c->v[0] += BLOCK)
            MH_MEM(MH_OP_ATOMIC, 4, WORD, GAP_MERGE, false, mh_mask_below(c->v[0], BINS, threads),
                   g->base[RESULT] + c->v[0] * WORD, WORD);
        MH_END(MH_GAP(3, 4), false);
    }
}

static void build(struct mh_gen *g)
{
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, BINS * WORD);
    mh_gen_launch(g,
                  (struct mh_launch){.name = "histogram1024Kernel",
                                     .ctas = BLOCKS,
                                     .threads = BLOCK,
                                     .registers = 16, /* ours */
                                     .shared_bytes = BLOCK / OWNERS * BINS * WORD},
                  body);
}

const struct mh_kernel mh_kernel_histo1024 = {
    .name = "HISTO1024",
    .suite = "Rodinia",
    .summary =
        "histogram of floats (hybridsort); streams, counters in shared memory limit the blocks, atomics at the end",
    .size_meaning = "elements of 4 bytes",
    .size_default = (uint64_t)1 << 22, /* hybridsort's own size */
    .size_min = 64,
    .size_max = (uint64_t)1 << 30,
    .build = build,
};
