#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "mcu/image.h"
#include "memhelm/config_file.h"
#include "plan/quantity.h"
#include "run/setup.h"

enum { DEFAULT_CYCLES = 1000000 };

void spec_init(struct sweep_spec *s)
{
    *s = (struct sweep_spec){.cycles = DEFAULT_CYCLES, .seed_first = 1, .seed_last = 1, .sample_seed = 1};
}

void spec_free(struct sweep_spec *s)
{
    struct words *const all[] = {&s->presets, &s->designs, &s->images,      &s->workloads,
                                 &s->sets,    &s->metrics, &s->metric_names};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        words_free(all[i]);
    for (unsigned i = 0; i < s->axis_count; i++) {
        free(s->axes[i].key);
        words_free(&s->axes[i].values);
    }
    for (unsigned i = 0; i < s->list_count; i++) {
        free(s->lists[i].name);
        words_free(&s->lists[i].workloads);
    }
    free(s->name);
    *s = (struct sweep_spec){0};
}

int spec_check_set(const char *assignment, struct mh_error *err)
{
    if (!strncmp(assignment, "tenants[", 8) || is_param_set(assignment))
        return 0;
    if (!strncmp(assignment, "run.seed=", 9) || !strncmp(assignment, "run.cycles=", 11))
        return mh_fail(err, "%.60s: say `seeds`, `cycles` instead", assignment);
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = mh_config_preset(cfg, SPEC_PRESET, err) || mh_config_set(cfg, assignment, err) ? -1 : 0;
    free(cfg);
    return status;
}

int spec_check_value(const char *key, const char *value, struct mh_error *err)
{
    char *set = must_print("%s=%s", key, value);
    const int status = spec_check_set(set, err);
    free(set);
    return status;
}

struct spec_axis *spec_axis_of(struct sweep_spec *s, const char *key)
{
    for (unsigned i = 0; i < s->axis_count; i++)
        if (!strcmp(s->axes[i].key, key))
            return &s->axes[i];
    if (s->axis_count == SPEC_AXES)
        return NULL;
    s->axes[s->axis_count] = (struct spec_axis){.key = must(strdup(key))};
    return &s->axes[s->axis_count++];
}

int spec_vary(struct sweep_spec *s, const char *assignment, struct mh_error *err)
{
    const char *is = strchr(assignment, '=');
    if (!is || is == assignment)
        return mh_fail(err, "'%.60s': write KEY=VALUES, such as l2tlb.entries=128,512,2048 or walk.walkers=4..64*2",
                       assignment);
    if (s->sampling == SPEC_ZIP)
        return mh_fail(err, "%.60s: the sweep lists its points, it varies nothing", assignment);
    char *key = must(strndup(assignment, (size_t)(is - assignment)));
    struct spec_axis *a = spec_axis_of(s, key);
    free(key);
    if (!a)
        return mh_fail(err, "more than %d varied keys", SPEC_AXES);
    words_free(&a->values);
    struct mh_error why;
    if (axis_parse(&a->values, is + 1, &why))
        return mh_fail(err, "%.60s: %.900s", a->key, why.text);
    for (unsigned i = 0; i < a->values.count; i++)
        if (spec_check_value(a->key, a->values.text[i], err))
            return -1;
    return 0;
}

/* An expression has no `=`. */
int spec_metric(struct sweep_spec *s, const char *text, struct mh_error *err)
{
    const char *is = strchr(text, '='), *expression = is ? is + 1 : text;
    size_t name = is ? (size_t)(is - text) : strlen(text);
    expression += strspn(expression, " ");
    if (!name || !*expression)
        return mh_fail(err, "'%.60s': write EXPRESSION, or NAME=EXPRESSION", text);
    words_add_part(&s->metric_names, text, name);
    words_add(&s->metrics, expression);
    return 0;
}

int spec_seeds(struct sweep_spec *s, const char *text, struct mh_error *err)
{
    struct mh_error why;
    return seeds_parse(text, &s->seed_first, &s->seed_last, &why) ? mh_fail(err, "seeds: %.900s", why.text) : 0;
}

/* --- Spec json. */

static json_t *of_words(const struct words *w)
{
    return json_texts((const char *const *)w->text, w->count);
}

static json_t *of_points(const struct sweep_spec *s)
{
    json_t *points = json_array();
    for (unsigned i = 0; s->axis_count && i < s->axes[0].values.count; i++) {
        json_t *point = json_object();
        for (unsigned a = 0; a < s->axis_count; a++)
            if (*s->axes[a].values.text[i])
                json_put(point, s->axes[a].key, json_string(s->axes[a].values.text[i]));
        json_array_append_new(points, point);
    }
    return points;
}

/* What says nothing is left out, as in a file. */
static void put_what_varies(json_t *o, const struct sweep_spec *s)
{
    json_t *of = json_object();

    if (s->sets.count)
        json_put(o, "set", of_words(&s->sets));
    for (unsigned i = 0; i < s->axis_count; i++)
        json_put(of, s->axes[i].key, of_words(&s->axes[i].values));
    if (s->sampling == SPEC_ZIP)
        json_put(o, "points", of_points(s));
    else if (s->axis_count)
        json_object_set(o, "vary", of);
    json_decref(of);
    if (s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN)
        json_put(o, "sample",
                 json_pack("{s:I, s:I}", s->sampling == SPEC_RANDOM ? "random" : "latin", (json_int_t)s->samples,
                           "seed", (json_int_t)s->sample_seed));
}

json_t *spec_json(const struct sweep_spec *s)
{
    json_t *o = json_object(), *metrics = json_object();
    char seeds[32];
    snprintf(seeds, sizeof seeds, "%u-%u", s->seed_first, s->seed_last);
    json_put(o, "preset", of_words(&s->presets));
    json_put(o, "design", of_words(&s->designs));
    json_put(o, "image", of_words(&s->images));
    json_put(o, "workload", of_words(&s->workloads));
    json_put(o, "seeds", json_string(seeds));
    json_put_count(o, "cycles", s->cycles);
    put_what_varies(o, s);
    for (unsigned i = 0; i < s->metrics.count; i++)
        json_put(metrics, s->metric_names.text[i], json_string(s->metrics.text[i]));
    json_put(o, "metrics", metrics);
    json_put(o, "alone", json_string(s->alone_whole ? "whole" : "same"));
    if (s->why)
        json_put(o, "why", json_string("true"));
    json_put(o, "twin", json_string(s->twin ? "true" : "false"));
    return o;
}

enum { NESTED = 8 };

/* --- Workloads: lists in the place of their names. */

static int add_workload(const struct sweep_spec *s, const char *text, spec_lists *lists, unsigned depth,
                        struct words *out, struct mh_error *err);

static int add_list(const struct sweep_spec *s, const char *name, spec_lists *lists, unsigned depth, struct words *out,
                    struct mh_error *err)
{
    if (depth == NESTED)
        return mh_fail(err, "workload @%.60s: lists in lists, more than %d deep: one contains itself", name, NESTED);
    for (unsigned i = 0; i < s->list_count; i++) {
        const struct words *of = &s->lists[i].workloads;
        if (strcmp(s->lists[i].name, name) != 0)
            continue;
        for (unsigned w = 0; w < of->count; w++)
            if (add_workload(s, of->text[w], lists, depth + 1, out, err))
                return -1;
        return 0;
    }
    char *full = strchr(name, ':') ? must_print("%s", name) : must_print("%s:%s", s->presets.text[0], name);
    int status = lists(full, out, err);
    free(full);
    return status;
}

static int add_workload(const struct sweep_spec *s, const char *text, spec_lists *lists, unsigned depth,
                        struct words *out, struct mh_error *err)
{
    if (*text == '@')
        return add_list(s, text + 1, lists, depth, out, err);
    if (!words_have(out, text))
        words_add(out, text);
    return 0;
}

static int find_workloads(struct sweep_spec *s, spec_lists *lists, struct mh_error *err)
{
    struct words all = {0};
    int status = 0;
    if (!s->workloads.count)
        return mh_fail(err, "which workload? --workload A+B, or `workload:` in the file; `memhelm list kernels`");
    for (unsigned i = 0; !status && i < s->workloads.count; i++)
        status = add_workload(s, s->workloads.text[i], lists, 0, &all, err);
    words_free(&s->workloads);
    s->workloads = all;
    return status;
}

/* --- What has a default. */

static void add_default(struct words *w, const char *text)
{
    if (!w->count)
        words_add(w, text);
}

static int add_metrics(struct sweep_spec *s, struct mh_error *err)
{
    static const char *const usual[] = {"weighted_speedup", "max_slowdown", "ipc"};
    if (s->metrics.count)
        return 0;
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (spec_metric(s, usual[i], err))
            return -1;
    return 0;
}

/* --- What must exist. */

static int check_images(const struct sweep_spec *s, struct mh_error *err)
{
    if (!s->images.count)
        return mh_fail(err, "which image? --image baseline,mask, or `image:` in the file; `memhelm list images`");
    for (unsigned i = 0; i < s->images.count; i++) {
        struct image image;
        if (image_open(&image, s->images.text[i], s->twin, err))
            return -1;
        image_close(&image);
    }
    return 0;
}

static int check_designs(const struct sweep_spec *s, struct mh_error *err)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = 0;
    for (unsigned p = 0; !status && p < s->presets.count; p++)
        for (unsigned d = 0; !status && d < s->designs.count; d++)
            if (preset_load(cfg, preset_is_file(s->presets.text[p]) ? SPEC_PRESET : s->presets.text[p], err) ||
                (strcmp(s->designs.text[d], "none") != 0 && preset_design(cfg, s->designs.text[d], err)))
                status = -1;
    free(cfg);
    return status;
}

static int check_metrics(const struct sweep_spec *s, struct mh_error *err)
{
    for (unsigned i = 0; i < s->metrics.count; i++) {
        struct mh_error why;
        struct expr *e = expr_parse(s->metrics.text[i], &why);
        const int status = !e || values_check(e, &why) ? -1 : 0;
        expr_free(e);
        if (status)
            return mh_fail(err, "metric %.60s: %.800s", s->metrics.text[i], why.text);
    }
    return 0;
}

/* A metric may be of a tenant that only some of the workloads have: the other points have a reason. */
static int check_tenants(const struct sweep_spec *s, unsigned most, struct mh_error *err)
{
    int status = 0;
    for (unsigned i = 0; !status && i < s->metrics.count; i++) {
        struct mh_error why;
        struct expr *e = must(expr_parse(s->metrics.text[i], &why)); /* check_metrics() has parsed it */
        if (values_check_tenants(e, most, &why))
            status = mh_fail(err, "metric %.60s: %.800s", s->metric_names.text[i], why.text);
        expr_free(e);
    }
    return status;
}

/* Whatever is varied: a kernel that is not there is not there at any point. */
static int check_workloads(const struct sweep_spec *s, struct mh_error *err)
{
    unsigned most = 0;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = 0;
    struct options o;
    options_init(&o);
    for (unsigned i = 0; i < s->sets.count; i++)
        o.sets[o.set_count++] = s->sets.text[i];
    for (unsigned p = 0; p < s->presets.count; p++)
        for (unsigned w = 0; !status && w < s->workloads.count; w++) {
            o.preset = s->presets.text[p];
            o.workload = s->workloads.text[w];
            status = setup_words(&o, cfg, err);
            most = cfg->tenants_count > most ? cfg->tenants_count : most;
        }
    free(cfg);
    return status || check_tenants(s, most, err) ? -1 : 0;
}

/* Names become columns: no two the same. */
static int check_names(const struct sweep_spec *s, struct mh_error *err)
{
    static const char ours[] = "preset design image workload seed run reason why point";
    for (unsigned i = 0; i < s->metric_names.count; i++) {
        const char *own = s->metric_names.text[i];
        for (unsigned j = 0; j < i; j++)
            if (!strcmp(s->metric_names.text[j], own))
                return mh_fail(err, "metric %.60s is asked for twice: give one another name, NAME=EXPRESSION", own);
        if (patterns_fit(ours, own))
            return mh_fail(err, "metric %.60s: a column has that name; choose another one", own);
    }
    return 0;
}

static int check_sampling(const struct sweep_spec *s, struct mh_error *err)
{
    bool sampled = s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN;
    if (sampled && !s->axis_count)
        return mh_fail(err, "a sample of what? Nothing is varied: --vary KEY=VALUES, or `vary:` in the file");
    return 0;
}

/* Reasons are counted by the runs, and are of two images. */
static int ask_why(struct sweep_spec *s, struct mh_error *err)
{
    static const char key[] = "sm.wait_reasons=1";
    if (!s->why)
        return 0;
    if (s->images.count < 2)
        return mh_fail(err, "why says what another image changes: it needs two, --image baseline,mask");
    if (!words_have(&s->sets, key))
        words_add(&s->sets, key);
    return 0;
}

/* What is asked for twice is run once. */
static void make_unique(struct sweep_spec *s)
{
    words_unique(&s->presets);
    words_unique(&s->designs);
    words_unique(&s->images);
    for (unsigned a = 0; a < s->axis_count && s->sampling != SPEC_ZIP; a++)
        words_unique(&s->axes[a].values);
}

int spec_complete(struct sweep_spec *s, spec_lists *lists, struct mh_error *err)
{
    make_unique(s);
    s->name = s->name ? s->name : must(strdup("sweep"));
    add_default(&s->presets, SPEC_PRESET);
    add_default(&s->designs, "none");
    return add_metrics(s, err) || ask_why(s, err) || check_images(s, err) || check_designs(s, err) ||
                   check_metrics(s, err) || check_names(s, err) || check_sampling(s, err) ||
                   find_workloads(s, lists, err) || check_workloads(s, err)
               ? -1
               : 0;
}
