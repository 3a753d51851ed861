#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "mcu/image.h"
#include "memhelm/config_file.h"

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
