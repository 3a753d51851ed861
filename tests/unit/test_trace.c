/* Recorded traces: statistics of good files equal those published with them; every kind of damage is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"
#include "workload/trace_store.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data/"
#endif

/* ---- good files ---- */

struct totals {
    struct mh_op_sums sums;
    uint64_t kinds[MH_OP_EXIT + 1], lost_waits;
    bool after_load;
};

static void total_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct totals *t = ctx;

    (void)at;
    t->kinds[op->kind]++;
    if (op->wait != t->after_load)
        t->lost_waits++;
    t->after_load = op->kind == MH_OP_LOAD;
    mh_op_sums_add(&t->sums, op, addr);
}

static uint64_t count_of(const json_t *j, const char *key)
{
    const json_t *v = json_object_get(j, key);

    assert_true(json_is_integer(v));
    return (uint64_t)json_integer_value(v);
}

/* The published number has `digits` decimals. */
static void same_ratio(const json_t *j, const char *key, uint64_t a, uint64_t b, int digits)
{
    double published = json_number_value(json_object_get(j, key)), ours = (double)a / (double)b;

    if (fabs(published - ours) > 0.500001 * pow(10, -digits))
        fail_msg("%s: published %.4f, read %.6f", key, published, ours);
}

static void check_launches(const struct mh_workload *w, const json_t *j)
{
    const json_t *list = json_object_get(j, "launches");
    uint64_t ctas = 0;

    assert_int_equal(w->launch_count, json_array_size(list));
    for (uint32_t i = 0; i < w->launch_count; i++) {
        const json_t *l = json_array_get(list, i), *block = json_object_get(l, "block");
        uint64_t threads = 1;

        for (size_t d = 0; d < 3; d++)
            threads *= (uint64_t)json_integer_value(json_array_get(block, d));
        assert_int_equal(w->launches[i].threads, threads);
        assert_string_equal(w->launches[i].name, json_string_value(json_object_get(l, "kernel")));
        assert_true(w->launches[i].ctas <= count_of(l, "ctas_run"));
        ctas += w->launches[i].ctas;
    }
    assert_int_equal(ctas, count_of(j, "ctas"));
}

static void check_file(const char *name, uint32_t lanes)
{
    char path[256];
    struct mh_error err;
    struct mh_workload *w;
    struct totals t = {.after_load = false};
    json_t *j;

    snprintf(path, sizeof path, TEST_DATA "%s.w%u.json", name, lanes);
    j = json_load_file(path, 0, NULL);
    assert_non_null(j);
    snprintf(path, sizeof path, TEST_DATA "%s.w%u.gmt.zst", name, lanes);
    w = mh_trace_open(path, lanes, &err);
    if (!w)
        fail_msg("%s", err.text);
    check_launches(w, j);
    walk_all(w, lanes, total_op, &t);
    assert_int_equal(t.lost_waits, 0);
    assert_int_equal(t.kinds[MH_OP_LOAD], count_of(j, "loads"));
    assert_int_equal(t.kinds[MH_OP_STORE], count_of(j, "stores"));
    assert_int_equal(t.kinds[MH_OP_ATOMIC], count_of(j, "atomics"));
    assert_int_equal(t.kinds[MH_OP_BARRIER], count_of(j, "barriers"));
    assert_int_equal(t.kinds[MH_OP_EXIT], count_of(j, "warps"));
    assert_int_equal(t.sums.gap, count_of(j, "nonmem_instr"));
    assert_int_equal(t.sums.max_pages, count_of(j, "max_pages4k"));
    same_ratio(j, "avg_lanes", t.sums.lanes, t.sums.ops, 3);
    same_ratio(j, "avg_sectors32", t.sums.sectors, t.sums.ops, 3);
    same_ratio(j, "avg_lines128", t.sums.lines, t.sums.ops, 3);
    same_ratio(j, "avg_pages4k", t.sums.pages, t.sums.ops, 3);
    same_ratio(j, "frac_ge8_pages", t.sums.ops_8_pages, t.sums.ops, 4);
    w->destroy(w);
    json_decref(j);
}

static void test_statistics(void **state)
{
    (void)state;
    check_file("pb_atax_k1", 32);
    check_file("pb_atax_k1", 64);
    check_file("pb_atax_k2", 32);
    check_file("pb_atax_k2", 64);
    check_file("pb_bicg", 32);
    check_file("pb_bicg", 64);
    check_file("pb_gemm", 32);
    check_file("pb_gemm", 64);
    check_file("rod_hotspot", 32);
    check_file("rod_hotspot", 64);
    check_file("rod_lud", 64);
    check_file("rod_nw", 64);
    check_file("rod_backprop", 64);
    check_file("parb_sad", 64);
}

/* ---- a small trace, byte by byte ---- */

struct bytes {
    uint8_t b[4096];
    size_t size;
};

static void put(struct bytes *t, const void *data, size_t size)
{
    assert_true(t->size + size <= sizeof t->b);
    memcpy(t->b + t->size, data, size);
    t->size += size;
}

static void put_number(struct bytes *t, uint64_t v)
{
    do {
        uint8_t byte = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));

        put(t, &byte, 1);
        v >>= 7;
    } while (v);
}

static void put_signed(struct bytes *t, int64_t v)
{
    put_number(t, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static void put_byte(struct bytes *t, unsigned v)
{
    uint8_t byte = (uint8_t)v;

    put(t, &byte, 1);
}

static void put_text(struct bytes *t, const char *text)
{
    put(t, text, strlen(text));
}

enum { BASE = 0x1000, BYTES = 512 };

/* Header and launch of 2 x 1 x 1 CTAs of 40 threads (warps of 32 and 8) over one buffer. */
static struct bytes launch(void)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {2, 1, 1, 40, 1, 1, 2};

    put_text(&t, "GMT1 warp=32\nL\003abc"); /* 13 bytes, tag, length, name */
    put(&t, shape, sizeof shape);           /* from byte 18 */
    put_number(&t, 1);
    put_number(&t, BASE); /* two bytes */
    put_number(&t, BYTES);
    assert_int_equal(t.size, 30);
    return t;
}

static struct bytes cta(void)
{
    struct bytes t = launch();

    put_text(&t, "C"); /* byte 30 */
    put_number(&t, 0);
    put_number(&t, 2);
    return t; /* next: byte 33 */
}

/* A warp with no records. */
static void put_warp(struct bytes *t, unsigned warp, unsigned records)
{
    put_text(t, "W");
    put_number(t, warp);
    put_number(t, records);
}

static struct bytes good(void)
{
    struct bytes t = cta();

    put_warp(&t, 0, 4);
    put_byte(&t, 0x20); /* load, all lanes, base + stride, 4 bytes */
    put_number(&t, 7);
    put_number(&t, 200);
    put_signed(&t, BASE + 124);
    put_signed(&t, -4);
    put_byte(&t, 0x04 | 0x08 | 0x01 | 0x70); /* store, mask, list, size follows */
    put_number(&t, 300);
    put_number(&t, 3);
    put(&t, "\x00\x0e\x00\x00", 4); /* lanes 9, 10, 11 */
    put_number(&t, 3);
    put_signed(&t, BASE);
    put_signed(&t, 500);
    put_signed(&t, -490);
    put_byte(&t, 0x02 | 0x04 | 0x30); /* atomic, mask, stride, 8 bytes */
    put_number(&t, 0);
    put_number(&t, 200);
    put(&t, "\x00\x00\x00\x11", 4); /* lanes 24 and 28 */
    put_signed(&t, 132 + 60);       /* from the last address of pc 200 */
    put_signed(&t, 8);
    put_byte(&t, 0x03); /* barrier */
    put_number(&t, 1);
    put_number(&t, 5);
    put_warp(&t, 1, 1);
    put_byte(&t, 0x03);
    put_number(&t, 2);
    put_number(&t, 5);
    put_text(&t, "E");
    return t;
}

static struct mh_workload *parse(const struct bytes *t, struct mh_error *err)
{
    /* An exact copy, so that a read past the end is seen by the address sanitizer. */
    uint8_t *copy = malloc(t->size ? t->size : 1);
    struct mh_workload *w;

    assert_non_null(copy);
    memcpy(copy, t->b, t->size);
    w = mh_trace_parse(copy, t->size, "t.gmt", 32, err);
    free(copy);
    return w;
}

static void test_small(void **state)
{
    struct bytes t = good();
    struct mh_error err;
    struct mh_workload *w = parse(&t, &err);
    struct mh_cursor c = {.warp = 0};
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;

    (void)state;
    if (!w)
        fail_msg("%s", err.text);
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

/* ---- damage ---- */

static void rejects(const struct bytes *t, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(parse(t, &err));
    if (strcmp(err.text, text) != 0)
        fail_msg("expected '%s'\n     got '%s'", text, err.text);
    assert_null(parse(t, NULL));
}

/* Cut anywhere, a trace is incomplete; the offset is where it ends. */
static void test_truncated(void **state)
{
    struct bytes whole = good();

    (void)state;
    for (size_t size = 0; size < whole.size; size++) {
        struct bytes t = whole;
        struct mh_error err;
        char offset[64];

        t.size = size;
        assert_null(parse(&t, &err));
        snprintf(offset, sizeof offset, "t.gmt: offset %zu: expected ", size);
        assert_ptr_equal(strstr(err.text, offset), err.text);
        assert_non_null(strstr(err.text, "but the file ends: the trace is incomplete"));
    }
}

static void test_bad_header(void **state)
{
    struct bytes t = {.size = 0};

    (void)state;
    put_text(&t, "GMT2 warp=32\nE");
    rejects(&t, "t.gmt: offset 3: expected the line 'GMT1 warp=32' or 'GMT1 warp=64': not a GMT1 trace");
    t.size = 0;
    put_text(&t, "GMT1 warp=16\nE");
    rejects(&t, "t.gmt: offset 10: expected the line 'GMT1 warp=32' or 'GMT1 warp=64', found warp=16");
    t.size = 0;
    put_text(&t, "GMT1 warp=32\nE");
    rejects(&t, "t.gmt: offset 13: the trace ends without a single recorded CTA");
    t.size = 0;
    put_text(&t, "GMT1 warp=32\nC");
    rejects(&t, "t.gmt: offset 13: expected a launch ('L') or the end ('E'), found byte 0x43");
}

static void test_bad_launch(void **state)
{
    struct bytes t = launch();

    (void)state;
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
    put_number(&t, (uint64_t)1 << 39);
    rejects(&t, "t.gmt: offset 26: expected a buffer's address from 0 to 549755813887, found 549755813888");
    t = launch();
    t.size = 25;
    put_number(&t, 1000000000);
    rejects(&t, "t.gmt: offset 25: expected the number of buffers from 0 to 1024, found 1000000000");
    t = launch();
    put_text(&t, "X");
    rejects(&t, "t.gmt: offset 30: expected a CTA ('C'), a launch ('L') or the end ('E'), found byte 0x58");
}

static void test_bad_cta(void **state)
{
    struct bytes t = cta();

    (void)state;
    t.b[31] = 2;
    rejects(&t, "t.gmt: offset 31: expected the number of a CTA from 0 to 1, found 2");
    t = cta();
    t.b[32] = 1;
    rejects(&t, "t.gmt: offset 32: expected the number of warps of a CTA from 2 to 2, found 1");
    t = cta();
    put_text(&t, "E");
    rejects(&t, "t.gmt: offset 33: expected the CTA's next warp ('W'), found byte 0x45");
    t = cta();
    put_warp(&t, 1, 0);
    rejects(&t, "t.gmt: offset 34: expected the number of the CTA's next warp from 0 to 0, found 1");
    t = cta();
    put_warp(&t, 0, 1 << 26);
    rejects(&t, "t.gmt: offset 35: expected the number of records from 0 to 33554432, found 67108864");
    t = launch();
    for (int i = 0; i < 3; i++) {
        put(&t, "C\0\2", 3);
        put_warp(&t, 0, 0);
        put_warp(&t, 1, 0);
    }
    rejects(&t, "t.gmt: offset 48: expected at most the 2 CTAs that the launch announces, found another");
}

/* One record in warp `warp`: its flags lie at byte 36 (warp 0) or 39 (warp 1). */
static struct bytes record(unsigned warp, unsigned flags, uint64_t gap, uint64_t pc)
{
    struct bytes t = cta();

    if (warp == 1)
        put_warp(&t, 0, 0);
    put_warp(&t, warp, 1);
    put_byte(&t, flags);
    put_number(&t, gap);
    put_number(&t, pc);
    return t;
}

static void test_bad_record(void **state)
{
    struct bytes t = record(0, 0xa0, 0, 1);

    (void)state;
    rejects(&t, "t.gmt: offset 36: expected a record, found flags 0xa0 with a reserved bit");
    t = record(0, 0x20, 0, 0);
    rejects(&t, "t.gmt: offset 38: expected an instruction's id from 1 to 4294967295, found 0");
    t = record(0, 0x20, (uint64_t)1 << 31, 1);
    rejects(&t, "t.gmt: offset 37: expected an instruction count from 0 to 1073741824, found 2147483648");
    t = record(0, 0x60, 0, 1);
    rejects(&t, "t.gmt: offset 36: expected an access size code of 0..5 or 7, found 6");
    t = record(0, 0x70, 0, 1);
    put_number(&t, 33);
    rejects(&t, "t.gmt: offset 39: expected the bytes of one lane's access from 1 to 32, found 33");
    t = record(0, 0x24, 0, 1);
    put(&t, "\0\0\0\0", 4);
    rejects(&t, "t.gmt: offset 39: expected a mask of some of the lanes 0xffffffff, found 0x0");
    t = record(1, 0x24, 0, 1);
    put(&t, "\0\1\0\0", 4);
    rejects(&t, "t.gmt: offset 42: expected a mask of some of the lanes 0xff, found 0x100");
    t = record(0, 0x20, 0, 1);
    put(&t, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
    rejects(&t, "t.gmt: offset 39: expected an address, found a number of more than 64 bits");
    t.size -= 1;
    put(&t, "\x80\x01", 2);
    rejects(&t, "t.gmt: offset 39: expected an address, found a number of more than 64 bits");
}

static void test_bad_address(void **state)
{
    struct bytes t = record(0, 0x20, 0, 1);

    (void)state;
    put_signed(&t, BASE + 4); /* 32 lanes a line apart end at BASE + 4 + 31 * 16 + 4 = BASE + 504; one at 20 does not */
    put_signed(&t, 20);
    rejects(&t, "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0x120c (4 bytes)");
    t = record(0, 0x20, 0, 1);
    put_signed(&t, BASE + 4);
    put_signed(&t, -4);
    rejects(&t, "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0xffc (4 bytes)");
    t = record(0, 0x20, 0, 1);
    put_signed(&t, BASE);
    put_signed(&t, INT64_MIN);
    rejects(&t, "t.gmt: offset 36: expected addresses inside the launch's buffers, found 0x8000000000001000 (4 bytes)");
    t = record(1, 0x38, 0, 1); /* the last of 8 bytes lies outside */
    put_signed(&t, BASE + 504);
    put_signed(&t, 1);
    rejects(&t, "t.gmt: offset 39: expected addresses inside the launch's buffers, found 0x11f9 (8 bytes)");
}

static void test_bad_end(void **state)
{
    struct bytes t = good();

    (void)state;
    put_byte(&t, 0);
    rejects(&t, "t.gmt: offset 79: expected the end of the file after 'E', found more data");
    t = record(0, 0x03, 0, 9);
    put_warp(&t, 1, 0);
    rejects(&t, "t.gmt: offset 39: expected 1 barriers as in the CTA's first warp, found 0");
}

/* ---- files ---- */

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);

    assert_non_null(f);
    assert_non_null(data);
    *size = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

static void rejects_data(const uint8_t *data, size_t size, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_trace_parse(data, size, "z", 64, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' does not say '%s'", err.text, text);
}

static void test_compressed(void **state)
{
    size_t size;
    uint8_t *data = read_file(TEST_DATA "rod_nw.w64.gmt.zst", &size);

    (void)state;
    rejects_data(data, size / 2, "of the decompressed stream: expected ");
    rejects_data(data, size / 2, "but the compressed file is truncated: the trace is incomplete, get it again");
    rejects_data(data, size - 1, "the compressed file is truncated");
    data[size] = 'x';
    rejects_data(data, size + 1, "expected the end of the file after 'E', but ");
    data[size / 2] ^= 0xff;
    rejects_data(data, size, "z: offset ");
    free(data);
}

static void rejects_width(const char *path, uint32_t lanes, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_trace_open(path, lanes, &err));
    assert_string_equal(err.text, text);
}

static void test_width(void **state)
{
    (void)state;
    rejects_width(TEST_DATA "pb_gemm.w32.gmt.zst", 64,
                  "trace " TEST_DATA "pb_gemm.w32.gmt.zst has 32-lane warps, this configuration has 64: use " TEST_DATA
                  "pb_gemm.w64.gmt.zst");
    rejects_width(TEST_DATA "pb_gemm.w64.gmt.zst", 32,
                  "trace " TEST_DATA "pb_gemm.w64.gmt.zst has 64-lane warps, this configuration has 32: use " TEST_DATA
                  "pb_gemm.w32.gmt.zst");
    /* No 32-lane twin is there. */
    rejects_width(TEST_DATA "parb_sad.w64.gmt.zst", 32,
                  "trace " TEST_DATA "parb_sad.w64.gmt.zst has 64-lane warps, this configuration has 32: use a trace "
                  "recorded with 32, or a configuration with sm.lanes = 64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),       cmocka_unit_test(test_truncated),  cmocka_unit_test(test_bad_header),
        cmocka_unit_test(test_bad_launch),  cmocka_unit_test(test_bad_cta),    cmocka_unit_test(test_bad_record),
        cmocka_unit_test(test_bad_address), cmocka_unit_test(test_bad_end),    cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_width),       cmocka_unit_test(test_statistics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
