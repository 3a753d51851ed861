#include <stdio.h>

#include "base/json.h"
#include "spec.h"

static json_t *of_words(const struct words *w)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < w->count; i++)
        json_array_append_new(list, json_string(w->text[i]));
    return list;
}

static json_t *of_metrics(const struct sweep_spec *s)
{
    json_t *metrics = json_object();
    for (unsigned i = 0; i < s->metrics.count; i++)
        json_put(metrics, s->metric_names.text[i], json_string(s->metrics.text[i]));
    return metrics;
}

static json_t *of_axes(const struct sweep_spec *s)
{
    json_t *axes = json_object();
    for (unsigned i = 0; i < s->axis_count; i++)
        json_put(axes, s->axes[i].key, of_words(&s->axes[i].values));
    return axes;
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

static json_t *of_sample(const struct sweep_spec *s)
{
    json_t *sample = json_object();
    json_put_count(sample, s->sampling == SPEC_RANDOM ? "random" : "latin", s->samples);
    json_put_count(sample, "seed", s->sample_seed);
    return sample;
}

/* What says nothing is left out, as in a file. */
static void put_what_varies(json_t *o, const struct sweep_spec *s)
{
    if (s->sets.count)
        json_put(o, "set", of_words(&s->sets));
    if (s->sampling == SPEC_ZIP)
        json_put(o, "points", of_points(s));
    else if (s->axis_count)
        json_put(o, "vary", of_axes(s));
    if (s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN)
        json_put(o, "sample", of_sample(s));
}

json_t *spec_json(const struct sweep_spec *s)
{
    json_t *o = json_object();
    char seeds[32];
    snprintf(seeds, sizeof seeds, "%u-%u", s->seed_first, s->seed_last);
    json_put(o, "preset", of_words(&s->presets));
    json_put(o, "design", of_words(&s->designs));
    json_put(o, "image", of_words(&s->images));
    json_put(o, "workload", of_words(&s->workloads));
    json_put(o, "seeds", json_string(seeds));
    json_put_count(o, "cycles", s->cycles);
    put_what_varies(o, s);
    json_put(o, "metrics", of_metrics(s));
    json_put(o, "alone", json_string(s->alone_whole ? "whole" : "same"));
    if (s->why)
        json_put(o, "why", json_string("true"));
    json_put(o, "twin", json_string(s->twin ? "true" : "false"));
    return o;
}
