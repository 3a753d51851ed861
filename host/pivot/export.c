#define _GNU_SOURCE /* qsort_r */

#include <math.h>

#include "base/json.h"
#include "base/memory.h"
#include "show.h"

/* --- JSON. */

static json_t *value_json(const struct points_value *v)
{
    if (v->text)
        return json_string(v->text);
    if (v->number == floor(v->number) && fabs(v->number) < 1e15)
        return json_integer((json_int_t)v->number);
    return json_number(v->number);
}

static json_t *sweep_json(const struct points *p)
{
    json_t *o = json_object(), *spec = json_loads(p->spec, 0, NULL), *made_by = json_loads(p->made_by, 0, NULL);
    json_put(o, "name", json_string(p->name));
    json_put(o, "spec", spec ? spec : json_string(p->spec));
    json_put_count(o, "points", p->asked);
    json_put_count(o, "missing", p->asked - p->rows);
    json_put(o, "made_by", made_by ? made_by : json_string(p->made_by));
    return o;
}

static void put_keys(json_t *o, const struct points *p, const struct column_list *columns, unsigned row)
{
    for (unsigned i = 0; i < columns->count; i++)
        json_put(o, p->columns[columns->at[i]].name, value_json(points_at(p, row, columns->at[i])));
}

static json_t *spread_json(const struct pivot *t, const struct cell *c)
{
    const struct cell_spread *s = &c->spread;
    const double shift = selection_shift(t->selection);
    if (!s->known)
        return json_null();
    json_t *o = json_object();
    json_put_real(o, "first_quartile", s->quartiles.first - shift);
    json_put_real(o, "median", s->quartiles.median - shift);
    json_put_real(o, "third_quartile", s->quartiles.third - shift);
    json_put(o, "moves_most", s->moves_most < 0 ? json_null() : value_json(show_mover(t, s->moves_most)));
    json_put_real(o, "without", s->without - shift);
    json_put(o, "depends_on", s->decides < 0 ? json_null() : value_json(show_mover(t, s->decides)));
    return o;
}

static json_t *cell_json(const struct pivot *t, const struct cell *c)
{
    json_t *o = json_object();
    json_put_real(o, "value", c->value - selection_shift(t->selection));
    json_put_real(o, "half", c->half);
    json_put_count(o, "points", c->points);
    json_put_count(o, "of", c->of);
    if (t->selection->request->spread)
        json_put(o, "spread", spread_json(t, c));
    return o;
}

static json_t *row_json(const struct pivot *t, unsigned row)
{
    const struct selection *s = t->selection;
    json_t *o = json_object(), *cells = json_array();
    put_keys(o, &s->points, &s->rows, t->rows.sample[row]);
    for (unsigned c = 0; c < t->columns.count; c++) {
        json_t *cell = json_object(), *values = json_object();
        put_keys(cell, &s->points, &s->columns, t->columns.sample[c]);
        for (unsigned v = 0; v < s->values.count; v++)
            json_put(values, s->points.columns[s->values.at[v]].name, cell_json(t, pivot_cell(t, v, row, c)));
        json_put(cell, "values", values);
        json_array_append_new(cells, cell);
    }
    json_put(o, "cells", cells);
    return o;
}

static json_t *names_json(const struct points *p, const struct column_list *columns)
{
    json_t *a = json_array();
    for (unsigned i = 0; i < columns->count; i++)
        json_array_append_new(a, json_string(p->columns[columns->at[i]].name));
    return a;
}

static json_t *asked_json(const struct pivot *t)
{
    static const char *const relations[] = {[RELATION_LEVEL] = "value",
                                            [RELATION_GAIN] = "gain",
                                            [RELATION_RATIO] = "ratio",
                                            [RELATION_DIFFERENCE] = "difference"};
    const struct selection *s = t->selection;
    json_t *o = json_object(), *where = json_array(), *means = json_object();
    for (unsigned i = 0; i < s->request->where_count; i++)
        json_array_append_new(where, json_string(s->request->where[i]));
    for (unsigned v = 0; v < s->values.count; v++)
        json_put(means, s->points.columns[s->values.at[v]].name, json_string(mean_words(selection_mean(s, v))));
    json_put(o, "rows", names_json(&s->points, &s->rows));
    json_put(o, "columns", names_json(&s->points, &s->columns));
    json_put(o, "means", means);
    json_put(o, "over", names_json(&s->points, &t->over));
    json_put(o, "where", where);
    json_put(o, "as", json_string(relations[s->request->relation]));
    json_put(o, "against", s->request->against ? json_string(s->request->against) : json_null());
    return o;
}

static json_t *reasons_json(const struct reasons *r)
{
    json_t *a = json_array();
    for (unsigned i = 0; i < r->count; i++)
        json_array_append_new(a, json_pack("{s:i, s:s}", "points", (int)r->of[i].count, "reason", r->of[i].text));
    return a;
}

int export_json(const struct pivot *t, FILE *out, struct mh_error *err)
{
    const struct selection *s = t->selection;
    json_t *rows = json_array();
    for (unsigned r = 0; r < t->rows.count; r++)
        json_array_append_new(rows, row_json(t, r));
    return json_print(json_pack("{s:o, s:o, s:o, s:o}", "sweep", sweep_json(&s->points), "pivot", asked_json(t), "rows",
                                rows, "missing", reasons_json(&t->reasons)),
                      out, err);
}

/* --- Flat. */

static bool any_text(const struct selection *s, unsigned column)
{
    for (unsigned r = 0; r < s->points.rows; r++)
        if (s->chosen[r] && points_at(&s->points, r, column)->text)
            return true;
    return false;
}

static void take_usual(struct flat *f)
{
    const struct selection *s = f->selection;
    struct mh_error none;
    const int reason = points_column_named(&s->points, "reason", &none);
    column_list_add_kind(&f->columns, &s->points, POINTS_AXIS);
    for (unsigned v = 0; v < s->values.count; v++)
        f->columns.at[f->columns.count++] = s->values.at[v];
    if (reason >= 0 && any_text(s, (unsigned)reason))
        f->columns.at[f->columns.count++] = (unsigned)reason;
}

static int by_axes(const void *a, const void *b, void *ctx)
{
    const struct selection *s = ctx;
    const unsigned r = *(const unsigned *)a, q = *(const unsigned *)b;
    for (unsigned c = 0; c < s->points.column_count; c++) {
        const bool axis = s->points.columns[c].kind == POINTS_AXIS;
        const int by = axis ? levels_compare(points_at(&s->points, r, c), points_at(&s->points, q, c)) : 0;
        if (by)
            return by;
    }
    return (r > q) - (r < q);
}

int flat_of(struct flat *f, const struct selection *s, const char *show, struct mh_error *err)
{
    unsigned n = 0;
    const unsigned any = 1 << POINTS_AXIS | 1 << POINTS_METRIC | 1 << POINTS_ABOUT;
    *f = (struct flat){.selection = s};
    if (show && column_list_add(&f->columns, &s->points, s->request->file, "--show", show, any, err))
        return -1;
    if (!show)
        take_usual(f);
    f->rows = must_have(s->chosen_count, sizeof *f->rows);
    for (unsigned r = 0; r < s->points.rows; r++)
        if (s->chosen[r])
            f->rows[n++] = r;
    if (s->request->sort)
        qsort_r(f->rows, n, sizeof *f->rows, by_axes, (void *)(uintptr_t)s);
    return 0;
}

void flat_free(struct flat *f)
{
    free(f->rows);
}

/* What a cell has; metrics as the selection relates them. */
static struct points_value value_at(const struct flat *f, unsigned row, unsigned column)
{
    const struct selection *s = f->selection;
    for (unsigned v = 0; v < s->values.count; v++)
        if (s->values.at[v] == column)
            return (struct points_value){NULL, selection_value(s, row, v) - selection_shift(s)};
    return *points_at(&s->points, row, column);
}

static const struct points_column *column_at(const struct flat *f, unsigned i)
{
    return &f->selection->points.columns[f->columns.at[i]];
}

static void put_value(const struct flat *f, unsigned row, unsigned i, struct table *t)
{
    char text[NUMBER_TEXT];
    const struct points_value v = value_at(f, row, f->columns.at[i]);
    const bool mean = column_at(f, i)->kind == POINTS_METRIC && !t->raw;

    if (mean)
        words_mean(f->selection->request->relation, v.number, (double)NAN, text, sizeof text);
    if (!mean && t->raw && !v.text)
        table_exact(t, v.number);
    else
        table_text(t, "%s", mean ? text : words_value(&v, text));
}

void flat_show(const struct flat *f, const struct doc *d)
{
    struct table *t = doc_table_new(d);

    table_row(t);
    for (unsigned i = 0; i < f->columns.count; i++)
        if (value_at(f, f->rows[0], f->columns.at[i]).text || column_at(f, i)->kind == POINTS_ABOUT)
            table_left(t, column_at(f, i)->name);
        else
            table_text(t, "%s", column_at(f, i)->name);
    for (unsigned r = 0; r < f->selection->chosen_count; r++) {
        table_row(t);
        for (unsigned i = 0; i < f->columns.count; i++)
            put_value(f, f->rows[r], i, t);
    }
    doc_table_bare(d, t);
}

int flat_json(const struct flat *f, FILE *out, struct mh_error *err)
{
    json_t *rows = json_array();

    for (unsigned r = 0; r < f->selection->chosen_count; r++) {
        json_t *row = json_object();
        for (unsigned i = 0; i < f->columns.count; i++) {
            const struct points_value v = value_at(f, f->rows[r], f->columns.at[i]);
            json_put(row, column_at(f, i)->name, value_json(&v));
        }
        json_array_append_new(rows, row);
    }
    return json_print(json_pack("{s:o, s:o}", "sweep", sweep_json(&f->selection->points), "points", rows), out, err);
}
