/*
 * HISTO: Parboil's histo (cuda version): a saturating histogram of 1024 x 1024 bins over an n x n image of bin numbers.
 * Four launches: a prescan samples the input for the span of bins in use; an intermediate pass splits every bin number
 * into range and offset; the main pass counts, with one row of 14 blocks per range of 24 Ki bins, each scanning the
 * whole input, in 8-bit counters in shared memory whose overflows go to global memory as atomics, while points outside
 * of all ranges are counted in global memory right away; the last pass adds up the 14 partial histograms. Which lanes
 * overflow, and how many ranges there are, follows from the input data.
 *
 * Parboil's data are "roughly 2-D Gaussian" points of a silicon wafer; image size, histogram size and a deviation of
 * 4 bins are ours. Gaps count the source's operations as LLVM IR would.
 *
 * Counters overflow in the order of elements, whatever the timing of warps.
 */
#include "workload/gen.h"

#include <stdlib.h>

enum {
    BINS_X = 1024,
    BINS = BINS_X * 1024,
    SIGMA = 4,
    RANGE = 24 * 1024, /* bins counted by one block */
    BLOCKS = 14,
    MAIN_BLOCK = 768, /* BLOCK_X, THREADS */
    PRESCAN_BLOCKS = 64,
    PRESCAN_BLOCK = 512,
    UNROLL = 16,
    FINAL_BLOCKS = 3 * BLOCKS,
    FINAL_BLOCK = 512,
    WORD = 4,
};
enum { INPUT, RANGES, MAPPINGS, SUBHISTO, HISTO, OVERFLOW, FINAL }; /* buffers */
enum { RANGE_MIN, RANGE_MAX };                                      /* p[] */

enum {
    GAP_PRESCAN = 16,   /* stride, addr, end, compare, branch, address */
    GAP_AVERAGE = 6,    /* convert, add, count, next address, compare, branch */
    GAP_DEVIATION = 10, /* second read of the same word folded: convert, subtract, multiply, add, loop */
    GAP_BETWEEN = 10,   /* avg /= count, shared write, second loop's start */
    GAP_SQRT = 12,      /* stddev /= count, sqrtf, shared write, loop set-up */
    GAP_SUM = 14,       /* compare, two shared read-add-writes */
    GAP_LAST_SUMS = 64, /* SUM(32) to SUM(2), averages, product, conversion */
    GAP_LINE = 10,      /* ids, load_bin, store index */
    GAP_NEXT_LINE = 3,  /* load_bin, store, address */
    GAP_CALCULATE = 10, /* calculateBin: four remainders and quotients, three inserts */
    GAP_CLEAR = 28,     /* ids, 8 times address, shared write, loop test of clearMemory */
    GAP_SCAN = 5,       /* loop test, address, next index */
    GAP_UNPACK = 5,     /* four extracts, range compare */
    GAP_COUNT = 9,      /* shift, address, shared atomic, shift, mask, compare, branch */
    GAP_BIN = 12,       /* bin number, the tests for overflow into the next bins */
    GAP_SATURATED = 6,  /* shift, mask, compare, branch, 1 << bin_offset, address */
    GAP_COPY = 4,       /* compare, branch, shared read, address */
    GAP_FINAL = 8,      /* loop test, address */
    GAP_PACK = 13,      /* four min, four inserts, address */
    GAP_PARTIAL = 11,   /* add four bytes: shift, mask, add each */
};

/* Input data, and per element which global atomics counting it causes. */
enum { OVERFLOWS = 4, GLOBAL = 1 << OVERFLOWS };

struct image {
    uint8_t *flags; /* bit k: its shared counter overflows into bin + k; GLOBAL: it is counted in global memory */
    uint32_t bin[];
};

static const struct image *image_of(const struct mh_gen *g)
{
    return g->data;
}

static void prescan(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t stride = g->n * g->n / PRESCAN_BLOCKS, tid = c->warp * g->lanes, sample = stride / 8;
    const uint64_t in = g->base[INPUT] + (c->cta * stride + tid) * WORD;

    switch (c->state) {
    case 0:
        for (; c->v[0] < 2; c->v[0]++) {
            for (c->v[1] = 0; tid + c->v[1] < sample; c->v[1] += PRESCAN_BLOCK)
                MH_LOAD(1 + (uint32_t)c->v[0], WORD,
                        c->v[1] ? (c->v[0] ? GAP_DEVIATION : GAP_AVERAGE) : (c->v[0] ? GAP_BETWEEN : GAP_PRESCAN),
                        c->v[0] || c->v[1], mh_mask_below(tid + c->v[1], sample, g->lanes), in + c->v[1] * WORD, WORD);
        }
        for (; c->v[2] < 4; c->v[2]++) /* sums of 256, 128, 64 and 32 pairs */
            MH_BARRIER(3, c->v[2] == 0 ? GAP_SQRT : tid < (512u >> c->v[2]) ? GAP_SUM : 2, c->v[2] == 0);
        if (tid == 0) {
            MH_MEM(MH_OP_ATOMIC, 4, WORD, GAP_LAST_SUMS, false, 1, g->base[RANGES], 0);
            MH_MEM(MH_OP_ATOMIC, 5, WORD, 5, false, 1, g->base[RANGES] + WORD, 0);
        }
        MH_END(1, false);
    }
}

static void intermediates(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t half = g->n / 2, tid = c->warp * g->lanes, mask = mh_mask_below(tid, half, g->lanes);
    const uint64_t line = (uint64_t)c->cta * UNROLL * g->n * WORD, pitch = g->n * WORD;
    const uint64_t in = g->base[INPUT] + line + tid * 2 * WORD, out = g->base[MAPPINGS] + line + tid * WORD;

    switch (c->state) {
    case 0:
        for (; c->v[0] < UNROLL; c->v[0]++) {
            MH_LOAD(6, 2 * WORD, c->v[0] ? GAP_NEXT_LINE : GAP_LINE, false, mask, in + c->v[0] * pitch, 2 * WORD);
            MH_STORE(7, WORD, GAP_CALCULATE, true, mask, out + c->v[0] * pitch, WORD);
            MH_STORE(8, WORD, GAP_CALCULATE, false, mask, out + (c->v[0] * g->n + half) * WORD, WORD);
        }
        MH_END(1, false);
    }
}

/* Of the lanes with elements e.., those whose bin lies in `range` and, if `flag` is set, overflows that way. */
static uint64_t lanes_in(const struct mh_gen *g, uint64_t e, uint64_t valid, uint64_t range, unsigned flag)
{
    const struct image *im = image_of(g);

    MH_KEEP_LANES(valid, lane, im->bin[e + lane] / RANGE == range && (!flag || im->flags[e + lane] & flag));
    return valid;
}

/* Those whose bin lies in no range and, if `flag` is set, is still counted. */
static uint64_t lanes_outside(const struct mh_gen *g, uint64_t e, uint64_t valid, unsigned flag)
{
    const struct image *im = image_of(g);
    uint64_t mask = valid;

    for (uint64_t range = g->p[RANGE_MIN]; mask && range <= g->p[RANGE_MAX]; range++)
        mask &= ~lanes_in(g, e, mask, range, 0);
    for (uint64_t m = flag ? mask : 0; m; m &= m - 1)
        if (!(im->flags[e + (unsigned)__builtin_ctzll(m)] & flag))
            mask &= ~(m & (0 - m));
    return mask;
}

/* Addresses of word bin / div + add of `buffer`, for the op's lanes. */
static void list_words(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t e, int buffer, uint32_t div,
                       uint32_t add)
{
    const struct image *im = image_of(g);

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        addr[lane] = g->base[buffer] + (im->bin[e + lane] / div + add) * (uint64_t)WORD;
    }
}

static void main_pass(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes, x = c->cta % BLOCKS, y = c->cta / BLOCKS;
    const uint64_t range = g->p[RANGE_MIN] + y, first = (uint64_t)x * MAIN_BLOCK + tid, end = g->n * g->n;
    uint64_t e = first + c->v[0], valid = mh_mask_below(e, end, g->lanes), outside;

    switch (c->state) {
    case 0:
        MH_BARRIER(9, GAP_CLEAR, false);
        /* c->v[2]: instructions since the last op */
        for (; first + c->v[0] < end; c->v[0] += (uint64_t)MAIN_BLOCK * BLOCKS) {
            e = first + c->v[0];
            valid = mh_mask_below(e, end, g->lanes);
            MH_LOAD(10, WORD, GAP_SCAN + (uint32_t)c->v[2], c->v[0] != 0, valid, g->base[MAPPINGS] + e * WORD, WORD);
            c->v[2] = GAP_UNPACK + (lanes_in(g, e, valid, range, 0) ? GAP_COUNT : 0);
            for (c->v[1] = 0; c->v[1] < OVERFLOWS; c->v[1]++) {
                op->mask = lanes_in(g, e, valid, range, 1u << c->v[1]);
                if (!op->mask)
                    break;
                mh_op_affine(op, MH_OP_ATOMIC, 11 + (uint32_t)c->v[1], WORD, GAP_BIN + (uint32_t)c->v[2], c->v[1] == 0,
                             op->mask, 0, 0);
                list_words(g, op, addr, e, OVERFLOW, 1, (uint32_t)c->v[1]);
                MH_YIELD;
                c->v[2] = 0;
            }
            outside = y == 0 ? lanes_outside(g, e, valid, 0) : 0;
            if (outside) {
                mh_op_affine(op, MH_OP_LOAD, 24, WORD, GAP_BIN + (uint32_t)c->v[2], true, outside, 0, 0);
                list_words(g, op, addr, e, HISTO, 2, 0);
                MH_YIELD;
                outside = lanes_outside(g, e, valid, GLOBAL);
                mh_op_affine(op, MH_OP_ATOMIC, 25, WORD, GAP_SATURATED, true, outside, 0, 0);
                list_words(g, op, addr, e, HISTO, 2, 0);
                c->v[2] = 0;
                if (outside)
                    MH_YIELD;
            }
        }
        MH_BARRIER(15, GAP_COPY + (uint32_t)c->v[2], true);
        for (c->v[0] = tid; c->v[0] < RANGE / 4; c->v[0] += MAIN_BLOCK)
            MH_STORE(16, WORD, GAP_COPY, false, mh_mask_first(g->lanes),
                     g->base[SUBHISTO] + (uint64_t)x * BINS + range * RANGE + c->v[0] * WORD, WORD);
        MH_END(3, false);
    }
}

static void final_pass(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    /* Quads of bins below, in and above the counted ranges. */
    const uint64_t top = (g->p[RANGE_MAX] + 1) * RANGE;
    const uint64_t limit[] = {0, g->p[RANGE_MIN] * RANGE / 4, (top < BINS ? top : BINS) / 4, BINS / 4};
    const uint64_t thread = mh_thread(g, c, FINAL_BLOCK);
    uint64_t end = limit[c->v[0] + 1], i = limit[c->v[0]] + thread + c->v[1], mask = mh_mask_below(i, end, g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < 3; c->v[0]++) {
            end = limit[c->v[0] + 1];
            for (c->v[1] = 0; limit[c->v[0]] + thread + c->v[1] < end; c->v[1] += FINAL_BLOCKS * FINAL_BLOCK) {
                i = limit[c->v[0]] + thread + c->v[1];
                mask = mh_mask_below(i, end, g->lanes);
                if (c->v[0] == 1) {
                    MH_LOAD(17, 16, GAP_FINAL, false, mask, g->base[OVERFLOW] + i * 16, 16);
                    MH_STORE(18, 16, 1, false, mask, g->base[OVERFLOW] + i * 16, 16);
                    for (c->v[2] = 0; c->v[2] < BLOCKS; c->v[2]++) /* unrolled, loads in front */
                        MH_LOAD(19, WORD, 2, false, mask, g->base[SUBHISTO] + i * WORD + c->v[2] * BINS, WORD);
                    MH_STORE(20, WORD, BLOCKS * GAP_PARTIAL + GAP_PACK, true, mask, g->base[FINAL] + i * WORD, WORD);
                } else {
                    MH_LOAD(21, 8, GAP_FINAL, false, mask, g->base[HISTO] + i * 8, 8);
                    MH_STORE(22, 8, 1, false, mask, g->base[HISTO] + i * 8, 8);
                    MH_STORE(23, WORD, GAP_PACK, true, mask, g->base[FINAL] + i * WORD, WORD);
                }
            }
        }
        MH_END(GAP_FINAL, false);
    }
}

/* Sum of twelve uniform numbers: normal enough, in integers and therefore the same on every machine. */
static uint64_t gaussian(uint64_t seed, uint64_t index)
{
    uint64_t sum = 0;

    for (uint64_t k = 0; k < 3; k++)
        for (uint64_t r = mh_random(seed, index * 3 + k), j = 0; j < 4; j++, r >>= 16)
            sum += r & 0xffff;
    return BINS_X / 2 - 6 * SIGMA + sum * SIGMA / 65536;
}

static void fill_bins(struct image *im, uint64_t count, uint64_t seed)
{
    for (uint64_t e = 0; e < count; e++)
        im->bin[e] = (uint32_t)(gaussian(seed, 2 * e) * BINS_X + gaussian(seed, 2 * e + 1));
}

static bool in_ranges(const struct mh_gen *g, uint32_t bin)
{
    return bin / RANGE >= g->p[RANGE_MIN] && bin / RANGE <= g->p[RANGE_MAX];
}

/* One increment of an 8-bit counter packed four to a word: what overflows, and into which of the next counters. */
static uint8_t count_shared(uint32_t *word, uint32_t bin)
{
    uint32_t offset = bin % 4 * 8;
    uint64_t prev = *word >> offset;
    uint8_t flags = 0;

    *word += 1u << offset;
    if ((prev & 0xff) != 0xff)
        return 0;
    for (uint32_t k = 0; k < OVERFLOWS && offset + 8 * k < 32 && (k < 2 || (prev >> 8 * (k - 1) & 0xff) == 0xff); k++)
        flags |= (uint8_t)(1u << k);
    return flags;
}

/* Plays the counters: those of each of the 14 block columns, and outside the ranges the global ones, which stop at 255.
 * Elements count in order (ours). */
static bool fill_flags(const struct mh_gen *g, struct image *im, uint64_t count)
{
    uint32_t *shared = calloc((size_t)BLOCKS * BINS / 4, sizeof *shared);
    uint8_t *global = calloc(BINS, 1);

    for (uint64_t e = 0; shared && global && e < count; e++) {
        uint32_t bin = im->bin[e];

        if (in_ranges(g, bin))
            im->flags[e] = count_shared(&shared[e / MAIN_BLOCK % BLOCKS * (BINS / 4) + bin / 4], bin);
        else
            im->flags[e] = global[bin] < 255 ? (uint8_t)(global[bin]++, GLOBAL) : 0;
    }
    free(shared);
    free(global);
    return shared && global;
}

/* The prescan's result: per block, the mean of its threads' means and deviations; ten deviations each way. */
static void find_ranges(struct mh_gen *g, const struct image *im)
{
    const uint64_t stride = g->n * g->n / PRESCAN_BLOCKS, sample = stride / 8;

    g->p[RANGE_MIN] = (BINS - 1) / RANGE;
    for (uint64_t b = 0; b < PRESCAN_BLOCKS; b++) {
        uint64_t mean_sum = 0, deviation_sum = 0, mean, reach;

        for (uint64_t tid = 0; tid < PRESCAN_BLOCK; tid++) {
            uint64_t sum = 0, squares = 0, count = 0;

            for (uint64_t i = tid; i < sample; i += PRESCAN_BLOCK, count++)
                sum += im->bin[b * stride + i];
            for (uint64_t i = tid; i < sample; i += PRESCAN_BLOCK) {
                int64_t d = (int64_t)im->bin[b * stride + i] - (int64_t)(sum / count);

                squares += (uint64_t)(d * d);
            }
            mean_sum += sum / count;
            deviation_sum += mh_root(squares / count);
        }
        mean = mean_sum / PRESCAN_BLOCK;
        reach = 10 * deviation_sum / PRESCAN_BLOCK;
        if (mean < reach || (mean - reach) / RANGE < g->p[RANGE_MIN])
            g->p[RANGE_MIN] = mean < reach ? 0 : (mean - reach) / RANGE;
        if ((mean + reach) / RANGE > g->p[RANGE_MAX])
            g->p[RANGE_MAX] = (mean + reach) / RANGE;
    }
    if (g->p[RANGE_MAX] > (BINS - 1) / RANGE)
        g->p[RANGE_MAX] = (BINS - 1) / RANGE;
}

static bool make_data(struct mh_gen *g)
{
    const uint64_t count = g->n * g->n;
    struct image *im = malloc(sizeof *im + count * (sizeof im->bin[0] + 1));

    g->data = im;
    if (im) {
        im->flags = (uint8_t *)(im->bin + count);
        fill_bins(im, count, g->seed);
        find_ranges(g, im);
    }
    return im && fill_flags(g, im, count);
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.registers = 20 /* ours */};

    l.name = "histo_prescan_kernel", l.ctas = PRESCAN_BLOCKS, l.threads = PRESCAN_BLOCK;
    l.shared_bytes = 2 * PRESCAN_BLOCK * WORD;
    mh_gen_launch(g, l, prescan);
    l.name = "histo_intermediates_kernel", l.ctas = (uint32_t)(g->n / UNROLL), l.threads = (uint32_t)(g->n / 2);
    l.shared_bytes = 0;
    mh_gen_launch(g, l, intermediates);
    l.name = "histo_main_kernel", l.threads = MAIN_BLOCK, l.shared_bytes = RANGE;
    l.ctas = (uint32_t)(BLOCKS * (g->p[RANGE_MAX] - g->p[RANGE_MIN] + 1));
    mh_gen_launch(g, l, main_pass);
    l.name = "histo_final_kernel", l.ctas = FINAL_BLOCKS, l.threads = FINAL_BLOCK, l.shared_bytes = 0,
    mh_gen_launch(g, l, final_pass);
}

static void build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * g->n * WORD, 2 * WORD, g->n * g->n * WORD, (uint64_t)BLOCKS * BINS * WORD, BINS * 2,
               BINS * WORD, BINS);
    g->no_memory |= !make_data(g);
    add_launches(g);
}

const struct mh_kernel mh_kernel_histo = {
    .name = "HISTO",
    .suite = "Parboil",
    .summary = "saturating histogram; streams, shared counters, data-dependent atomics",
    .size_meaning = "image width and height",
    .size_default = 1024, /* ours */
    .size_min = 512,      /* below, the source's prescan divides by zero */
    .size_max = 2048,     /* above, the source's blocks of n / 2 threads are too large */
    MH_MULTIPLE(UNROLL, "lines of a block"),
    .build = build,
};
