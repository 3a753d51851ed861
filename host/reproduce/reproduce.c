#include "reproduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/table.h"
#include "plan/plan.h"
#include "run/machine.h"
#include "run/setup.h"
#include "series.h"
#include "outcome.h"

/* --- What is run. */

static bool named(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool row_wanted(const struct reproduction *r, const struct row *row)
{
    const struct reproduce_options *o = r->options;
    const struct list *doubling = &r->study.doubling;
    if (o->id_count)
        return named(o->ids, o->id_count, row->id);
    bool headlines = o->mode == MODE_DOUBLING || o->mode == MODE_HEADLINES;
    return o->mode == MODE_ROWS || (headlines && named(doubling->items, doubling->count, row->id));
}

static bool is_table(const struct reproduction *r, const char *id)
{
    const struct grid *g = study_grid(&r->study, id);
    return r->options->mode == MODE_ROWS && g && g->use == GRID_TABLE && !g->left_out;
}

static int unknown_id(const struct reproduction *r, const char *id, struct mh_error *err)
{
    struct nearest near = study_near_row(&r->study, id);
    for (unsigned i = 0; i < r->study.grid_count; i++)
        if (is_table(r, r->study.grids[i].id))
            nearest_try(&near, r->study.grids[i].id);
    return mh_fail(err, "--row %.60s: %s has no such row%s%s; `memhelm reproduce %s --list` shows them", id,
                   r->study.name, r->study.quick ? " in its quick subset" : "", near.text, r->study.name);
}

static int check_ids(const struct reproduction *r, struct mh_error *err)
{
    for (unsigned i = 0; i < r->options->id_count; i++)
        if (!study_row(&r->study, r->options->ids[i]) && !is_table(r, r->options->ids[i]))
            return unknown_id(r, r->options->ids[i], err);
    return 0;
}

int reproduce_row_open(struct reproduce_row *own, const struct row *row, struct scope *scope, bool twice,
                       struct mh_error *err)
{
    own->row = row;
    if (row->missing)
        return 0;
    scope->options.times = 1;
    if (series_open(&own->once, scope, &row->measure, &row->run, err) ||
        (row->less_plain && series_open(&own->plain, scope, &row->plain, &row->run, err)) ||
        (row->measure.alone_both && series_open(&own->other, scope, &row->other, &row->run, err)))
        return -1;
    scope->options.times = 2;
    return twice ? series_open(&own->twice, scope, &row->measure, &row->run, err) : 0;
}

void reproduce_row_close(struct reproduce_row *own)
{
    series_close(&own->once);
    series_close(&own->twice);
    series_close(&own->plain);
    series_close(&own->other);
}

static int open_rows(struct reproduction *r, struct scope *scope, struct mh_error *err)
{
    r->rows = must_have(r->study.row_count, sizeof *r->rows);
    bool grids = r->options->mode == MODE_LATENCY || r->options->mode == MODE_TRACES;
    for (unsigned i = 0; i < r->study.row_count && !grids; i++)
        if (row_wanted(r, &r->study.rows[i]) && reproduce_row_open(&r->rows[r->row_count++], &r->study.rows[i], scope,
                                                                   r->options->mode == MODE_DOUBLING, err))
            return -1;
    return 0;
}

static bool grid_wanted(const struct reproduction *r, const struct grid *g)
{
    const struct reproduce_options *o = r->options;
    if (g->left_out)
        return false;
    switch (g->use) {
    case GRID_LATENCY:
        return o->mode == MODE_LATENCY;
    case GRID_TRACES:
        return o->mode == MODE_TRACES;
    case GRID_TABLE:
        return o->mode == MODE_ROWS && (!o->id_count || named(o->ids, o->id_count, g->id));
    default:
        return o->mode == MODE_ROWS && o->plots && !o->id_count;
    }
}

static int open_grid(struct reproduction *r, const struct grid *g, struct scope *scope, struct mh_error *err)
{
    struct reproduce_grid *own = &r->grids[r->grid_count++];
    own->grid = g;
    own->columns = must_have(g->column_count, sizeof *own->columns);
    scope->options.times = 1;
    for (unsigned c = 0; c < g->column_count; c++)
        if (series_open(&own->columns[c], scope, grid_measure(g, c), &g->columns[c], err))
            return -1;
    return workload_check_recordings(scope->study, own->columns[0].workloads, own->columns[0].workload_count,
                                     &scope->options, err);
}

static int open_grids(struct reproduction *r, struct scope *scope, struct mh_error *err)
{
    r->grids = must_have(r->study.grid_count, sizeof *r->grids);
    for (unsigned i = 0; i < r->study.grid_count; i++)
        if (grid_wanted(r, &r->study.grids[i]) && open_grid(r, &r->study.grids[i], scope, err))
            return -1;
    bool needed = r->options->mode == MODE_LATENCY || r->options->mode == MODE_TRACES;
    if (needed && !r->grid_count)
        return mh_fail(err, "%s has no such table", r->study.name);
    return r->row_count || r->grid_count ? 0 : mh_fail(err, "no row to run");
}

/* On the study's GPU; an assignment that is wrong is wrong in every row. */
static int take_core(struct reproduction *r, struct mh_error *err)
{
    const struct reproduce_options *o = r->options;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = preset_load(cfg, r->study.common.preset, err);
    for (unsigned i = 0; i < o->set_count && !status; i++)
        status = origin_set(cfg, o->sets[i], err);
    if (!status)
        status = o->twin ? core_name_check(cfg->mcu.core, err) : core_plugin_check(cfg->mcu.core, err);
    if (!status)
        r->mcu = cfg->mcu;
    free(cfg);
    return status;
}

struct scope reproduce_scope(const struct reproduction *r)
{
    const struct reproduce_options *o = r->options;
    return (struct scope){
        .study = &r->study,
        .plan = r->plan,
        .options = {.twin = o->twin, .sets = o->sets, .set_count = o->set_count, .seed = o->seed_first, .times = 1},
        .seeds = o->seed_last - o->seed_first + 1,
        .workloads = o->workloads,
        .workload_count = o->workload_count};
}

static int open_all(struct reproduction *r, struct mh_error *err)
{
    const struct reproduce_options *o = r->options;
    if (study_open(&r->study, o->study, o->rows_file, err))
        return -1;
    if (o->quick)
        study_quick(&r->study);
    if (o->cycles)
        study_cycles(&r->study, o->cycles);
    if (check_ids(r, err) || take_core(r, err) || !(r->plan = plan_open(NULL, err)))
        return -1;
    struct scope scope = reproduce_scope(r);
    if (workload_check(&r->study, o->workloads, o->workload_count, &scope.options, err) || open_rows(r, &scope, err) ||
        open_grids(r, &scope, err))
        return -1;
    return o->list || o->recorded ? 0 : plan_store(r->plan, o->results, err);
}

int reproduce_open(struct reproduction *r, const struct reproduce_options *o, struct mh_error *err)
{
    memset(r, 0, sizeof *r);
    r->options = o;
    if (!open_all(r, err))
        return 0;
    reproduce_close(r);
    return -1;
}

void reproduce_close(struct reproduction *r)
{
    for (unsigned i = 0; i < r->row_count; i++)
        reproduce_row_close(&r->rows[i]);
    for (unsigned i = 0; i < r->grid_count; i++) {
        for (unsigned c = 0; r->grids[i].columns && c < r->grids[i].grid->column_count; c++)
            series_close(&r->grids[i].columns[c]);
        free(r->grids[i].columns);
    }
    free(r->rows);
    free(r->grids);
    if (r->plan)
        plan_free(r->plan);
    study_close(&r->study);
}

/* --- The runs. */

int reproduce_run(struct reproduction *r)
{
    unsigned kept = plan_load(r->plan);
    fprintf(stderr, "memhelm: %u runs, %u of them kept from before\n", plan_count(r->plan), kept);
    return plan_run(r->plan, r->options->jobs);
}

/* --- Commands. */

static void put_option(FILE *out, const char *option, const char *value)
{
    fprintf(out, " %s ", option);
    shell_word(out, value);
}

static void put_options(FILE *out, const struct reproduce_options *o)
{
    if (o->rows_file)
        put_option(out, "--rows", o->rows_file);
    fputs(o->mode == MODE_DOUBLING ? " --doubling" : "", out);
    fputs(o->quick ? " --quick" : "", out);
    fputs(o->twin ? " --twin" : "", out);
    if (o->cycles)
        fprintf(out, " --cycles %" PRIu64, o->cycles);
    if (o->seed_first != o->seed_last)
        fprintf(out, " --seeds %u-%u", o->seed_first, o->seed_last);
    else if (o->seed_first != 1)
        fprintf(out, " --seeds %u", o->seed_first);
    for (unsigned i = 0; i < o->workload_count; i++)
        put_option(out, "--workload", o->workloads[i]);
    for (unsigned i = 0; i < o->set_count; i++)
        put_option(out, "--set", o->sets[i]);
}

char *reproduce_command(const struct reproduction *r, const char *id)
{
    struct draft d;
    draft_open(&d);
    fprintf(d.out, "build/memhelm reproduce %s --row %s", r->study.name, id);
    put_options(d.out, r->options);
    return draft_text(&d);
}

/* --list: what a call would run. */

static void list_tables(const struct reproduction *r, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "table|what|workloads|columns");
    for (unsigned i = 0; i < r->grid_count; i++) {
        const struct reproduce_grid *g = &r->grids[i];
        table_row(t);
        table_text(t, "%s", g->grid->id);
        table_text(t, "%s", g->grid->title);
        table_text(t, "%u", g->columns[0].workload_count);
        table_text(t, "%u", g->grid->column_count);
    }
    table_print(t, out);
    table_free(t);
}

static void list_rows(const struct reproduction *r, FILE *out)
{
    struct table *t = table_new();
    static const char *const kinds[] = {"effect", "level", "order"};
    table_heading(t, "row|figure: what|kind|paper|workloads");
    for (unsigned i = 0; i < r->row_count; i++) {
        const struct row *row = r->rows[i].row;
        table_row(t);
        table_text(t, "%s", row->id);
        table_text(t, "%s: %s", row->figure, row->what);
        table_text(t, "%s", kinds[row->kind]);
        table_text(t, "%s", row->paper);
        table_text(t, "%u", r->rows[i].once.workload_count);
    }
    table_print(t, out);
    table_free(t);
}

static unsigned tables_of_plots(const struct reproduction *r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->study.grid_count; i++)
        n += r->study.grids[i].use == GRID_PLOT && !r->study.grids[i].left_out;
    return n;
}

void show_list(const struct reproduction *r, FILE *out)
{
    if (r->row_count)
        list_rows(r, out);
    if (r->row_count && r->grid_count)
        fputc('\n', out);
    if (r->grid_count)
        list_tables(r, out);
    if (r->row_count)
        fprintf(out, "%u rows, ", r->row_count);
    if (r->grid_count)
        fprintf(out, "%u tables, ", r->grid_count);
    fprintf(out, "%u runs", plan_count(r->plan));
    if (r->options->mode == MODE_ROWS && !r->options->plots && !r->options->id_count && tables_of_plots(r))
        fprintf(out, "; with --plots %u tables more, which may need runs of their own", tables_of_plots(r));
    fputc('\n', out);
}
