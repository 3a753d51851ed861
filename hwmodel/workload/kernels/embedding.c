/*
 * EMBED: the embedding bags of a recommendation model (DLRM), all tables in one launch: the unweighted forward kernel
 * of FBGEMM's table batched embeddings (pytorch/FBGEMM, embedding_forward_split_kernel_template.cu), tables in device
 * memory, without its software cache. A warp has a bag, that is a sample's rows of one table, and bags are in order of
 * tables. It loads as many indices as it has lanes, then sums the rows: 32 lanes load four elements each, and each row
 * waits for the one before, as the loop has shuffles and is not unrolled. The grid has a warp for each bag; newest
 * versions limit it, and loop.
 *
 * Tables are those of MLPerf's DLRM-DCNv2: row counts of Criteo 1 TB (NVIDIA HugeCTR), rows per bag of its multi-hot
 * data, 128 elements a row: 48 GB of fp16, 96 GB of fp32. Which row is popular: Zipf's distribution, each table's ranks
 * in random order over its rows, or with `sorted` in order of popularity, as NVTabular numbers categories. The batch is
 * ours, and so are the exponents: 1, 0.9, 1.2. Of a batch of 65536, shares of accesses by how often a batch names their
 * row, beside those of Meta's data (facebookresearch/dlrm_datasets, 856 other tables), which are no Zipf's law:
 *
 *   times      1   to 8  to 64  to 512 to 4096 to 32768  more
 *   Meta     0.07  0.21   0.30   0.16   0.15    0.10     0.02
 *   0.9      0.29  0.18   0.14   0.12   0.12    0.10     0.04
 *   1        0.19  0.13   0.13   0.14   0.15    0.15     0.12
 *   1.2      0.05  0.05   0.06   0.10   0.14    0.20     0.40
 *
 * Gaps count the source's operations as LLVM IR would.
 */
#include <stdlib.h>

#include "workload/gen.h"
#include "workload/zipf.h"

enum { TABLES = 26, DIMENSION = 128, THREADS = 512, VECTOR = 4 /* elements a lane */ };
enum { ROW_LANES = DIMENSION / VECTOR };
enum { LONG = 8, WORD = 4, FLOAT = 4, HALF = 2 };
enum { WEIGHTS, PLACEMENTS, WEIGHTS_OFFSETS, D_OFFSETS, INDICES, OFFSETS, OUTPUT }; /* buffers */

enum {
    GAP_START = 14,  /* ids, bag, bound, table and sample by multiplication, address */
    GAP_END = 2,     /* sum, address */
    GAP_TABLE = 2,   /* extend, address */
    GAP_INDEX = 11,  /* bag's length, dimension, branch on the placement, loop test, lane's index, bound, address */
    GAP_FIRST = 10,  /* product, two loop tests, two shuffles, joined, sum, address */
    GAP_ROW = 13,    /* four sums; loop test, two shuffles, joined, sum, address */
    GAP_AGAIN = 12,  /* four sums, loop tests, lane's index, bound, address */
    GAP_OUTPUT = 16, /* four sums, loop tests, four products, address */
    GAP_CONVERT = 4, /* of fp16, before the sums */
    GAP_EXIT = 3,    /* next bag, bound, return */
};

/* HugeCTR, sparse operation kit, DLRM; MLPerf's cap of 40 M rows changes none. */
static const uint32_t rows[TABLES] = {39884406, 39043,    17289,    7420,     20263,  3,     7120, 1543, 63,
                                      38532951, 2953546,  403346,   10,       2208,   11938, 155,  4,    976,
                                      14,       39979771, 25641295, 39664984, 585935, 12972, 108,  36};

/* Rows of a bag: multi_hot_sizes of MLPerf's DLRM-DCNv2. */
static const uint8_t pooling[TABLES] = {3, 2, 1, 2, 6, 1, 1,  1,   1,  7,  3, 8, 1,
                                        6, 9, 5, 1, 1, 1, 12, 100, 27, 10, 3, 1, 1};

static const char *const variants[] = {"fp16",     "fp16-0.9", "fp16-1.2",    "fp16-sorted", "fp32",
                                       "fp32-0.9", "fp32-1.2", "fp32-sorted", NULL};

static const struct form {
    uint8_t element; /* bytes */
    bool sorted;
    uint8_t hundredths; /* of Zipf's exponent */
} forms[] = {{HALF, false, 100},  {HALF, false, 90},  {HALF, false, 120},  {HALF, true, 100},
             {FLOAT, false, 100}, {FLOAT, false, 90}, {FLOAT, false, 120}, {FLOAT, true, 100}};

struct tables {
    struct mh_zipf zipf;
    uint64_t first_row[TABLES + 1];   /* in the weights */
    uint32_t first_index[TABLES + 1]; /* in the indices of a batch of one sample */
};

/* Row of its table that index number `index` of the batch names. */
static uint64_t row_of(const struct mh_gen *g, uint32_t table, uint64_t index)
{
    const struct tables *t = g->data;
    const uint64_t rank = mh_zipf_draw(&t->zipf, mh_random(g->seed, index), rows[table]);

    return forms[g->variant].sorted ? rank : mh_shuffled(mh_random(~g->seed, table), rank, rows[table]);
}

static uint64_t weights_at(const struct mh_gen *g, uint32_t table, uint64_t index)
{
    const struct tables *t = g->data;
    const uint64_t row = t->first_row[table] + row_of(g, table, index);

    return g->base[WEIGHTS] + row * DIMENSION * forms[g->variant].element;
}

/* Of the first row of an index load, or one behind another. */
static uint32_t gap_row(const struct mh_gen *g, uint64_t number)
{
    const uint32_t convert = forms[g->variant].element == HALF ? GAP_CONVERT : 0;

    return number % g->lanes ? convert + GAP_ROW : GAP_FIRST;
}

/* c->v[0]: number of the row in its bag. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct tables *d = g->data;
    const uint64_t bag = (uint64_t)c->cta * (THREADS / g->lanes) + c->warp, bags = g->n * TABLES;
    const uint64_t all = bag < bags ? mh_mask_first(g->lanes) : 0;
    const uint32_t t = all ? (uint32_t)(bag / g->n) : 0, pool = all ? pooling[t] : 0;
    const uint64_t sample = bag % g->n, index = d->first_index[t] * g->n + sample * pool;
    const uint32_t element = forms[g->variant].element, convert = element == HALF ? GAP_CONVERT : 0;

    switch (c->state) {
    case 0:
        MH_LOAD(1, LONG, GAP_START, false, all, g->base[OFFSETS] + bag * LONG, 0);
        MH_LOAD(2, LONG, GAP_END, false, all, g->base[OFFSETS] + (bag + 1) * LONG, 0);
        MH_LOAD(3, WORD, GAP_TABLE, false, all, g->base[D_OFFSETS] + t * WORD, 0);
        MH_LOAD(4, WORD, GAP_TABLE, false, all, g->base[D_OFFSETS] + (t + 1) * WORD, 0);
        MH_LOAD(5, LONG, GAP_TABLE, false, all, g->base[WEIGHTS_OFFSETS] + t * LONG, 0);
        MH_LOAD(6, WORD, GAP_TABLE, false, all, g->base[PLACEMENTS] + t * WORD, 0);
        for (; c->v[0] < pool; c->v[0]++) {
            if (c->v[0] % g->lanes == 0)
                MH_LOAD(7, LONG, c->v[0] ? convert + GAP_AGAIN : GAP_INDEX, true,
                        mh_mask_below(c->v[0], pool, g->lanes), g->base[INDICES] + (index + c->v[0]) * LONG, LONG);
            MH_LOAD(8, VECTOR * element, gap_row(g, c->v[0]), true, mh_mask_first(ROW_LANES),
                    weights_at(g, t, index + c->v[0]), VECTOR * element);
        }
        MH_STORE(9, VECTOR * FLOAT, convert + GAP_OUTPUT, true, all & mh_mask_first(ROW_LANES),
                 g->base[OUTPUT] + (sample * TABLES + t) * DIMENSION * FLOAT, VECTOR * FLOAT);
        MH_END(GAP_EXIT, false);
    }
}

static struct tables *make_tables(const struct form *f)
{
    struct tables *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    mh_zipf_make(&t->zipf, f->hundredths);
    for (uint32_t i = 0; i < TABLES; i++) {
        t->first_row[i + 1] = t->first_row[i] + rows[i];
        t->first_index[i + 1] = t->first_index[i] + pooling[i];
    }
    return t;
}

static void build(struct mh_gen *g)
{
    const struct form *f = &forms[g->variant];
    struct tables *t = make_tables(f);
    const uint64_t bags = g->n * TABLES, per_block = THREADS / g->lanes;

    g->data = t;
    g->no_memory |= !t;
    if (!t)
        return;
    MH_BUFFERS(g, t->first_row[TABLES] * DIMENSION * f->element, TABLES * WORD, TABLES * LONG, (TABLES + 1) * WORD,
               t->first_index[TABLES] * g->n * LONG, (bags + 1) * LONG, bags * DIMENSION * FLOAT);
    mh_gen_launch(g,
                  (struct mh_launch){"split_embedding_codegen_forward_unweighted_kernel",
                                     (uint32_t)mh_ceil_div(bags, per_block), THREADS, 40 /* ours */, 0},
                  body);
}

const struct mh_kernel mh_kernel_embed = {
    .name = "EMBED",
    .suite = "recommendation",
    .summary = "embedding bags of DLRM: rows of 26 tables, popular ones by Zipf's law, a row a warp; 48 GB, fp32 96",
    MH_SIZE("samples of a batch", 2048, 16, 1 << 18), /* ours; MLPerf trains with 65536 on all of its GPUs */
    .variants = variants,
    .build = build,
};
