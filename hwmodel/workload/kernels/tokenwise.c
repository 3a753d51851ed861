/*
 * TOKENWISE: what a layer does to each token beside products and attention, a CTA a token, after vLLM's kernels
 * (csrc/layernorm, pos_encoding, cache and activation, fp16):
 * - rmsnorm: fused_add_rms_norm, vectors of 8: adds the input to the residual, sums its squares, then scales it; 1024
 *   threads, from 256 tokens on 256;
 * - rope: rotary_embedding (NeoX): a thread turns elements i and i + 64 of a head of Q, then of K, in place;
 * - cache: reshape_and_cache: K's and V's elements go to the token's slot of the paged cache: K's in pieces of 16 bytes
 * 256 apart, V's 32 bytes apart;
 * - silu: silu_and_mul, an element a thread.
 *
 * Gaps count the source's operations as LLVM IR would, an exponential as 8.
 */
#include "workload/kernels/language_model.h"

enum {
    VECTOR = 8,
    VECTOR_BYTES = VECTOR * LM_HALF,
    LONG = 8,
    PAIRS = LM_HEAD / 2,
    MOST = 1024,
    FEWER = 256,
    TURNED = 512
};
enum { PC_IN = LM_PC_TOKENWISE, PC_RESIDUAL, PC_SUM, PC_REDUCED, PC_AGAIN, PC_WEIGHT, PC_NORM };
enum { PC_POSITION = PC_NORM + 1, PC_COS, PC_SIN, PC_LOW, PC_HIGH, PC_LOW_OUT, PC_HIGH_OUT };
enum { PC_SLOT = PC_HIGH_OUT + 1, PC_KEY, PC_VALUE, PC_KEY_OUT, PC_VALUE_OUT };
enum { PC_GATE = PC_VALUE_OUT + 1, PC_UP, PC_ACT };

enum {
    GAP_START = 10,    /* ids, bounds, address */
    GAP_NEXT = 1,      /* address */
    GAP_ADD = 9,       /* 8 sums, address */
    GAP_LOOP = 20,     /* 8 conversions and multiply-adds, loop test, addresses */
    GAP_VARIANCE = 14, /* sum of a warp: 5 shuffles and sums, write; sum of the warps, reciprocal root */
    GAP_SCALE = 33,    /* 8 conversions, products, conversions, products, address */
    GAP_PLACE = 6,     /* loop test, head, offset, address */
    GAP_TURN = 11,     /* 4 conversions, 2 products, 2 multiply-adds, 2 conversions, address */
    GAP_TARGET = 16,   /* head, offset, piece, their products with strides, address */
    GAP_SILU = 16,     /* conversion, exponential, sum, quotient, conversion, product, address */
};

/* in: input, and output; more: residual */
static void norm_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_step *s = lm_step(g, c);
    const uint64_t vectors = s->columns / VECTOR, row = c->cta * (uint64_t)s->columns * LM_HALF;
    const uint64_t mine = c->warp * (uint64_t)g->lanes, all = mh_mask_first(g->lanes);

#define AT(base) ((base) + (mine + c->v[0]) * VECTOR_BYTES)
    switch (c->state) {
    case 0:
        for (; mine + c->v[0] < vectors; c->v[0] += s->threads) {
            MH_LOAD(PC_IN, VECTOR_BYTES, c->v[0] ? GAP_LOOP : GAP_START, false, all, AT(s->in + row), VECTOR_BYTES);
            MH_LOAD(PC_RESIDUAL, VECTOR_BYTES, GAP_NEXT, false, all, AT(s->more + row), VECTOR_BYTES);
            MH_STORE(PC_SUM, VECTOR_BYTES, GAP_ADD, true, all, AT(s->more + row), VECTOR_BYTES);
        }
        MH_BARRIER(PC_REDUCED, GAP_VARIANCE + GAP_LOOP, false);
        MH_BARRIER(PC_REDUCED, GAP_VARIANCE, false);
        for (c->v[0] = 0; mine + c->v[0] < vectors; c->v[0] += s->threads) {
            MH_LOAD(PC_AGAIN, VECTOR_BYTES, GAP_PLACE, false, all, AT(s->more + row), VECTOR_BYTES);
            MH_LOAD(PC_WEIGHT, VECTOR_BYTES, GAP_NEXT, false, all, AT(s->weight), VECTOR_BYTES);
            MH_STORE(PC_NORM, VECTOR_BYTES, GAP_SCALE, true, all, AT(s->in + row), VECTOR_BYTES);
        }
        MH_END(1, false);
    }
#undef AT
}

/* Lower element of pair v[0] of the warp, of Q and then of K, which follows it. */
static uint64_t pair_at(const struct mh_gen *g, const struct mh_cursor *c)
{
    const struct lm_step *s = lm_step(g, c);
    const uint64_t i = c->warp * (uint64_t)g->lanes + c->v[0];

    return s->in + c->cta * (uint64_t)s->pitch * LM_HALF + i / PAIRS * LM_ROW + i % PAIRS * LM_HALF;
}

/*
 * in: rows of Q, K and V; weight: table of cosines and sines [context][128]; more: positions. K's loop begins anew at
 * the first thread; here it goes on, which is the same where Q's heads fill the CTA's threads.
 */
static void rope_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm *lm = lm_of(g);
    const struct lm_step *s = lm_step(g, c);
    const uint64_t mine = c->warp * (uint64_t)g->lanes,
                   pairs = (lm->shape.heads + lm->shape.kv_heads) * (uint64_t)PAIRS;
    const uint64_t table = s->weight + lm_position(lm, c->cta) * (uint64_t)LM_ROW + mine % PAIRS * LM_HALF;
    const uint64_t all = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(PC_POSITION, LONG, GAP_START, false, all, s->more + c->cta * LONG, 0);
        for (; mine + c->v[0] < pairs; c->v[0] += s->threads) {
            MH_LOAD(PC_COS, LM_HALF, GAP_PLACE, true, all, table, LM_HALF);
            MH_LOAD(PC_SIN, LM_HALF, GAP_NEXT, false, all, table + LM_ROW / 2, LM_HALF);
            MH_LOAD(PC_LOW, LM_HALF, GAP_NEXT, false, all, pair_at(g, c), LM_HALF);
            MH_LOAD(PC_HIGH, LM_HALF, GAP_NEXT, false, all, pair_at(g, c) + LM_ROW / 2, LM_HALF);
            MH_STORE(PC_LOW_OUT, LM_HALF, GAP_TURN, true, all, pair_at(g, c), LM_HALF);
            MH_STORE(PC_HIGH_OUT, LM_HALF, GAP_NEXT, false, all, pair_at(g, c) + LM_ROW / 2, LM_HALF);
        }
        MH_END(2, true);
    }
}

/* Where element v[0] of the warp goes: its block's unit, and the token's place there. */
static uint64_t slot_at(const struct mh_gen *g, const struct mh_cursor *c, bool value)
{
    const struct lm *lm = lm_of(g);
    const uint64_t i = c->warp * (uint64_t)g->lanes + c->v[0], element = i % LM_HEAD;
    const uint32_t token = lm_position(lm, c->cta), place = token % LM_BLOCK;
    const uint64_t unit =
        lm_unit(lm, lm_step(g, c)->out, lm_sequence(lm, c->cta), token / LM_BLOCK, (uint32_t)(i / LM_HEAD), value);

    if (value)
        return unit + (element * LM_BLOCK + place) * LM_HALF;
    return unit + (element / VECTOR * LM_BLOCK + place) * VECTOR_BYTES;
}

/* in: rows of Q, K and V; more: slots; out: the layer's pool */
static void cache_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_shape *m = &lm_of(g)->shape;
    const struct lm_step *s = lm_step(g, c);
    const uint64_t mine = c->warp * (uint64_t)g->lanes, all = mh_mask_first(g->lanes);
    const uint64_t key = s->in + c->cta * (uint64_t)s->pitch * LM_HALF + m->heads * (uint64_t)LM_ROW + mine * LM_HALF;
    const uint64_t value = key + m->kv_heads * (uint64_t)LM_ROW;

    switch (c->state) {
    case 0:
        MH_LOAD(PC_SLOT, LONG, GAP_START, false, all, s->more + c->cta * LONG, 0);
        for (; mine + c->v[0] < m->kv_heads * LM_HEAD; c->v[0] += s->threads) {
            MH_LOAD(PC_KEY, LM_HALF, GAP_PLACE, true, all, key + c->v[0] * LM_HALF, LM_HALF);
            MH_LOAD(PC_VALUE, LM_HALF, GAP_NEXT, false, all, value + c->v[0] * LM_HALF, LM_HALF);
            MH_STORE_TILE(PC_KEY_OUT, LM_HALF, GAP_TARGET, MH_NEEDS(2, 0), all, slot_at(g, c, false), VECTOR, LM_HALF,
                          LM_BLOCK * VECTOR_BYTES);
            MH_STORE(PC_VALUE_OUT, LM_HALF, GAP_PLACE, true, all, slot_at(g, c, true), LM_BLOCK * LM_HALF);
        }
        MH_END(2, false);
    }
}

/* in: gates, then as many others, of a token */
static void silu_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_step *s = lm_step(g, c);
    const uint64_t mine = c->warp * (uint64_t)g->lanes, all = mh_mask_first(g->lanes), columns = s->columns;
    const uint64_t in = s->in + (c->cta * 2 * columns + mine) * LM_HALF,
                   out = s->out + (c->cta * columns + mine) * LM_HALF;

    switch (c->state) {
    case 0:
        for (; mine + c->v[0] < columns; c->v[0] += s->threads) {
            MH_LOAD(PC_GATE, LM_HALF, c->v[0] ? GAP_PLACE : GAP_START, false, all, in + c->v[0] * LM_HALF, LM_HALF);
            MH_LOAD(PC_UP, LM_HALF, GAP_NEXT, false, all, in + (columns + c->v[0]) * LM_HALF, LM_HALF);
            MH_STORE(PC_ACT, LM_HALF, GAP_SILU, true, all, out + c->v[0] * LM_HALF, LM_HALF);
        }
        MH_END(2, false);
    }
}

/* A CTA a token. */
static void add(struct mh_gen *g, const char *name, uint32_t elements, uint32_t most, struct lm_step step,
                mh_gen_body *body)
{
    const struct mh_launch l = {.name = name,
                                .ctas = lm_of(g)->tokens,
                                .threads = elements < most ? elements : most,
                                .registers = 32 /* ours */,
                                .shared_bytes = 0};

    step.threads = l.threads;
    lm_add(g, l, step, body);
}

void lm_add_norm(struct mh_gen *g, uint64_t in, uint64_t residual, uint64_t weight)
{
    const struct lm *lm = lm_of(g);
    const struct lm_step step = {.in = in, .more = residual, .weight = weight, .columns = lm->shape.width};

    add(g, "fused_add_rms_norm", lm->shape.width, lm->tokens < FEWER ? MOST : FEWER, step, norm_body);
}

void lm_add_rope(struct mh_gen *g, uint64_t qkv, uint64_t positions, uint64_t table)
{
    const struct lm_shape *m = &lm_of(g)->shape;
    const struct lm_step step = {.in = qkv, .more = positions, .weight = table, .pitch = lm_qkv(m)};

    add(g, "rotary_embedding", m->heads * PAIRS, TURNED, step, rope_body);
}

void lm_add_cache(struct mh_gen *g, uint64_t qkv, uint64_t slots, uint64_t pool)
{
    const struct lm_shape *m = &lm_of(g)->shape;
    const struct lm_step step = {.in = qkv, .more = slots, .out = pool, .pitch = lm_qkv(m)};

    add(g, "reshape_and_cache", m->kv_heads * LM_HEAD, TURNED, step, cache_body);
}

void lm_add_silu(struct mh_gen *g, uint64_t in, uint64_t out)
{
    const struct lm_step step = {.in = in, .out = out, .columns = lm_of(g)->shape.ffn};

    add(g, "silu_and_mul", step.columns, MOST, step, silu_body);
}

enum { NORM, ROPE, CACHE, SILU };

static void build(struct mh_gen *g)
{
    const struct lm *lm = lm_begin_prefill(g, LM_8B, (uint32_t)g->n);
    const uint64_t tokens = g->n;
    uint64_t in;

    if (!lm)
        return;
    if (g->variant == NORM) {
        in = mh_gen_buffer(g, tokens * lm->shape.width * LM_HALF);
        MH_BUFFERS(g, tokens * lm->shape.width * LM_HALF, lm->shape.width * LM_HALF);
        lm_add_norm(g, in, g->base[1], g->base[2]);
    } else if (g->variant == ROPE) {
        in = mh_gen_buffer(g, tokens * lm_qkv(&lm->shape) * LM_HALF);
        MH_BUFFERS(g, tokens * LONG, lm->shape.context * (uint64_t)LM_ROW);
        lm_add_rope(g, in, g->base[1], g->base[2]);
    } else if (g->variant == CACHE) {
        in = mh_gen_buffer(g, tokens * lm_qkv(&lm->shape) * LM_HALF);
        MH_BUFFERS(g, tokens * LONG, lm_pool_bytes(lm));
        lm_add_cache(g, in, g->base[1], g->base[2]);
    } else {
        in = mh_gen_buffer(g, tokens * 2 * lm->shape.ffn * LM_HALF);
        MH_BUFFERS(g, tokens * lm->shape.ffn * LM_HALF);
        lm_add_silu(g, in, g->base[1]);
    }
}

const struct mh_kernel mh_kernel_tokenwise = {
    .name = "TOKENWISE",
    .suite = LM_SUITE,
    .summary = "norm, rotary embedding, stores to the KV cache or activation of Llama 3 8B, a token a CTA: streams",
    .variants = (const char *const[]){[NORM] = "rmsnorm", [ROPE] = "rope", [CACHE] = "cache", [SILU] = "silu", NULL},
    MH_SIZE("tokens", 2048 /* the mean of Azure's trace of code */, 1, 8192),
    .build = build,
};
