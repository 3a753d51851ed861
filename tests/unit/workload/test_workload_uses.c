/* slow: a second or more */
/* Data sharing across kernels: what a few CTAs say, against every op of every launch, and against names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "memhelm/config_file.h"
#include "memhelm/sharing.h"
#include "unit/workload_walk.h"
#include "uvm/uvm.h"
#include "workload/op_stats.h"
#include "workload/uses.h"

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

static void test_against_all_ops(void **state)
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

    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
            struct mh_workload *w = walk_make(small[i].kernel, small[i].size, 1, lanes);

            if (mh_workload_shares(w, lanes) != small[i].shares || shares_in_full(w, lanes) != small[i].shares)
                fail_msg("%s, %u lanes: a few CTAs %d, all %d, by hand %d", small[i].kernel, lanes,
                         mh_workload_shares(w, lanes), shares_in_full(w, lanes), small[i].shares);
            w->destroy(w);
        }
}

/* A note where the two differ, and only there. */
static void test_notes(void **state)
{
    struct mh_error err;
    unsigned programs = 0, shared = 0;

    (void)state;
    for (const struct mh_sharing *s = mh_sharing; s->kernel; s++, programs++) {
        assert_int_equal(mh_sharing_derive(s->kernel, 64, &err) != s->paper, *s->note != '\0');
        shared += s->paper;
    }
    assert_int_equal(programs, 15);
    assert_int_equal(shared, 4);
}

static bool shared_as(const char *mode, const char *kernel, uint64_t size)
{
    struct mh_workload *w = walk_make(kernel, size, 1, 64);
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    struct mh_error err;
    int shares;

    assert_non_null(cfg);
    assert_int_equal(mh_config_preset(cfg, "etc", &err), 0);
    snprintf(cfg->uvm.sharing, sizeof cfg->uvm.sharing, "%s", mode);
    snprintf(cfg->tenants[0].kernel, sizeof cfg->tenants[0].kernel, "%s", kernel);
    shares = mh_uvm_shares(cfg, 0, w);
    free(cfg);
    w->destroy(w);
    assert_in_range(shares, 0, 1);
    return shares;
}

static void test_modes(void **state)
{
    (void)state;
    assert_true(shared_as("derived", "FDTD", 100));
    assert_false(shared_as("paper", "FDTD", 100));
    assert_false(shared_as("paper", "SAD@cuda", 48));
    assert_true(shared_as("paper", "LUD", 64));
    /* The paper does not have it. */
    assert_true(shared_as("paper", "KMeans", 1000));
    assert_false(shared_as("paper", "GEMM", 100));
}

int test_workload_uses(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_ops),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_modes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
