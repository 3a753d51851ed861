/*
 * PAGED: attention of a decoding batch over a paged KV cache, vLLM's paged_attention_v2 (csrc/attention, fp16, head
 * 128, blocks of 16 tokens). A CTA of 128 threads takes one query head of one sequence and up to 512 of its tokens; the
 * query heads of a group read the same KV. A second kernel joins the partitions.
 *
 * K is [block][kv head][128 / 8][token][8], V [block][kv head][128][token], a layer's K before its V. Warp w takes
 * blocks w, w + warps, ... For K, lanes / 16 threads share a token and each reads vectors so wide that 32 lanes, or 64,
 * read 256 bytes in a row; for V a lane reads 8 tokens of one element. All layers of the model follow one another; the
 * program's other kernels, which would come between them, are those of DECODE.
 *
 * Unrolled loads come before the first use of any, as compilers place them. Gaps count the source's operations as LLVM
 * IR would: fp16 is converted to fp32, exponentials are 8.
 */
#include "workload/kernels/language_model.h"

enum { THREADS = 128, FLOAT = 4, INT = 4, VECTORS = 16 /* of a thread's K */, LINE = 256 };
enum { PARTITION_BLOCKS = LM_PARTITION / LM_BLOCK };
enum { PC_LENGTH = LM_PC_PAGED, PC_QUERY, PC_TABLE_K, PC_K, PC_MAX, PC_SUM, PC_TABLE_V, PC_V, PC_OUT, PC_BARRIER };
enum {
    PC_REDUCE_LENGTH = PC_BARRIER + 1,
    PC_REDUCE_MAX,
    PC_REDUCE_SUM,
    PC_REDUCE_IN,
    PC_REDUCE_OUT,
    PC_REDUCE_BARRIER
};

enum {
    GAP_IDS = 6,    /* ids, address */
    GAP_QUERY = 22, /* blocks, range, kv head, groups, address */
    GAP_TABLE = 7,  /* loop test, next block, extension, address */
    GAP_FIRST = 10, /* products of block and head with their strides, token, sum, address */
    GAP_NEXT = 1,   /* address */
    GAP_DOT = 221,  /* 64 elements: converted, multiplied, added, 16 reads of the query; shuffle, scale, mask, write */
    GAP_MAXIMUM = 18,   /* maximum of a warp: 4 or 5 shuffles, write */
    GAP_EXPONENTS = 60, /* of 4 logits: read, difference, exponential, write, sum */
    GAP_NORMALIZE = 20, /* of 4 logits */
    GAP_LOGITS = 14,    /* block's logits of the lane: 2 reads, conversions */
    GAP_ROW = 24,       /* 8 tokens of an element: products, conversions, sums */
    GAP_JOIN = 26,      /* half of the warps write 8 sums, the others read and add them */
    GAP_OUT = 3,        /* conversion, address */
    GAP_RESCALE = 14,   /* difference, exponential, product, write, loop test */
    GAP_PART = 5,       /* read of the scale, conversion, multiply-add, address, loop test */
};

/* Head fastest, then sequence, then partition. */
struct place {
    uint32_t head, sequence, partition, first, end; /* blocks */
};

static struct place place_of(const struct lm *lm, uint32_t cta)
{
    const uint32_t row = cta / lm->shape.heads;
    struct place p = {.head = cta % lm->shape.heads, .sequence = row % lm->tokens, .partition = row / lm->tokens};
    const uint32_t blocks = (uint32_t)mh_ceil_div(lm->sequence[p.sequence].tokens, LM_BLOCK);

    p.first = p.partition * PARTITION_BLOCKS;
    p.end = blocks < p.first + PARTITION_BLOCKS ? blocks : p.first + PARTITION_BLOCKS;
    return p;
}

static uint64_t row_of(const struct lm *lm, struct place p)
{
    return ((uint64_t)p.sequence * lm->shape.heads + p.head) * lm->partitions + p.partition;
}

static uint64_t table_entry(const struct lm *lm, struct place p, uint64_t block)
{
    return lm->tables + (p.sequence * (uint64_t)(lm->shape.context / LM_BLOCK) + block) * INT;
}

static uint64_t unit_at(const struct lm *lm, struct place p, uint64_t pool, uint64_t block, bool value)
{
    return lm_unit(lm, pool, p.sequence, block, p.head / (lm->shape.heads / lm->shape.kv_heads), value);
}

/* c->v[]: block, its K or V, vector */
static void paged_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm *lm = lm_of(g);
    const struct lm_step *s = lm_step(g, c);
    const struct place p = place_of(lm, c->cta);
    const uint64_t all = mh_mask_first(g->lanes), even = mh_mask_column(0, 2, g->lanes), row = row_of(lm, p);
    const uint32_t warps = THREADS / g->lanes, width = LINE / g->lanes;
    const uint32_t rows = LM_UNIT / 16 / g->lanes; /* of a lane */
    const bool first_warp = c->warp == 0;

    switch (c->state) {
    case 0:
        MH_LOAD(PC_LENGTH, INT, GAP_IDS, false, all, lm->lengths + p.sequence * INT, 0);
        if (p.first < p.end) {
            MH_LOAD(PC_QUERY, width, GAP_QUERY, true, first_warp ? all : 0,
                    s->in + ((uint64_t)p.sequence * s->pitch + p.head * LM_HEAD) * LM_HALF, width);
            MH_BARRIER(PC_BARRIER, 2, true);
            for (c->v[0] = p.first + c->warp; c->v[0] < p.end; c->v[0] += warps) {
                MH_LOAD(PC_TABLE_K, INT, GAP_TABLE + (c->v[0] >= p.first + warps ? GAP_DOT : 0), true, all,
                        table_entry(lm, p, c->v[0]), 0);
                c->v[1] = unit_at(lm, p, s->more, c->v[0], false);
                for (c->v[2] = 0; c->v[2] < VECTORS; c->v[2]++)
                    MH_LOAD(PC_K, width, c->v[2] ? GAP_NEXT : GAP_FIRST, c->v[2] == 0, all, c->v[1] + c->v[2] * LINE,
                            width);
            }
            MH_BARRIER(PC_BARRIER, GAP_DOT + GAP_MAXIMUM, true);
            MH_BARRIER(PC_BARRIER, GAP_EXPONENTS, false);
            MH_BARRIER(PC_BARRIER, GAP_NORMALIZE, false);
            MH_STORE(PC_MAX, FLOAT, 4, false, first_warp, lm->maxima + row * FLOAT, 0);
            MH_STORE(PC_SUM, FLOAT, 1, false, first_warp, lm->sums + row * FLOAT, 0);
            for (c->v[0] = p.first + c->warp; c->v[0] < p.end; c->v[0] += warps) {
                MH_LOAD(PC_TABLE_V, INT, GAP_TABLE + (c->v[0] >= p.first + warps ? rows * GAP_ROW : 0), true, all,
                        table_entry(lm, p, c->v[0]), 0);
                c->v[1] = unit_at(lm, p, s->more, c->v[0], true);
                for (c->v[2] = 0; c->v[2] < rows; c->v[2]++)
                    MH_LOAD(PC_V, 16, c->v[2] ? GAP_NEXT : GAP_FIRST + GAP_LOGITS, c->v[2] == 0, all,
                            c->v[1] + c->v[2] * g->lanes * 16, 16);
            }
            MH_BARRIER(PC_BARRIER, rows * GAP_ROW + GAP_MAXIMUM, true);
            for (c->v[0] = warps; c->v[0] > 1; c->v[0] /= 2) {
                MH_BARRIER(PC_BARRIER, GAP_JOIN / 2, false);
                MH_BARRIER(PC_BARRIER, GAP_JOIN / 2, false);
            }
            for (c->v[0] = 0; c->v[0] < LM_HEAD; c->v[0] += g->lanes / 2)
                MH_STORE(PC_OUT, LM_HALF, GAP_OUT, false, first_warp ? even : 0,
                         lm->partial + row * LM_ROW + c->v[0] * LM_HALF, 1);
        }
        MH_END(2, true);
    }
}

/* Joins the partitions of a sequence and head; one partition is copied. */
static void reduce_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm *lm = lm_of(g);
    const struct place p = place_of(lm, c->cta);
    const uint32_t parts = (uint32_t)mh_ceil_div(lm->sequence[p.sequence].tokens, LM_PARTITION);
    const uint64_t all = mh_mask_first(g->lanes), row = row_of(lm, p), thread = c->warp * (uint64_t)g->lanes;
    const uint64_t mine = parts > 1 ? mh_mask_below(thread, parts, g->lanes) : 0;

    switch (c->state) {
    case 0:
        MH_LOAD(PC_REDUCE_LENGTH, INT, GAP_IDS, false, all, lm->lengths + p.sequence * INT, 0);
        MH_LOAD(PC_REDUCE_MAX, FLOAT, GAP_QUERY, true, mine, lm->maxima + (row + thread) * FLOAT, FLOAT);
        if (parts > 1) {
            MH_BARRIER(PC_REDUCE_BARRIER, 3, true);
            MH_BARRIER(PC_REDUCE_BARRIER, GAP_MAXIMUM, false);
        }
        MH_LOAD(PC_REDUCE_SUM, FLOAT, GAP_MAXIMUM, false, mine, lm->sums + (row + thread) * FLOAT, FLOAT);
        if (parts > 1) {
            MH_BARRIER(PC_REDUCE_BARRIER, GAP_RESCALE, true);
            MH_BARRIER(PC_REDUCE_BARRIER, GAP_MAXIMUM, false);
        }
        for (c->v[0] = 0; c->v[0] < parts; c->v[0]++)
            MH_LOAD(PC_REDUCE_IN, LM_HALF, GAP_PART, parts == 1, all,
                    lm->partial + (row + c->v[0]) * LM_ROW + thread * LM_HALF, LM_HALF);
        MH_STORE(PC_REDUCE_OUT, LM_HALF, GAP_PART, true, all,
                 lm_step(g, c)->out + row / lm->partitions * LM_ROW + thread * LM_HALF, LM_HALF);
        MH_END(2, false);
    }
}

void lm_paged_buffers(struct mh_gen *g)
{
    struct lm *lm = g->data;
    const uint64_t rows = (uint64_t)lm->tokens * lm->shape.heads * lm->partitions;

    lm->lengths = mh_gen_buffer(g, lm->tokens * INT);
    lm->tables = mh_gen_buffer(g, (uint64_t)lm->tokens * (lm->shape.context / LM_BLOCK) * INT);
    lm->sums = mh_gen_buffer(g, rows * FLOAT);
    lm->maxima = mh_gen_buffer(g, rows * FLOAT);
    lm->partial = mh_gen_buffer(g, rows * LM_ROW);
}

void lm_add_paged(struct mh_gen *g, uint64_t query, uint32_t pitch, uint64_t pool, uint64_t out)
{
    const struct lm *lm = g->data;
    const struct lm_step step = {.in = query, .pitch = pitch, .more = pool, .out = out};
    struct mh_launch l = {.name = "paged_attention_v2",
                          .ctas = lm->shape.heads * lm->tokens * lm->partitions,
                          .threads = THREADS,
                          .registers = 80 /* ours */,
                          .shared_bytes = LM_PARTITION * FLOAT + LM_ROW + 2 * FLOAT * THREADS / 32};

    lm_add(g, l, step, paged_body);
    l.name = "paged_attention_v2_reduce";
    l.ctas = lm->shape.heads * lm->tokens;
    l.registers = 32; /* ours */
    l.shared_bytes = 2 * lm->partitions * FLOAT + 2 * FLOAT * THREADS / 32;
    lm_add(g, l, step, reduce_body);
}

static void build(struct mh_gen *g)
{
    const struct lm *lm = lm_begin_decode(g, g->variant, (uint32_t)g->n);
    uint64_t query, out, pool;

    if (!lm)
        return;
    query = mh_gen_buffer(g, lm->tokens * (uint64_t)lm->shape.heads * LM_ROW);
    out = mh_gen_buffer(g, lm->tokens * (uint64_t)lm->shape.heads * LM_ROW);
    lm_paged_buffers(g);
    pool = mh_gen_buffer(g, lm->shape.layers * lm_pool_bytes(lm));
    for (uint32_t layer = 0; layer < lm->shape.layers; layer++)
        lm_add_paged(g, query, lm->shape.heads * LM_HEAD, pool + layer * lm_pool_bytes(lm), out);
}

const struct mh_kernel mh_kernel_paged = {
    .name = "PAGED",
    .suite = LM_SUITE,
    .summary = "attention of a decoding batch, all layers, over KV blocks of 16 tokens in random order; @ the model",
    MH_SIZE("sequences in the batch", 32 /* ours */, 1, 256 /* vLLM's default limit */),
    .variants = lm_batches,
    .build = build,
};
