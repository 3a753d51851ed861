/*
 * Shapes of public models, and the sequences of a batch.
 *
 * Layers, heads, widths: Llama 2 7B and Llama 3 8B and 70B, from the tables of gpt-fast; `70b` is the shard of one GPU
 * of eight (tensor parallel: 8 query heads, 1 of KV, an eighth of the FFN). Contexts are those of the models' cards.
 *
 * Lengths are drawn from the percentiles of Azure's traces of 2023, conversations or (8b-code) code: p50, p90 and p99
 * of the requests' inputs and outputs. In between, the logarithm of a length is linear (ours), from 1 token at p0; none
 * is longer than p99. Means are then 1115 in and 164 out against the conversations' 1155 and 211, 1917 and 28 against
 * the code's 2048 and 28. Input and output of a request are independent (ours).
 *
 * Continuous batching keeps the batch full: a request is found in it in proportion to its output's length, and at any
 * of its tokens (ours).
 *
 * The pool of KV blocks holds those of the batch and no free ones, as under full load; requests that come and go have
 * left them in random order (ours).
 */
#include "workload/kernels/language_model.h"

#include <stdlib.h>

#include "workload/values/table.h"

const char *const lm_models[] = {[LM_8B] = "8b", [LM_7B] = "7b", [LM_70B] = "70b", NULL};
const char *const lm_batches[] = {[LM_8B] = "8b", [LM_7B] = "7b", [LM_70B] = "70b", [LM_8B_CODE] = "8b-code", NULL};

static const struct lm_shape shapes[] = {
    [LM_8B] = {32, 32, 8, 4096, 14336, 8192, false},
    [LM_7B] = {32, 32, 32, 4096, 11008, 4096, false},
    [LM_70B] = {80, 64 / 8, 8 / 8, 8192, 28672 / 8, 8192, false},
    [LM_8B_CODE] = {32, 32, 8, 4096, 14336, 8192, true},
};

enum { PERCENTILES = 4 };

/* p0 (ours), p50, p90, p99 */
static const double shares[PERCENTILES] = {0, 0.5, 0.9, 0.99};
static const double inputs[2][PERCENTILES] = {{1, 1020, 2735, 4142}, {1, 1469, 5194, 7436}};
static const double outputs[2][PERCENTILES] = {{1, 129, 424, 601}, {1, 13, 55, 252}};

/* 0 <= result < 1 */
static double uniform(uint64_t seed, uint64_t index)
{
    return (double)(mh_random(seed, index) >> 11) / (double)((uint64_t)1 << 53);
}

static uint32_t length_at(const double percentile[PERCENTILES], double share)
{
    int i = 0;

    while (i < PERCENTILES - 1 && share >= shares[i + 1])
        i++;
    if (i == PERCENTILES - 1)
        return (uint32_t)percentile[i];
    return (uint32_t)(percentile[i] * mh_exact_exp((share - shares[i]) / (shares[i + 1] - shares[i]) *
                                                   mh_exact_log(percentile[i + 1] / percentile[i])));
}

/* Tokens of sequence s: its input, and what has been generated of its output. */
static uint32_t tokens_of(const struct mh_gen *g, const struct lm_shape *shape, uint32_t s)
{
    const uint64_t seed = mh_random(g->seed, s);
    uint32_t output, tokens;
    uint64_t draw = 0;

    do
        output = length_at(outputs[shape->code], uniform(seed, draw++));
    while (uniform(seed, draw++) * outputs[shape->code][PERCENTILES - 1] >= output);
    tokens = length_at(inputs[shape->code], uniform(seed, draw)) + 1 + (uint32_t)(uniform(seed, draw + 1) * output);
    return tokens < shape->context ? tokens : shape->context;
}

/* Tokens of all sequences are known. */
static void allocate_blocks(struct lm *lm, uint32_t sequences, uint64_t seed)
{
    uint32_t longest = 0;

    for (uint32_t s = 0; s < sequences; s++) {
        const uint32_t tokens = lm->sequence[s].tokens;

        lm->sequence[s].first = lm->blocks;
        lm->blocks += mh_ceil_div(tokens, LM_BLOCK);
        longest = tokens > longest ? tokens : longest;
    }
    lm->partitions = (uint32_t)mh_ceil_div(longest, LM_PARTITION);
    lm->order = mh_random(seed, UINT32_MAX);
}

static struct lm *begin(struct mh_gen *g, uint32_t model, uint32_t sequences, uint32_t prompt)
{
    struct lm *lm = calloc(1, sizeof *lm + sequences * sizeof *lm->sequence);

    g->data = lm;
    g->no_memory |= !lm;
    if (!lm)
        return NULL;
    lm->shape = shapes[model];
    lm->prefill = prompt;
    lm->tokens = prompt ? prompt : sequences;
    for (uint32_t s = 0; s < sequences; s++)
        lm->sequence[s].tokens = prompt ? prompt : tokens_of(g, &lm->shape, s);
    allocate_blocks(lm, sequences, g->seed);
    return lm;
}

struct lm *lm_begin_decode(struct mh_gen *g, uint32_t model, uint32_t sequences)
{
    return begin(g, model, sequences, 0);
}

struct lm *lm_begin_prefill(struct mh_gen *g, uint32_t model, uint32_t tokens)
{
    return begin(g, model, 1, tokens);
}

void lm_add(struct mh_gen *g, struct mh_launch launch, struct lm_step step, mh_gen_body *body)
{
    struct lm *lm = g->data;

    lm->step[g->w.launch_count] = step;
    mh_gen_launch(g, launch, body);
}

/*
 * DECODE and PREFILL: a language model's decoder layers, one after the other, as vLLM launches them: norm, product to
 * Q, K and V, rotary embedding, stores to the KV cache, attention, product, norm, product to gate and up, activation,
 * product. DECODE is a step of a batch, one token of each sequence, with PAGED's attention; PREFILL is one prompt, with
 * FLASH's.
 *
 * Activations have one buffer each, which all layers use; weights and KV caches of the layers follow one another. Left
 * out: embedding, the head's logits, sampling, and the other GPUs' shards with their sums (70b).
 */

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
