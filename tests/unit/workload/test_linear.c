/*
 * LINEAR against CUTLASS's multistage mainloop: the addresses of a warp's loads, worked out by hand; that each operand
 * is read as often as there are tiles across, and each result is written once.
 */
#include "unit/test.h"
#include "unit/workload/touches.h"

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
