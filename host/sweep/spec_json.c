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
    json_t *metrics = json_array();
    for (unsigned i = 0; i < s->metrics.count; i++)
        json_array_append_new(metrics, json_pack("[ss]", s->metric_names.text[i], s->metrics.text[i]));
    return metrics;
}

static json_t *of_axes(const struct sweep_spec *s)
{
    json_t *axes = json_array();
    for (unsigned i = 0; i < s->axis_count; i++)
        json_array_append_new(axes, json_pack("[so]", s->axes[i].key, of_words(&s->axes[i].values)));
    return axes;
}

json_t *spec_json(const struct sweep_spec *s)
{
    static const char *const sampling[] = {"grid", "random", "latin", "points"};
    json_t *o = json_object();
    json_put(o, "preset", of_words(&s->presets));
    json_put(o, "design", of_words(&s->designs));
    json_put(o, "image", of_words(&s->images));
    json_put(o, "workload", of_words(&s->workloads));
    json_put(o, "seeds", json_pack("[ii]", (int)s->seed_first, (int)s->seed_last));
    json_put_count(o, "cycles", s->cycles);
    json_put(o, "set", of_words(&s->sets));
    json_put(o, "vary", of_axes(s));
    json_put(o, "sampling", json_string(sampling[s->sampling]));
    if (s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN) {
        json_put_count(o, "samples", s->samples);
        json_put_count(o, "sample_seed", s->sample_seed);
    }
    json_put(o, "metrics", of_metrics(s));
    json_put(o, "alone", json_string(s->alone_whole ? "whole" : "same"));
    json_put(o, "machine", json_string(s->twin ? "twin" : "qemu"));
    return o;
}
