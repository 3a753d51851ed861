/* Traces as bytes: what comes out is what went in; checksums find every flipped bit; lenient reading moves accesses
 * into buffers. */
#include <unistd.h>
#include "unit/test.h"
#include "workload/gen.h"
#include "workload/trace/trace_cache.h"
#include "trace_fixture.h"
#include "workload/op_stats.h"

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

TEST(test_round_trip)
{
    struct mh_code code = {NULL, 0, 0};
    struct mh_code_state put = {.mask = 0}, get = {.mask = 0};
    uint64_t n = 0, m = 0, addr[MH_MAX_LANES], got_addr[MH_MAX_LANES];
    size_t at = 0;

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
TEST(test_short)
{
    struct mh_code c = {NULL, 0, 0};
    struct mh_code_state s = {.mask = 0};
    struct mh_op op = {.kind = MH_OP_LOAD, .bytes = 4, .gap = 3, .pc = 5, .mask = UINT64_MAX, .stride = 4};
    uint64_t addr[MH_MAX_LANES];

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

/* What mh_gmt_write() makes of the trace, not compressed. */
static struct bytes written(const struct bytes *t, enum mh_gmt_version version)
{
    char path[256];
    const char *folder = getenv("TMPDIR");
    struct bytes out = {.size = 0};
    struct mh_error err;
    struct mh_workload *w = gmt_parse(t, false, &err);
    FILE *f;

    assert_non_null(w);
    snprintf(path, sizeof path, "%s/test_checks.%d.gmt", folder ? folder : P_tmpdir, (int)getpid());
    assert_int_equal(mh_gmt_write(w, path, version, &err), 0);
    w->destroy(w);
    f = fopen(path, "rb");
    assert_non_null(f);
    out.size = fread(out.b, 1, sizeof out.b, f);
    fclose(f);
    unlink(path);
    return out;
}

static void every_flip_is_found(enum mh_gmt_version version)
{
    struct bytes whole = good(), file = written(&whole, version);
    struct mh_error err = {{0}};
    struct mh_workload *w = gmt_parse(&file, false, &err);

    assert_good(w, err);
    w->destroy(w);
    assert_non_null(strstr((const char *)file.b, " check=crc32\n"));
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        file.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        w = gmt_parse(&file, false, &err);
        if (w)
            fail_msg("bit %zu of byte %zu flipped, and it reads", bit % 8, bit / 8);
        file.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(test_flips)
{
    every_flip_is_found(MH_GMT1);
    every_flip_is_found(MH_GMT2);
}

/* A number that reads as well, in a record: nothing but the sum knows. */
TEST(test_sum_says_where)
{
    struct bytes whole = good(), file = written(&whole, MH_GMT1);
    struct mh_error err;
    size_t at = 0;

    while (at + 1 < file.size && memcmp(file.b + at, "\x20\x07", 2)) /* the load's flags and gap */
        at++;
    file.b[at + 1] = 8;
    assert_null(gmt_parse(&file, false, &err));
    assert_non_null(strstr(err.text, "expected checksum"));
    assert_non_null(strstr(err.text, "the trace is damaged, get it again"));
}

/* Four lanes, 4 bytes each; three buffers: 16 bytes at 0x1000, 2 at 0x1100, 512 at 0x2000. */
static struct bytes outside(bool list, uint64_t first, const int64_t *steps)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {1, 1, 1, 4, 1, 1, 1};

    gmt_text(&t, "GMT1 warp=32\nL\003abc");
    gmt_put(&t, shape, sizeof shape);
    gmt_number(&t, 3);
    gmt_number(&t, 0x1000);
    gmt_number(&t, 16);
    gmt_number(&t, 0x1100);
    gmt_number(&t, 2);
    gmt_number(&t, 0x2000);
    gmt_number(&t, 512);
    gmt_text(&t, "C");
    gmt_number(&t, 0);
    gmt_number(&t, 1);
    gmt_warp(&t, 0, 1);
    gmt_byte(&t, list ? 0x28 : 0x20);
    gmt_number(&t, 0);
    gmt_number(&t, 1);
    gmt_signed(&t, (int64_t)first);
    for (uint32_t i = 0; i < (list ? 3 : 1); i++)
        gmt_signed(&t, steps[i]);
    gmt_text(&t, "E");
    return t;
}

static void moves(const struct bytes *t, uint64_t moved, const uint64_t want[4])
{
    struct mh_error err;
    uint64_t addr[MH_MAX_LANES];
    struct mh_cursor c = {.warp = 0};
    struct mh_op op;
    struct mh_workload *w;

    assert_null(gmt_parse(t, false, &err));
    assert_non_null(strstr(err.text, "--trace-lenient"));
    w = gmt_parse(t, true, &err);
    assert_good(w, err);
    assert_int_equal(mh_trace_about(w)->moved, moved);
    w->start(w, &c);
    w->next(w, &c, &op, addr);
    for (unsigned lane = 0; lane < 4; lane++)
        assert_int_equal(mh_op_address(&op, addr, lane), want[lane]);
    assert_int_equal(mh_trace_about(w)->moved, moved); /* counted once, whatever is read again */
    w->destroy(w);
}

TEST(test_lenient)
{
    /* x[-1] .. x[2] */
    struct bytes t = outside(false, 0x1ffc, (int64_t[]){4});
    moves(&t, 1, (uint64_t[]){0x2000, 0x2000, 0x2004, 0x2008});
    /* The end of the first buffer; beyond it, nearer to it than to the third: the second is too small. */
    t = outside(true, 0x100c, (int64_t[]){1, 0xf3, 0x700});
    moves(&t, 3, (uint64_t[]){0x100c, 0x100c, 0x100c, 0x100c});
}

TEST(test_nearest)
{
    /* Below all, beyond all, past the middle of the gap between the first and the third, exactly in it. */
    struct bytes t = outside(true, 0x10, (int64_t[]){0x8000, 0x1807 - 0x8010, -1});
    const uint64_t middle = (0x100c + 0x2000) / 2;
    assert_int_equal(middle, 0x1806);
    moves(&t, 4, (uint64_t[]){0x1000, 0x21fc, 0x2000, 0x100c});
}

/* Where no buffer takes an access, lenient or not, there is an error. */
TEST(test_no_place)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {1, 1, 1, 4, 1, 1, 1};
    struct mh_error err;

    gmt_text(&t, "GMT1 warp=32\nL\003abc");
    gmt_put(&t, shape, sizeof shape);
    gmt_number(&t, 0);
    gmt_text(&t, "C");
    gmt_number(&t, 0);
    gmt_number(&t, 1);
    gmt_warp(&t, 0, 1);
    gmt_byte(&t, 0x20);
    gmt_number(&t, 0);
    gmt_number(&t, 1);
    gmt_signed(&t, 0x1000);
    gmt_signed(&t, 4);
    gmt_text(&t, "E");
    assert_null(gmt_parse(&t, true, &err));
    assert_non_null(strstr(err.text, "no buffer is so large"));
}
