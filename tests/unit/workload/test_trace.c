/* slow: a second or more */
/* Recorded traces: statistics of good files equal those published with them; damaged and unfit files are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <jansson.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"
#include "workload/trace/trace.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data/"
#endif

/* ---- good files ---- */

struct totals {
    struct mh_op_sums sums;
    uint64_t kinds[MH_OP_EXIT + 1];
};

static void total_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct totals *t = ctx;

    (void)at;
    t->kinds[op->kind]++;
    mh_op_sums_add(&t->sums, op, addr);
}

static uint64_t count_of(const json_t *j, const char *key)
{
    const json_t *v = json_object_get(j, key);

    assert_true(json_is_integer(v));
    return (uint64_t)json_integer_value(v);
}

/* The published number is rounded to a multiple of `unit`. */
static void same_ratio(const json_t *j, const char *key, uint64_t a, uint64_t b, double unit)
{
    double published = json_number_value(json_object_get(j, key)), ours = (double)a / (double)b;

    if (published - ours > 0.500001 * unit || ours - published > 0.500001 * unit)
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
    struct totals t = {.kinds = {0}};
    json_t *j;

    snprintf(path, sizeof path, TEST_DATA "%s.w%u.json", name, lanes);
    j = json_load_file(path, 0, NULL);
    assert_non_null(j);
    snprintf(path, sizeof path, TEST_DATA "%s.w%u.gmt.zst", name, lanes);
    w = mh_trace_open(path, (struct mh_trace_how){.lanes = lanes}, &err);
    if (!w)
        fail_msg("%s", err.text);
    check_launches(w, j);
    walk_all(w, lanes, total_op, &t);
    assert_int_equal(t.kinds[MH_OP_LOAD], count_of(j, "loads"));
    assert_int_equal(t.kinds[MH_OP_STORE], count_of(j, "stores"));
    assert_int_equal(t.kinds[MH_OP_ATOMIC], count_of(j, "atomics"));
    assert_int_equal(t.kinds[MH_OP_BARRIER], count_of(j, "barriers"));
    assert_int_equal(t.kinds[MH_OP_EXIT], count_of(j, "warps"));
    assert_int_equal(t.sums.gap, count_of(j, "nonmem_instr"));
    assert_int_equal(t.sums.max_pages, count_of(j, "max_pages4k"));
    same_ratio(j, "avg_lanes", t.sums.lanes, t.sums.ops, 1e-3);
    same_ratio(j, "avg_sectors32", t.sums.sectors, t.sums.ops, 1e-3);
    same_ratio(j, "avg_lines128", t.sums.lines, t.sums.ops, 1e-3);
    same_ratio(j, "avg_pages4k", t.sums.pages, t.sums.ops, 1e-3);
    same_ratio(j, "frac_ge8_pages", t.sums.ops_8_pages, t.sums.ops, 1e-4);
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

    assert_null(mh_trace_parse(data, size, "z", (struct mh_trace_how){.lanes = 64}, &err));
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

    assert_null(mh_trace_open(path, (struct mh_trace_how){.lanes = lanes}, &err));
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
    rejects_width(TEST_DATA "pb_fdtd2d.w64.gmt.zst", 32,
                  "trace " TEST_DATA "pb_fdtd2d.w64.gmt.zst has 64-lane warps, this configuration has 32: use a trace "
                  "recorded with 32, or a configuration with sm.lanes = 64");
}

int test_trace(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_width),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
