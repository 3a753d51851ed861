#include "quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "metrics.h"

#define ALONE  "alone."
#define CONFIG "config."
#define KNOB   "knob."

static bool is_counter(const char *name)
{
#define MH_TENANT_COUNTER(NAME, field, unit, doc)                                                                      \
    if (!strcmp(name, #field))                                                                                         \
        return true;
#include "memhelm/registers.def"
    return false;
}

static double counter(const struct mh_counters *c, const char *name)
{
#define MH_TENANT_COUNTER(NAME, field, unit, doc)                                                                      \
    if (!strcmp(name, #field))                                                                                         \
        return (double)c->field;
#include "memhelm/registers.def"
    return (double)NAN;
}

/* One tenant's; EXPR_ALL: of all together. A tenant that is not there has NaN. */
static double tenants_knob(const uint32_t *word, uint32_t tenants, int tenant)
{
    double sum = 0;
    if (tenant != EXPR_ALL)
        return (uint32_t)tenant < tenants ? word[tenant] : (double)NAN;
    for (uint32_t t = 0; t < tenants; t++)
        sum += word[t];
    return sum;
}

static double bits_of(const uint32_t *word)
{
    double bits = 0;
    for (uint32_t w = 0; w < MH_SM_WORDS; w++)
        bits += __builtin_popcount(word[w]);
    return bits;
}

/* Owners of walkers are no number, nor are limits of each SM. */
#define VALUE_TENANT(field)    tenants_knob(k->field, tenants, tenant)
#define VALUE_GPU(field)       k->field
#define VALUE_SM_MASK(field)   bits_of(k->field)
#define VALUE_WALKER(field)    (double)NAN
#define VALUE_TENANT_SM(field) (double)NAN

static double knob(const struct mh_knobs *k, const char *name, uint32_t tenants, int tenant)
{
#define MH_KNOB(NAME, field, shape, ...)                                                                               \
    if (!strcmp(name, #field))                                                                                         \
        return VALUE_##shape(field);
#include "memhelm/registers.def"
    return (double)NAN;
}

static bool is_knob(const char *name)
{
    static const struct mh_knobs none;
    return !strncmp(name, KNOB, strlen(KNOB)) && !isnan(knob(&none, name + strlen(KNOB), 1, EXPR_ALL));
}

/* Metrics of all tenants together. `offset` into struct metrics. */
static const struct named {
    const char *name;
    size_t offset;
    bool alone;
} totals[] = {
    {"weighted_speedup", offsetof(struct metrics, weighted_speedup), true},
    {"harmonic_speedup", offsetof(struct metrics, harmonic_speedup), true},
    {"max_slowdown", offsetof(struct metrics, maximum_slowdown), true},
    {"fairness", offsetof(struct metrics, fairness), true},
    {"dram_share", offsetof(struct metrics, all.dram_share), false},
    {"noc_share", offsetof(struct metrics, all.noc_share), false},
    {"decision_latency", offsetof(struct metrics, decision_latency), false},
    {"walk_epoch_latency", offsetof(struct metrics, walk_epoch_latency), false},
};

static const struct named *total_of(const char *name)
{
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (!strcmp(totals[i].name, name))
            return &totals[i];
    return NULL;
}

/* What the register window counted. NULL when `name` is none of it. */
static const uint64_t *control_of(const struct mh_control_stats *c, const char *name)
{
    const struct {
        const char *name;
        const uint64_t *value;
    } counts[] = {{"epochs", &c->epochs},
                  {"missed", &c->missed},
                  {"walk_epochs", &c->walk_epochs},
                  {"walk_missed", &c->walk_missed}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(counts[i].name, name))
            return counts[i].value;
    return NULL;
}

static const char *const plain[] = {"ipc", "speedup", "cycles", "tenants", "sms"};

static bool is_plain(const char *name)
{
    static const struct mh_control_stats none;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(plain[i], name))
            return true;
    return control_of(&none, name);
}

/* Of a run's series; `offset` into struct bursts. */
static const struct of_series {
    const char *name;
    size_t offset;
    double (*value)(const struct bursts *b, const struct burst_sums *s);
} of_series[] = {
    {"noc_burst", offsetof(struct bursts, noc), bursts_variation},
    {"dram_burst", offsetof(struct bursts, dram), bursts_variation},
    {"demand_over", offsetof(struct bursts, demand), bursts_over},
    {"noc_over", offsetof(struct bursts, noc), bursts_over},
    {"dram_over", offsetof(struct bursts, dram), bursts_over},
};

static const struct of_series *burst_of(const char *name)
{
    for (size_t i = 0; i < sizeof of_series / sizeof *of_series; i++)
        if (!strcmp(of_series[i].name, name))
            return &of_series[i];
    return NULL;
}

static double burst(const struct kept_sim *run, const struct of_series *which)
{
    const struct bursts *b = &run->sim.bursts;

    return which->value(b, (const struct burst_sums *)((const char *)b + which->offset));
}

struct check {
    struct mh_error *err;
    bool failed, alone, series;
};

/* Behind `alone.` only the counter's name is looked at, behind `config.` only the key's. */
static struct nearest near_to(const char *name)
{
    if (!strncmp(name, CONFIG, strlen(CONFIG)))
        return config_key_near(name + strlen(CONFIG));
    struct nearest near = nearest_begin(strncmp(name, ALONE, strlen(ALONE)) ? name : name + strlen(ALONE), "");
#define MH_TENANT_COUNTER(NAME, field, unit, doc) nearest_try(&near, #field);
#include "memhelm/registers.def"
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        nearest_try(&near, totals[i].name);
    for (size_t i = 0; i < sizeof of_series / sizeof *of_series; i++)
        nearest_try(&near, of_series[i].name);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        nearest_try(&near, plain[i]);
    return near;
}

static void check_name(void *ctx, const char *name, int tenant)
{
    struct check *c = ctx;
    const struct named *total = total_of(name);
    bool alone = !strncmp(name, ALONE, strlen(ALONE));
    c->alone |= alone || (total && total->alone) || !strcmp(name, "speedup");
    c->series |= burst_of(alone ? name + strlen(ALONE) : name) != NULL;
    if (alone ? is_counter(name + strlen(ALONE)) || burst_of(name + strlen(ALONE)) || !strcmp(name, ALONE "cycles")
              : total || is_counter(name) || burst_of(name) || is_plain(name) || is_knob(name) ||
                    (!strncmp(name, CONFIG, strlen(CONFIG)) && config_key_is(name + strlen(CONFIG))))
        return;
    if (!c->failed)
        (void)mh_fail(c->err, "this model has no counter or metric '%.60s'%s; `memhelm list metrics` has all", name,
                      near_to(name).text);
    c->failed = true;
    (void)tenant;
}

int values_check(const struct expr *e, struct mh_error *err)
{
    struct check c = {.err = err};
    expr_names(e, check_name, &c);
    return c.failed ? -1 : 0;
}

struct beyond {
    unsigned tenants;
    const char *name;
    int tenant;
};

static void find_beyond(void *ctx, const char *name, int tenant)
{
    struct beyond *b = ctx;
    if (tenant != EXPR_ALL && (unsigned)tenant >= b->tenants) {
        b->name = name;
        b->tenant = tenant;
    }
}

int values_check_tenants(const struct expr *e, unsigned tenants, struct mh_error *err)
{
    struct beyond b = {.tenants = tenants};
    expr_names(e, find_beyond, &b);
    if (!b.name)
        return 0;
    return tenants == 1
               ? mh_fail(err, "%.60s[%d]: there is one tenant, [0]", b.name, b.tenant)
               : mh_fail(err, "%.60s[%d]: there are %u tenants, [0] to [%u]", b.name, b.tenant, tenants, tenants - 1);
}

bool values_need_alone(const struct expr *e)
{
    struct check c = {.err = NULL};
    expr_names(e, check_name, &c);
    return c.alone;
}

bool values_need_series(const struct expr *e)
{
    struct check c = {.err = NULL};
    expr_names(e, check_name, &c);
    return c.series;
}

struct context {
    const struct point *point;
    const struct mh_config *cfg;
    const struct mh_stats *stats;
    const struct mh_stats *alone[MH_MAX_TENANTS];
    struct metrics metrics;
};

/* Of tenant `t`; a tenant that is not there has NaN. */
static double of_tenant(const struct context *x, const char *name, uint32_t t)
{
    if (t >= x->stats->tenants)
        return (double)NAN;
    if (!strncmp(name, ALONE, strlen(ALONE))) {
        name += strlen(ALONE);
        if (!x->alone[t])
            return (double)NAN;
        if (burst_of(name))
            return burst(x->point->alone[t], burst_of(name));
        return strcmp(name, "cycles") ? counter(&x->alone[t]->tenant[0], name) : (double)x->alone[t]->cycles;
    }
    if (!strcmp(name, "ipc"))
        return x->metrics.tenant[t].ipc;
    if (!strcmp(name, "speedup"))
        return x->metrics.tenant[t].speedup;
    if (!strcmp(name, "dram_share"))
        return x->metrics.tenant[t].dram_share;
    if (!strcmp(name, "noc_share"))
        return x->metrics.tenant[t].noc_share;
    if (!strcmp(name, "sms"))
        return x->cfg->tenants[t].sm_count;
    return counter(&x->stats->tenant[t], name);
}

static bool of_run(const struct context *x, const char *name, double *v)
{
    const struct named *total = total_of(name);
    const uint64_t *count = control_of(&x->stats->control, name);
    if (total)
        memcpy(v, (const char *)&x->metrics + total->offset, sizeof *v);
    else if (!strncmp(name, CONFIG, strlen(CONFIG)))
        *v = config_key_value(x->cfg, name + strlen(CONFIG));
    else if (!strcmp(name, "cycles"))
        *v = (double)x->stats->cycles;
    else if (burst_of(name))
        *v = burst(x->point->run, burst_of(name));
    else if (!strcmp(name, "tenants"))
        *v = x->stats->tenants;
    else if (count)
        *v = (double)*count;
    else
        return false;
    return true;
}

/* One tenant has it, and all together. */
static bool is_share(const char *name)
{
    return !strcmp(name, "dram_share") || !strcmp(name, "noc_share");
}

static double look_up(void *ctx, const char *name, int tenant)
{
    const struct context *x = ctx;
    double v, sum = 0;
    if (!(is_share(name) && tenant != EXPR_ALL) && of_run(x, name, &v))
        return v;
    if (!strncmp(name, KNOB, strlen(KNOB)))
        return knob(&x->stats->knobs, name + strlen(KNOB), x->stats->tenants, tenant);
    if (tenant != EXPR_ALL)
        return of_tenant(x, name, (uint32_t)tenant);
    for (uint32_t t = 0; t < x->stats->tenants; t++)
        sum += of_tenant(x, name, t);
    return sum;
}

static const struct mh_stats *stats_of(const struct kept_sim *s)
{
    return s && s->sim.state == SIM_DONE && s->sim.result.end == MH_END_PASS ? &s->sim.result.stats : NULL;
}

/* False when the run has no result. */
static bool open_context(struct context *x, const struct point *p)
{
    *x = (struct context){.point = p, .stats = stats_of(p->run)};
    if (!x->stats)
        return false;
    x->cfg = &p->run->sim.cfg;
    for (uint32_t t = 0; t < x->stats->tenants; t++)
        x->alone[t] = stats_of(p->alone[t]);
    metrics_compute(&x->metrics, x->cfg, x->stats, x->alone);
    return true;
}

double values_of(const struct expr *e, const struct point *p)
{
    struct context x;
    return open_context(&x, p) ? expr_value(e, look_up, &x) : (double)NAN;
}

void values_reason(const struct expr *e, const struct point *p, char *text, size_t size)
{
    struct mh_error why;
    struct context x;
    if (open_context(&x, p) && values_check_tenants(e, x.stats->tenants, &why))
        snprintf(text, size, "%s", why.text);
    else
        snprintf(text, size, "it %s here", isinf(values_of(e, p)) ? "is infinite" : "divides by 0");
}

double values_weighted_speedup(const struct point *p)
{
    struct context x;
    return open_context(&x, p) ? x.metrics.weighted_speedup : (double)NAN;
}
