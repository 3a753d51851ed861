#define _GNU_SOURCE /* qsort_r */

#include "flat.h"

#include <math.h>

#include "base/json.h"
#include "base/memory.h"
#include "export.h"
#include "levels.h"
#include "words.h"

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

static const char *column_name(const struct flat *f, unsigned i)
{
    return f->selection->points.columns[f->columns.at[i]].name;
}

static bool is_metric(const struct flat *f, unsigned i)
{
    return f->selection->points.columns[f->columns.at[i]].kind == POINTS_METRIC;
}

static void put_heading(const struct flat *f, struct table *t)
{
    table_row(t);
    for (unsigned i = 0; i < f->columns.count; i++) {
        const struct points_value first = value_at(f, f->rows[0], f->columns.at[i]);
        if (first.text || f->selection->points.columns[f->columns.at[i]].kind == POINTS_ABOUT)
            table_left(t, column_name(f, i));
        else
            table_text(t, "%s", column_name(f, i));
    }
}

static void put_value(const struct flat *f, unsigned row, unsigned i, struct table *t)
{
    char text[NUMBER_TEXT];
    const struct points_value v = value_at(f, row, f->columns.at[i]);
    if (is_metric(f, i)) {
        words_mean(f->selection->request->relation, v.number, (double)NAN, text, sizeof text);
        table_text(t, "%s", text);
    } else {
        table_text(t, "%s", words_value(&v, text));
    }
}

void flat_show(const struct flat *f, const struct doc *d)
{
    struct table *t = table_new();
    put_heading(f, t);
    for (unsigned r = 0; r < f->selection->chosen_count; r++) {
        table_row(t);
        for (unsigned i = 0; i < f->columns.count; i++)
            put_value(f, f->rows[r], i, t);
    }
    doc_table_bare(d, t);
    table_free(t);
}

void flat_csv(const struct flat *f, FILE *out)
{
    for (unsigned i = 0; i < f->columns.count; i++) {
        fputs(i ? "," : "", out);
        export_csv_text(column_name(f, i), out);
    }
    fputc('\n', out);
    for (unsigned r = 0; r < f->selection->chosen_count; r++, fputc('\n', out))
        for (unsigned i = 0; i < f->columns.count; i++) {
            const struct points_value v = value_at(f, f->rows[r], f->columns.at[i]);
            fputs(i ? "," : "", out);
            export_csv_value(&v, out);
        }
}

int flat_json(const struct flat *f, FILE *out, struct mh_error *err)
{
    json_t *o = json_object(), *rows = json_array();
    for (unsigned r = 0; r < f->selection->chosen_count; r++) {
        json_t *row = json_object();
        for (unsigned i = 0; i < f->columns.count; i++) {
            const struct points_value v = value_at(f, f->rows[r], f->columns.at[i]);
            json_put(row, column_name(f, i), export_json_value(&v));
        }
        json_array_append_new(rows, row);
    }
    json_put(o, "sweep", export_json_sweep(&f->selection->points));
    json_put(o, "points", rows);
    return json_print(o, out, err);
}
