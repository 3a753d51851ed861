/* MOE against vLLM's fused_moe_kernel: what a CTA reads first, one expert a tile, rows once each, who is popular. */
#include "unit/test.h"
#include "unit/workload/touches.h"

#include <math.h>

enum { EXPERTS = 8, GATE_UP = 28672, WIDTH = 4096, FFN = 14336, PC_ROUTE = 24, PC_X = 17, PC_W, PC_Y };

static void step(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    memset(op, 0xa5, sizeof *op);
    w->next(w, c, op, addr);
}

/*
 * 3 tokens have 6 rows; with 63 rows of padding for each of 8 experts that is 8 tiles of 64 rows at most, and so many
 * CTAs, next to each other, for each 128 of 28672 outputs. CTA 41 is tile 1 and outputs 640 to 767.
 */
TEST(test_first_loads)
{
    LOCAL_WORKLOAD(w) = walk_make("MOE", 3, 1, 32);
    const uint64_t slots = buffer_of(w, 8 * 64 * 4), experts = buffer_of(w, 8 * 4), padded = buffer_of(w, 4);
    const uint64_t expert_bytes = (uint64_t)GATE_UP * WIDTH * 2, weight = buffer_of(w, EXPERTS * expert_bytes);
    struct mh_cursor c = {.cta = 41, .warp = 2};
    uint64_t addr[MH_MAX_LANES], expert = 0;
    struct mh_op op;

    assert_true(w->launch_count == 4 && w->launches[0].ctas == 8 * 224 && w->launches[2].ctas == 8 * 32);
    w->start(w, &c);
    step(w, &c, &op, addr);
    assert_true(op.pc == PC_ROUTE && op.base == padded && op.stride == 0);
    for (uint64_t i = 0; i < 4; i++) { /* third of four warps, four rows a load */
        step(w, &c, &op, addr);
        assert_true(op.bytes == 4 && op.base == slots + (64 + 32 + 4 * i) * 4);
        assert_true(op.row == 8 && op.stride == 0 && op.pitch == 4 && op.wait == (i == 0));
    }
    step(w, &c, &op, addr);
    assert_true(op.base == experts + 4);
    for (uint64_t i = 0; i < 8; i++) { /* no row of X is so far behind: eight loads of W */
        step(w, &c, &op, addr);
        const uint64_t at = op.base - weight;

        assert_true(op.pc == PC_W && op.wait == (i == 0) && op.row == 8 && op.pitch == 8192);
        expert = i ? expert : at / expert_bytes;
        assert_true(at == expert * expert_bytes + (640 + 64 + 4 * i) * 8192 && expert < EXPERTS);
    }
    step(w, &c, &op, addr); /* the next 64 inputs */
    assert_true(op.base - weight == expert * expert_bytes + (640 + 64) * 8192 + 128);
}

static void touches(const struct mh_workload *w, uint32_t lanes, uint32_t launch, int kind, uint64_t base,
                    uint64_t bytes, uint32_t times)
{
    assert_touched(w, lanes, launch, kind, base, bytes, 2, times);
}

/*
 * A token is read for its two experts, by each of 224 CTAs across; every choice's row is written once, activated, read
 * by 32 CTAs across and added to the token's other one.
 */
TEST(test_rows)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("MOE", 3, 1, lanes);

        const uint64_t hidden = buffer_of(w, 6 * GATE_UP * 2), middle = buffer_of(w, 6 * FFN * 2);
        const uint64_t in = w->buffers[2].base, out = buffer_of(w, 6 * WIDTH * 2);

        touches(w, lanes, 0, LOAD, in, 3 * WIDTH * 2, 2 * 224);
        touches(w, lanes, 0, STORE, hidden, 6 * GATE_UP * 2, 1);
        touches(w, lanes, 1, LOAD, hidden, 6 * GATE_UP * 2, 1);
        touches(w, lanes, 1, STORE, middle, 6 * FFN * 2, 1);
        touches(w, lanes, 2, LOAD, middle, 6 * FFN * 2, 32);
        touches(w, lanes, 2, STORE, out, 6 * WIDTH * 2, 1);
        touches(w, lanes, 3, LOAD, out, 6 * WIDTH * 2, 1);
        touches(w, lanes, 3, STORE, w->buffers[w->buffer_count - 1].base, 3 * WIDTH * 2, 1);
    }
}

enum { TOKENS = 2048 };

/* Of CTAs of the first outputs: a tile's expert from its weights, its rows from its stores. */
struct routing {
    uint64_t weight, in, out;
    uint32_t expert, experts[2 * TOKENS], gathered, tokens[TOKENS];
};

static void follow(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    const uint64_t expert_bytes = (uint64_t)GATE_UP * WIDTH * 2;
    struct routing *r = ctx;

    if (op->kind == MH_OP_LOAD && op->pc == PC_W) {
        const uint32_t expert = (uint32_t)((op->base - r->weight) / expert_bytes);

        assert_true(r->expert == UINT32_MAX || r->expert == expert);
        r->expert = expert;
    }
    for (uint64_t m = op->kind == MH_OP_STORE ? op->mask : 0; m; m &= m - 1)
        r->experts[(addr[__builtin_ctzll(m)] - r->out) / (GATE_UP * 2)] = r->expert;
    for (uint64_t m = op->kind == MH_OP_LOAD && op->pc == PC_X ? op->mask : 0; m; m &= m - 1)
        r->tokens[(addr[__builtin_ctzll(m)] - r->in) / (WIDTH * 2)]++;
}

static void find_routing(const char *spec, struct routing *r)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, TOKENS, 1, 32);
    const uint32_t most = (2 * TOKENS + EXPERTS * 127 + 127) / 128, columns = GATE_UP / 256;

    *r = (struct routing){.weight = buffer_of(w, (uint64_t)EXPERTS * GATE_UP * WIDTH * 2),
                          .in = buffer_of(w, (uint64_t)TOKENS * WIDTH * 2),
                          .out = buffer_of(w, 2ull * TOKENS * GATE_UP * 2)};
    memset(r->experts, 0xff, sizeof r->experts);
    assert_int_equal(w->launches[0].ctas, most * columns);
    for (uint32_t tile = 0; tile < most; tile++) {
        r->expert = UINT32_MAX;
        for (uint32_t warp = 0; warp < 8; warp++)
            walk_warp(w, (struct walk_place){0, tile / 8 * 8 * columns + tile % 8, warp}, follow, r);
    }
}

static int more_first(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x < y) - (x > y);
}

/* Expected rows of the expert that is popular in place `place`: a first choice by its weight, or a second one. */
static double expected(double s, int place)
{
    double p[EXPERTS], sum = 0, rows;

    for (int e = 0; e < EXPERTS; e++)
        sum += p[e] = pow(e + 1, -s);
    rows = p[place] / sum;
    for (int e = 0; e < EXPERTS; e++)
        rows += e == place ? 0 : p[e] / sum * p[place] / (sum - p[e]);
    return rows * TOKENS;
}

static void check_skew(const char *spec, double s)
{
    static struct routing r;
    uint32_t rows[EXPERTS] = {0};

    find_routing(spec, &r);
    for (uint32_t slot = 0; slot < 2 * TOKENS; slot++) {
        assert_true(r.experts[slot] < EXPERTS);
        assert_true(r.experts[slot] != r.experts[slot ^ 1]);
        rows[r.experts[slot]]++;
    }
    for (uint32_t t = 0; t < TOKENS; t++)
        assert_int_equal(r.tokens[t], 2 * WIDTH * 2 / 16); /* both times a whole row, 16 bytes a lane */
    qsort(rows, EXPERTS, sizeof *rows, more_first);
    for (int place = 0; place < EXPERTS; place++)
        if (fabs(rows[place] - expected(s, place)) > 5 * sqrt(expected(s, place)))
            fail_msg("%s: expert %d has %u rows, not %.0f", spec, place, rows[place], expected(s, place));
}

TEST(test_skew)
{
    check_skew("MOE", 0.5);
    check_skew("MOE@8x7b-even", 0);
    check_skew("MOE@8x7b-skewed", 1);
}

TEST_GROUP(.slow = true);
