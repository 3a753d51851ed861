/* FLASH against FlashAttention-2's forward kernel: a warp's copies in order, and how often each row of K is read. */
#include "unit/test.h"
#include "unit/workload/touches.h"

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
