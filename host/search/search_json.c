#include "search.h"

#include "base/json.h"
#include "report/report.h"
#include "run/setup.h"

static json_t *launches_json(const struct cta_kernel *kernel)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < kernel->count; i++) {
        const struct cta_launch *l = &kernel->launch[i];
        json_array_append_new(list, json_pack("{s:I, s:I, s:I, s:I}", "ctas", (json_int_t)l->ctas, "warps",
                                              (json_int_t)l->needs.warps, "registers", (json_int_t)l->needs.registers,
                                              "shared_bytes", (json_int_t)l->needs.shared_bytes));
    }
    return list;
}

/* Alone: a number for each seed. */
static json_t *alone_json(const struct search *s, const struct search_workload *w, unsigned t)
{
    json_t *list = json_array();
    struct metrics m;
    for (unsigned seed = 0; seed < s->request->seeds; seed++)
        json_array_append_new(
            list, point_metrics(&w->free[seed], &w->free[seed], &m) ? json_number(m.tenant[t].ipc_alone) : json_null());
    return list;
}

static json_t *kernels_json(const struct search *s, const struct search_workload *w)
{
    json_t *list = json_array();
    for (unsigned t = 0; t < w->tenants; t++) {
        json_t *o = json_object();
        json_put(o, "name", json_string(setup_kernel_name(&search_config(w)->tenants[t])));
        json_put_count(o, "most_ctas", w->most[t]);
        json_put(o, "launches", launches_json(&w->kernels[t]));
        json_put(o, "ipc_alone", alone_json(s, w, t));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *ctas_json(const struct search_workload *w, int i)
{
    json_t *list = json_array();
    for (unsigned t = 0; t < w->tenants; t++)
        json_array_append_new(list, json_integer(w->all.ctas[i][t]));
    return list;
}

/* The means over seeds of combination `i`; -1: without limits. */
static json_t *chosen_json(const struct search *s, const struct search_workload *w, int i)
{
    json_t *o = json_object();
    if (i >= 0)
        json_put(o, "ctas", ctas_json(w, i));
    for (unsigned m = 0; m < SEARCH_METRICS; m++)
        json_put_real(o, search_metrics[m].name, search_value(s, w, i, m).mean);
    return o;
}

static json_t *best_json(const struct search *s, const struct search_workload *w)
{
    json_t *o = json_object();
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        int best = search_best(s, w, m);
        json_put(o, search_metrics[m].name, best < 0 ? json_null() : chosen_json(s, w, best));
    }
    return o;
}

/* --- The surface: a row of numbers for each combination and seed. */

static json_t *columns_json(const struct search_workload *w)
{
    char name[24];
    json_t *list = json_array();
    for (unsigned t = 0; t < w->tenants; t++) {
        snprintf(name, sizeof name, "ctas[%u]", t);
        json_array_append_new(list, json_string(name));
    }
    json_array_append_new(list, json_string("seed"));
    for (unsigned t = 0; t < w->tenants; t++) {
        snprintf(name, sizeof name, "ipc[%u]", t);
        json_array_append_new(list, json_string(name));
    }
    for (unsigned m = 0; m < SEARCH_METRICS; m++)
        json_array_append_new(list, json_string(search_metrics[m].name));
    return list;
}

json_t *search_row_json(const struct search *s, const struct search_workload *w, unsigned i, unsigned seed)
{
    json_t *list = ctas_json(w, (int)i);
    struct metrics m;
    bool known = point_metrics(&search_points(s, w, (int)i)[seed], &search_points(s, w, (int)i)[seed], &m);
    json_array_append_new(list, json_integer(s->request->seed_first + seed));
    for (unsigned t = 0; t < w->tenants; t++)
        json_array_append_new(list, known ? json_number(m.tenant[t].ipc) : json_null());
    for (unsigned k = 0; k < SEARCH_METRICS; k++)
        json_array_append_new(list, known ? json_number(search_metric_of(&m, k)) : json_null());
    return list;
}

static json_t *surface_json(const struct search *s, const struct search_workload *w)
{
    json_t *rows = json_array();
    for (unsigned i = 0; i < w->all.count; i++)
        for (unsigned seed = 0; seed < s->request->seeds; seed++)
            json_array_append_new(rows, search_row_json(s, w, i, seed));
    return json_pack("{s:o, s:o}", "columns", columns_json(w), "rows", rows);
}

static json_t *configs_json(const struct search *s, const struct search_workload *w)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    made_add_configs(h, w->free, s->request->seeds);
    made_add_configs(h, w->points, (size_t)w->all.count * s->request->seeds);
    hash_end(h, text);
    return json_string(text);
}

static json_t *workload_json(const struct search *s, const struct search_workload *w)
{
    json_t *o = json_object();
    int even = search_even(s, w);
    json_put(o, "workload", json_string(w->spec));
    json_put(o, "name", json_string(w->name));
    json_put(o, "class", w->group ? json_string(w->group) : json_null());
    json_put(o, "config_sha256", configs_json(s, w));
    json_put(o, "kernels", kernels_json(s, w));
    json_put_count(o, "combinations", w->all.count);
    json_put_count(o, "missing", search_missing(s, w));
    json_put(o, "best", best_json(s, w));
    json_put(o, "even", even < 0 ? json_null() : chosen_json(s, w, even));
    json_put(o, "no_limits", chosen_json(s, w, -1));
    json_put(o, "surface", surface_json(s, w));
    return o;
}

/* Of the first round; null: there was none. */
static json_t *finalists_json(const struct search *s)
{
    if (!s->request->from)
        return json_null();
    json_t *o = json_object(), *metrics = json_array();
    for (unsigned m = 0; m < SEARCH_METRICS; m++)
        if (search_metrics[m].finals)
            json_array_append_new(metrics, json_string(search_metrics[m].name));
    json_put_count(o, "best", s->request->finalists);
    json_put(o, "by", metrics);
    json_put_count(o, "cycles", s->first_search.cycles);
    return o;
}

int search_write_json(const struct search *s, const char *path, struct mh_error *err)
{
    const struct search_request *r = s->request;
    json_t *o = json_object(), *workloads = json_array();
    for (unsigned i = 0; i < r->workload_count; i++)
        json_array_append_new(workloads, workload_json(s, &s->workloads[i]));
    json_put(o, "schema", json_string("memhelm-search-1"));
    made_put(o, s->plan);
    json_put(o, "preset", json_string(r->preset));
    json_put(o, "set", json_texts(r->sets, r->set_count));
    json_put(o, "sms", json_string(r->spatial ? "split" : "shared"));
    json_put_count(o, "cycles", r->cycles);
    json_put_count(o, "first_seed", r->seed_first);
    json_put_count(o, "seeds", r->seeds);
    json_put_count(o, "combinations", search_combinations(s));
    json_put(o, "finalists", finalists_json(s));
    json_put(o, "workloads", workloads);
    return json_write(o, path, err);
}
