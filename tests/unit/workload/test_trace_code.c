/* Ops as bytes: what comes out is what went in, and short where it should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include <string.h>

#include "workload/gen.h"
#include "workload/trace/trace_code.h"

enum { OPS = 20000 };

static uint64_t roll(uint64_t *n, uint64_t sides)
{
    return mh_random(7, (*n)++) % sides;
}

/* Any op: addresses anywhere, in tiles, or in one of a few arrays. */
static struct mh_op any_op(uint64_t *n, uint64_t *addr)
{
    struct mh_op op = {.kind = (uint8_t)roll(n, MH_OP_EXIT + 1), .gap = (uint32_t)roll(n, 1 << 20)};
    uint64_t array = roll(n, 5) << 28, width = 1 + roll(n, 64);

    op.wait = (uint8_t)roll(n, MH_WAIT_MAX + 1);
    if (op.wait)
        op.ahead = (uint16_t)roll(n, roll(n, 2) ? 8 : UINT16_MAX + 1);
    if (op.kind == MH_OP_EXIT)
        return op;
    op.pc = 1 + (uint32_t)roll(n, UINT32_MAX);
    op.mask = roll(n, 2) ? UINT64_MAX : mh_random(8, *n) | 1;
    if (op.kind == MH_OP_BARRIER)
        return op;
    op.bytes = 1 + (uint8_t)roll(n, 32);
    op.list = roll(n, 2);
    op.base = array + roll(n, 1 << 20);
    op.stride = op.list ? 0 : (int64_t)roll(n, 1 << 16) - (1 << 15);
    for (uint64_t m = op.list ? op.mask : 0; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        addr[lane] = width < 32 ? array + lane / width * 8192 + lane % width * 4 : roll(n, (uint64_t)1 << 39);
    }
    if (op.list)
        op.base = addr[__builtin_ctzll(op.mask)];
    return op;
}

static void test_round_trip(void **state)
{
    struct mh_code code = {NULL, 0, 0};
    struct mh_code_state put = {.mask = 0}, get = {.mask = 0};
    uint64_t n = 0, m = 0, addr[MH_MAX_LANES], got_addr[MH_MAX_LANES];
    size_t at = 0;

    (void)state;
    for (int i = 0; i < OPS; i++) {
        struct mh_op op = any_op(&n, addr);

        assert_true(mh_code_put(&code, &put, &op, addr));
    }
    mh_code_trim(&code);
    assert_int_equal(code.size, code.capacity);
    for (int i = 0; i < OPS; i++) {
        struct mh_op op = any_op(&m, addr), got;

        at += mh_code_get(code.bytes + at, &get, &got, got_addr);
        assert_true(got.kind == op.kind && got.wait == op.wait && got.ahead == op.ahead && got.list == op.list &&
                    got.gap == op.gap);
        assert_true(got.pc == op.pc && got.bytes == op.bytes && got.base == op.base && got.stride == op.stride);
        assert_int_equal(got.mask, op.mask);
        for (uint64_t l = op.list ? op.mask : 0; l; l &= l - 1)
            assert_int_equal(got_addr[__builtin_ctzll(l)], addr[__builtin_ctzll(l)]);
    }
    assert_int_equal(at, code.size);
    free(code.bytes);
}

static size_t size_of(struct mh_code *c, struct mh_code_state *s, struct mh_op op, const uint64_t *addr)
{
    size_t before = c->size;

    assert_true(mh_code_put(c, s, &op, addr));
    return c->size - before;
}

/* Three arrays in turn, then a tile of two rows. */
static void test_short(void **state)
{
    struct mh_code c = {NULL, 0, 0};
    struct mh_code_state s = {.mask = 0};
    struct mh_op op = {.kind = MH_OP_LOAD, .bytes = 4, .gap = 3, .pc = 5, .mask = UINT64_MAX, .stride = 4};
    uint64_t addr[MH_MAX_LANES];

    (void)state;
    for (uint64_t i = 0; i < 9; i++) {
        op.base = ((uint64_t)1 << 32) + ((i % 3) << 26) + i / 3 * 256;
        if (i < 3)
            size_of(&c, &s, op, NULL);
        else
            assert_int_equal(size_of(&c, &s, op, NULL), 7); /* flags, gap, pc, bytes, 2 of distance, stride */
    }
    for (unsigned i = 0; i < 64; i++)
        addr[i] = op.base + i / 32 * 4096 + i % 32 * 4;
    op.list = true;
    /* flags, gap, pc, bytes; pairs for the first lane, a row, the step to the next one (3972: two bytes), a row */
    assert_int_equal(size_of(&c, &s, op, addr), 4 + 4 * 2 + 1);
    free(c.bytes);
}

int test_trace_code(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_short)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
