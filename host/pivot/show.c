#include "show.h"

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

static void join(char text[WORDS_LABEL], const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, WORDS_LABEL - used, "%s%s", used ? ", " : "", more);
}

void words_label(const struct points *p, const struct column_list *columns, unsigned row, char text[WORDS_LABEL])
{
    char number[NUMBER_TEXT];
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        join(text, words_value(points_at(p, row, columns->at[i]), number));
}

void words_names(const struct points *p, const struct column_list *columns, char text[WORDS_LABEL])
{
    *text = 0;
    for (unsigned i = 0; i < columns->count; i++)
        join(text, p->columns[columns->at[i]].name);
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

static void append(char text[WORDS_LABEL], const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, WORDS_LABEL - used, "%s", more);
}

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
    snprintf(text, WORDS_LABEL, "%.100s%s", s->points.columns[s->values.at[value]].name, *relation ? ", " : "");
    append(text, relation);
}

static bool same_means(const struct selection *s)
{
    for (unsigned v = 1; v < s->values.count; v++)
        if (selection_mean(s, v) != selection_mean(s, 0))
            return false;
    return true;
}

void show_means(const struct pivot *t, enum mean_kind kind, char text[WORDS_LABEL])
{
    char part[WORDS_LABEL];
    const char *sep = "";
    *text = 0;
    for (unsigned i = 0; i < t->over.count; i++) {
        if ((int)t->over.at[i] == t->seed)
            continue;
        snprintf(part, sizeof part, "%s%s%.60s (%u)", *sep ? "" : mean_words(kind), *sep ? sep : " over ",
                 t->selection->points.columns[t->over.at[i]].name, t->over_counts[i]);
        append(text, part);
        sep = ", ";
    }
    for (unsigned i = 0; i < t->over.count; i++)
        if ((int)t->over.at[i] == t->seed) {
            snprintf(part, sizeof part, "%s of seed (%u) and its 95 %% interval", *sep ? ", then the mean" : "mean",
                     t->over_counts[i]);
            append(text, part);
        }
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

static void put_names(const struct pivot *t, struct table *table)
{
    const struct selection *s = t->selection;
    for (unsigned i = 0; i < s->rows.count; i++)
        table_left(table, s->points.columns[s->rows.at[i]].name);
}

static void put_row_label(const struct pivot *t, unsigned row, struct table *table)
{
    const struct selection *s = t->selection;
    char number[NUMBER_TEXT];
    for (unsigned i = 0; i < s->rows.count; i++)
        table_text(table, "%s", words_value(points_at(&s->points, t->rows.sample[row], s->rows.at[i]), number));
}

static void put_cell(const struct pivot *t, unsigned value, unsigned row, unsigned column, struct table *table)
{
    char text[WORDS_LABEL];
    show_cell(t, pivot_cell(t, value, row, column), text);
    table_text(table, "%s", text);
}

/* Without columns, one column per value. */
static void fill_values(const struct pivot *t, struct table *table)
{
    const struct selection *s = t->selection;
    table_row(table);
    put_names(t, table);
    for (unsigned v = 0; v < s->values.count; v++)
        table_text(table, "%s", s->points.columns[s->values.at[v]].name);
    for (unsigned r = 0; r < t->rows.count; r++) {
        table_row(table);
        put_row_label(t, r, table);
        for (unsigned v = 0; v < s->values.count; v++)
            put_cell(t, v, r, 0, table);
    }
}

static void fill_columns(const struct pivot *t, unsigned value, struct table *table)
{
    const struct selection *s = t->selection;
    char label[WORDS_LABEL];
    table_row(table);
    put_names(t, table);
    for (unsigned c = 0; c < t->columns.count; c++) {
        words_label(&s->points, &s->columns, t->columns.sample[c], label);
        table_text(table, "%s", label);
    }
    for (unsigned r = 0; r < t->rows.count; r++) {
        table_row(table);
        put_row_label(t, r, table);
        for (unsigned c = 0; c < t->columns.count; c++)
            put_cell(t, value, r, c, table);
    }
}

/* --- Spread: a line for each cell. */

static void put_mover(const struct pivot *t, int mover, struct table *table)
{
    char number[NUMBER_TEXT];
    const char *text = "-";
    if (mover >= 0)
        text = words_value(points_at(&t->selection->points, t->movers.sample[mover], (unsigned)t->mover), number);
    table_left(table, text);
}

static void put_spread(const struct pivot *t, const struct cell *c, struct table *table)
{
    const struct cell_spread *s = &c->spread;
    const double values[] = {s->quartiles.first, s->quartiles.median, s->quartiles.third};
    char text[WORDS_LABEL];
    for (unsigned i = 0; i < 3; i++) {
        mean_text(t, s->known ? values[i] : (double)NAN, (double)NAN, text, sizeof text);
        table_text(table, "%s", text);
    }
    put_mover(t, s->known ? s->moves_most : -1, table);
    mean_text(t, s->known ? s->without : (double)NAN, (double)NAN, text, sizeof text);
    table_text(table, "%s", text);
    if (t->selection->request->relation != RELATION_LEVEL)
        put_mover(t, s->known ? s->decides : -1, table);
}

static void spread_heading(const struct pivot *t, struct table *table)
{
    static const char *const names[] = {"mean", "first quartile", "median", "third quartile"};
    const struct selection *s = t->selection;
    table_row(table);
    put_names(t, table);
    for (unsigned i = 0; i < s->columns.count; i++)
        table_left(table, s->points.columns[s->columns.at[i]].name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_text(table, "%s", names[i]);
    table_left(table, "moves it most");
    table_text(table, "without that");
    if (s->request->relation != RELATION_LEVEL)
        table_left(table, "depends on");
}

static void fill_spread(const struct pivot *t, unsigned value, struct table *table)
{
    const struct selection *s = t->selection;
    char number[NUMBER_TEXT];
    spread_heading(t, table);
    for (unsigned r = 0; r < t->rows.count; r++)
        for (unsigned c = 0; c < t->columns.count; c++) {
            const struct cell *cell = pivot_cell(t, value, r, c);
            if (!cell->of)
                continue;
            table_row(table);
            put_row_label(t, r, table);
            for (unsigned i = 0; i < s->columns.count; i++)
                table_text(table, "%s",
                           words_value(points_at(&s->points, t->columns.sample[c], s->columns.at[i]), number));
            put_cell(t, value, r, c, table);
            put_spread(t, cell, table);
        }
}

/* --- All. */

/* Without columns the values are the columns, of one table. */
static bool values_are_columns(const struct selection *s)
{
    return !s->columns.count && !s->request->spread;
}

static void say_below(const struct pivot *t, unsigned value, const struct doc *d)
{
    char columns[WORDS_LABEL], means[WORDS_LABEL];
    const struct selection *s = t->selection;
    const bool one = !values_are_columns(s) || same_means(s);
    words_names(&s->points, &s->columns, columns);
    show_means(t, one ? selection_mean(s, value) : MEAN_DEFAULT, means);
    if (*columns && !s->request->spread)
        doc_paragraph(d, "Columns: %s.", columns);
    if (*means)
        doc_paragraph(d, "Cells: %s%s.", means, one ? "" : "; of speedups it is geometric, else arithmetic");
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
    struct table *table = table_new();
    show_heading(t->selection, value, d);
    if (t->selection->request->spread)
        fill_spread(t, value, table);
    else if (values_are_columns(t->selection))
        fill_values(t, table);
    else
        fill_columns(t, value, table);
    doc_table(d, table);
    table_free(table);
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
    for (unsigned v = 0; v < (values_are_columns(s) ? 1 : s->values.count); v++)
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
