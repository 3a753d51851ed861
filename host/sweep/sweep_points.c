#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "explain/explain.h"
#include "plan/quantity.h"
#include "sweep_private.h"

static unsigned digit(uint64_t *n, uint64_t base)
{
    unsigned d = (unsigned)(*n % base);
    *n /= base;
    return d;
}

struct place place_of(const struct sweep *s, uint64_t n)
{
    const struct sweep_spec *spec = &s->request->spec;
    struct place at;
    at.image = digit(&n, spec->images.count);
    at.seed = spec->seed_first + digit(&n, spec->seed_last - spec->seed_first + 1);
    at.workload = digit(&n, spec->workloads.count);
    at.choice = digit(&n, s->choices.count);
    at.design = digit(&n, spec->designs.count);
    at.preset = digit(&n, spec->presets.count);
    return at;
}

/* The spec's own assignments, then those of the axes; `*count` of them, the latter to be freed. */
static void make_sets(const struct sweep *s, const struct place *at, char *sets[SPEC_SETS + SPEC_AXES], unsigned *count)
{
    const struct sweep_spec *spec = &s->request->spec;
    for (*count = 0; *count < spec->sets.count; ++*count)
        sets[*count] = spec->sets.text[*count];
    for (unsigned a = 0; a < spec->axis_count; a++) {
        const struct spec_axis *axis = &spec->axes[a];
        const char *value = axis->values.text[choices_value(&s->choices, at->choice, a)];
        if (*value)
            sets[(*count)++] = must_print("%s=%s", axis->key, value);
    }
}

/* A design is hardware: the alone runs have it, too. */
static void plan_it(const struct sweep *s, const struct place *at, const struct plan_options *o, struct plan *p,
                    struct point *out)
{
    const struct sweep_spec *spec = &s->request->spec;
    const char *design = spec->designs.text[at->design];
    const struct variant v = {.image = spec->images.text[at->image]};
    const struct measure m = {
        .expr = s->planned,
        .cycles = spec->cycles,
        .alone_whole = spec->alone_whole,
        .common = {.preset = spec->presets.text[at->preset], .design = strcmp(design, "none") ? design : NULL}};
    plan_point(p, &m, &v, spec->workloads.text[at->workload], o, out);
}

void place_plan(const struct sweep *s, struct plan *p, uint64_t n, struct point *out)
{
    struct place at = place_of(s, n);
    char *sets[SPEC_SETS + SPEC_AXES];
    unsigned count;
    make_sets(s, &at, sets, &count);
    const struct plan_options o = {.twin = s->request->spec.twin,
                                   .sets = (const char *const *)sets,
                                   .set_count = count,
                                   .seed = at.seed,
                                   .times = 1,
                                   .alone = s->alone};
    plan_it(s, &at, &o, p, out);
    while (count > s->request->spec.sets.count)
        free(sets[--count]);
}

/* --- Columns. */

static const char *const fixed_axes[] = {"preset", "design", "image", "workload", "seed"};
enum { FIRST = sizeof fixed_axes / sizeof *fixed_axes };

static void add(struct sweep *s, const char *name, enum points_kind kind)
{
    /* The file's interface takes names that it does not change. */
    s->columns[s->column_count++] = (struct points_column){(char *)(uintptr_t)name, kind};
}

int columns_make(struct sweep *s, struct mh_error *err)
{
    const struct sweep_spec *spec = &s->request->spec;
    if (spec->metrics.count > SWEEP_METRICS)
        return mh_fail(err, "more than %d metrics", SWEEP_METRICS);
    for (unsigned i = 0; i < FIRST; i++)
        add(s, fixed_axes[i], POINTS_AXIS);
    for (unsigned a = 0; a < spec->axis_count; a++)
        add(s, spec->axes[a].key, POINTS_AXIS);
    for (unsigned m = 0; m < spec->metrics.count; m++)
        add(s, spec->metric_names.text[m], POINTS_METRIC);
    add(s, "run", POINTS_ABOUT);
    add(s, "reason", POINTS_ABOUT);
    if (spec->why)
        add(s, "why", POINTS_ABOUT);
    return 0;
}

static struct points_value of_text(const char *text)
{
    return (struct points_value){text, (double)NAN};
}

/* A number where it is one. */
static struct points_value of_value(const char *text)
{
    char *end;
    double number = strtod(text, &end);
    if (!*text)
        return of_text(NULL);
    return end == text || *end || !isfinite(number) ? of_text(text) : (struct points_value){NULL, number};
}

static void put_axes(const struct sweep *s, uint64_t n, struct points_value *values)
{
    const struct sweep_spec *spec = &s->request->spec;
    const struct place at = place_of(s, n);
    values[0] = of_text(spec->presets.text[at.preset]);
    values[1] = of_text(spec->designs.text[at.design]);
    values[2] = of_text(spec->images.text[at.image]);
    values[3] = of_text(spec->workloads.text[at.workload]);
    values[4] = (struct points_value){NULL, (double)at.seed};
    for (unsigned a = 0; a < spec->axis_count; a++)
        values[FIRST + a] = of_value(spec->axes[a].values.text[choices_value(&s->choices, at.choice, a)]);
}

/* What is no finite number is none in the file; each such metric adds to the reason. */
static double value_of(const struct sweep *s, unsigned metric, const struct point *p, char reason[SWEEP_REASON])
{
    char why[SWEEP_REASON / 2];
    const double value = values_of(s->metrics[metric], p);
    if (isfinite(value))
        return value;
    values_reason(s->metrics[metric], p, why, sizeof why);
    text_add(reason, SWEEP_REASON, "; ", "metric %.100s: %s", s->request->spec.metric_names.text[metric], why);
    return value;
}

void columns_values(const struct sweep *s, uint64_t n, const struct point *p, const char *why,
                    char reason[SWEEP_REASON], struct points_value values[POINTS_COLUMNS])
{
    const unsigned metrics = s->request->spec.metrics.count;
    const bool none = *reason != 0;
    struct points_value *v = values + FIRST + s->request->spec.axis_count;
    put_axes(s, n, values);
    for (unsigned m = 0; m < metrics; m++, v++)
        *v = (struct points_value){NULL, none ? (double)NAN : value_of(s, m, p, reason)};
    v[0] = of_text(p->run ? p->run->key.text : NULL);
    v[1] = of_text(*reason ? reason : NULL);
    if (s->request->spec.why)
        v[2] = of_text(why);
}

/* --- Why. */

/* sm.wait_reasons may be varied, too. */
static bool has_reasons(const struct point *p)
{
    return p->run && sim_passed(&p->run->sim) && p->run->sim.cfg.sm.wait_reasons;
}

static struct explain_run of(const struct sweep *s, unsigned image, const struct point *p)
{
    const struct sim *sim = &p->run->sim;
    return (struct explain_run){s->request->spec.images.text[image], &sim->cfg, &sim->result.stats};
}

char *why_text(const struct sweep *s, uint64_t n, const struct point *p, const struct point *first)
{
    struct draft d;
    if (p == first || !has_reasons(p) || !has_reasons(first))
        return NULL;
    const struct explain_run runs[2] = {of(s, 0, first), of(s, place_of(s, n).image, p)};
    draft_open(&d);
    explain_say(runs, d.out);
    return draft_text(&d);
}
