/*
 * SRT: bucket sort of floats, the bucket phase of Rodinia's hybridsort (cuda): bucketcount finds each element's one of
 * 1024 buckets by binary search in the pivots and its place among those of its block, bucketprefixoffset sums up the
 * blocks' counts, bucketsort scatters. Blocks of one warp of 32 threads. Elements are uniform, pivots are computed from
 * their histogram as the source's host does, in integers. Left out: the histogram that comes before, the merge sort of
 * the buckets that follows. Gaps count the source's operations as LLVM IR would, or clang 14's PTX for
 * sm_20.
 *
 * CCBP calls the program bucket sort.
 */
#include <stdlib.h>

#include "workload/gen.h"

enum { BUCKETS = 1024, BLOCK = 32, BAND = 128, PREFIX_BLOCK = 128, WORD = 4, STEPS = 10, BIN_SHIFT = 22 };
enum { INPUT, OUTPUT, OFFSETS, INDEX, PIVOTS, STARTS, PREFIXES }; /* buffers */
enum { BLOCKS };                                                  /* p[] */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_CLEAR      MH_GAP(5 * BUCKETS / BLOCK, 8 + 7 * BUCKETS / BLOCK) /* i, compare, branch, address, shared write */
#define GAP_ELEMENT    MH_GAP(7, c->v[0] ? 6 : 19)                          /* tid, compare, branch, extend, address */
#define GAP_PIVOT      0                                                    /* a constant index */
#define GAP_SEARCH     MH_GAP(7, c->v[1] == 1 ? 6 : 8) /* compare, two sums, select, jump / 2, extend, address */
#define GAP_PLACE      MH_GAP(4, 9)                    /* compare, select, shared address; with PTX the search's end */
#define GAP_COUNT      8 /* shared read, mask, sum, tag, write, read, compare, branch; again for every equal lane */
#define GAP_INDEX      5 /* mask, shift, sum, extend, address */
#define GAP_WRITE_BACK MH_GAP(6, c->v[0] ? 10 : 9)                 /* shared read, mask, sum, extend, address, loop */
#define GAP_PREFIX     MH_GAP(6, 5)                                /* i, compare, branch, extend, address */
#define GAP_START      MH_GAP(6, 16)                               /* id, size, loop test */
#define GAP_FILL       MH_GAP(c->v[1] ? 8 : 11, c->v[1] ? 10 : 16) /* i, compare, branch, mask, address; shared write */
#define GAP_SECOND     3                                           /* sum, extend, address */
#define GAP_TO_SHARED  MH_GAP(3, 7)                                /* sum, address, write */
#define GAP_SCATTER    MH_GAP(8, 9) /* mask, shared read with address, shift, sum, extend, address */

/* Where the elements go, in one block. */
struct plan {
    uint32_t pivot[BUCKETS];
    uint32_t *target; /* [elements] */
    uint16_t *bucket; /* [elements] */
};

static uint32_t element(uint64_t seed, uint64_t i)
{
    return (uint32_t)(mh_random(seed, i) >> 32);
}

/* The source's binary search. A turn is no branch: it cannot be foreseen. */
static uint32_t bucket_of(const struct plan *p, uint32_t value)
{
    uint32_t at = BUCKETS / 2 - 1;

    for (uint32_t jump = BUCKETS / 4; jump; jump /= 2)
        at += jump - 2 * jump * (value < p->pivot[at]);
    return at + 1 - (value < p->pivot[at]);
}

/* The pivot at which the search for a bucket looks in step 0 .. STEPS - 1: its bits are the turns taken. */
static uint32_t looked_at(uint32_t bucket, uint32_t step)
{
    const uint32_t below = BUCKETS >> step;

    return bucket / below * below + below / 2 - 1;
}

/* How often the warp's lanes go through addOffset: as often as the most popular bucket among them. */
static uint32_t rounds(const uint16_t *bucket, uint64_t mask)
{
    uint32_t most = 0;

    for (uint32_t l = 0; l < BLOCK && mask >> l & 1; l++) {
        uint32_t same = 1;

        for (uint32_t k = 0; k < l; k++)
            same += bucket[k] == bucket[l];
        most = same > most ? same : most;
    }
    return most;
}

/* c->v[]: offset of the warp's elements from its first, step of the search. */
static void bucketcount(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t e = (uint64_t)c->cta * BLOCK + c->v[0], mask = mh_mask_below(e, g->n, BLOCK);
    const uint64_t prefix = g->base[PREFIXES] + (uint64_t)c->cta * BUCKETS * WORD;
    const struct plan *p = g->data;

    switch (c->state) {
    case 0:
        MH_BARRIER(1, GAP_CLEAR, false);
        for (; (uint64_t)c->cta * BLOCK + c->v[0] < g->n; c->v[0] += g->p[BLOCKS] * BLOCK) {
            MH_LOAD(2, WORD, GAP_ELEMENT, false, mh_mask_below((uint64_t)c->cta * BLOCK + c->v[0], g->n, BLOCK),
                    g->base[INPUT] + ((uint64_t)c->cta * BLOCK + c->v[0]) * WORD, WORD);
            MH_LOAD(3, WORD, GAP_PIVOT, false, mask, g->base[PIVOTS] + (BUCKETS / 2 - 1) * WORD, 0);
            for (c->v[1] = 1; c->v[1] < STEPS; c->v[1]++) {
                mh_op_affine(op, MH_OP_LOAD, 4, WORD, GAP_SEARCH, true, mask, 0, 0);
                op->list = true;
                for (uint32_t l = 0; l < BLOCK && mask >> l & 1; l++)
                    addr[l] = g->base[PIVOTS] + looked_at(p->bucket[e + l], (uint32_t)c->v[1]) * (uint64_t)WORD;
                MH_YIELD;
            }
            MH_STORE(5, WORD, GAP_PLACE + GAP_COUNT * rounds(p->bucket + e, mask) + GAP_INDEX, true, mask,
                     g->base[INDEX] + e * WORD, WORD);
        }
        MH_BARRIER(6, MH_GAP(5, 4), false);
        for (c->v[0] = 0; c->v[0] < BUCKETS; c->v[0] += BLOCK)
            MH_STORE(7, WORD, GAP_WRITE_BACK, false, mh_mask_first(BLOCK), prefix + c->v[0] * WORD, WORD);
        MH_END(MH_GAP(3, 4), false);
    }
}

static void bucketprefixoffset(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t bucket = mh_thread(g, c, PREFIX_BLOCK), all = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < g->p[BLOCKS]; c->v[0]++) {
            MH_LOAD(8, WORD, c->v[0] ? GAP_PREFIX : GAP_START, c->v[0] != 0, all,
                    g->base[PREFIXES] + (c->v[0] * BUCKETS + bucket) * WORD, WORD);
            MH_STORE(9, WORD, 0, false, all, g->base[PREFIXES] + (c->v[0] * BUCKETS + bucket) * WORD, WORD);
        }
        MH_STORE(10, WORD, MH_GAP(6, 8), true, all, g->base[OFFSETS] + bucket * WORD, WORD);
        MH_END(1, false);
    }
}

static void bucketsort(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct plan *p = g->data;
    const uint64_t first = (uint64_t)c->cta * BLOCK, e = first + c->v[0], mask = mh_mask_below(e, g->n, BLOCK);
    const uint64_t prefix = g->base[PREFIXES] + (uint64_t)c->cta * BUCKETS * WORD;

    switch (c->state) {
    case 0:
        for (; c->v[1] < BUCKETS; c->v[1] += BLOCK) {
            MH_LOAD(11, WORD, GAP_FILL, c->v[1] != 0, mh_mask_first(BLOCK), g->base[STARTS] + c->v[1] * WORD, WORD);
            MH_LOAD(12, WORD, GAP_SECOND, false, mh_mask_first(BLOCK), prefix + c->v[1] * WORD, WORD);
        }
        MH_BARRIER(13, GAP_TO_SHARED, true);
        for (; first + c->v[0] < g->n; c->v[0] += g->p[BLOCKS] * BLOCK) {
            MH_LOAD(14, WORD, MH_GAP(7, c->v[0] ? 6 : 16), false, mh_mask_below(first + c->v[0], g->n, BLOCK),
                    g->base[INPUT] + (first + c->v[0]) * WORD, WORD);
            MH_LOAD(15, WORD, 1, false, mask, g->base[INDEX] + e * WORD, WORD);
            mh_op_affine(op, MH_OP_STORE, 16, WORD, GAP_SCATTER, true, mask, 0, 0);
            op->list = true;
            for (uint32_t l = 0; l < BLOCK && mask >> l & 1; l++)
                addr[l] = g->base[OUTPUT] + (uint64_t)p->target[e + l] * WORD;
            MH_YIELD;
        }
        MH_END(MH_GAP(3, 6), false);
    }
}

/* calcPivotPoints: splits the histogram into BUCKETS parts of equal count, a bin's part by linear interpolation. */
static void find_pivots(struct plan *p, const uint64_t *histogram, uint64_t count)
{
    const uint64_t width = (uint64_t)1 << BIN_SHIFT, slice = count / BUCKETS;
    uint64_t starts_at = 0, need = slice, left;
    uint32_t found = 0;

    for (uint32_t bin = 0; bin < BUCKETS - 1; bin++) {
        for (left = histogram[bin]; left > need && found < BUCKETS; left -= need, need = slice) {
            starts_at += need * width / left;
            p->pivot[found++] = starts_at > UINT32_MAX ? UINT32_MAX : (uint32_t)starts_at;
        }
        need -= left < need ? left : need;
        starts_at = (bin + 1) * width;
    }
    if (found < BUCKETS && histogram[BUCKETS - 1])
        p->pivot[found++] = (uint32_t)(starts_at + (need < histogram[BUCKETS - 1] ? need : histogram[BUCKETS - 1] - 1) *
                                                       width / histogram[BUCKETS - 1]);
    for (; found < BUCKETS; found++)
        p->pivot[found] = found ? p->pivot[found - 1] : 0;
}

/* An element's place among those of its block and bucket. One block's counts fit the host's first-level cache. */
static void place_block(const struct mh_gen *g, struct plan *p, uint64_t block, uint32_t *count)
{
    for (uint64_t e = block * BLOCK; e < g->n; e += g->p[BLOCKS] * BLOCK)
        for (uint64_t i = e; i < e + BLOCK && i < g->n; i++) {
            p->bucket[i] = (uint16_t)bucket_of(p, element(g->seed, i));
            p->target[i] = count[p->bucket[i]]++;
        }
}

static void move_block(const struct mh_gen *g, struct plan *p, uint64_t block, const uint32_t *first)
{
    for (uint64_t e = block * BLOCK; e < g->n; e += g->p[BLOCKS] * BLOCK)
        for (uint64_t i = e; i < e + BLOCK && i < g->n; i++)
            p->target[i] += first[p->bucket[i]];
}

/* Places every element: buckets in order, padded to four; in a bucket by block; in a block by time and lane. */
static void find_targets(const struct mh_gen *g, struct plan *p, uint32_t *count)
{
    uint64_t start = 0;

    for (uint64_t b = 0; b < g->p[BLOCKS]; b++)
        place_block(g, p, b, count + b * BUCKETS);
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
        for (uint64_t b = 0; b < g->p[BLOCKS]; b++) {
            const uint32_t n = count[b * BUCKETS + bucket];

            count[b * BUCKETS + bucket] = (uint32_t)start;
            start += n;
        }
        start = (start + 3) / 4 * 4;
    }
    for (uint64_t b = 0; b < g->p[BLOCKS]; b++)
        move_block(g, p, b, count + b * BUCKETS);
}

static bool make_data(struct mh_gen *g)
{
    struct plan *p = malloc(sizeof *p + g->n * (sizeof *p->target + sizeof *p->bucket));
    uint32_t *count = calloc(g->p[BLOCKS] * BUCKETS, sizeof *count);
    uint64_t histogram[BUCKETS] = {0};

    g->data = p;
    if (p && count) {
        p->target = (uint32_t *)(p + 1);
        p->bucket = (uint16_t *)(p->target + g->n);
        for (uint64_t e = 0; e < g->n; e++)
            histogram[element(g->seed, e) >> BIN_SHIFT]++;
        find_pivots(p, histogram, g->n);
        find_targets(g, p, count);
    }
    free(count);
    return p && count;
}

static void add_buffers(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * WORD, (g->n + BUCKETS * 4) * WORD, BUCKETS * WORD, g->n * WORD, BUCKETS * WORD, BUCKETS * WORD,
               g->p[BLOCKS] * BUCKETS * WORD);
}

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.threads = BLOCK, .registers = 16 /* ours */, .shared_bytes = BUCKETS * WORD};

    g->p[BLOCKS] = mh_ceil_div(g->n, BLOCK * BAND);
    g->no_memory |= !make_data(g);
    add_buffers(g);
    l.ctas = (uint32_t)g->p[BLOCKS];
    l.name = "bucketcount", mh_gen_launch(g, l, bucketcount);
    mh_gen_launch(g, (struct mh_launch){"bucketprefixoffset", BUCKETS / PREFIX_BLOCK, PREFIX_BLOCK, 16 /* ours */, 0},
                  bucketprefixoffset);
    l.name = "bucketsort", mh_gen_launch(g, l, bucketsort);
}

const struct mh_kernel mh_kernel_srt = {
    .name = "SRT",
    .suite = "Rodinia",
    .summary = "bucket sort: binary search of pivots, prefix sums a block at a time, scatter to 1024 buckets",
    MH_SIZE("elements of 4 bytes", (uint64_t)1 << 22, 4096, (uint64_t)1 << 24), /* the source's own size */
    .least_bytes = 2 * WORD,                                                    /* Keys, before and after. */
    .build = build,
};
