/* Cells of `memhelm reproduce`: a workload and a seed of a row, or of a column of a table. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "recorded/cell.h"
#include "reproduce/reproduce.h"
#include "run/sim.h"

/* Where a cell stands in the file. */
struct place {
    const char *row, *grid, *column;
    const json_t *series;
    size_t seed, workload;
};

struct rows_cell {
    struct study study;
    struct plan *plan;
    char base[HOST_PATH];
    const char *sets[REPRODUCE_MAX];
    struct series series;
    unsigned workload;
};

/* Takes as many from `*n` as the series has, unless the cell is one of them. */
static bool in_series(const json_t *series, size_t *n, struct place *p)
{
    size_t seed;
    const json_t *cells, *all = json_object_get(series, "cells");
    json_array_foreach(all, seed, cells)
    {
        if (*n < json_array_size(cells)) {
            p->series = series;
            p->seed = seed;
            p->workload = *n;
            return true;
        }
        *n -= json_array_size(cells);
    }
    return false;
}

static bool in_grid(const json_t *grid, size_t *n, struct place *p)
{
    size_t i;
    const json_t *column;
    json_array_foreach(json_object_get(grid, "columns"), i, column)
    {
        p->column = cell_text(column, "name");
        if (in_series(column, n, p))
            return true;
    }
    return false;
}

static bool find(const json_t *file, size_t *n, struct place *p)
{
    size_t i;
    const json_t *o;
    memset(p, 0, sizeof *p);
    json_array_foreach(json_object_get(file, "rows"), i, o)
    {
        p->row = cell_text(o, "id");
        if (in_series(o, n, p))
            return true;
    }
    p->row = NULL;
    json_array_foreach(json_object_get(file, "grids"), i, o)
    {
        p->grid = cell_text(o, "id");
        if (in_grid(o, n, p))
            return true;
    }
    return false;
}

static size_t count(const json_t *file)
{
    struct place p;
    size_t left = SIZE_MAX;
    (void)find(file, &left, &p);
    return SIZE_MAX - left;
}

static int open_row(struct rows_cell *own, const char *id, struct scope *scope, struct mh_error *err)
{
    const struct row *row = study_row(&own->study, id);
    if (!row || row->missing)
        return mh_fail(err, "the study does not run that row now");
    return series_open(&own->series, scope, &row->measure, &row->run, err);
}

static int open_column(struct rows_cell *own, const struct place *p, struct scope *scope, struct mh_error *err)
{
    const struct grid *g = study_grid(&own->study, p->grid);
    unsigned c = 0;
    while (g && c < g->column_count && strcmp(g->columns[c].name, p->column))
        c++;
    if (!g || c == g->column_count)
        return mh_fail(err, "the study has no such column now");
    return series_open(&own->series, scope, grid_measure(g, c), &g->columns[c], err);
}

static int open_series(struct rows_cell *own, const json_t *file, const struct place *p, struct mh_error *err)
{
    struct scope scope = {.study = &own->study, .seeds = 1};
    if (study_open(&own->study, study_name(cell_text(file, "study")), NULL, err) || make_run_dir(own->base, NULL, err))
        return -1;
    if (json_is_true(json_object_get(file, "quick")))
        study_quick(&own->study);
    own->plan = plan_new(own->base);
    if (!own->plan)
        return mh_fail(err, "out of memory");
    scope.plan = own->plan;
    scope.options = (struct plan_options){.twin = !strcmp(cell_text(file, "machine"), "twin"), .times = 1};
    scope.options.sets = own->sets;
    scope.options.set_count = cell_texts(json_object_get(file, "set"), own->sets, REPRODUCE_MAX);
    scope.options.seed = cell_count(file, "seed_first") + p->seed;
    return p->row ? open_row(own, p->row, &scope, err) : open_column(own, p, &scope, err);
}

static const char *at(const json_t *list, size_t i)
{
    const char *text = json_string_value(json_array_get(list, i));
    return text ? text : "";
}

static int find_workload(struct rows_cell *own, const struct place *p, struct mh_error *err)
{
    const struct series *s = &own->series;
    const char *name = at(json_object_get(p->series, "workloads"), p->workload);
    const char *spec = at(json_object_get(p->series, "programs"), p->workload);
    while (own->workload < s->workload_count && strcmp(s->workloads[own->workload].name, name))
        own->workload++;
    if (own->workload == s->workload_count)
        return mh_fail(err, "the study does not run that workload there now");
    if (strcmp(s->workloads[own->workload].spec, spec))
        return mh_fail(err, "the workload was %s, and is %s now", spec, s->workloads[own->workload].spec);
    if (s->measure->cycles != cell_count(p->series, "cycles"))
        return mh_fail(err, "the window was %" PRIu64 ", and is %" PRIu64 " now", cell_count(p->series, "cycles"),
                       s->measure->cycles);
    return 0;
}

static int open_cell(struct cell *c, const json_t *file, size_t n, struct mh_error *err)
{
    struct place p;
    if (!study_name(cell_text(file, "study")) || !find(file, &n, &p))
        return mh_fail(err, "there is no such study now");
    struct rows_cell *own = cell_own(c, sizeof *own);
    c->was = json_array_get(json_array_get(json_object_get(p.series, "cells"), p.seed), p.workload);
    snprintf(c->name, sizeof c->name, "%s%s%s, %s, seed %" PRIu64, p.row ? p.row : p.grid, p.row ? "" : "/",
             p.row ? "" : p.column, at(json_object_get(p.series, "workloads"), p.workload),
             cell_count(file, "seed_first") + p.seed);
    if (open_series(own, file, &p, err) || find_workload(own, &p, err))
        return -1;
    return cell_add_series(c, &own->series, own->workload, err);
}

static json_t *value(const struct cell *c)
{
    const struct rows_cell *own = c->own;
    return json_number(series_cell(&own->series, own->workload, 0));
}

static void close_cell(struct cell *c)
{
    struct rows_cell *own = c->own;
    series_close(&own->series);
    if (own->plan)
        plan_free(own->plan);
    study_close(&own->study);
    if (*own->base)
        remove_tree(own->base);
}

const struct cell_kind cell_rows = {"memhelm-reproduce-1", count, open_cell, value, close_cell};
