#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

static uint32_t whole(const json_t *o, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(o, key));
}

/* false: more tenants than there can be, or none. */
static bool read_config(struct run_file *r)
{
    const json_t *config = json_object_get(r->json, "config"), *sm = json_object_get(config, "sm");
    const json_t *run = json_object_get(config, "run"), *tenants = json_object_get(config, "tenants");
    struct mh_config *c = &r->cfg;
    const size_t count = json_array_size(tenants);
    if (!count || count > MH_MAX_TENANTS)
        return false;
    c->tenants_count = (uint32_t)count;
    c->sm.count = whole(sm, "count");
    c->sm.share = whole(sm, "share");
    c->run.cycles = (uint64_t)json_integer_value(json_object_get(run, "cycles"));
    c->run.seed = (uint64_t)json_integer_value(json_object_get(run, "seed"));
    snprintf(c->preset, sizeof c->preset, "%s", input_text(config, "preset"));
    snprintf(c->design, sizeof c->design, "%s", input_text(config, "design"));
    for (size_t t = 0; t < count; t++) {
        const json_t *tenant = json_array_get(tenants, t);
        c->tenants[t].sm_count = whole(tenant, "sm_count");
        snprintf(c->tenants[t].kernel, sizeof c->tenants[t].kernel, "%s", input_text(tenant, "kernel"));
    }
    return true;
}

static void join_workload(struct run_file *r)
{
    size_t t;
    const json_t *name;
    json_array_foreach(json_object_get(r->json, "workload"), t, name)
    {
        text_add(r->workload, sizeof r->workload, "+", "%s", json_string_value(name) ? json_string_value(name) : "?");
    }
}

/* A file that was written before a counter came has no stacks here, and all the rest. */
static void read_waits(struct run_file *r)
{
    const json_t *run = json_object_get(r->json, "run");
    struct mh_error why;
    if (!json_object_get(run, "waits"))
        return;
    char *text = must(json_dumps(run, 0));
    r->has_waits = !mh_record_parse(text, r->file, &r->result, &why);
    free(text);
}

static int read_one(struct run_file *r, const json_t *o, const char *file, struct mh_error *err)
{
    *r = (struct run_file){.json = o, .file = file};
    if (!read_config(r))
        return mh_fail(err, "%.300s: no run: its configuration has no tenants", file);
    snprintf(r->image, sizeof r->image, "%s", input_text(json_object_get(o, "image"), "name"));
    r->passed = json_is_object(json_object_get(o, "metrics"));
    join_workload(r);
    read_waits(r);
    r->config = settings_of_results(r);
    return 0;
}

static const char *machine_of(const struct run_file *r)
{
    return input_text(json_object_get(r->json, "image"), "machine");
}

static void group(struct run_file *runs, unsigned count)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < i && !json_equal(runs[k].config, runs[i].config))
            k++;
        runs[i].group = k < i ? runs[k].group : groups++;
    }
}

static bool is_same_run(const struct run_file *a, const struct run_file *b)
{
    const json_t *x = json_object_get(a->json, "image"), *y = json_object_get(b->json, "image");
    return a->group == b->group && !strcmp(a->image, b->image) && !strcmp(machine_of(a), machine_of(b)) &&
           !strcmp(input_text(x, "sha256"), input_text(y, "sha256")) &&
           json_equal(json_object_get(a->json, "core"), json_object_get(b->json, "core"));
}

/* `compare` and `explain` of the same: one column each, and why. */
static void join(struct run_file *runs, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = 0; k < i && !runs[i].again; k++) {
            if (runs[k].again || !is_same_run(&runs[k], &runs[i]))
                continue;
            runs[i].again = true;
            if (!runs[i].has_waits || runs[k].has_waits)
                continue;
            runs[k].has_waits = true;
            runs[k].result = runs[i].result;
        }
}

/* Two runs of one configuration that differ in the machine alone need another name. */
static void name_machines(struct run_file *runs, unsigned count)
{
    bool both = false;
    for (unsigned i = 1; i < count; i++)
        both |= strcmp(machine_of(&runs[0]), machine_of(&runs[i])) != 0;
    for (unsigned i = 0; i < count && both; i++)
        if (!strcmp(machine_of(&runs[i]), "twin"))
            strncat(runs[i].image, " (twin)", sizeof runs[i].image - strlen(runs[i].image) - 1);
}

static size_t runs_in(const struct input *in)
{
    const json_t *list = json_object_get(in->json, "results");
    return list ? json_array_size(list) : 1;
}

int run_files_read(const struct input *in, unsigned inputs, struct run_file **runs, unsigned *count,
                   struct mh_error *err)
{
    size_t most = 0;
    for (unsigned i = 0; i < inputs; i++)
        most += runs_in(&in[i]);
    *runs = must_have(most, sizeof **runs);
    *count = 0;
    for (unsigned i = 0; i < inputs; i++)
        for (size_t k = 0; k < runs_in(&in[i]); k++) {
            const json_t *list = json_object_get(in[i].json, "results");
            if (read_one(&(*runs)[(*count)++], list ? json_array_get(list, k) : in[i].json, in[i].path, err))
                return -1;
        }
    group(*runs, *count);
    join(*runs, *count);
    name_machines(*runs, *count);
    return 0;
}

void run_files_free(struct run_file *runs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        json_decref(runs[i].config);
    free(runs);
}

double run_file_metric(const struct run_file *r, int tenant, const char *name)
{
    const json_t *metrics = json_object_get(r->json, "metrics");
    if (tenant >= 0)
        metrics = json_array_get(json_object_get(metrics, "tenants"), (size_t)tenant);
    return input_number(metrics, name);
}
