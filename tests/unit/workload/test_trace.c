/* Recorded traces have the statistics published with them, damaged ones are refused, and generated kernels equal
 * recordings. */
#include <jansson.h>
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"
#include "workload/trace/trace.h"

struct totals {
    struct mh_op_sums sums;
    uint64_t kinds[MH_OP_EXIT + 1];
};

static void total_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct totals *t = ctx;

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
    json_t *published = json_load_file(TEST_DATA "published.json", 0, NULL);
    const json_t *j;

    snprintf(path, sizeof path, "%s.w%u", name, lanes);
    j = json_object_get(published, path);
    assert_non_null(j);
    snprintf(path, sizeof path, TEST_DATA "%s.w%u.gmt.zst", name, lanes);
    w = mh_trace_open(path, (struct mh_trace_how){.lanes = lanes}, &err);
    assert_good(w, err);
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
    json_decref(published);
}

TEST(test_statistics)
{
    check_file("gups", 32);
    check_file("pan_sssp", 32);
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
    assert_has(err.text, text);
}

TEST(test_compressed)
{
    size_t size;
    uint8_t *data = read_file(TEST_DATA "rod_nw.w64.gmt.zst", &size);

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

TEST(test_width)
{
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

enum { MAX_PCS = 64 };

static const struct recording {
    const char *trace, *kernel;
    uint64_t size;
    uint32_t lanes;
    uint32_t first;         /* launch of the kernel that the trace's first one is */
    uint32_t jump_at, jump; /* from this launch of the trace on, this many of the kernel were not recorded */
    uint64_t shift;         /* the recording's buffers lie this much higher */
    unsigned instructions;  /* static loads and stores */
    bool equal_gaps;
} recordings[] = {
    {"pb_atax_k1", "ATAX", 4096, 32, 0, 0, 0, 0, 4, true},        {"pb_atax_k1", "ATAX", 4096, 64, 0, 0, 0, 0, 4, true},
    {"pb_atax_k2", "ATAX", 4096, 32, 1, 0, 0, 0, 4, true},        {"pb_atax_k2", "ATAX", 4096, 64, 1, 0, 0, 0, 4, true},
    {"pb_bicg", "BICG", 4096, 32, 0, 0, 0, 0, 8, true},           {"pb_bicg", "BICG", 4096, 64, 0, 0, 0, 0, 8, true},
    {"pb_gemm", "GEMM", 1024, 32, 0, 0, 0, 0, 5, true},           {"pb_gemm", "GEMM", 1024, 64, 0, 0, 0, 0, 5, true},
    {"pb_2dconv", "2DCONV", 4096, 32, 0, 0, 0, 0, 10, true},      {"pb_fdtd2d", "FDTD", 2048, 64, 0, 0, 0, 0, 16, true},
    {"rod_backprop", "BP", 1048576, 64, 0, 0, 0, 0, 20, true},    {"rod_lud", "LUD", 2048, 64, 0, 0, 0, 0, 26, false},
    {"rod_nw", "NW", 2048, 64, 60, 31, 97, 0, 10, false}, /* launches 60-90 of each kernel; the first has 128 */
    {"rod_hotspot", "HS", 1024, 64, 0, 0, 0, 0, 3, false},        {"parb_sad", "SAD", 704, 64, 0, 0, 0, 0, 9, true},
    {"rod_srad", "SRAD", 1024, 64, 0, 3, 2, 0, 35, false},        /* only the first level of the reduction */
    {"shoc_fft", "FFT", 24576, 64, 0, 0, 0, 0xc200000, 32, true}, /* the program has unused buffers below */
};

/* Sums per static instruction of the trace and the one of the kernel that goes with it. */
struct pair {
    uint32_t recorded, generated;
    struct mh_op_sums r, g;
};

struct comparison {
    const struct recording *rec;
    struct pair p[MAX_PCS];
    unsigned count;
    uint64_t gap_recorded, gap_generated;
};

static struct pair *pair_of(struct comparison *c, uint32_t recorded, uint32_t generated)
{
    for (unsigned i = 0; i < c->count; i++) {
        struct pair *p = &c->p[i];

        if (p->recorded == recorded && p->generated == generated)
            return p;
        if (p->recorded == recorded || p->generated == generated)
            fail_msg("%s: pc %u goes with recorded %u and %u", c->rec->kernel, generated, p->recorded, recorded);
    }
    assert_true(c->count < MAX_PCS);
    c->p[c->count] = (struct pair){.recorded = recorded, .generated = generated};
    return &c->p[c->count++];
}

static void compare_gap(struct comparison *c, const struct mh_op *r, const struct mh_op *g)
{
    c->gap_recorded += r->gap;
    c->gap_generated += g->gap;
    if (c->rec->equal_gaps ? r->gap != g->gap : r->gap > g->gap)
        fail_msg("%s: pc %u has gap %u, recorded pc %u has %u", c->rec->kernel, g->pc, g->gap, r->pc, r->gap);
}

static void compare_memory(struct comparison *c, const struct mh_op *r, const uint64_t *ra, const struct mh_op *g,
                           const uint64_t *ga)
{
    struct pair *p = pair_of(c, r->pc, g->pc);

    assert_int_equal(r->bytes, g->bytes);
    assert_int_equal(r->mask, g->mask);
    for (uint64_t m = r->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        assert_int_equal(mh_op_address(r, ra, lane), mh_op_address(g, ga, lane) + c->rec->shift);
    }
    mh_op_sums_add(&p->r, r, ra);
    mh_op_sums_add(&p->g, g, ga);
}

static void compare_warp(struct comparison *c, const struct mh_workload *r, struct mh_cursor rc,
                         const struct mh_workload *g, struct mh_cursor gc)
{
    uint64_t ra[MH_MAX_LANES], ga[MH_MAX_LANES];
    struct mh_op ro, go;

    r->start(r, &rc);
    g->start(g, &gc);
    do {
        r->next(r, &rc, &ro, ra);
        g->next(g, &gc, &go, ga);
        if (ro.kind != go.kind)
            fail_msg("%s: pc %u is of kind %u, recorded pc %u of kind %u", c->rec->kernel, go.pc, go.kind, ro.pc,
                     ro.kind);
        if (ro.kind == MH_OP_EXIT)
            return; /* the gap before the end is not recorded */
        compare_gap(c, &ro, &go);
        if (mh_op_is_memory(&ro))
            compare_memory(c, &ro, ra, &go, ga);
    } while (true);
}

static void compare_launch(struct comparison *c, const struct mh_workload *r, const struct mh_workload *g, uint32_t l)
{
    const uint32_t k = c->rec->first + l + (c->rec->jump && l >= c->rec->jump_at ? c->rec->jump : 0);

    assert_true(k < g->launch_count);
    assert_string_equal(r->launches[l].name, g->launches[k].name);
    assert_int_equal(r->launches[l].threads, g->launches[k].threads);
    assert_true(r->launches[l].ctas > 0 && r->launches[l].ctas <= g->launches[k].ctas);
    for (uint32_t cta = 0; cta < r->launches[l].ctas; cta++)
        for (uint32_t warp = 0; warp < walk_warps(r, l, c->rec->lanes); warp++)
            compare_warp(c, r, (struct mh_cursor){.launch = l, .cta = cta, .warp = warp}, g,
                         (struct mh_cursor){.launch = k, .cta = cta, .warp = warp});
}

static void report(const struct comparison *c)
{
    print_message("%s: lanes / 128 B lines / 4 KiB pages per warp instruction, recorded and generated; instructions "
                  "between: %llu and %llu\n",
                  c->rec->kernel, (unsigned long long)c->gap_recorded, (unsigned long long)c->gap_generated);
    for (unsigned i = 0; i < c->count; i++) {
        const struct pair *p = &c->p[i];
        double n = (double)p->r.ops, m = (double)p->g.ops;

        print_message("  pc %3u %8.3f %8.3f %8.3f | %8.3f %8.3f %8.3f\n", p->recorded, (double)p->r.lanes / n,
                      (double)p->r.lines / n, (double)p->r.pages / n, (double)p->g.lanes / m, (double)p->g.lines / m,
                      (double)p->g.pages / m);
        assert_int_equal(p->r.ops, p->g.ops);
        assert_int_equal(p->r.lanes, p->g.lanes);
        assert_int_equal(p->r.lines, p->g.lines);
        assert_int_equal(p->r.pages, p->g.pages);
    }
}

TEST(test_recordings)
{
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        struct comparison c = {.rec = &recordings[i]};
        struct mh_workload *r, *g;
        char spec[128];

        snprintf(spec, sizeof spec, "trace:" MH_TEST_DATA "/%s.w%u.gmt.zst", c.rec->trace, c.rec->lanes);
        r = walk_make(spec, 0, 1, c.rec->lanes);
        g = walk_make(c.rec->kernel, c.rec->size, 1, c.rec->lanes);
        for (uint32_t l = 0; l < r->launch_count; l++)
            compare_launch(&c, r, g, l);
        report(&c);
        assert_int_equal(c.count, c.rec->instructions);
        r->destroy(r);
        g->destroy(g);
    }
}

/* Sanity of the yardstick itself: numbers worked out by hand. */
TEST(test_footprint)
{
    struct mh_op op = {.kind = MH_OP_LOAD, .bytes = 4, .mask = 0xffffffff, .base = 0x100000000, .stride = 4};
    uint64_t addr[MH_MAX_LANES] = {[1] = 0x1ffe, [3] = 0x5000, [5] = 0x1000};
    struct mh_op_footprint f;

    mh_op_footprint(&op, NULL, &f); /* 128 bytes in a row */
    assert_true(f.lanes == 32 && f.sectors == 4 && f.lines == 1 && f.pages == 1);
    op.stride = 16384; /* a matrix row apart */
    mh_op_footprint(&op, NULL, &f);
    assert_true(f.lanes == 32 && f.sectors == 32 && f.lines == 32 && f.pages == 32);
    op.stride = -4, op.base += 64; /* backwards over a line's boundary: bytes -60..67 */
    mh_op_footprint(&op, NULL, &f);
    assert_true(f.sectors == 5 && f.lines == 2 && f.pages == 2);
    op.list = true, op.mask = 0x2a; /* unsorted; the first access crosses a page */
    mh_op_footprint(&op, addr, &f);
    assert_true(f.lanes == 3 && f.sectors == 4 && f.lines == 4 && f.pages == 3);
    op.kind = MH_OP_BARRIER;
    mh_op_footprint(&op, addr, &f);
    assert_true(f.lanes == 0 && f.lines == 0);
}

TEST_GROUP(.slow = true);
