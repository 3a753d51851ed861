#include "outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/json.h"
#include "mcu/timing.h"
#include "report/report.h"

static json_t *workloads_json(const struct series *s, bool spec)
{
    json_t *list = json_array();
    for (unsigned w = 0; w < s->workload_count; w++)
        json_array_append_new(list, json_string(spec ? s->workloads[w].spec : s->workloads[w].name));
    return list;
}

/* A list per seed of the workloads' cells. */
static json_t *cells_json(const struct series *s)
{
    json_t *all = json_array();
    for (unsigned seed = 0; seed < s->seeds; seed++) {
        json_t *one = json_array();
        for (unsigned w = 0; w < s->workload_count; w++)
            json_array_append_new(one, json_number(series_cell(s, w, seed)));
        json_array_append_new(all, one);
    }
    return all;
}

/* Null of a twin, which has none. */
static json_t *core_json(bool twin, const struct mh_mcu_cfg *mcu)
{
    struct core core;
    struct mh_error err;
    if (twin || core_open(&core, mcu->core, &err))
        return json_null();
    json_t *o = json_pack("{s:s, s:I}", "name", core.name, "hz", (json_int_t)mcu->hz);
    core_close(&core);
    return o;
}

static json_t *series_core(const struct series *s)
{
    const struct kept_sim *first = s->run.points[0].run;
    return first ? core_json(first->sim.image->twin, &first->sim.cfg.mcu) : json_null();
}

/* SMs of the first tenant in the partition that counts, as cells_json(); null where there is none. */
static json_t *partitions_json(const struct series *s, const struct side *side)
{
    json_t *all = json_array();
    for (unsigned seed = 0; seed < s->seeds; seed++) {
        json_t *one = json_array();
        for (unsigned w = 0; w < s->workload_count; w++) {
            const struct point *p = series_point(s, side, w, seed);
            json_array_append_new(one, p && p->run ? json_integer(p->run->sim.cfg.tenants[0].sm_count) : json_null());
        }
        json_array_append_new(all, one);
    }
    return all;
}

static void add_side(struct hash *h, const struct series *s, const struct side *side)
{
    made_add_configs(h, side->points, (size_t)s->seeds * s->workload_count * side->partitions);
}

/* Of all runs of `count` series one behind another. */
static json_t *configs_json(const struct series *const *series, unsigned count)
{
    char text[HASH_TEXT];
    struct hash *h = hash_begin();
    for (unsigned i = 0; i < count; i++) {
        add_side(h, series[i], &series[i]->run);
        add_side(h, series[i], &series[i]->against);
    }
    hash_end(h, text);
    return json_string(text);
}

static void put_series(json_t *o, const struct series *s, const struct measure *m)
{
    static const char *const relations[] = {"level", "gain", "ratio", "difference"};
    json_put(o, "metric", json_string(m->metric));
    json_put(o, "relation", json_string(relations[m->relation]));
    json_put_count(o, "cycles", m->cycles);
    json_put(o, "core", series_core(s));
    json_put(o, "workloads", workloads_json(s, false));
    json_put(o, "programs", workloads_json(s, true));
    json_put(o, "cells", cells_json(s));
    if (s->run.partitions > 1)
        json_put(o, "partitions", partitions_json(s, &s->run));
    if (s->against.partitions > 1)
        json_put(o, "against_partitions", partitions_json(s, &s->against));
}

static void put_quartiles(json_t *o, const struct quartiles *q)
{
    json_put_real(o, "median", q->median);
    json_put(o, "quartiles", json_pack("[o, o]", json_number(q->first), json_number(q->third)));
}

static void put_most(json_t *o, const char *workload, double without)
{
    json_t *most = json_object();
    json_put(most, "workload", json_string(workload));
    json_put_real(most, "without", without);
    json_put(o, "moves_most", most);
}

/* Of a mean over workloads. `one_pair`: the workload that decides the verdict; null: none. */
static void put_over_workloads(json_t *o, const struct row *row, const struct over_workloads *over)
{
    if (!over->known)
        return;
    json_t *one = over->decides ? json_object() : json_null();
    put_quartiles(o, &over->quartiles);
    put_most(o, over->moves_most, over->without_most);
    if (over->decides) {
        json_put(one, "workload", json_string(over->decides));
        json_put_real(one, "without", over->without);
        json_put(one, "verdict", json_string(outcome_word(row, over->verdict)));
    }
    json_put(o, "one_pair", one);
}

static void put_outcome(json_t *o, const struct reproduce_row *own)
{
    char verdict[160];
    struct outcome out;
    outcome_of(own, &out);
    outcome_words(own->row, &out, verdict, sizeof verdict);
    json_put_real(o, "ours", out.summary.value);
    json_put_real(o, "interval", out.summary.half);
    json_put_real(o, "least", out.summary.low);
    json_put_real(o, "most", out.summary.high);
    if (own->twice.workloads)
        json_put_real(o, "twice", out.twice);
    if (own->other.workloads)
        json_put_real(o, own->row->other.alone_whole ? "alone_whole" : "alone_same", out.other);
    json_put_real(o, "ratio", claim_ratio(&own->row->claim, out.summary.value));
    json_put(o, "verdict", json_string(verdict));
    put_over_workloads(o, own->row, &out.over);
    json_put(o, "reason", out.reason ? json_string(out.reason) : json_null());
}

static json_t *row_json(const struct reproduction *r, const struct reproduce_row *own)
{
    static const char *const kinds[] = {"effect", "level", "order"};
    const struct row *row = own->row;
    char *command = reproduce_command(r, row->id);
    json_t *o = json_object();
    json_put(o, "id", json_string(row->id));
    json_put(o, "figure", json_string(row->figure));
    json_put(o, "what", json_string(row->what));
    json_put(o, "kind", json_string(kinds[row->kind]));
    json_put(o, "paper", json_string(row->paper));
    put_outcome(o, own);
    json_put(o, "note", row->note ? json_string(row->note) : json_null());
    json_put(o, "command", json_string(command));
    free(command);
    if (own->once.workloads) {
        const struct series *const all[] = {&own->once, &own->twice, &own->plain, &own->other};
        json_put(o, "config_sha256", configs_json(all, 4));
        put_series(o, &own->once, &row->measure);
        if (row->less_plain)
            json_put(o, "plain_cells", cells_json(&own->plain));
    }
    return o;
}

/* What an axis adds to a column: its place there, the mean, and whether one workload makes it. */
static void put_on_axis(json_t *o, const struct reproduce_grid *g, unsigned column)
{
    const struct series *s = &g->columns[column];
    struct spread spread;
    json_put_real(o, "value", g->grid->axis->values[column].number);
    json_put_real(o, "ours", series_mean(s, g->grid->over));
    if (!spread_of(s, g->grid->over, &spread))
        return;
    put_quartiles(o, &spread.quartiles);
    put_most(o, s->workloads[spread.moves_most].name, spread.without);
}

static json_t *grid_json(const struct reproduce_grid *g)
{
    json_t *o = json_object(), *columns = json_array();
    json_put(o, "id", json_string(g->grid->id));
    json_put(o, "title", json_string(g->grid->title));
    if (g->grid->axis)
        json_put(o, "axis", json_string(g->grid->axis->key ? g->grid->axis->key : g->grid->axis->name));
    for (unsigned c = 0; c < g->grid->column_count; c++) {
        json_t *column = json_object();
        json_put(column, "name", json_string(g->grid->columns[c].name));
        const struct series *const all[] = {&g->columns[c]};
        json_put(column, "config_sha256", configs_json(all, 1));
        if (g->grid->axis)
            put_on_axis(column, g, c);
        put_series(column, &g->columns[c], grid_measure(g->grid, c));
        json_array_append_new(columns, column);
    }
    json_put(o, "columns", columns);
    return o;
}

int rows_json_write(const struct reproduction *r, const char *path, struct mh_error *err)
{
    const struct reproduce_options *in = r->options;
    json_t *o = json_object(), *rows = json_array(), *grids = json_array();
    struct tally t;
    outcome_tally(r, &t);
    for (unsigned i = 0; i < r->row_count; i++)
        json_array_append_new(rows, row_json(r, &r->rows[i]));
    for (unsigned i = 0; i < r->grid_count; i++)
        json_array_append_new(grids, grid_json(&r->grids[i]));
    json_put(o, "schema", json_string("memhelm-reproduce-1"));
    made_put(o, r->plan);
    json_put(o, "rows_sha256", json_string(r->study.sha256));
    json_put(o, "study", json_string(r->study.name));
    json_put(o, "title", json_string(r->study.title));
    json_put(o, "machine", json_string(in->twin ? "twin" : "qemu"));
    json_put(o, "core", core_json(in->twin, &r->mcu));
    json_put(o, "quick", json_boolean(r->study.quick));
    json_put(o, "seed_first", json_integer(in->seed_first));
    json_put(o, "seed_last", json_integer(in->seed_last));
    json_put(o, "set", json_texts(in->sets, in->set_count));
    json_put_count(o, "agree", t.sign);
    json_put_count(o, "quarter", t.quarter);
    json_put_count(o, "agree_by_one_workload", t.hang);
    json_put_count(o, "none", t.none);
    json_put_count(o, "not_run", t.not_run);
    json_put(o, "rows", rows);
    json_put(o, "grids", grids);
    return json_write(o, path, err);
}

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
    s->recorded = must_have((size_t)s->seeds * s->workload_count, sizeof *s->recorded);
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
