/*
 * A decoder layer of a language model: shapes, sequences and the launches of its kernels. DECODE and PREFILL launch all
 * of them; PAGED, FLASH, LINEAR and TOKENWISE some. Elements are fp16.
 */
#ifndef MEMHELM_LANGUAGE_MODEL_H
#define MEMHELM_LANGUAGE_MODEL_H

#include "workload/gen.h"

enum { LM_HEAD = 128 /* elements of a head */, LM_HALF = 2 /* bytes of an element */ };
enum { LM_BLOCK = 16 /* tokens of a KV block, vLLM's default */, LM_ROW = LM_HEAD * LM_HALF };
enum { LM_UNIT = LM_BLOCK * LM_ROW /* bytes of K or V of a block and head */ };
enum { LM_PARTITION = 512 /* tokens of a CTA of paged attention */, LM_STEPS = 1280 };

/**
 * What an m16n8k16 product of a tensor core counts in gaps. It occupies the core of an A100's scheduler for 8 cycles
 * (1024 multiply-adds a cycle and SM). A warp's instructions follow one another at sm.alu_latency, there 4 cycles, and
 * CTAs of LINEAR and FLASH leave room for two warps a scheduler: 4 instructions of both are 8 cycles each (ours).
 */
enum { LM_MMA = 4 };

/** First pc of each file's instructions: a workload may have all of them. */
enum { LM_PC_PAGED = 1, LM_PC_LINEAR = 17, LM_PC_FLASH = 25, LM_PC_TOKENWISE = 31 };

#define LM_SUITE "language model"

/** A public model, or one GPU's shard of it. */
struct lm_shape {
    uint32_t layers, heads, kv_heads, width, ffn; /**< heads and ffn are the shard's */
    uint32_t context;                             /**< tokens */
    bool code;                                    /**< lengths are of the trace of code, else of conversations */
};

/** Y = X W': outputs, and inputs, of a token. */
struct lm_product {
    uint32_t columns, depth;
};

enum { LM_QKV, LM_OUT, LM_GATE_UP, LM_DOWN, LM_PRODUCTS };

/** Which rows of a product which expert has: tokens ordered by experts, each expert's padded to whole tiles. */
struct lm_route {
    const uint32_t *slot;            /**< [rows]: token * top + choice; none in padding */
    const uint32_t *expert;          /**< [tiles] */
    const uint32_t *filled;          /**< [tiles]: rows that are no padding */
    uint32_t tiles, most;            /**< tiles of rows; as many as any routing needs, which is the grid */
    uint32_t rows;                   /**< of an expert, the mean: chooses the tile */
    uint64_t slots, experts, padded; /**< addresses: int32 [rows], int32 [tiles], int32 */
};

/** What one launch works on: addresses, and the sizes that its kernel has as parameters. */
struct lm_step {
    uint64_t in, weight, out, more; /**< see the body */
    uint32_t rows, columns, depth;  /**< of a product: tokens x outputs, summed over depth; else of the input */
    uint32_t slices;                /**< split K */
    uint32_t threads;               /**< of a CTA of TOKENWISE's kernels */
    uint32_t pitch;                 /**< elements from token to token in `in` */
    uint32_t top;                   /**< route: slots for each row of `in` */
    const struct lm_route *route;   /**< NULL: rows are in order, and of one expert */
};

/** All that the bodies share; g->data. */
struct lm {
    struct lm_shape shape;
    bool prefill;                   /**< one sequence, all of its tokens; else the last of each */
    uint32_t tokens;                /**< rows of the activations */
    uint32_t partitions;            /**< of the longest sequence */
    uint64_t blocks;                /**< of KV in use, in all sequences; the pool has no others */
    uint64_t order;                 /**< of the blocks in the pool: a seed */
    uint64_t lengths, tables;       /**< addresses: int32 [sequences], int32 [sequences][context / 16] */
    uint64_t workspace;             /**< fp32 [slices][tokens][columns] */
    uint64_t sums, maxima, partial; /**< fp32 [sequences][heads][partitions]; fp16, times 128 */
    struct lm_step step[LM_STEPS];
    struct lm_sequence {
        uint32_t tokens;
        uint64_t first; /**< number of its first block, in the order of allocation */
    } sequence[];       /**< those of a batch in decode */
};

/** Variants: models, and models with the trace of the batch's lengths. */
extern const char *const lm_models[], *const lm_batches[];

/** Index into lm_models and lm_batches; 8b-code is the model 8b. */
enum { LM_8B, LM_7B, LM_70B, LM_8B_CODE };

/** Makes g->data for a batch of the model in decode; NULL, and g says so: memory is short. */
struct lm *lm_begin_decode(struct mh_gen *g, uint32_t model, uint32_t sequences);

/** Makes g->data for the prefill of one prompt of so many tokens; NULL likewise. */
struct lm *lm_begin_prefill(struct mh_gen *g, uint32_t model, uint32_t tokens);

static inline const struct lm *lm_of(const struct mh_gen *g)
{
    return g->data;
}

static inline const struct lm_step *lm_step(const struct mh_gen *g, const struct mh_cursor *c)
{
    return &lm_of(g)->step[c->launch];
}

/** Elements of a row of the fused query, key and value. */
static inline uint32_t lm_qkv(const struct lm_shape *s)
{
    return (s->heads + 2 * s->kv_heads) * LM_HEAD;
}

/** Bytes of the K and V pool of a layer. */
static inline uint64_t lm_pool_bytes(const struct lm *lm)
{
    return 2 * lm->blocks * lm->shape.kv_heads * LM_UNIT;
}

/** Physical block of logical block `i` of sequence `s`. */
static inline uint64_t lm_physical(const struct lm *lm, uint32_t s, uint64_t i)
{
    return mh_shuffled(lm->order, lm->sequence[s].first + i, lm->blocks);
}

/** Sequence of the activations' row, and the token's position in it: the last one in decode. */
static inline uint32_t lm_sequence(const struct lm *lm, uint32_t row)
{
    return lm->prefill ? 0 : row;
}

static inline uint32_t lm_position(const struct lm *lm, uint32_t row)
{
    return lm->prefill ? row : lm->sequence[row].tokens - 1;
}

/** K, or V, of the token's block, for KV head `head`. */
static inline uint64_t lm_unit(const struct lm *lm, uint64_t pool, uint32_t sequence, uint64_t block, uint32_t head,
                               bool value)
{
    return pool + value * lm_pool_bytes(lm) / 2 +
           (lm_physical(lm, sequence, block) * lm->shape.kv_heads + head) * LM_UNIT;
}

/** Bytes of W. */
static inline uint64_t lm_product_bytes(struct lm_product p)
{
    return (uint64_t)p.columns * p.depth * LM_HALF;
}

/* Each adds its launch, or launches, to the end of those that there are; `step` is copied. */
void lm_add(struct mh_gen *g, struct mh_launch launch, struct lm_step step, mh_gen_body *body);
void lm_add_paged(struct mh_gen *g, uint64_t query, uint32_t pitch, uint64_t pool, uint64_t out);
void lm_add_flash(struct mh_gen *g, uint64_t qkv, uint64_t out, uint64_t lse);
void lm_add_linear(struct mh_gen *g, uint64_t in, uint64_t weight, uint64_t out, struct lm_product product);
void lm_add_norm(struct mh_gen *g, uint64_t in, uint64_t residual, uint64_t weight);
void lm_add_rope(struct mh_gen *g, uint64_t qkv, uint64_t positions, uint64_t table);
void lm_add_cache(struct mh_gen *g, uint64_t qkv, uint64_t slots, uint64_t pool);
void lm_add_silu(struct mh_gen *g, uint64_t in, uint64_t out);

/** lm_add_linear() with an expert for each tile of rows, [experts][columns][depth]; `top`: slots that share a row. */
void lm_add_routed(struct mh_gen *g, uint64_t in, uint64_t weight, uint64_t out, struct lm_product product,
                   const struct lm_route *route, uint32_t top);

/** Rows of the tile that a product of so many rows has. */
uint32_t lm_tile_rows(uint32_t rows);

/** Adds the block tables and the other buffers that lm_add_paged() needs. */
void lm_paged_buffers(struct mh_gen *g);

/** Adds the workspace that lm_add_linear() needs for these products, if any is split. */
void lm_linear_buffers(struct mh_gen *g, const struct lm_product *products, uint32_t count);

/** The products of a layer. */
void lm_products(const struct lm_shape *s, struct lm_product product[LM_PRODUCTS]);

#endif
