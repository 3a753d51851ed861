#include "quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/table.h"
#include "memhelm/config_file.h"

struct quantity {
    const char *name, *of, *unit, *meaning;
};

/* Metrics; counters and knobs are described by the register table. */
static const struct quantity metrics[] = {
    {"weighted_speedup", "", "", "sum of the tenants' speedups"},
    {"harmonic_speedup", "", "", "harmonic mean of the speedups"},
    {"max_slowdown", "", "", "1 over the least speedup"},
    {"fairness", "", "", "least speedup over the greatest"},
    {"ipc", "[t]", "thread instructions per GPU cycle", "issued; of all tenants the sum"},
    {"speedup", "[t]", "", "IPC beside the others over IPC alone"},
    {"dram_share", "[t]", "", "used part of the DRAM's peak bandwidth"},
    {"noc_share", "[t]", "", "used part of the crossbar's, by data replies to the SMs"},
    {"noc_burst", "", "", "reply flits in 400 GPU cycles: standard deviation over mean"},
    {"dram_burst", "", "", "the same of DRAM accesses"},
    {"noc_over", "", "", "share of such periods with reply flits for more than 60 % of the peak"},
    {"demand_over", "", "", "the same of the flits that replies to new reads will have"},
    {"dram_over", "", "", "share of such periods with DRAM accesses for more than 70 % of the peak"},
    {"decision_latency", "", "GPU cycles", "timer to COMMIT, mean"},
    {"walk_epoch_latency", "", "GPU cycles", "end of a walk epoch to the COMMIT that answers it, mean"},
    {"epochs", "", "", "expiries of timer 0"},
    {"missed", "", "", "those without a COMMIT before the next one"},
    {"walk_epochs", "", "", "ends of walk epochs"},
    {"walk_missed", "", "", "those without an answer before the next one"},
    {"cycles", "", "GPU cycles", "window"},
    {"tenants", "", "", "how many"},
    {"sms", "[t]", "SMs", "of a tenant, or of all"},
    {"alone.cycles", "[t]", "GPU cycles", "window of the alone run"},
};

static void put(struct table *t, const struct quantity *q)
{
    table_row(t);
    table_left(t, q->name);
    table_left(t, q->of);
    table_left(t, q->unit);
    table_left(t, q->meaning);
}

static void put_counters(struct table *t)
{
#define MH_TENANT_COUNTER(NAME, field, unit, doc) put(t, &(struct quantity){#field, "[t]", unit, doc});
#include "memhelm/registers.def"
    put(t, &(struct quantity){"alone.COUNTER", "[t]", "", "any of these, and bursts, of the tenants' alone runs"});
}

/* Some knobs are no number. */
static bool is_there(const char *name)
{
    struct mh_error none;
    struct expr *e = expr_parse(name, &none);
    const bool there = e && !values_check(e, &none);
    if (e)
        expr_free(e);
    return there;
}

static void put_knobs(struct table *t)
{
#define MH_KNOB(NAME, field, shape, offset, width, reset, min, max, unit, doc)                                         \
    if (is_there("knob." #field))                                                                                      \
        put(t, &(struct quantity){"knob." #field, #shape[0] == 'T' ? "[t]" : "", unit, doc});
#include "memhelm/registers.def"
}

void quantities_show(FILE *out)
{
    struct table *t = table_new();
    put(t, &(struct quantity){"name", "tenant", "unit", "meaning"});
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        put(t, &metrics[i]);
    put_counters(t);
    put_knobs(t);
    put(t, &(struct quantity){"config.KEY", "", "", "a number of `memhelm list config`, such as config.sm.count"});
    table_print(t, out);
    table_free(t);
}

struct wanted {
    const char *key;
    double value;
};

static void take_value(void *ctx, const char *key, const char *text, bool number)
{
    struct wanted *w = ctx;
    if (number && !strcmp(w->key, key))
        w->value = strtod(text, NULL);
}

double config_key_value(const struct mh_config *cfg, const char *key)
{
    struct wanted w = {key, (double)NAN};
    mh_config_visit(cfg, take_value, &w);
    return w.value;
}

/* Calls `visit` for the keys of a configuration: they are the same in all presets. */
static void visit_keys(void (*visit)(void *ctx, const char *key, const char *text, bool number), void *ctx)
{
    struct mh_error none;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    if (!mh_config_preset(cfg, "mask", &none))
        mh_config_visit(cfg, visit, ctx);
    free(cfg);
}

bool config_key_is(const char *key)
{
    struct wanted w = {key, (double)NAN};
    visit_keys(take_value, &w);
    return !isnan(w.value);
}

static void try_key(void *ctx, const char *key, const char *text, bool number)
{
    (void)text;
    if (number && strncmp(key, "tenants", 7) != 0)
        nearest_try(ctx, key);
}

struct nearest config_key_near(const char *key)
{
    struct nearest near = nearest_begin(key, "");
    visit_keys(try_key, &near);
    return near;
}
