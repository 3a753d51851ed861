/* slow: a second or more */
/*
 * Generated GUPS and SSSP, whose seeds and graph are others than the recorded ones, of the same distribution: their
 * averages per static memory instruction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { MAX_PC = 128 };

static struct mh_workload *open_trace(const char *name, uint32_t lanes)
{
    char spec[128];

    snprintf(spec, sizeof spec, "trace:" MH_TEST_DATA "/%s.w%u.gmt.zst", name, lanes);
    return walk_make(spec, 0, 1, lanes);
}

static void same_launch(const struct mh_launch *r, const struct mh_launch *g)
{
    assert_string_equal(r->name, g->name);
    assert_int_equal(r->threads, g->threads);
    assert_true(r->ctas > 0 && r->ctas <= g->ctas);
}

struct sums {
    struct mh_op_sums pc[MAX_PC];
    uint64_t count[MH_OP_EXIT + 1];
};

static void add_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct sums *s = ctx;

    (void)at;
    s->count[op->kind]++;
    if (!mh_op_is_memory(op))
        return;
    assert_true(op->pc < MAX_PC);
    mh_op_sums_add(&s->pc[op->pc], op, addr);
}

/* Launches first.. of a kernel, on as many CTAs as were recorded. */
static void add_prefix(const struct mh_workload *w, const struct mh_workload *recorded, uint32_t first, uint32_t lanes,
                       struct sums *s)
{
    for (uint32_t l = 0; l < recorded->launch_count; l++) {
        same_launch(&recorded->launches[l], &w->launches[first + l]);
        for (uint32_t cta = 0; cta < recorded->launches[l].ctas; cta++)
            for (uint32_t warp = 0; warp < walk_warps(recorded, l, lanes); warp++)
                walk_warp(w, (struct walk_place){first + l, cta, warp}, add_op, s);
    }
}

static void near(const char *what, uint32_t pc, double recorded, double generated, double tolerance)
{
    if (generated < recorded * (1 - tolerance) || generated > recorded * (1 + tolerance))
        fail_msg("recorded pc %u, %s: recorded %.4f, generated %.4f", pc, what, recorded, generated);
}

static void near_sums(uint32_t pc, const struct mh_op_sums *r, const struct mh_op_sums *g)
{
    const double rn = (double)r->ops, gn = (double)g->ops;

    assert_true(r->ops > 0 && g->ops > 0);
    print_message("  pc %3u ops %7.0f lanes %7.3f lines %7.3f pages %7.3f gap %6.3f recorded, "
                  "%7.0f %7.3f %7.3f %7.3f %6.3f generated\n",
                  pc, rn, r->lanes / rn, r->lines / rn, r->pages / rn, r->gap / rn, gn, g->lanes / gn, g->lines / gn,
                  g->pages / gn, g->gap / gn);
    near("ops", pc, rn, gn, 0.05);
    near("lanes", pc, r->lanes / rn, g->lanes / gn, 0.05);
    near("sectors", pc, r->sectors / rn, g->sectors / gn, 0.05);
    near("lines", pc, r->lines / rn, g->lines / gn, 0.05);
    near("pages", pc, r->pages / rn, g->pages / gn, 0.05);
    near("gap", pc, r->gap / rn, g->gap / gn, 0.01);
}

static void test_gups(void **state)
{
    static const uint8_t recorded[] = {5, 15, 17}; /* the generator's are 1, 2, 3 */
    struct mh_workload *r = open_trace("gups", 32), *g = walk_make("GUPS", 1 << 24, 1, 32);
    static struct sums rs, gs;

    (void)state;
    add_prefix(r, r, 0, 32, &rs);
    add_prefix(g, r, 0, 32, &gs);
    for (uint32_t i = 0; i < sizeof recorded; i++)
        near_sums(recorded[i], &rs.pc[recorded[i]], &gs.pc[1 + i]);
    assert_memory_equal(rs.count, gs.count, sizeof rs.count);
    r->destroy(r);
    g->destroy(g);
}

/* Four graphs of the same distribution; each is within 5 % of the recorded one. */
static void test_sssp(void **state)
{
    static const uint8_t recorded[] = {7, 9, 18, 22, 24, 31, 33, 36, 45};
    struct mh_workload *r = open_trace("pan_sssp", 32);
    static struct sums rs, gs;

    (void)state;
    add_prefix(r, r, 0, 32, &rs);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct mh_workload *g = walk_make("SSSP", 262144, seed, 32);

        memset(&gs, 0, sizeof gs);
        add_prefix(g, r, 1, 32, &gs); /* behind vector_init */
        print_message("SSSP, seed %llu\n", (unsigned long long)seed);
        for (uint32_t i = 0; i < sizeof recorded; i++) /* the generator's pcs follow in the same order */
            near_sums(recorded[i], &rs.pc[recorded[i]], &gs.pc[3 + i]);
        near("loads per store", 0, (double)rs.count[MH_OP_LOAD] / (double)rs.count[MH_OP_STORE],
             (double)gs.count[MH_OP_LOAD] / (double)gs.count[MH_OP_STORE], 0.05);
        assert_int_equal(gs.count[MH_OP_ATOMIC] + gs.count[MH_OP_BARRIER], 0);
        g->destroy(g);
    }
    r->destroy(r);
}

int test_workload_distributions(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gups),
        cmocka_unit_test(test_sssp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
