#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

json_t *from_recorded_read(struct reproduce_options *o, struct mh_error *err)
{
    char standard[256];
    snprintf(standard, sizeof standard, "host/reproduce/results/%s.json.zst", o->study);
    const char *path = *o->recorded ? o->recorded : standard;
    json_t *recording = json_read(path, err);

    if (!recording)
        return NULL;
    if (strcmp(text_of(recording, "schema"), "memhelm-reproduce-1") != 0)
        (void)mh_fail(err, "%s: no file of `memhelm reproduce --json`", path);
    else if (strcmp(text_of(recording, "study"), o->study) != 0)
        (void)mh_fail(err, "%s: recorded from study %s, not %s", path, text_of(recording, "study"), o->study);
    else {
        o->seed_first = (unsigned)json_integer_value(json_object_get(recording, "seed_first"));
        o->seed_last = (unsigned)json_integer_value(json_object_get(recording, "seed_last"));
        return recording;
    }
    json_decref(recording);
    return NULL;
}

static const json_t *named(const json_t *list, const char *key, const char *name)
{
    size_t i;
    const json_t *o;

    json_array_foreach(list, i, o) if (!strcmp(text_of(o, key), name)) return o;
    return NULL;
}

static bool same_workloads(const struct series *s, const json_t *recorded)
{
    const json_t *names = json_object_get(recorded, "workloads");
    bool same = json_array_size(names) == s->workload_count;

    for (unsigned w = 0; w < s->workload_count && same; w++)
        same = !strcmp(s->workloads[w].name, json_string_value(json_array_get(names, w)));
    return same;
}

/* What `recorded` has as `key`; NULL: no cell has a value. */
static int fill(struct series *s, const json_t *recorded, const char *key, const char *what, struct mh_error *err)
{
    const json_t *cells = json_object_get(recorded, key);

    if (recorded && !same_workloads(s, recorded))
        return mh_fail(err, "%s: recorded with other workloads than its rows file has now; record it anew", what);
    s->recorded = calloc((size_t)s->seeds * s->workload_count, sizeof *s->recorded);
    if (!s->recorded)
        return mh_fail(err, "out of memory");
    for (unsigned seed = 0; seed < s->seeds; seed++)
        for (unsigned w = 0; w < s->workload_count; w++) {
            const json_t *v = json_array_get(json_array_get(cells, seed), w);
            s->recorded[seed * s->workload_count + w] = json_is_number(v) ? json_number_value(v) : (double)NAN;
        }
    return 0;
}

static int fill_grid(struct reproduce_grid *g, const json_t *grids, unsigned *missing, struct mh_error *err)
{
    const json_t *columns = json_object_get(named(grids, "id", g->grid->id), "columns");

    for (unsigned c = 0; c < g->grid->column_count; c++) {
        const json_t *column = named(columns, "name", g->grid->columns[c].name);
        *missing += !column;
        if (fill(&g->columns[c], column, "cells", g->grid->id, err))
            return -1;
    }
    return 0;
}

int from_recorded_fill(struct reproduction *r, const json_t *recording, unsigned *missing, struct mh_error *err)
{
    const json_t *rows = json_object_get(recording, "rows"), *grids = json_object_get(recording, "grids");

    *missing = 0;
    for (unsigned i = 0; i < r->row_count; i++) {
        struct reproduce_row *own = &r->rows[i];
        const json_t *row = named(rows, "id", own->row->id);
        *missing += !row;
        if ((own->once.workload_count && fill(&own->once, row, "cells", own->row->id, err)) ||
            (own->plain.workload_count && fill(&own->plain, row, "plain_cells", own->row->id, err)))
            return -1;
    }
    for (unsigned i = 0; i < r->grid_count; i++)
        if (fill_grid(&r->grids[i], grids, missing, err))
            return -1;
    return 0;
}
