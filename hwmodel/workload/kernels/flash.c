/*
 * FLASH: attention of a prompt, FlashAttention-2's forward kernel (fp16, head 128, causal): a CTA of 4 warps takes one
 * query head and 128 tokens, and goes through K and V in tiles of 64 tokens, from its diagonal back to the first.
 * Query, key and value are the parts of one row of the fused product's result, as vLLM passes them. Token tiles are the
 * fastest of the grid, then heads; one prompt.
 *
 * A copy is 16 bytes a thread, 8 threads for 64 elements of a row, 16 rows at a time, both halves of a row one after
 * the other: a warp's load is 4 lines. Copies go to shared memory (cp.async): the barrier before a product needs its
 * operand and nothing else does. V's tile loads during Q K', the next K's during P V.
 *
 * Gaps: LM_MMA a product of a tensor core; each of a tile's two products is 128 of them a warp.
 */
#include "workload/kernels/language_model.h"

enum { THREADS = 128, ROWS = 128, KEYS = 64, FLOAT = 4, VECTOR = 16, ROW_LANES = 8, AT_ONCE = THREADS / ROW_LANES };
enum { HALF_ROW = LM_ROW / 2, QUERY_LOADS = 2 * ROWS / AT_ONCE, KEY_LOADS = 2 * KEYS / AT_ONCE, SUMS = 4 };
enum { MASKED = ROWS / KEYS + 1 /* tiles; one more for lengths that are not whole tiles */ };
enum { PC_Q = LM_PC_FLASH, PC_K, PC_V, PC_LSE, PC_O, PC_BARRIER };

enum {
    GAP_START = 70,                 /* ids, lengths, tile's bounds, addresses of Q, K, V and of shared memory */
    GAP_COPY = 3,                   /* predicate, address, address in shared memory */
    GAP_SCORES = 128 * LM_MMA + 48, /* products; ldmatrix of Q and K */
    GAP_MASK = 192,                 /* 64 scores of a lane: column, compare, select */
    GAP_SOFTMAX = 64 * 5 + 128,     /* maximum, multiply-add, exponential, sum, half a conversion; scales 128 sums */
    GAP_VALUES = 128 * LM_MMA + 32, /* products; ldmatrix of V */
    GAP_FINISH = 128 * 2 + 40,      /* scales and converts 128 sums, logarithms, writes to shared memory */
    GAP_OUT = 3,                    /* read of shared memory, address */
};

/* The CTA's place: its head, its first token, and the tiles of K and V up to its diagonal. */
struct place {
    uint64_t head, first, tiles;
};

static struct place place_of(const struct lm *lm, uint32_t cta)
{
    const uint32_t blocks = (uint32_t)mh_ceil_div(lm->tokens, ROWS);
    struct place p = {.head = cta / blocks, .first = cta % blocks * (uint64_t)ROWS};
    const uint64_t end = p.first + ROWS < lm->tokens ? p.first + ROWS : lm->tokens;

    p.tiles = mh_ceil_div(end, KEYS);
    return p;
}

/* Copy number i of rows that begin at token `first`, whose elements are at `at` in row 0; false: behind the last token.
 */
static bool copy(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, enum mh_op_kind kind, uint32_t pc,
                 uint64_t first, uint64_t i, uint64_t at, uint64_t pitch)
{
    const uint64_t row = first + i / 2 * AT_ONCE + c->warp * (g->lanes / ROW_LANES);
    const uint64_t mask = mh_mask_below(row * ROW_LANES, (uint64_t)lm_of(g)->tokens * ROW_LANES, g->lanes);
    const uint32_t gap = kind == MH_OP_STORE ? GAP_OUT : c->state ? GAP_COPY : GAP_START;

    mh_op_affine(op, kind, pc, VECTOR, gap, false, mask, at + row * pitch + i % 2 * HALF_ROW, 0);
    mh_op_tile(op, g->lanes, ROW_LANES, VECTOR, (int64_t)pitch);
    return mask != 0;
}

/* Sum number i of 4 of a lane, the first of its four lanes: rows of 16 a warp of 32 lanes, 8 apart, then 64. */
static bool store_sum(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, const struct lm_step *s,
                      struct place p, uint64_t i)
{
    const uint64_t row = p.first + i / 2 * 64 + i % 2 * 8 + c->warp * (g->lanes / 2), tokens = lm_of(g)->tokens;
    uint64_t mask = mh_mask_column(0, 4, g->lanes);

    MH_KEEP_LANES(mask, l, row + l / 32 * 16 + l % 32 / 4 < tokens);
    mh_op_affine(op, MH_OP_STORE, PC_LSE, FLOAT, GAP_OUT, false, mask, s->more + (p.head * tokens + row) * FLOAT, 0);
    mh_op_tile(op, g->lanes, 32, 1, 16 * FLOAT);
    return mask != 0;
}

/* c->v[]: tile of K and V, counted from its end; copy */
static void flash_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_step *s = lm_step(g, c);
    const struct lm_shape *m = &lm_of(g)->shape;
    const struct place p = place_of(lm_of(g), c->cta);
    const uint64_t pitch = (uint64_t)s->pitch * LM_HALF, group = p.head / (m->heads / m->kv_heads);
    const uint64_t key = s->in + (m->heads + group) * LM_ROW, value = key + (uint64_t)m->kv_heads * LM_ROW;

    (void)addr;
    switch (c->state) {
    case 0:
        for (; c->v[1] < QUERY_LOADS; c->v[1]++)
            if (copy(g, c, op, MH_OP_LOAD, PC_Q, p.first, c->v[1], s->in + p.head * LM_ROW, pitch))
                MH_YIELD;
        c->v[0] = p.tiles;
        for (c->v[1] = 0; c->v[1] < KEY_LOADS; c->v[1]++)
            if (copy(g, c, op, MH_OP_LOAD, PC_K, (c->v[0] - 1) * KEYS, c->v[1], key, pitch))
                MH_YIELD;
        for (; c->v[0]; c->v[0]--) {
            c->v[2] = c->v[0] < p.tiles ? GAP_SOFTMAX + GAP_VALUES : 0;
            MH_BARRIER(PC_BARRIER, (uint32_t)c->v[2], MH_NEEDS(1, c->v[2]));
            for (c->v[1] = 0; c->v[1] < KEY_LOADS; c->v[1]++)
                if (copy(g, c, op, MH_OP_LOAD, PC_V, (c->v[0] - 1) * KEYS, c->v[1], value, pitch))
                    MH_YIELD;
            c->v[2] = GAP_SCORES + (p.tiles - c->v[0] < MASKED ? GAP_MASK : 0);
            MH_BARRIER(PC_BARRIER, (uint32_t)c->v[2], MH_NEEDS(1, c->v[2]));
            for (c->v[1] = 0; c->v[0] > 1 && c->v[1] < KEY_LOADS; c->v[1]++)
                if (copy(g, c, op, MH_OP_LOAD, PC_K, (c->v[0] - 2) * KEYS, c->v[1], key, pitch))
                    MH_YIELD;
        }
        MH_BARRIER(PC_BARRIER, GAP_SOFTMAX + GAP_VALUES + GAP_FINISH, false);
        for (c->v[1] = 0; c->v[1] < SUMS; c->v[1]++)
            if (store_sum(g, c, op, s, p, c->v[1]))
                MH_YIELD;
        for (c->v[1] = 0; c->v[1] < QUERY_LOADS; c->v[1]++)
            if (copy(g, c, op, MH_OP_STORE, PC_O, p.first, c->v[1], s->out + p.head * LM_ROW,
                     (uint64_t)m->heads * LM_ROW))
                MH_YIELD;
        MH_END(2, false);
    }
}

void lm_add_flash(struct mh_gen *g, uint64_t qkv, uint64_t out, uint64_t lse)
{
    const struct lm *lm = g->data;
    const struct lm_step step = {.in = qkv, .out = out, .more = lse, .pitch = lm_qkv(&lm->shape)};
    const struct mh_launch l = {.name = "flash_fwd",
                                .ctas = lm->shape.heads * (uint32_t)mh_ceil_div(lm->tokens, ROWS),
                                .threads = THREADS,
                                .registers = 255 /* ours: the most that a thread can have */,
                                .shared_bytes = (ROWS + 2 * KEYS) * LM_ROW};

    lm_add(g, l, step, flash_body);
}

static void build(struct mh_gen *g)
{
    const struct lm *lm = lm_begin_prefill(g, g->variant, (uint32_t)g->n);
    uint64_t qkv, out;

    if (!lm)
        return;
    qkv = mh_gen_buffer(g, lm->tokens * (uint64_t)lm_qkv(&lm->shape) * LM_HALF);
    out = mh_gen_buffer(g, lm->tokens * (uint64_t)lm->shape.heads * LM_ROW);
    lm_add_flash(g, qkv, out, mh_gen_buffer(g, lm->tokens * (uint64_t)lm->shape.heads * FLOAT));
}

const struct mh_kernel mh_kernel_flash = {
    .name = "FLASH",
    .suite = LM_SUITE,
    .summary = "causal attention of one prompt in tiles of 128 by 64 tokens, K and V read again by each; @ the model",
    MH_SIZE("tokens of the prompt", 2048 /* the mean of Azure's trace of code */, 1, 8192),
    .variants = lm_models,
    .build = build,
};
