#include "show.h"
#include "base/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

const char *words_value(const struct points_value *v, char number[NUMBER_TEXT])
{
    if (v->text)
        return v->text;
    if (isnan(v->number))
        return "-";
    number_exact(v->number, number);
    return number;
}

void words_label(const struct points *p, const struct column_list *columns, unsigned row, char text[WORDS_LABEL])
{
    char number[NUMBER_TEXT];
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        text_add(text, WORDS_LABEL, ", ", "%s", words_value(points_at(p, row, columns->at[i]), number));
}

void words_names(const struct points *p, const struct column_list *columns, char text[WORDS_LABEL])
{
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        text_add(text, WORDS_LABEL, ", ", "%s", p->columns[columns->at[i]].name);
}

/* Digits behind the point that make DIGITS in all; -1: it is too small to be written so. */
static int decimals(double value)
{
    if (value == 0)
        return 0;
    const int before = (int)floor(log10(fabs(value))) + 1;
    return before > DIGITS ? 0 : before < -2 ? -1 : DIGITS - before;
}

static void level(double value, int digits, char *text, size_t size)
{
    snprintf(text, size, digits < 0 ? "%.*g" : "%.*f", digits < 0 ? DIGITS : digits, value);
}

void words_mean(enum relation relation, double value, double half, char *text, size_t size)
{
    char mean[NUMBER_TEXT], width[NUMBER_TEXT] = "";
    if (isnan(value)) {
        snprintf(text, size, "-");
        return;
    }
    const int digits = relation == RELATION_GAIN ? 1 : relation == RELATION_RATIO ? 3 : decimals(value);
    if (relation == RELATION_GAIN)
        number_gain(value, mean, sizeof mean);
    else
        level(value, digits, mean, sizeof mean);
    level(relation == RELATION_GAIN ? 100 * half : half, digits, width, sizeof width);
    const size_t n = strcspn(mean, " "); /* the unit stands behind the interval */
    snprintf(text, size, "%.*s%s%s%s%s", (int)n, mean, isnan(half) ? "" : " +- ", isnan(half) ? "" : width, mean + n,
             relation == RELATION_RATIO ? "x" : "");
}

/* --- Show. */

/* "gain over image=baseline"; "" of values that stand for themselves. */
static void relation_words(const struct selection *s, char text[WORDS_LABEL])
{
    static const char *const words[] = {[RELATION_LEVEL] = "",
                                        [RELATION_GAIN] = "gain over ",
                                        [RELATION_RATIO] = "ratio to ",
                                        [RELATION_DIFFERENCE] = "difference to "};
    snprintf(text, WORDS_LABEL, "%s%.120s", words[s->request->relation], s->base ? s->request->against : "");
}

void show_value_name(const struct selection *s, unsigned value, char text[WORDS_LABEL])
{
    char relation[WORDS_LABEL];
    relation_words(s, relation);
    snprintf(text, WORDS_LABEL, "%.100s", s->points.columns[s->values.at[value]].name);
    if (*relation)
        text_add(text, WORDS_LABEL, ", ", "%s", relation);
}

void show_means(const struct pivot *t, enum mean_kind kind, char text[WORDS_LABEL])
{
    *text = 0;
    for (unsigned i = 0; i < t->over.count; i++)
        if ((int)t->over.at[i] != t->seed)
            text_add(text, WORDS_LABEL, ", ", "%s%s%.60s (%u)", *text ? "" : mean_words(kind), *text ? "" : " over ",
                     t->selection->points.columns[t->over.at[i]].name, t->over_counts[i]);
    for (unsigned i = 0; i < t->over.count; i++)
        if ((int)t->over.at[i] == t->seed)
            text_add(text, WORDS_LABEL, ", then the ", "mean of seed (%u) and its 95 %% interval", t->over_counts[i]);
}

static double shown(const struct pivot *t, double value)
{
    return value - selection_shift(t->selection);
}

static void mean_text(const struct pivot *t, double value, double half, char *text, size_t size)
{
    words_mean(t->selection->request->relation, shown(t, value), half, text, size);
}

void show_cell(const struct pivot *t, const struct cell *c, char text[WORDS_LABEL])
{
    char mean[WORDS_LABEL / 2], lacks[64] = "";
    *text = 0;
    if (!c->of)
        return;
    mean_text(t, c->value, c->half, mean, sizeof mean);
    if (c->points < c->of)
        snprintf(lacks, sizeof lacks, " (%u of %u)", c->points, c->of);
    snprintf(text, WORDS_LABEL, "%s%s", mean, lacks);
}

/* --- Tables. */

static void put_names(const struct points *p, const struct column_list *columns, struct table *table)
{
    for (unsigned i = 0; i < columns->count; i++)
        table_left(table, p->columns[columns->at[i]].name);
}

/* What is missing is "-" for people, and nothing in CSV. */
static void put_value(const struct points_value *v, struct table *table)
{
    char number[NUMBER_TEXT];

    if (table->raw && !v->text)
        table_exact(table, v->number);
    else
        table_text(table, "%s", words_value(v, number));
}

static void put_labels(const struct points *p, const struct column_list *columns, unsigned row, struct table *table)
{
    for (unsigned i = 0; i < columns->count; i++)
        put_value(points_at(p, row, columns->at[i]), table);
}

static void put_cell(const struct pivot *t, const struct cell *c, struct table *table)
{
    char text[WORDS_LABEL];

    show_cell(t, c, text);
    table_text(table, "%s", text);
}

/* Without columns the values are the columns, of one table. */
static bool values_are_columns(const struct selection *s)
{
    return !s->columns.count && !s->request->spread;
}

static void fill_means(const struct pivot *t, unsigned value, struct table *table)
{
    const struct selection *s = t->selection;
    const bool by_value = values_are_columns(s);
    const unsigned count = by_value ? s->values.count : t->columns.count;
    char label[WORDS_LABEL];

    table_row(table);
    put_names(&s->points, &s->rows, table);
    for (unsigned c = 0; c < count; c++) {
        words_label(&s->points, &s->columns, by_value ? 0 : t->columns.sample[c], label);
        table_text(table, "%s", by_value ? s->points.columns[s->values.at[c]].name : label);
    }
    for (unsigned r = 0; r < t->rows.count; r++) {
        table_row(table);
        put_labels(&s->points, &s->rows, t->rows.sample[r], table);
        for (unsigned c = 0; c < count; c++)
            put_cell(t, by_value ? pivot_cell(t, c, r, 0) : pivot_cell(t, value, r, c), table);
    }
}

/* --- Spread: a line for each cell. */

const struct points_value *show_mover(const struct pivot *t, int mover)
{
    static const struct points_value none = {"", 0};

    return mover < 0 ? &none : points_at(&t->selection->points, t->movers.sample[mover], (unsigned)t->mover);
}

static void put_mover(const struct pivot *t, int mover, struct table *table)
{
    char number[NUMBER_TEXT];

    table_left(table, mover < 0 && !table->raw ? "-" : words_value(show_mover(t, mover), number));
}

static void put_mean(const struct pivot *t, double value, struct table *table)
{
    char text[WORDS_LABEL];

    if (table->raw)
        table_exact(table, shown(t, value));
    else {
        mean_text(t, value, (double)NAN, text, sizeof text);
        table_text(table, "%s", text);
    }
}

static void put_spread(const struct pivot *t, const struct cell *c, struct table *table)
{
    const struct cell_spread *s = &c->spread;
    const double none = (double)NAN;

    put_mean(t, s->known ? s->quartiles.first : none, table);
    put_mean(t, s->known ? s->quartiles.median : none, table);
    put_mean(t, s->known ? s->quartiles.third : none, table);
    put_mover(t, s->known ? s->moves_most : -1, table);
    put_mean(t, s->known ? s->without : none, table);
    if (table->raw || t->selection->request->relation != RELATION_LEVEL)
        put_mover(t, s->known ? s->decides : -1, table);
}

static void fill_spread(const struct pivot *t, unsigned value, struct table *table)
{
    const struct selection *s = t->selection;

    table_row(table);
    put_names(&s->points, &s->rows, table);
    put_names(&s->points, &s->columns, table);
    table_names(table, "mean|first quartile|median|third quartile|<moves it most|without that");
    if (s->request->relation != RELATION_LEVEL)
        table_left(table, "depends on");
    for (unsigned r = 0; r < t->rows.count; r++)
        for (unsigned c = 0; c < t->columns.count; c++) {
            const struct cell *cell = pivot_cell(t, value, r, c);
            if (!cell->of)
                continue;
            table_row(table);
            put_labels(&s->points, &s->rows, t->rows.sample[r], table);
            put_labels(&s->points, &s->columns, t->columns.sample[c], table);
            put_cell(t, cell, table);
            put_spread(t, cell, table);
        }
}

/* --- CSV: one table of all values. */

/* "mask-tlb weighted_speedup interval" */
static void csv_heading(const struct pivot *t, unsigned column, unsigned value, struct table *table)
{
    static const char *const parts[] = {"",           " interval",       " missing",       " first quartile",
                                        " median",    " third quartile", " moves it most", " without that",
                                        " depends on"};
    const struct selection *s = t->selection;
    char label[WORDS_LABEL];

    words_label(&s->points, &s->columns, t->columns.sample[column], label);
    const bool named = s->values.count > 1 || !*label;
    for (size_t i = 0; i < (s->request->spread ? sizeof parts / sizeof *parts : 3); i++)
        table_text(table, "%s%s%.100s%s", label, *label && named ? " " : "",
                   named ? s->points.columns[s->values.at[value]].name : "", parts[i]);
}

static void csv_cell(const struct pivot *t, const struct cell *c, struct table *table)
{
    table_exact(table, shown(t, c->value));
    table_exact(table, c->half);
    table_exact(table, c->of ? c->of - c->points : (double)NAN);
    if (t->selection->request->spread)
        put_spread(t, c, table);
}

static void fill_csv(const struct pivot *t, struct table *table)
{
    const struct selection *s = t->selection;
    const unsigned columns = t->columns.count, values = s->values.count;

    table_row(table);
    put_names(&s->points, &s->rows, table);
    for (unsigned i = 0; i < columns * values; i++)
        csv_heading(t, i / values, i % values, table);
    for (unsigned r = 0; r < t->rows.count; r++) {
        table_row(table);
        put_labels(&s->points, &s->rows, t->rows.sample[r], table);
        for (unsigned i = 0; i < columns * values; i++)
            csv_cell(t, pivot_cell(t, i % values, r, i / values), table);
    }
}

/* --- All. */

static void say_below(const struct pivot *t, unsigned value, const struct doc *d)
{
    char columns[WORDS_LABEL], means[WORDS_LABEL];
    const struct selection *s = t->selection;
    const enum mean_kind kind = values_are_columns(s) ? selection_mean_of_all(s) : selection_mean(s, value);

    words_names(&s->points, &s->columns, columns);
    show_means(t, kind, means);
    if (*columns && !s->request->spread)
        doc_paragraph(d, "Columns: %s.", columns);
    if (*means)
        doc_paragraph(d, "Cells: %s%s.", means,
                      kind == MEAN_DEFAULT ? "; of speedups it is geometric, else arithmetic" : "");
}

static void show_heading(const struct selection *s, unsigned value, const struct doc *d)
{
    char name[WORDS_LABEL];

    if (values_are_columns(s) && s->values.count > 1)
        relation_words(s, name);
    else
        show_value_name(s, value, name);
    if (*name)
        doc_heading(d, 2, name);
}

static void show_table(const struct pivot *t, unsigned value, const struct doc *d)
{
    struct table *table = doc_table_new(d);

    show_heading(t->selection, value, d);
    if (d->form == DOC_CSV)
        fill_csv(t, table);
    else
        (t->selection->request->spread ? fill_spread : fill_means)(t, value, table);
    doc_table(d, table);
    say_below(t, value, d);
}

void show_reasons(const struct reasons *r, const struct doc *d)
{
    for (unsigned i = 0; i < r->count; i++)
        doc_item(d, "%u: %s", r->of[i].count, r->of[i].text);
    if (r->others)
        doc_item(d, "%u: for other reasons", r->others);
}

static void say_faults(const struct pivot *t, const struct doc *d)
{
    const struct pivot_faults f = pivot_faults(t);
    if (f.refused)
        doc_paragraph(d,
                      "Cells with values of 0 or less, which have no geometric mean: %u; --mean arithmetic or median",
                      f.refused);
    if (!t->reasons.count)
        return;
    doc_paragraph(d, "%u cell%s of fewer points than there should be. Missing:", f.lacking,
                  f.lacking == 1 ? " is" : "s are");
    show_reasons(&t->reasons, d);
}

void show_values(const struct pivot *t, const struct doc *d)
{
    const struct selection *s = t->selection;
    const bool one = values_are_columns(s) || d->form == DOC_CSV;

    for (unsigned v = 0; v < (one ? 1 : s->values.count); v++)
        show_table(t, v, d);
    say_faults(t, d);
}

void show_unfinished(const struct points *p, const struct doc *d)
{
    const uint64_t missing = p->asked - p->rows;
    if (missing)
        doc_paragraph(d,
                      "%" PRIu64 " of the sweep's %" PRIu64 " points %s missing: it still runs, or was interrupted and "
                      "goes on with the same call. Means are of the points that are there.",
                      missing, p->asked, missing == 1 ? "is" : "are");
}

void show_pivot(const struct pivot *t, const struct doc *d)
{
    const struct selection *s = t->selection;
    char name[WORDS_LABEL];
    snprintf(name, sizeof name, "Sweep %.100s: %u of %" PRIu64 " points", s->points.name, s->chosen_count,
             s->points.asked);
    doc_heading(d, 1, name);
    show_values(t, d);
    show_unfinished(&s->points, d);
}
