/* Cells of `memhelm search`: a combination of CTAs of one workload, with all that is recorded of it. */
#include <string.h>

#include "recorded/cell.h"
#include "search/search.h"

struct search_own {
    struct search_request request;
    struct search *search;
    unsigned tenants, combination;
};

static bool find(const json_t *file, size_t *n, const json_t **workload, const json_t **row)
{
    size_t i;
    json_array_foreach(json_object_get(file, "workloads"), i, *workload)
    {
        const json_t *rows = json_object_get(json_object_get(*workload, "surface"), "rows");
        *row = json_array_get(rows, *n);
        if (*row)
            return true;
        *n -= json_array_size(rows);
    }
    return false;
}

static size_t count(const json_t *file)
{
    const json_t *workload, *row;
    size_t left = SIZE_MAX;
    (void)find(file, &left, &workload, &row);
    return SIZE_MAX - left;
}

static unsigned number(const json_t *row, unsigned i)
{
    return (unsigned)json_integer_value(json_array_get(row, i));
}

static int find_combination(struct search_own *own, const json_t *row, struct mh_error *err)
{
    uint8_t ctas[MH_MAX_TENANTS] = {0};
    for (unsigned t = 0; t < own->tenants; t++)
        ctas[t] = (uint8_t)number(row, t);
    const int found = combinations_find(&own->search->workloads[0].all, ctas);
    own->combination = (unsigned)found;
    return found < 0 ? mh_fail(err, "these CTAs are no combination now") : 0;
}

static void name(struct cell *c, const char *workload, const json_t *row, unsigned tenants)
{
    size_t used = (size_t)snprintf(c->name, sizeof c->name, "%.200s, CTAs ", workload);
    for (unsigned t = 0; t < tenants; t++)
        used += (size_t)snprintf(c->name + used, sizeof c->name - used, "%s%u", t ? "+" : "", number(row, t));
    snprintf(c->name + used, sizeof c->name - used, ", seed %u", number(row, tenants));
}

static int open_cell(struct cell *c, const json_t *file, size_t n, struct mh_error *err)
{
    const json_t *workload, *row;
    if (!find(file, &n, &workload, &row))
        return mh_fail(err, "there is no such cell");
    struct search_own *own = cell_own(c, sizeof *own);
    struct search_request *r = &own->request;
    own->tenants = (unsigned)json_array_size(json_object_get(workload, "kernels"));
    c->was = row;
    r->workloads[r->workload_count++] = cell_text(workload, "workload");
    r->preset = cell_text(file, "preset");
    r->spatial = !strcmp(cell_text(file, "sms"), "split");
    r->set_count = cell_texts(json_object_get(file, "set"), r->sets, SEARCH_SETS);
    r->cycles = cell_count(file, "cycles");
    r->seed_first = number(row, own->tenants);
    r->seeds = r->jobs = r->finalists = 1;
    r->results = c->results;
    name(c, r->workloads[0], row, own->tenants);
    own->search = search_open(r, err);
    if (!own->search || find_combination(own, row, err))
        return -1;
    const struct search *s = own->search;
    return cell_add_point(c, search_points(s, &s->workloads[0], (int)own->combination), err);
}

static json_t *value(const struct cell *c)
{
    const struct search_own *own = c->own;
    return search_row_json(own->search, &own->search->workloads[0], own->combination, 0);
}

static void close_cell(struct cell *c)
{
    struct search_own *own = c->own;
    if (own->search)
        search_close(own->search);
}

const struct cell_kind cell_search = {"memhelm-search-1", count, open_cell, value, close_cell};
