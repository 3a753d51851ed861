/* Kernels of language models: FLASH, LINEAR, TOKENWISE. */
#include "unit/test.h"
#include "touches.h"

/* FLASH against FlashAttention-2's forward kernel: a warp's copies in order, and how often each row of K is read. */

enum { TOKENS = 300, QKV_ROW = 10 * 256 /* bytes: 8 heads, K, V */, OUT_ROW = 8 * 256 };

/* The second of four warps has 4 of each 16 rows: both halves of each 4, a line a row; no row behind the last. */
static uint32_t copies(const struct mh_op *op, enum mh_op_kind kind, uint64_t at, uint32_t first, uint32_t rows,
                       uint64_t pitch)
{
    uint32_t i = 0;

    for (uint32_t row = first + 4; row < first + rows && row < TOKENS; row += 16)
        for (uint32_t half = 0; half < 2; half++, i++) {
            assert_true(op[i].kind == kind && op[i].bytes == 16 && op[i].row == 8 && op[i].stride == 16);
            assert_true(op[i].base == at + row * pitch + half * 128 && op[i].pitch == (int64_t)pitch);
            assert_true(op[i].mask == 0xffffffff);
        }
    return i;
}

/* CTA 5 of three a head: head 1, tokens from 256 on; five tiles of keys, from the last. */
TEST(test_order)
{
    LOCAL_WORKLOAD(w) = walk_make("FLASH@70b", TOKENS, 1, 32);
    const uint64_t qkv = buffer_of(w, TOKENS * QKV_ROW), key = qkv + 8 * 256, value = qkv + 9 * 256;
    struct warp_ops s = {.count = 0};
    uint32_t i = 0;

    assert_int_equal(w->launches[0].ctas, 8 * 3);
    walk_warp(w, (struct walk_place){0, 5, 1}, keep_op, &s);
    i += copies(s.op + i, MH_OP_LOAD, qkv + 256, 256, 128, QKV_ROW);
    assert_int_equal(i, 6);
    i += copies(s.op + i, MH_OP_LOAD, key, 256, 64, QKV_ROW);
    for (uint32_t tile = 5; tile-- > 0;) {
        assert_true(s.op[i].kind == MH_OP_BARRIER && s.op[i].wait == 1 && s.op[i].ahead == s.op[i].gap);
        i++;
        i += copies(s.op + i, MH_OP_LOAD, value, tile * 64, 64, QKV_ROW);
        /* 128 products at 4, 48 ldmatrix; 64 scores masked in three tiles */
        assert_int_equal(s.op[i].gap, 128 * 4 + 48 + (tile > 1 ? 3 * 64 : 0));
        assert_true(s.op[i].kind == MH_OP_BARRIER && s.op[i].wait == 1 && s.op[i].ahead == s.op[i].gap);
        i++;
        if (tile)
            i += copies(s.op + i, MH_OP_LOAD, key, (tile - 1) * 64, 64, QKV_ROW);
    }
    assert_int_equal(s.op[i++].kind, MH_OP_BARRIER);
    /* Rows 272 to 279 and 280 to 287 of the first 64: one fp32 a row, 4 lanes a row; none of the next 64. */
    for (uint32_t row = 272; row < 288; row += 8, i++)
        assert_true(s.op[i].kind == MH_OP_STORE && s.op[i].bytes == 4 && s.op[i].mask == 0x11111111 &&
                    s.op[i].base == buffer_of(w, TOKENS * 8 * 4) + (TOKENS + row) * 4 && s.op[i].stride == 1);
    i += copies(s.op + i, MH_OP_STORE, buffer_of(w, TOKENS * OUT_ROW) + 256, 256, 128, OUT_ROW);
    assert_int_equal(s.op[i].kind, MH_OP_EXIT);
}

/* Token tile t of three needs the keys before its end: keys 0 to 127 are read three times by each of 8 heads. */
TEST(test_causal)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("FLASH@70b", TOKENS, 1, lanes);
        const uint64_t qkv = buffer_of(w, TOKENS * QKV_ROW), sums = buffer_of(w, TOKENS * 8 * 4);
        uint32_t *read = count_touches(w, lanes, 0, LOAD, 0, qkv, TOKENS * QKV_ROW / 16, 16);
        uint32_t *out = count_touches(w, lanes, 0, STORE, 0, buffer_of(w, TOKENS * OUT_ROW), TOKENS * OUT_ROW / 16, 16);
        uint32_t *lse = count_touches(w, lanes, 0, STORE, 0, sums, TOKENS * 8, 4);

        for (uint32_t i = 0; i < TOKENS * QKV_ROW / 16; i++)
            assert_int_equal(read[i], i % 160 < 128 ? 1 : 8 * (3 - i / 160 / 128));
        for (uint32_t i = 0; i < TOKENS * OUT_ROW / 16; i++)
            assert_int_equal(out[i], 1);
        for (uint32_t i = 0; i < TOKENS * 8; i++)
            assert_int_equal(lse[i], 1);
        free(read);
        free(out);
        free(lse);
    }
}

/*
 * LINEAR against CUTLASS's multistage mainloop: the addresses of a warp's loads, worked out by hand; that each operand
 * is read as often as there are tiles across, and each result is written once.
 */

static struct warp_ops of_warp(const struct mh_workload *w, uint32_t launch, uint32_t cta, uint32_t warp)
{
    struct warp_ops s = {.count = 0};

    walk_warp(w, (struct walk_place){launch, cta, warp}, keep_op, &s);
    return s;
}

/* Rows of 128 bytes, one below the other: 8 lanes of 16 bytes each. */
static void is_tile(const struct mh_op *op, uint64_t base, int64_t pitch)
{
    assert_true(op->kind == MH_OP_LOAD && op->bytes == 16 && op->row == 8 && op->stride == 16);
    assert_true(op->base == base && op->pitch == pitch);
}

/*
 * 20 tokens of a shard of Llama 3 70B: Q, K and V are 1280 outputs of 8192 inputs, 10 tiles of 128. 22 slices of 6 of
 * the 128 tiles of depth fill an A100. CTA 13 has the fourth tile of outputs and the second slice: outputs from 384 and
 * bytes from 6 x 128 on. The third of 4 warps loads 32 of the 128 rows of W, 4 at a time, from row 64; of X's 64 rows
 * it would load those from 32 on, which there are not.
 */
TEST(test_split)
{
    LOCAL_WORKLOAD(w) = walk_make("LINEAR@70b", 20, 1, 32);
    const uint64_t weight = buffer_of(w, 1280 * 8192 * 2), input = buffer_of(w, 20 * 8192 * 2);
    const struct warp_ops s = of_warp(w, 0, 13, 2), second = of_warp(w, 0, 13, 1);
    const uint64_t first = weight + (3 * 128 + 64) * 16384 + 6 * 128;
    uint32_t i = 0;

    assert_int_equal(w->launches[0].ctas, 10 * 22);
    for (uint32_t tile = 0; tile < 6; tile++) {
        for (uint32_t load = 0; load < 8; load++)
            is_tile(&s.op[i++], first + tile * 128 + load * 4 * 16384, 16384);
        if (tile > 0)
            assert_true(s.op[i].kind == MH_OP_BARRIER && s.op[i++].wait == 8);
    }
    assert_true(s.op[i].kind == MH_OP_BARRIER && s.op[i].wait == 1);
    /* Start; 47 more loads; 24 steps of 16 products at 4 and 12 others; 7 barriers; four times through shared memory.
     */
    assert_int_equal(s.gap, 60 + 47 * 3 + 24 * (16 * 4 + 12) + 7 * 4 + 3 + 4 * 10 + 2);
    /* The second has rows 16 to 19 of X, one load a tile, and stores rows 4 to 7 and 12 to 15 of the first 16. */
    is_tile(&second.op[0], input + 16 * 16384 + 6 * 128, 16384);
    assert_true(second.op[0].mask == 0xffffffff);
    assert_int_equal(second.count, s.count + 6 + 8);
    assert_int_equal(second.gap, s.gap + 6 * 3 + 8 * 7);
}

/* 128 outputs of a row are 512 bytes of fp32: a store of a warp. The first warp's third is row 2. */
TEST(test_workspace)
{
    LOCAL_WORKLOAD(w) = walk_make("LINEAR@70b", 20, 1, 32);
    const struct warp_ops s = of_warp(w, 0, 13, 0);
    const uint64_t space = w->buffers[w->buffer_count - 1].base, row = 1280 * 4;
    uint32_t i = 0;

    while (s.op[i].kind != MH_OP_STORE)
        i++;
    assert_true(s.op[i + 2].base == space + (20 + 2) * row + 3 * 512 && s.op[i + 2].stride == 16);
}

/* Of the buffer of so many bytes. */
static void reads(const struct mh_workload *w, uint32_t lanes, uint32_t launch, int kind, uint64_t bytes,
                  uint32_t times)
{
    assert_touched(w, lanes, launch, kind, buffer_of(w, bytes), bytes, 16, times);
}

/* Launches 0 and 1 are a product of 10 tiles across and its sum, 4 and 5 one of 56 tiles. */
TEST(test_decode)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("LINEAR@70b", 21, 1, lanes);

        assert_int_equal(w->launch_count, 8);
        reads(w, lanes, 0, LOAD, 1280 * 8192 * 2, 1);
        reads(w, lanes, 0, LOAD, 21 * 8192 * 2, 10);
        reads(w, lanes, 1, STORE, 21 * 1280 * 2, 1);
        reads(w, lanes, 4, LOAD, 7168 * 8192 * 2, 1);
        reads(w, lanes, 5, STORE, 21 * 7168 * 2, 1);
    }
}

/* 300 tokens are 3 tiles of 128, 1280 outputs 5 of 256. Blocks are swizzled over 8 tiles of outputs: CTA 10 is token
 * tile 1, output tile 2, and CTAs 5 to 7 of each 8 have nothing to do. */
TEST(test_prefill)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("LINEAR@70b", 300, 1, lanes);
        const struct warp_ops idle = of_warp(w, 0, 13, 0);
        struct mh_cursor c = {.cta = 10, .warp = 1};
        uint64_t addr[MH_MAX_LANES];
        struct mh_op op;

        assert_int_equal(w->launch_count, 4);
        assert_int_equal(w->launches[0].ctas, 3 * 8);
        assert_true(idle.count == 1 && idle.op[0].kind == MH_OP_EXIT);
        w->start(w, &c);
        w->next(w, &c, &op, addr);
        is_tile(&op, buffer_of(w, 300 * 8192 * 2) + (128 + 4 * (lanes / 8)) * 16384, 16384);
        w->next(w, &c, &op, addr);
        is_tile(&op, buffer_of(w, 1280 * 8192 * 2) + (2 * 256 + 8 * (lanes / 8)) * 16384, 16384);
        reads(w, lanes, 0, LOAD, 1280 * 8192 * 2, 3);
        reads(w, lanes, 0, LOAD, 300 * 8192 * 2, 5);
        reads(w, lanes, 0, STORE, 300 * 1280 * 2, 1);
    }
}

/* TOKENWISE: how often vLLM's kernels touch each element, and the slots of the paged cache. */

enum { WIDTH = 4096, QKV = (32 + 8 + 8) * 128, FFN = 14336 };

/* Of Llama 3 8B; `buffer` in the order of allocation, `base` its address. */
static void check(const struct mh_workload *w, uint32_t lanes, int kind, uint64_t base, uint64_t count, uint32_t times)
{
    uint32_t *touched = count_touches(w, lanes, 0, kind, 0, base, count, 2);

    for (uint64_t i = 0; i < count; i++)
        if (touched[i] != times)
            fail_msg("kind %d: element %llu of %llu touched %u times, not %u", kind, (unsigned long long)i,
                     (unsigned long long)count, touched[i], times);
    free(touched);
}

/* 5 tokens: 1024 threads, of which 512 have a vector of 8; 300: 256 threads take two each. */
TEST(test_norm)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32)
        for (uint64_t tokens = 5; tokens <= 300; tokens += 295) {
            LOCAL_WORKLOAD(w) = walk_make("TOKENWISE", tokens, 1, lanes);
            const bool few = tokens == 5;
            /* Small buffers follow one another; of three the last is the only small one. */
            const uint64_t in = w->buffers[0].base, residual = w->buffers[1].base;

            assert_int_equal(w->launches[0].threads, few ? 1024 : 256);
            assert_int_equal(w->launches[0].ctas, tokens);
            check(w, lanes, LOAD, in, tokens * WIDTH, 1);
            check(w, lanes, STORE, in, tokens * WIDTH, 1);
            check(w, lanes, LOAD, residual, tokens * WIDTH, 2);
            check(w, lanes, STORE, residual, tokens * WIDTH, 1);
            check(w, lanes, LOAD, w->buffers[2].base, WIDTH, (uint32_t)tokens);
        }
}

/* Q and K turn in place, V stays. Token i is at position i: each of 40 heads reads row i of the table. */
TEST(test_rope)
{
    enum { POSITIONS = 9 };

    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@rope", POSITIONS, 1, lanes);
        const uint64_t qkv = w->buffers[0].base, table = w->buffers[2].base;

        assert_int_equal(w->launches[0].threads, 512);
        for (uint32_t token = 0; token < POSITIONS; token++)
            for (int kind = LOAD; kind <= STORE; kind++) {
                check(w, lanes, kind, qkv + token * QKV * 2, 40 * 128, 1);
                check(w, lanes, kind, qkv + (token * QKV + 40 * 128) * 2, 8 * 128, 0);
            }
        check(w, lanes, LOAD, table, POSITIONS * 128, 40);
        check(w, lanes, LOAD, table + POSITIONS * 256, 128, 0);
    }
}

/* The place of a token in a block of K or V of a head, from the offset of an element: [16][16 tokens][8], [128][16]. */
static uint32_t token_of(uint64_t element, bool value)
{
    return (uint32_t)(value ? element % 16 : element / 8 % 16);
}

/* 40 tokens fill two blocks and half of a third, K's and V's, of all 8 heads. */
static void check_cache(const struct mh_workload *w, uint32_t lanes)
{
    const uint64_t units = 2 * 3 * 8, pool = w->buffers[w->buffer_count - 1].base;
    uint32_t *touched = count_touches(w, lanes, 0, STORE, 0, pool, units * 2048, 2), whole = 0;

    for (uint64_t u = 0; u < units; u++) {
        uint32_t tokens[16] = {0};

        for (uint64_t e = 0; e < 2048; e++) {
            assert_true(touched[u * 2048 + e] <= 1);
            tokens[token_of(e, u >= units / 2)] += touched[u * 2048 + e];
        }
        for (uint32_t t = 0; t < 16; t++)
            assert_int_equal(tokens[t], t < 8 || tokens[15] ? 128 : 0);
        whole += tokens[15] > 0;
    }
    assert_int_equal(whole, 2 * 2 * 8);
    free(touched);
}

TEST(test_cache)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@cache", 40, 1, lanes);

        for (uint32_t token = 0; token < 40; token++) {
            check(w, lanes, LOAD, w->buffers[0].base + token * QKV * 2, 32 * 128, 0);
            check(w, lanes, LOAD, w->buffers[0].base + (token * QKV + 32 * 128) * 2, 16 * 128, 1);
        }
        check_cache(w, lanes);
    }
}

TEST(test_silu)
{
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        LOCAL_WORKLOAD(w) = walk_make("TOKENWISE@silu", 7, 1, lanes);

        check(w, lanes, LOAD, w->buffers[0].base, 7 * 2 * FFN, 1);
        check(w, lanes, STORE, w->buffers[1].base, 7 * FFN, 1);
    }
}
