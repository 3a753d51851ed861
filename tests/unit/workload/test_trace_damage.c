/* A small trace written byte by byte: what is read from it, and that every kind of damage is found where it is. */
#include "unit/test.h"
#include "trace_fixture.h"
#include "workload/op_stats.h"

TEST(test_small)
{
    struct bytes t = good();
    struct mh_error err;
    struct mh_workload *w = gmt_parse(&t, false, &err);
    struct mh_cursor c = {.warp = 0};
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;

    assert_good(w, err);
    assert_int_equal(w->launch_count, 1);
    assert_true(w->launches[0].ctas == 1 && w->launches[0].threads == 40);
    assert_true(w->launches[0].registers == 32 && w->launches[0].shared_bytes == 0);
    assert_true(w->buffer_count == 1 && w->buffers[0].base == BASE && w->buffers[0].bytes == BYTES);
    w->start(w, &c);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_LOAD && op.bytes == 4 && op.gap == 7 && op.pc == 200 && !op.wait && !op.list);
    assert_true(op.mask == 0xffffffff && op.base == BASE + 124 && op.stride == -4);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_STORE && op.bytes == 3 && op.gap == 300 && op.pc == 3 && op.wait && op.list);
    assert_true(op.mask == 0xe00 && addr[9] == BASE && addr[10] == BASE + 500 && addr[11] == BASE + 10);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_ATOMIC && op.bytes == 8 && op.gap == 0 && op.pc == 200 && !op.wait && !op.list);
    assert_true(op.mask == 0x11000000 && op.stride == 8);
    assert_true(mh_op_address(&op, addr, 24) == BASE + 316 && mh_op_address(&op, addr, 28) == BASE + 348);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_BARRIER && op.gap == 1 && op.pc == 5);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_EXIT && !op.wait);
    c = (struct mh_cursor){.warp = 1};
    w->start(w, &c);
    w->next(w, &c, &op, addr);
    assert_true(op.kind == MH_OP_BARRIER && op.gap == 2);
    w->next(w, &c, &op, addr);
    assert_int_equal(op.kind, MH_OP_EXIT);
    w->destroy(w);
}

static void rejects(const struct bytes *t, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(gmt_parse(t, false, &err));
    if (strcmp(err.text, text) != 0)
        fail_msg("expected '%s'\n     got '%s'", text, err.text);
    assert_null(gmt_parse(t, false, NULL));
}

/* Cut anywhere, a trace is incomplete; the offset is where it ends. */
TEST(test_truncated)
{
    struct bytes whole = good();

    for (size_t size = 0; size < whole.size; size++) {
        struct bytes t = whole;
        struct mh_error err;
        char offset[64];

        t.size = size;
        assert_null(gmt_parse(&t, false, &err));
        snprintf(offset, sizeof offset, "t.gmt: offset %zu: expected ", size);
        assert_ptr_equal(strstr(err.text, offset), err.text);
        assert_non_null(strstr(err.text, "but the file ends: the trace is incomplete"));
    }
}

TEST(test_bad_header)
{
    struct bytes t = {.size = 0};

    gmt_text(&t, "GMT3 warp=32\nE");
    rejects(&t, "t.gmt: offset 3: expected the line 'GMT1 warp=W' or 'GMT2.V warp=W' with W 32 or 64: not a GMT trace, "
                "nor Accel-Sim's");
    t.size = 0;
    gmt_text(&t, "GMT1 warp=16\nE");
    rejects(&t, "t.gmt: offset 0: expected the line 'GMT1 warp=W' or 'GMT2.V warp=W' with W 32 or 64, found warp=16");
    t.size = 0;
    gmt_text(&t, "GMT1 warp=32\nE");
    rejects(&t, "t.gmt: offset 13: the trace ends without a single recorded CTA");
    t.size = 0;
    gmt_text(&t, "GMT1 warp=32\nC");
    rejects(&t, "t.gmt: offset 13: expected a launch ('L') or the end ('E'), found byte 0x43");
}

TEST(test_bad_launch)
{
    struct bytes t = launch();

    t.b[18] = 0;
    rejects(&t, "t.gmt: offset 18: expected grid dimensions from 1 to 4294967295, found 0");
    t = launch();
    t.b[21] = 100, t.b[22] = 100;
    rejects(&t, "t.gmt: offset 21: expected block dimensions with a product of at most 2048, found more");
    t = launch();
    t.b[24] = 3;
    rejects(&t, "t.gmt: offset 24: expected the number of recorded CTAs from 0 to 2, found 3");
    t = launch();
    t.b[28] = 0x80, t.b[29] = 0; /* size 0, not in its shortest form */
    rejects(&t, "t.gmt: offset 28: expected a buffer's size from 1 to 549755809792, found 0");
    t = launch();
    t.size = 26;
    gmt_number(&t, (uint64_t)1 << 39);
    rejects(&t, "t.gmt: offset 26: expected a buffer's address from 0 to 549755813887, found 549755813888");
    t = launch();
    t.size = 25;
    gmt_number(&t, 1000000000);
    rejects(&t, "t.gmt: offset 25: expected the number of buffers from 0 to 1048576, found 1000000000");
    t = launch();
    gmt_text(&t, "X");
    rejects(&t, "t.gmt: offset 30: expected a CTA ('C'), a launch ('L') or the end ('E'), found byte 0x58");
}

TEST(test_bad_cta)
{
    struct bytes t = cta();

    t.b[31] = 2;
    rejects(&t, "t.gmt: offset 31: expected the number of a CTA from 0 to 1, found 2");
    t = cta();
    t.b[32] = 1;
    rejects(&t, "t.gmt: offset 32: expected the number of warps of a CTA from 2 to 2, found 1");
    t = cta();
    gmt_text(&t, "E");
    rejects(&t, "t.gmt: offset 33: expected the CTA's next warp ('W'), found byte 0x45");
    t = cta();
    gmt_warp(&t, 1, 0);
    rejects(&t, "t.gmt: offset 34: expected the number of the CTA's next warp from 0 to 0, found 1");
    t = cta();
    gmt_warp(&t, 0, 1 << 26);
    rejects(&t, "t.gmt: offset 35: expected the number of records from 0 to 33554432, found 67108864");
    t = launch();
    for (int i = 0; i < 3; i++) {
        gmt_put(&t, "C\0\2", 3);
        gmt_warp(&t, 0, 0);
        gmt_warp(&t, 1, 0);
    }
    rejects(&t, "t.gmt: offset 48: expected at most the 2 CTAs that the launch announces, found another");
}

/* One record in warp `warp`: its flags lie at byte 36 (warp 0) or 39 (warp 1). */
static struct bytes record(unsigned warp, unsigned flags, uint64_t gap, uint64_t pc)
{
    struct bytes t = cta();

    if (warp == 1)
        gmt_warp(&t, 0, 0);
    gmt_warp(&t, warp, 1);
    gmt_byte(&t, flags);
    gmt_number(&t, gap);
    gmt_number(&t, pc);
    return t;
}

TEST(test_bad_record)
{
    struct bytes t = record(0, 0xa0, 0, 1);

    rejects(&t, "t.gmt: offset 36: expected a record, found flags 0xa0 with a reserved bit");
    t = record(0, 0x20, 0, 0);
    rejects(&t, "t.gmt: offset 38: expected an instruction's id from 1 to 4294967295, found 0");
    t = record(0, 0x20, (uint64_t)1 << 31, 1);
    rejects(&t, "t.gmt: offset 37: expected an instruction count from 0 to 1073741824, found 2147483648");
    t = record(0, 0x60, 0, 1);
    rejects(&t, "t.gmt: offset 36: expected an access size code of 0..5 or 7, found 6");
    t = record(0, 0x70, 0, 1);
    gmt_number(&t, 33);
    rejects(&t, "t.gmt: offset 39: expected the bytes of one lane's access from 1 to 32, found 33");
    t = record(0, 0x24, 0, 1);
    gmt_put(&t, "\0\0\0\0", 4);
    rejects(&t, "t.gmt: offset 39: expected a mask of some of the lanes 0xffffffff, found 0x0");
    t = record(1, 0x24, 0, 1);
    gmt_put(&t, "\0\1\0\0", 4);
    rejects(&t, "t.gmt: offset 42: expected a mask of some of the lanes 0xff, found 0x100");
    t = record(0, 0x20, 0, 1);
    gmt_put(&t, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
    rejects(&t, "t.gmt: offset 39: expected an address, found a number of more than 64 bits");
    t.size -= 1;
    gmt_put(&t, "\x80\x01", 2);
    rejects(&t, "t.gmt: offset 39: expected an address, found a number of more than 64 bits");
}

#define HINT "; --trace-lenient moves such to the nearest place in a buffer, and counts them"

TEST(test_bad_address)
{
    struct bytes t = record(0, 0x20, 0, 1);

    gmt_signed(&t, BASE + 4); /* 32 lanes a line apart end at BASE + 4 + 31 * 16 + 4 = BASE + 504; one at 20 does not */
    gmt_signed(&t, 20);
    rejects(&t, "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0x120c (4 bytes)" HINT);
    t = record(0, 0x20, 0, 1);
    gmt_signed(&t, BASE + 4);
    gmt_signed(&t, -4);
    rejects(&t, "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0xffc (4 bytes)" HINT);
    t = record(0, 0x20, 0, 1);
    gmt_signed(&t, BASE);
    gmt_signed(&t, INT64_MIN);
    rejects(
        &t,
        "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0x8000000000001000 (4 bytes)" HINT);
    t = record(1, 0x38, 0, 1); /* the last of 8 bytes lies outside */
    gmt_signed(&t, BASE + 504);
    gmt_signed(&t, 1);
    rejects(&t, "t.gmt: offset 39: expected addresses inside the launch's buffers, found 0x11f9 (8 bytes)" HINT);
}

TEST(test_bad_end)
{
    struct bytes t = good();

    gmt_byte(&t, 0);
    rejects(&t, "t.gmt: offset 79: expected the end of the file after 'E', found more data");
}

/* Warps that end early pass fewer barriers. */
TEST(test_barriers)
{
    struct bytes t = record(0, 0x03, 0, 9);
    struct mh_error err;
    struct mh_workload *w;

    gmt_warp(&t, 1, 0);
    gmt_text(&t, "E");
    w = gmt_parse(&t, false, &err);
    assert_good(w, err);
    w->destroy(w);
}
