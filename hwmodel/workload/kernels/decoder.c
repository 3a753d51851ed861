/*
 * DECODE and PREFILL: a language model's decoder layers, one after the other, as vLLM launches them: norm, product to
 * Q, K and V, rotary embedding, stores to the KV cache, attention, product, norm, product to gate and up, activation,
 * product. DECODE is a step of a batch, one token of each sequence, with PAGED's attention; PREFILL is one prompt, with
 * FLASH's.
 *
 * Activations have one buffer each, which all layers use; weights and KV caches of the layers follow one another. Left
 * out: embedding, the head's logits, sampling, and the other GPUs' shards with their sums (70b).
 */
#include "workload/kernels/language_model.h"

enum { LONG = 8, FLOAT = 4 };

/* Addresses; those of the first layer where each has its own. */
struct buffers {
    uint64_t hidden, residual, qkv, attention, gate_up, activation, positions, slots, table, norms, pool, sums;
    uint64_t weight[LM_PRODUCTS];
};

static struct buffers add_buffers(struct mh_gen *g, const struct lm_product product[LM_PRODUCTS])
{
    const struct lm *lm = lm_of(g);
    const struct lm_shape *m = &lm->shape;
    const uint64_t column = (uint64_t)lm->tokens * LM_HALF;
    struct buffers b = {.hidden = mh_gen_buffer(g, m->width * column),
                        .residual = mh_gen_buffer(g, m->width * column),
                        .qkv = mh_gen_buffer(g, lm_qkv(m) * column),
                        .attention = mh_gen_buffer(g, m->heads * LM_HEAD * column),
                        .gate_up = mh_gen_buffer(g, 2 * m->ffn * column),
                        .activation = mh_gen_buffer(g, m->ffn * column),
                        .positions = mh_gen_buffer(g, lm->tokens * LONG),
                        .slots = mh_gen_buffer(g, lm->tokens * LONG),
                        .table = mh_gen_buffer(g, m->context * (uint64_t)LM_ROW),
                        .norms = mh_gen_buffer(g, 2 * m->layers * (uint64_t)m->width * LM_HALF),
                        .pool = mh_gen_buffer(g, m->layers * lm_pool_bytes(lm))};

    for (uint32_t i = 0; i < LM_PRODUCTS; i++)
        b.weight[i] = mh_gen_buffer(g, m->layers * lm_product_bytes(product[i]));
    lm_linear_buffers(g, product, LM_PRODUCTS);
    if (lm->prefill)
        b.sums = mh_gen_buffer(g, (uint64_t)lm->tokens * m->heads * FLOAT);
    else
        lm_paged_buffers(g);
    return b;
}

static void add_attention(struct mh_gen *g, const struct buffers *b, uint64_t pool)
{
    if (lm_of(g)->prefill)
        lm_add_flash(g, b->qkv, b->attention, b->sums);
    else
        lm_add_paged(g, b->qkv, lm_qkv(&lm_of(g)->shape), pool, b->attention);
}

static void add_layer(struct mh_gen *g, const struct buffers *b, const struct lm_product *product, uint64_t layer)
{
    const uint64_t norm = lm_of(g)->shape.width * LM_HALF, pool = b->pool + layer * lm_pool_bytes(lm_of(g));
    uint64_t weight[LM_PRODUCTS];

    for (uint32_t i = 0; i < LM_PRODUCTS; i++)
        weight[i] = b->weight[i] + layer * lm_product_bytes(product[i]);
    lm_add_norm(g, b->hidden, b->residual, b->norms + 2 * layer * norm);
    lm_add_linear(g, b->hidden, weight[LM_QKV], b->qkv, product[LM_QKV]);
    lm_add_rope(g, b->qkv, b->positions, b->table);
    lm_add_cache(g, b->qkv, b->slots, pool);
    add_attention(g, b, pool);
    lm_add_linear(g, b->attention, weight[LM_OUT], b->hidden, product[LM_OUT]);
    lm_add_norm(g, b->hidden, b->residual, b->norms + (2 * layer + 1) * norm);
    lm_add_linear(g, b->hidden, weight[LM_GATE_UP], b->gate_up, product[LM_GATE_UP]);
    lm_add_silu(g, b->gate_up, b->activation);
    lm_add_linear(g, b->activation, weight[LM_DOWN], b->hidden, product[LM_DOWN]);
}

static void add_layers(struct mh_gen *g)
{
    const struct lm *lm = lm_of(g);
    struct lm_product product[LM_PRODUCTS];
    struct buffers b;

    lm_products(&lm->shape, product);
    b = add_buffers(g, product);
    for (uint32_t layer = 0; layer < lm->shape.layers; layer++)
        add_layer(g, &b, product, layer);
}

static void build_decode(struct mh_gen *g)
{
    if (lm_begin_decode(g, g->variant, (uint32_t)g->n))
        add_layers(g);
}

static void build_prefill(struct mh_gen *g)
{
    if (lm_begin_prefill(g, g->variant, (uint32_t)g->n))
        add_layers(g);
}

const struct mh_kernel mh_kernel_decode = {
    .name = "DECODE",
    .suite = LM_SUITE,
    .summary = "a step of a decoding batch through all layers: norms, products, paged attention; @ the model",
    MH_SIZE("sequences in the batch", 32 /* ours */, 1, 256 /* vLLM's default limit */),
    .variants = lm_batches,
    .build = build_decode,
};

const struct mh_kernel mh_kernel_prefill = {
    .name = "PREFILL",
    .suite = LM_SUITE,
    .summary = "a prompt through all layers: norms, products, flash attention, stores to the KV cache; @ the model",
    MH_SIZE("tokens of the prompt", 2048 /* the mean of Azure's trace of code */, 1, 8192),
    .variants = lm_models,
    .build = build_prefill,
};
