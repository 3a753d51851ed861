#include "agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/workload_walk.h"
#include "workload/gen.h"

static const char *const kind_names[] = {"load", "store", "atomic"};

/* ---- footprint ---- */

/* Lines that instructions have touched: open addressing, at most half full; a free place is 0. */
struct touched {
    uint64_t *key;
    uint64_t size, count;
};

static uint64_t *touched_place(const struct touched *t, uint64_t key)
{
    uint64_t i = mh_random(0, key) & (t->size - 1);

    while (t->key[i] && t->key[i] != key)
        i = (i + 1) & (t->size - 1);
    return &t->key[i];
}

static bool touched_grow(struct touched *t)
{
    struct touched larger = {.size = t->size ? 2 * t->size : 1024, .count = t->count};

    larger.key = calloc(larger.size, sizeof *larger.key);
    if (!larger.key)
        return false;
    for (uint64_t i = 0; i < t->size; i++)
        if (t->key[i])
            *touched_place(&larger, t->key[i]) = t->key[i];
    free(t->key);
    *t = larger;
    return true;
}

/* ---- execution ---- */

struct execution {
    struct agreement_side *side; /* of the function that is executed */
    struct touched touched;
    uint64_t first; /* address accessed */
    uint32_t function;
    bool started, full, no_memory;
};

/* One instruction's lane accesses a line. */
static void touch(struct execution *e, uint32_t pc, uint64_t line)
{
    const uint64_t instruction = e->function * AGREEMENT_PCS + pc + 1, key = instruction << 40 | line;
    struct touched *t = &e->touched;
    uint64_t *place;

    if (2 * t->count >= t->size && !touched_grow(t)) {
        e->no_memory = true;
        return;
    }
    place = touched_place(t, key);
    if (*place)
        return;
    *place = key;
    t->count++;
    e->side->pc[pc].footprint++;
}

static void touch_lanes(struct execution *e, uint32_t pc, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t last = UINT64_MAX;

    for (uint64_t m = op->mask; m; m &= m - 1) {
        const uint64_t first = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));

        for (uint64_t line = first / MH_LINE_BYTES; line <= (first + op->bytes - 1) / MH_LINE_BYTES; line++) {
            if (line != last)
                touch(e, pc, line);
            last = line;
        }
    }
}

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
    touch_lanes(e, i, op, addr);
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
    if (e->no_memory)
        return mh_fail(err, "out of memory");
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

struct sides {
    const struct mh_workload *recorded, *generated;
    struct execution re, ge;
};

static int collect(struct agreement *a, struct sides *s, const uint64_t *grid, uint32_t skip, uint32_t lanes,
                   struct mh_error *err)
{
    const struct mh_workload *recorded = s->recorded, *generated = s->generated;

    for (uint32_t l = 0; l < recorded->launch_count; l++) {
        const struct mh_launch *r = &recorded->launches[l];
        struct agreement_function *f = function_of(a, r->name);
        uint32_t k;

        if (!f)
            return mh_fail(err, "%s: more than %d functions", r->name, AGREEMENT_FUNCTIONS);
        k = nth_launch(generated, r->name, skip + f->launches);
        if (k == generated->launch_count)
            return mh_fail(err, "%s: launch %u of that name is not generated", r->name, skip + f->launches);
        s->re.function = s->ge.function = (uint32_t)(f - a->function);
        if (same_launch(r, grid[l], &generated->launches[k], err) ||
            execute(&s->re, &f->recorded, recorded, l, r->ctas, lanes, err) ||
            execute(&s->ge, &f->generated, generated, k, r->ctas, lanes, err))
            return -1;
        f->launches++;
        f->ctas += r->ctas;
    }
    return 0;
}

int agreement_collect(struct agreement *a, const struct mh_workload *recorded, const uint64_t *grid,
                      const struct mh_workload *generated, uint32_t skip, uint32_t lanes, struct mh_error *err)
{
    struct sides s = {.recorded = recorded, .generated = generated};
    int status;

    memset(a, 0, sizeof *a);
    status = collect(a, &s, grid, skip, lanes, err);
    free(s.re.touched.key);
    free(s.ge.touched.key);
    return status;
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
                                        .footprint = percent((double)recorded->footprint, (double)generated->footprint),
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
                                        .footprint = larger(a.footprint, b.footprint),
                                        .mix = larger(a.mix, b.mix),
                                        .gap = larger(a.gap, b.gap)};
}

double agreement_worst_access(struct agreement_deviation d)
{
    return larger(larger(larger(d.lanes, d.lines), larger(d.pages, d.footprint)), d.mix);
}

double agreement_worst(struct agreement_deviation d)
{
    return larger(agreement_worst_access(d), d.gap);
}
