/*
 * MOE: the experts of a layer of Mixtral 8x7B (8 experts, the top 2 of each token, width 4096, FFN 14336) as vLLM
 * computes them: fused_moe_kernel for gate and up, silu_and_mul, fused_moe_kernel for down, moe_sum. The token and
 * choice of each row, ordered by experts and padded to whole tiles, is read from sorted_token_ids; a tile has one
 * expert. Rows of X are gathered, rows of Y scattered. Tiles, loads and stages are LINEAR's, by the mean of an expert's
 * rows. The grid is for the worst case of padding; CTAs behind the last tile end at once.
 *
 * Which expert: Zipf's law over the experts, for each choice among those that are left (ours; no skew is published):
 * exponent 0.5, none (`even`) or 1 (`skewed`). Left out: the router, and the sorting of its choices.
 */
#include <stdlib.h>

#include "workload/kernels/language_model.h"
#include "workload/zipf.h"

enum { EXPERTS = 8, TOP = 2, WIDTH = 4096, FFN = 14336, WORD = 4, SUM_THREADS = 1024 };
enum { PC_CHOICE = 1, PC_SUM };
enum { GAP_START = 10, GAP_NEXT = 5 /* loop test, sum, address */, GAP_ADD = 4 /* sums, address */ };

static const char *const variants[] = {"8x7b", "8x7b-even", "8x7b-skewed", NULL};
static const uint32_t hundredths[] = {50, 0, 100};

/* All of g->data, which is one block. */
struct parts {
    struct lm *lm;
    struct lm_route *route;
    uint32_t *slot, *expert, *filled;
    uint32_t chosen[EXPERTS]; /* rows of each */
};

/* The expert of a token's choice. */
static uint32_t choose(const struct mh_gen *g, const struct mh_zipf *z, uint64_t token, uint32_t choice)
{
    const uint32_t others = choice ? choose(g, z, token, choice - 1) : EXPERTS;
    uint32_t expert;
    uint64_t draw = 0;

    do
        expert = (uint32_t)mh_shuffled(
            g->seed, mh_zipf_draw(z, mh_random(mh_random(g->seed, TOP * token + choice), draw++), EXPERTS), EXPERTS);
    while (expert == others);
    return expert;
}

/* Appends an expert's rows to the tiles. */
static void add_expert(const struct mh_gen *g, const struct mh_zipf *z, struct parts *p, uint32_t expert,
                       uint32_t tile_rows)
{
    struct lm_route *r = p->route;
    uint32_t row = 0;

    for (uint32_t slot = 0; slot < TOP * g->n; slot++) {
        if (choose(g, z, slot / TOP, slot % TOP) != expert)
            continue;
        if (row % tile_rows == 0)
            p->expert[r->tiles++] = expert;
        p->slot[(r->tiles - 1) * tile_rows + row % tile_rows] = slot;
        p->filled[r->tiles - 1]++;
        row++;
    }
}

/* False: memory is short. */
static bool make_data(struct mh_gen *g, struct parts *p)
{
    const uint32_t slots = TOP * (uint32_t)g->n, mean = (uint32_t)mh_ceil_div(slots, EXPERTS);
    const uint32_t tile_rows = lm_tile_rows(mean);
    const uint32_t most = (uint32_t)mh_ceil_div(slots + EXPERTS * (tile_rows - 1), tile_rows);
    struct mh_zipf *z = malloc(sizeof *z);

    p->lm = calloc(1, sizeof *p->lm + sizeof *p->route + (uint64_t)most * (tile_rows + 2) * WORD);
    g->data = p->lm;
    if (z && p->lm) {
        p->route = (struct lm_route *)(p->lm + 1);
        p->slot = (uint32_t *)(p->route + 1);
        p->expert = p->slot + most * tile_rows;
        p->filled = p->expert + most;
        *p->route =
            (struct lm_route){.slot = p->slot, .expert = p->expert, .filled = p->filled, .most = most, .rows = mean};
        p->lm->tokens = slots;
        p->lm->shape.ffn = FFN;
        mh_zipf_make(z, hundredths[g->variant]);
        for (uint32_t e = 0; e < EXPERTS; e++)
            add_expert(g, z, p, e, tile_rows);
    }
    free(z);
    return p->lm && p->route;
}

/* Of the warp's element c->v[0] in a row. */
static uint64_t place(const struct mh_gen *g, const struct mh_cursor *c)
{
    return (c->warp * (uint64_t)g->lanes + c->v[0]) * LM_HALF;
}

/* moe_sum: a CTA adds the choices of a token, an element a thread. */
static void sum_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct lm_step *s = lm_step(g, c);
    const uint64_t all = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        for (; c->v[0] < WIDTH; c->v[0] += SUM_THREADS) {
            for (c->v[1] = 0; c->v[1] < TOP; c->v[1]++)
                MH_LOAD(PC_CHOICE, LM_HALF, c->v[0] || c->v[1] ? GAP_NEXT : GAP_START, false, all,
                        s->in + (c->cta * TOP + c->v[1]) * WIDTH * LM_HALF + place(g, c), LM_HALF);
            MH_STORE(PC_SUM, LM_HALF, GAP_ADD, true, all, s->out + c->cta * (uint64_t)WIDTH * LM_HALF + place(g, c),
                     LM_HALF);
        }
        MH_END(2, false);
    }
}

static void add_sum(struct mh_gen *g, uint64_t in, uint64_t out)
{
    const struct mh_launch l = {
        .name = "moe_sum", .ctas = (uint32_t)g->n, .threads = SUM_THREADS, .registers = 16 /* ours */};

    lm_add(g, l, (struct lm_step){.in = in, .out = out}, sum_body);
}

static void build(struct mh_gen *g)
{
    const struct lm_product gate_up = {2 * FFN, WIDTH}, down = {WIDTH, FFN};
    const uint64_t slots = TOP * g->n;
    struct parts p = {.lm = NULL};
    uint64_t in, hidden, down_out, out, weight[2], middle;

    if (!make_data(g, &p)) {
        g->no_memory = true;
        return;
    }
    weight[0] = mh_gen_buffer(g, (uint64_t)EXPERTS * gate_up.columns * gate_up.depth * LM_HALF);
    weight[1] = mh_gen_buffer(g, (uint64_t)EXPERTS * down.columns * down.depth * LM_HALF);
    in = mh_gen_buffer(g, g->n * WIDTH * LM_HALF);
    p.route->slots = mh_gen_buffer(g, (uint64_t)p.route->most * lm_tile_rows(p.route->rows) * WORD);
    p.route->experts = mh_gen_buffer(g, p.route->most * WORD);
    p.route->padded = mh_gen_buffer(g, WORD);
    hidden = mh_gen_buffer(g, slots * gate_up.columns * LM_HALF);
    middle = mh_gen_buffer(g, slots * FFN * LM_HALF);
    down_out = mh_gen_buffer(g, slots * WIDTH * LM_HALF);
    out = mh_gen_buffer(g, g->n * WIDTH * LM_HALF);
    lm_add_routed(g, in, weight[0], hidden, gate_up, p.route, TOP);
    lm_add_silu(g, hidden, middle);
    lm_add_routed(g, middle, weight[1], down_out, down, p.route, 1);
    add_sum(g, down_out, out);
}

const struct mh_kernel mh_kernel_moe = {
    .name = "MOE",
    .suite = LM_SUITE,
    .summary = "experts of Mixtral 8x7B: products whose rows are gathered by expert; 2.8 GB of weights; @ the skew",
    MH_SIZE("tokens", 32 /* ours */, 1, 8192),
    .variants = variants,
    .build = build,
};
