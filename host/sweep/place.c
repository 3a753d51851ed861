#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static int make_sets(const struct sweep *s, const struct place *at, char *sets[SPEC_SETS + SPEC_AXES], unsigned *count,
                     struct mh_error *err)
{
    const struct sweep_spec *spec = &s->request->spec;
    for (*count = 0; *count < spec->sets.count; ++*count)
        sets[*count] = spec->sets.text[*count];
    for (unsigned a = 0; a < spec->axis_count; a++) {
        const struct spec_axis *axis = &spec->axes[a];
        const char *value = axis->values.text[choices_value(&s->choices, at->choice, a)];
        if (!*value)
            continue;
        if (asprintf(&sets[*count], "%s=%s", axis->key, value) < 0)
            return mh_fail(err, "out of memory");
        ++*count;
    }
    return 0;
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

int place_plan(const struct sweep *s, struct plan *p, uint64_t n, struct point *out, struct mh_error *err)
{
    struct place at = place_of(s, n);
    char *sets[SPEC_SETS + SPEC_AXES];
    unsigned count;
    int status = make_sets(s, &at, sets, &count, err);
    const struct plan_options o = {.twin = s->request->spec.twin,
                                   .sets = (const char *const *)sets,
                                   .set_count = count,
                                   .seed = at.seed,
                                   .times = 1,
                                   .alone = s->alone};
    if (!status)
        plan_it(s, &at, &o, p, out);
    while (count > s->request->spec.sets.count)
        free(sets[--count]);
    return status;
}
