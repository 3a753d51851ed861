/* Some launches of a workload are those of the whole one; what kernels share, counted over every op. */
#include "unit/test.h"
#include "memhelm/kernels.h"
#include "unit/workload_walk.h"
#include "workload/workload.h"
#include "workload/op_stats.h"
#include "workload/values/values.h"
#include "memhelm/config_file.h"
#include "uvm/uvm.h"
#include "script.h"

#define FDTD_TRACE "trace:tests/data/pb_fdtd2d.w64.gmt.zst"

struct sum {
    uint64_t ops, of;
};

static void add(struct sum *s, uint64_t value)
{
    s->of = (s->of ^ value) * 0x9e3779b97f4a7c15;
}

static void sum_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct sum *s = ctx;

    s->ops++;
    add(s, op->kind);
    add(s, op->gap);
    add(s, mh_op_needs(op));
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        add(s, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
}

static struct sum sum_launch(const struct mh_workload *w, uint32_t launch, uint32_t lanes)
{
    struct sum s = {0};

    for (uint32_t cta = 0; cta < w->launches[launch].ctas; cta++)
        for (uint32_t warp = 0; warp < walk_warps(w, launch, lanes); warp++)
            walk_warp(w, (struct walk_place){launch, cta, warp}, sum_op, &s);
    return s;
}

/* Launches first .. first + count - 1 of `whole` are all that `part` has, and nothing of them differs. */
static void same_launches(const char *whole, const char *part, uint64_t size, uint32_t first, uint32_t count, bool ptx)
{
    struct mh_workload *w = walk_make(whole, size, 1, 64), *p = walk_make(part, size, 1, 64);

    if (ptx) {
        mh_workload_ptx(w);
        mh_workload_ptx(p);
    }
    assert_true(p->launch_count == count && count < w->launch_count);
    for (uint32_t l = 0; l < count; l++) {
        const struct sum a = sum_launch(w, first + l, 64), b = sum_launch(p, l, 64);

        assert_string_equal(w->launches[first + l].name, p->launches[l].name);
        assert_true(a.ops == b.ops && a.of == b.of && a.ops > 0);
    }
    assert_true(w->buffer_count == p->buffer_count);
    assert_memory_equal(w->buffers, p->buffers, w->buffer_count * sizeof *w->buffers);
    w->destroy(w);
    p->destroy(p);
}

TEST(test_same)
{
    same_launches("CORR", "CORR@launch=3", 96, 3, 1, false);
    same_launches("covar", "covar@Launches=1-2", 96, 1, 2, false);
    same_launches("BFS@mesh", "BFS@mesh@launches=4-9", 1600, 4, 6, false);
    same_launches("BFS@mesh", "BFS@mesh@launch=6", 1600, 6, 1, true);
    same_launches(FDTD_TRACE, FDTD_TRACE "@launches=1-2", 0, 1, 2, false);
}

/* CORR's launches by name, and the two that share data: alone they do not. */
TEST(test_of_program)
{
    struct mh_workload *w = walk_make("CORR@launches=2-3", 96, 1, 32), *one = walk_make("CORR@launch=3", 96, 1, 32);
    struct mh_launch_range range;

    assert_string_equal(w->launches[0].name, "reduce_kernel");
    assert_string_equal(w->launches[1].name, "corr_kernel");
    assert_true(mh_launches_whole(w, &range) != w);
    assert_true(range.first == 2 && range.end == 4);
    assert_int_equal(mh_workload_shares(w, 32), 1);
    assert_int_equal(mh_workload_shares(one, 32), 0);
    w->destroy(w);
    one->destroy(one);
}

/* ATAX's tmp = A x is what the second launch finds. */
TEST(test_values)
{
    struct mh_workload *w = walk_make("ATAX", 64, 1, 32), *second = walk_make("ATAX@launch=1", 64, 1, 32);
    struct mh_values *v = mh_values_create("ATAX", w, NULL), *of = mh_values_create("ATAX@launch=1", second, NULL);
    uint64_t base, bytes;
    uint8_t a[512], b[512];

    assert_true(v && of);
    for (uint32_t launches = 1; launches < 3; launches++)
        for (uint32_t i = 0; mh_values_array(v, i, &base, &bytes); i++) {
            mh_values_finish(v, launches);
            mh_values_finish(of, launches - 1);
            for (uint64_t at = 0; at < bytes; at += sizeof a) {
                mh_values_read(v, true, base + at, a, sizeof a);
                mh_values_read(of, true, base + at, b, sizeof b);
                assert_memory_equal(a, b, sizeof a);
            }
        }
    mh_values_restart(v);
    mh_values_restart(of);
    mh_values_finish(v, 1);
    mh_values_array(v, 3, &base, &bytes);
    mh_values_read(v, false, base, a, 256);
    mh_values_read(of, false, base, b, 256);
    assert_memory_equal(a, b, 256);
    mh_values_destroy(v);
    mh_values_destroy(of);
    w->destroy(w);
    second->destroy(second);
}

static void rejects(const char *spec, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, 0, 1, 32, &err));
    assert_has(err.text, text);
    assert_null(mh_workload_create(spec, 0, 1, 32, NULL));
}

TEST(test_rejected)
{
    rejects("CORR@launch=4", "CORR has launches 0 to 3 (0 mean_kernel, 1 std_kernel, 2 reduce_kernel, 3 corr_kernel): "
                             "'@launch=4' is not among them");
    rejects("COVAR@launches=1-3", "COVAR has launches 0 to 2");
    rejects("MVT@launch=4294967294", "MVT has launches 0 to 1 (0 mvt_kernel1, 1 mvt_kernel2)");
    rejects("BFS@mesh@launch=99999", "5 Kernel2, 6 Kernel, 7 Kernel2, ..): '@launch=99999'");
    rejects("trace:tests/data/pb_gemm.w32.gmt.zst@launch=1", "pb_gemm.w32.gmt.zst has launches 0 to 0");
    rejects("CORR@launch=", "'@launch=': write @launch=2 or, for several, @launches=2-5; the first launch is number 0");
    rejects("CORR@launch=-1", "'@launch=-1': write @launch=2");
    rejects("CORR@launch=1-2", "'@launch=1-2': write");
    rejects("CORR@launch=1x", "'@launch=1x': write");
    rejects("CORR@launches=1", "'@launches=1': write");
    rejects("CORR@launches=2-1", "'@launches=2-1': write");
    rejects("CORR@launches=1-", "'@launches=1-': write");
    rejects("CORR@launch=4294967295", "'@launch=4294967295': write");
    rejects("CORR@launch=18446744073709551617", "write @launch=2");
    rejects("CORR@launch", "CORR has no variants: leave out '@launch'");
    rejects("CORR@mesh@launch=1", "CORR has no variants: leave out '@mesh'");
    rejects("BFS@launch=1@mesh", "BFS has no variant 'launch=1@mesh'");
    rejects("BFS@mes@launch=1", "BFS has no variant 'mes'");
}

TEST(test_text)
{
    struct mh_launch_range range;
    char text[MH_LAUNCHES_TEXT];

    assert_int_equal(mh_launches_range("A@launches=7-7", &range, NULL), 0);
    mh_launches_text(range, text);
    assert_string_equal(text, "@launch=7");
    assert_int_equal(mh_launches_range("A@b@LAUNCHES=007-10", &range, NULL), 0);
    mh_launches_text(range, text);
    assert_string_equal(text, "@launches=7-10");
    assert_int_equal(mh_launches_range("A@b", &range, NULL), 0);
    mh_launches_text(range, text);
    assert_string_equal(text, "");
    assert_string_equal(mh_launches_part("a@launch=1/b.gmt"), "");
    assert_string_equal(mh_launches_part("a@launch=1/b@2.gmt"), "");
}

enum { BUFFERS = 64 };

/* The launch whose name stands for the kernel that used a buffer first; UINT32_MAX: none has. */
struct users {
    const struct mh_workload *w;
    uint32_t launch[BUFFERS];
    bool shares;
};

static void note_use(struct users *u, uint32_t launch, uint64_t address)
{
    for (uint32_t b = 0; b < u->w->buffer_count; b++) {
        if (address < u->w->buffers[b].base || address - u->w->buffers[b].base >= u->w->buffers[b].bytes)
            continue;
        if (u->launch[b] == UINT32_MAX)
            u->launch[b] = launch;
        u->shares |= strcmp(u->w->launches[u->launch[b]].name, u->w->launches[launch].name) != 0;
    }
}

static void look(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    if (!mh_op_is_memory(op) || ((struct users *)ctx)->shares)
        return;
    for (uint64_t m = op->mask; m; m &= m - 1)
        note_use(ctx, at.launch, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
}

static bool shares_in_full(const struct mh_workload *w, uint32_t lanes)
{
    struct users u = {.w = w};

    assert_in_range(w->buffer_count, 1, BUFFERS);
    memset(u.launch, 0xff, sizeof u.launch);
    walk_all(w, lanes, look, &u);
    return u.shares;
}

TEST(test_against_all_ops)
{
    static const struct {
        const char *kernel;
        uint64_t size;
        bool shares;
    } small[] = {{"2DCONV", 100, false}, {"3DCONV", 32, false}, {"SAD@cuda", 48, true},  {"SAD@opencl", 48, true},
                 {"CORR", 100, true},    {"COVAR", 100, true},  {"FDTD", 100, true},     {"LPS", 50, false},
                 {"LUD", 64, true},      {"SRAD", 192, true},   {"CONS", 256, true},     {"SCAN", 9000, true},
                 {"ATAX", 300, true},    {"BICG", 300, true},   {"GESUMMV", 300, false}, {"MVT", 300, true},
                 {"HISTO", 512, true},   {"BFS", 1024, true},   {"GUPS", 4096, false},   {"GEMM", 100, false},
                 {"JPEG", 96, true},     {"KMeans", 1000, true}};

    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
            LOCAL_WORKLOAD(w) = walk_make(small[i].kernel, small[i].size, 1, lanes);

            if (mh_workload_shares(w, lanes) != small[i].shares || shares_in_full(w, lanes) != small[i].shares)
                fail_msg("%s, %u lanes: a few CTAs %d, all %d, by hand %d", small[i].kernel, lanes,
                         mh_workload_shares(w, lanes), shares_in_full(w, lanes), small[i].shares);
        }
}

/* A note where the two differ, and only there. */
TEST(test_notes)
{
    struct mh_error err;
    unsigned programs = 0, shared = 0;

    for (const struct mh_sharing *s = mh_sharing; s->kernel; s++, programs++) {
        assert_int_equal(mh_sharing_derive(s->kernel, 64, &err) != s->paper, *s->note != '\0');
        shared += s->paper;
    }
    assert_int_equal(programs, 15);
    assert_int_equal(shared, 4);
}

static bool shared_as(const char *mode, const char *kernel, uint64_t size)
{
    LOCAL_WORKLOAD(w) = walk_make(kernel, size, 1, 64);
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    struct mh_error err;
    int shares;

    assert_non_null(cfg);
    assert_int_equal(mh_config_preset(cfg, "etc", &err), 0);
    set_word(cfg, "uvm.sharing", mode);
    snprintf(cfg->tenants[0].kernel, sizeof cfg->tenants[0].kernel, "%s", kernel);
    shares = mh_uvm_shares(cfg, 0, w);
    free(cfg);
    assert_in_range(shares, 0, 1);
    return shares;
}

TEST(test_modes)
{
    assert_true(shared_as("derived", "FDTD", 100));
    assert_false(shared_as("paper", "FDTD", 100));
    assert_false(shared_as("paper", "SAD@cuda", 48));
    assert_true(shared_as("paper", "LUD", 64));
    /* The paper does not have it. */
    assert_true(shared_as("paper", "KMeans", 1000));
    assert_false(shared_as("paper", "GEMM", 100));
}

TEST_GROUP(.slow = true);
