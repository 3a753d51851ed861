#include "agreement.h"

#include <math.h>
#include <string.h>

#include "unit/workload_walk.h"
#include "workload/gen.h"

static const char *const kind_names[] = {"load", "store", "atomic"};

/* ---- execution ---- */

struct execution {
    struct agreement_side *side; /* of the function that is executed */
    uint64_t first;              /* address accessed */
    bool started, full;
};

static uint64_t digest(uint64_t d, const struct execution *e, const struct mh_op *op, const uint64_t *addr)
{
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);

        d = mh_random(d, (mh_op_address(op, addr, lane) - e->first) << 6 | lane);
    }
    return d;
}

static void add_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct execution *e = ctx;
    struct agreement_side *s = e->side;
    uint32_t i = 0;

    (void)at;
    if (!mh_op_is_memory(op) || e->full)
        return;
    while (i < s->count && s->pc[i].pc != op->pc)
        i++;
    if (i == AGREEMENT_PCS) {
        e->full = true;
        return;
    }
    if (i == s->count)
        s->pc[s->count++] = (struct agreement_pc){.pc = op->pc, .kind = op->kind, .bytes = op->bytes};
    if (!e->started)
        e->first = mh_op_address(op, addr, (unsigned)__builtin_ctzll(op->mask));
    e->started = true;
    mh_op_sums_add(&s->pc[i].sums, op, addr);
    s->pc[i].digest = digest(s->pc[i].digest, e, op, addr);
}

/* The first `ctas` CTAs of a launch. */
static int execute(struct execution *e, struct agreement_side *side, const struct mh_workload *w, uint32_t launch,
                   uint32_t ctas, uint32_t lanes, struct mh_error *err)
{
    e->side = side;
    for (uint32_t cta = 0; cta < ctas; cta++)
        for (uint32_t warp = 0; warp < walk_warps(w, launch, lanes); warp++)
            walk_warp(w, (struct walk_place){launch, cta, warp}, add_op, e);
    if (e->full)
        return mh_fail(err, "%s: more than %d static instructions", w->launches[launch].name, AGREEMENT_PCS);
    return 0;
}

static struct agreement_function *function_of(struct agreement *a, const char *name)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!strcmp(a->function[i].name, name))
            return &a->function[i];
    if (a->count == AGREEMENT_FUNCTIONS)
        return NULL;
    a->function[a->count].name = name;
    return &a->function[a->count++];
}

/* Launch number `nth` of a name; launch_count if there are fewer. */
static uint32_t nth_launch(const struct mh_workload *w, const char *name, uint32_t nth)
{
    uint32_t l = 0;

    for (; l < w->launch_count; l++)
        if (!strcmp(w->launches[l].name, name) && !nth--)
            break;
    return l;
}

static int same_launch(const struct mh_launch *r, uint64_t grid, const struct mh_launch *g, struct mh_error *err)
{
    if (r->threads != g->threads || grid != g->ctas)
        return mh_fail(err, "%s: recorded %llu CTAs of %u threads, generated %u of %u", r->name,
                       (unsigned long long)grid, r->threads, g->ctas, g->threads);
    return 0;
}

int agreement_collect(struct agreement *a, const struct mh_workload *recorded, const uint64_t *grid,
                      const struct mh_workload *generated, uint32_t skip, uint32_t lanes, struct mh_error *err)
{
    struct execution re = {.started = false}, ge = {.started = false};

    memset(a, 0, sizeof *a);
    for (uint32_t l = 0; l < recorded->launch_count; l++) {
        const struct mh_launch *r = &recorded->launches[l];
        struct agreement_function *f = function_of(a, r->name);
        uint32_t k;

        if (!f)
            return mh_fail(err, "%s: more than %d functions", r->name, AGREEMENT_FUNCTIONS);
        k = nth_launch(generated, r->name, skip + f->launches);
        if (k == generated->launch_count)
            return mh_fail(err, "%s: launch %u of that name is not generated", r->name, skip + f->launches);
        if (same_launch(r, grid[l], &generated->launches[k], err) ||
            execute(&re, &f->recorded, recorded, l, r->ctas, lanes, err) ||
            execute(&ge, &f->generated, generated, k, r->ctas, lanes, err))
            return -1;
        f->launches++;
        f->ctas += r->ctas;
    }
    return 0;
}

/* ---- comparison ---- */

int agreement_paired(const struct agreement_function *f, struct mh_error *err)
{
    const struct agreement_side *r = &f->recorded, *g = &f->generated;

    for (uint32_t i = 0; i < r->count && i < g->count; i++)
        if (r->pc[i].kind != g->pc[i].kind || r->pc[i].bytes != g->pc[i].bytes)
            return mh_fail(err, "recorded pc %u is a %s of %u bytes, generated pc %u a %s of %u", r->pc[i].pc,
                           kind_names[r->pc[i].kind], r->pc[i].bytes, g->pc[i].pc, kind_names[g->pc[i].kind],
                           g->pc[i].bytes);
    if (r->count != g->count)
        return mh_fail(err, "%s pc %u has no partner", r->count > g->count ? "recorded" : "generated",
                       r->count > g->count ? r->pc[g->count].pc : g->pc[r->count].pc);
    return r->count ? 0 : mh_fail(err, "no memory instruction was executed");
}

uint32_t agreement_elsewhere(const struct agreement_function *f)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->recorded.count; i++)
        count += f->recorded.pc[i].digest != f->generated.pc[i].digest;
    return count;
}

static double percent(double recorded, double generated)
{
    if (recorded == generated)
        return 0;
    return recorded > 0 ? 100 * fabs(generated / recorded - 1) : HUGE_VAL;
}

struct agreement_deviation agreement_of_pair(const struct agreement_pc *recorded, const struct agreement_pc *generated)
{
    const struct mh_op_sums *r = &recorded->sums, *g = &generated->sums;
    const double rn = (double)r->ops, gn = (double)g->ops;

    return (struct agreement_deviation){.lanes = percent((double)r->lanes / rn, (double)g->lanes / gn),
                                        .lines = percent((double)r->lines / rn, (double)g->lines / gn),
                                        .pages = percent((double)r->pages / rn, (double)g->pages / gn),
                                        .mix = percent(rn, gn),
                                        .gap = percent((double)r->gap / rn, (double)g->gap / gn)};
}

static uint64_t executions(const struct agreement_side *s, bool loads)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < s->count; i++)
        sum += (s->pc[i].kind == MH_OP_LOAD) == loads ? s->pc[i].sums.ops : 0;
    return sum;
}

/* Loads per store, as a ratio of products: a function may have none of either. */
static double loads_per_store(const struct agreement_function *f)
{
    return percent((double)executions(&f->recorded, true) * (double)executions(&f->generated, false),
                   (double)executions(&f->generated, true) * (double)executions(&f->recorded, false));
}

struct agreement_deviation agreement_of_function(const struct agreement_function *f)
{
    struct agreement_deviation d = {.mix = loads_per_store(f)};

    for (uint32_t i = 0; i < f->recorded.count; i++)
        d = agreement_larger(d, agreement_of_pair(&f->recorded.pc[i], &f->generated.pc[i]));
    return d;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

struct agreement_deviation agreement_larger(struct agreement_deviation a, struct agreement_deviation b)
{
    return (struct agreement_deviation){.lanes = larger(a.lanes, b.lanes),
                                        .lines = larger(a.lines, b.lines),
                                        .pages = larger(a.pages, b.pages),
                                        .mix = larger(a.mix, b.mix),
                                        .gap = larger(a.gap, b.gap)};
}

double agreement_worst(struct agreement_deviation d)
{
    return larger(larger(larger(d.lanes, d.lines), larger(d.pages, d.mix)), d.gap);
}
