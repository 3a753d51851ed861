#include <inttypes.h>

#include "base/number.h"
#include "base/words.h"
#include "part.h"
#include "pivot/show.h"

enum { FLAT_ROWS = 200 /* more points than that are no table for a page */ };

struct sweep {
    const struct input *in;
    const struct points *points;
    const char *value; /* the metric that the page is about */
};

static unsigned values_of(const struct points *p, unsigned column)
{
    struct levels l;
    levels_of_column(&l, p, (int)column, NULL);
    const unsigned count = l.count;
    levels_free(&l);
    return count;
}

/* Number of the column; -1: there is none of that name and kind. */
static int column_of(const struct points *p, const char *name, enum points_kind kind)
{
    struct mh_error none;
    const int c = points_column_named(p, name, &none);

    return c >= 0 && p->columns[c].kind == kind ? c : -1;
}

/* Its first metric, unless one of these is among them. */
static const char *main_value(const struct points *p)
{
    static const char *const usual[] = {"weighted_speedup", "speedup", "ipc"};

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (column_of(p, usual[i], POINTS_METRIC) >= 0)
            return usual[i];
    for (unsigned c = 0; c < p->column_count; c++)
        if (p->columns[c].kind == POINTS_METRIC)
            return p->columns[c].name;
    return NULL;
}

static unsigned values_on(const struct points *p, const char *axis)
{
    const int c = column_of(p, axis, POINTS_AXIS);

    return c < 0 ? 0 : values_of(p, (unsigned)c);
}

static int draw(struct part *p, const struct pivot *t, const struct draw_options *o, const char *words,
                struct mh_error *err)
{
    char name[PART_TITLE];

    part_figure_name(p, o->kind == DRAW_BARS ? "bars" : "lines", name);
    return draw_pivot(t, o, p->figures, name, err) || part_drawn(p, name, words, err) ? -1 : 0;
}

/* A pivot as a table, and if it has more than one row as a figure. */
static int pivot(struct part *p, const struct pivot_request *q, enum draw_kind kind, const char *title,
                 struct mh_error *err)
{
    struct selection s;
    struct pivot t;
    if (selection_open(&s, q, err))
        return -1;
    int status = pivot_of(&t, &s, err);
    if (!status) {
        doc_heading(&p->doc, 1, title);
        show_values(&t, &p->doc);
        if (!q->spread && t.rows.count > 1)
            status = draw(p, &t, &(struct draw_options){.kind = kind, .title = title}, title, err);
        pivot_free(&t);
    }
    selection_close(&s);
    return status;
}

/* One figure and table for each axis of the hardware. */
static int axes(struct part *p, const struct sweep *w, struct mh_error *err)
{
    for (unsigned c = 0; c < w->points->column_count; c++) {
        const char *name = w->points->columns[c].name;
        char title[PART_TITLE];
        if (w->points->columns[c].kind != POINTS_AXIS || values_of(w->points, c) < 2 ||
            patterns_fit("image workload seed", name))
            continue;
        struct pivot_request q = {.file = w->in->path, .rows = name, .values = w->value};
        q.columns = values_on(w->points, "image") > 1 ? "image" : NULL;
        snprintf(title, sizeof title, "%.60s over %.60s", w->value, name);
        if (pivot(p, &q, DRAW_LINES, title, err))
            return -1;
    }
    return 0;
}

/* The image of the first point is what the others are measured against. */
static int images(struct part *p, const struct sweep *w, struct mh_error *err)
{
    char base[PART_TITLE], title[2 * PART_TITLE];
    const int column = points_column_named(w->points, "image", err);
    if (column < 0 || values_on(w->points, "image") < 2)
        return 0;
    const char *first = points_at(w->points, 0, (unsigned)column)->text;
    snprintf(base, sizeof base, "image=%.150s", first ? first : "");
    snprintf(title, sizeof title, "Gain over %.150s per workload", first ? first : "");
    struct pivot_request q = {.file = w->in->path, .values = w->value, .against = base, .relation = RELATION_GAIN};
    q.rows = "workload";
    q.columns = "image";
    if (pivot(p, &q, DRAW_BARS, title, err))
        return -1;
    if (values_on(w->points, "workload") < QUARTILES_LEAST)
        return 0;
    q.rows = "image";
    q.columns = NULL;
    q.spread = true;
    return pivot(p, &q, DRAW_BARS, "What the mean depends on", err);
}

/* --- Why points differ from those of the first image, if the sweep was asked (--why). */

enum { MOST = 60 /* more is no page to read */ };

static void points_why(struct part *p, const struct input *in, const struct points *points,
                       const struct column_list *varied)
{
    const int column = column_of(points, "why", POINTS_ABOUT);
    unsigned count = 0, said = 0;

    for (unsigned r = 0; r < points->rows && column >= 0; r++)
        count += points_at(points, r, (unsigned)column)->text != NULL;
    if (!count)
        return;
    doc_heading(&p->doc, 1, "Why");
    doc_paragraph(&p->doc, "SM cycles per warp instruction, beside those of the first image at the same point.");
    for (unsigned r = 0; r < points->rows && said < MOST; r++) {
        const char *text = points_at(points, r, (unsigned)column)->text;
        char label[WORDS_LABEL];
        if (!text)
            continue;
        words_label(points, varied, r, label);
        doc_item(&p->doc, "%s: %s", label, text);
        said++;
    }
    if (said < count)
        doc_paragraph(&p->doc, "And %u more: `memhelm table %s --show why`.", count - said, in->path);
}

/* What tells points from each other. */
static struct column_list varied(const struct points *p)
{
    struct column_list list = {.count = 0};
    for (unsigned c = 0; c < p->column_count; c++)
        if (p->columns[c].kind == POINTS_AXIS && values_of(p, c) > 1)
            list.at[list.count++] = c;
    return list;
}

static int all_points(struct part *p, const struct sweep *w, struct mh_error *err)
{
    struct selection s;
    struct flat f;
    const struct pivot_request q = {.file = w->in->path};
    if (w->points->rows > FLAT_ROWS) {
        doc_paragraph(&p->doc, "`memhelm table %s` prints all %u points.", w->in->path, w->points->rows);
        return 0;
    }
    if (selection_open(&s, &q, err))
        return -1;
    int status = flat_of(&f, &s, NULL, err);
    if (!status) {
        part_fold(p, "All points");
        flat_show(&f, &p->doc);
        part_fold_end(p);
        flat_free(&f);
    }
    selection_close(&s);
    return status;
}

static void made(struct part *p, const struct points *points)
{
    part_fold(p, "What was asked for, and what made it");
    doc_paragraph(&p->doc, "%s", points->spec);
    doc_paragraph(&p->doc, "%s", points->made_by);
    part_fold_end(p);
}

int part_points(struct part *p, const struct input *in, struct mh_error *err)
{
    struct points points;
    char title[PART_TITLE];
    if (points_read(&points, in->path, err))
        return -1;
    const struct sweep w = {in, &points, main_value(&points)};
    snprintf(title, sizeof title, "Sweep %.150s", points.name);
    part_begin(p, title);
    if (points.asked == points.rows)
        doc_paragraph(&p->doc, "%u points.", points.rows);
    else
        doc_paragraph(&p->doc, "%u of %" PRIu64 " points.", points.rows, points.asked);
    show_unfinished(&points, &p->doc);
    int status = 0;
    if (points.rows && w.value)
        status = axes(p, &w, err) || images(p, &w, err) ? -1 : 0;
    if (!status && points.rows && w.value) {
        const struct column_list tell = varied(&points);
        points_why(p, in, &points, &tell);
        status = all_points(p, &w, err);
    }
    made(p, &points);
    part_end(p);
    points_free(&points);
    return status;
}
