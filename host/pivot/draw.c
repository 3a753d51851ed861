#include "show.h"

#include <math.h>

#include "base/memory.h"
#include "base/words.h"

/* Pixels. */
enum {
    WIDTH = 960,
    LEAST = 560, /* of a width: there are words above */
    LEFT = 96,
    POWERS = 40, /* more to the left, for numbers with powers of ten */
    RIGHT = 28,
    HEAD = 62,  /* title and what is drawn; lines of the key come below */
    ABOVE = 30, /* a panel: its title */
    BELOW = 58,
    AXIS_HEIGHT = 250,
    LEFT_PAPER = 76,
    RIGHT_PAPER = 14,
    HEAD_PAPER = 8,
    AXIS_PAPER = 150,
    BAR_WIDTH = 10, /* at least */
    CELL_WIDTH = 64,
    CELL_HEIGHT = 30
};

bool draw_is_geometric(const double *values, unsigned count)
{
    double factors[2] = {INFINITY, 0}, steps[2] = {INFINITY, 0};
    if (count < 3 || values[0] <= 0)
        return false;
    for (unsigned i = 1; i < count; i++) {
        const double factor = values[i] / values[i - 1], step = values[i] - values[i - 1];
        factors[0] = fmin(factors[0], factor);
        factors[1] = fmax(factors[1], factor);
        steps[0] = fmin(steps[0], step);
        steps[1] = fmax(steps[1], step);
    }
    return factors[1] <= 1.6 * factors[0] && steps[1] >= 1.9 * steps[0];
}

/* --- Words. */

double drawing_value(const struct drawing *d, double value)
{
    const bool gain = d->t->selection->request->relation == RELATION_GAIN;
    return gain ? 100 * (value - 1) : value;
}

double drawing_half(const struct drawing *d, double half)
{
    if (isnan(half))
        return 0;
    return d->t->selection->request->relation == RELATION_GAIN ? 100 * half : half;
}

/* That gnuplot has an axis for; an interval may go beyond what a double holds. */
static const double largest = 8e306;

struct drawing_range drawing_range(const struct drawing *d, unsigned value, bool intervals)
{
    struct drawing_range r = {INFINITY, -INFINITY};

    for (unsigned i = 0; i < d->t->rows.count * d->t->columns.count; i++) {
        const struct cell *cell = pivot_cell(d->t, value, 0, i);
        const double v = drawing_value(d, cell->value), half = intervals ? drawing_half(d, cell->half) : 0;
        r.least = fmin(r.least, d->o->log_y && v - half <= 0 ? v : v - half); /* fmin leaves NaN out */
        r.most = fmax(r.most, v + half);
    }
    r.least = r.least <= largest ? fmax(r.least, -largest) : r.least; /* INFINITY: there is none */
    r.most = r.most >= -largest ? fmin(r.most, largest) : r.most;
    return r;
}

/* The same of all values. */
static struct drawing_range range_of_all(const struct drawing *d, bool intervals)
{
    struct drawing_range all = {INFINITY, -INFINITY};

    for (unsigned v = 0; v < d->t->selection->values.count; v++) {
        const struct drawing_range r = drawing_range(d, v, intervals);
        all.least = fmin(all.least, r.least);
        all.most = fmax(all.most, r.most);
    }
    return all;
}

void drawing_row(const struct drawing *d, unsigned row, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    words_label(&s->points, &s->rows, d->t->rows.sample[row], text);
}

void drawing_value_name(const struct drawing *d, unsigned value, char text[WORDS_LABEL])
{
    char name[WORDS_LABEL];

    if (d->o->columns == 1)
        snprintf(name, sizeof name, "%.200s", d->t->selection->points.columns[d->t->selection->values.at[value]].name);
    else
        show_value_name(d->t->selection, value, name);
    figure_words(name, text, WORDS_LABEL);
}

void drawing_series(const struct drawing *d, unsigned value, unsigned column, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    if (s->columns.count)
        words_label(&s->points, &s->columns, d->t->columns.sample[column], text);
    else
        drawing_value_name(d, value, text);
}

/* What a mark is a mean of, and what marks those that lack points; below the title. */
static void drawing_notes(const struct drawing *d, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    const struct pivot_faults f = pivot_faults(d->t);
    const char *mark = d->o->kind == DRAW_HEAT ? "*" : "rings";
    show_means(d->t, selection_mean_of_all(s), text);
    if (f.lacking)
        text_add(text, WORDS_LABEL, "; ", "%s: points are missing", mark);
}

/* --- Is there something to draw, and not too much? */

static int check(const struct drawing *d, struct mh_error *err)
{
    const char *file = d->t->selection->request->file;
    const struct drawing_range r = range_of_all(d, false);
    const unsigned most = d->o->kind == DRAW_BARS ? DRAWING_BARS : DRAWING_LINES;

    if (d->t->selection->values.count > DRAWING_PANELS)
        return mh_fail(err, "%.200s: a figure has up to %d panels, not %u: choose metrics by --value", file,
                       DRAWING_PANELS, d->t->selection->values.count);
    if (d->o->kind != DRAW_HEAT && d->t->columns.count > most)
        return mh_fail(err, "%.200s: %u columns, and up to %u can be told apart: choose some by --where", file,
                       d->t->columns.count, most);
    if (!(r.least <= r.most))
        return mh_fail(err, "%.200s: no cell has a mean, so there is nothing to draw; `memhelm table` says why", file);
    if (d->o->kind == DRAW_HEAT && !d->t->selection->columns.count)
        return mh_fail(err, "%.200s: a heat map needs --columns, its x axis", file);
    if (d->o->kind == DRAW_HEAT && (d->o->log_x || d->o->log_y))
        return mh_fail(err, "%.200s: --log: the axes of a heat map are names", file);
    if (d->o->log_y && r.least <= 0)
        return mh_fail(err, "%.200s: --log y: there are values of 0 or less", file);
    if (d->o->log_x && !d->log_x)
        return mh_fail(err, "%.200s: --log x: an axis of numbers above 0 has one; --rows names it", file);
    return 0;
}

/* --- The x axis. */

static bool has_numbers(const struct pivot *t)
{
    const struct selection *s = t->selection;
    for (unsigned r = 0; r < t->rows.count; r++) {
        const struct points_value *v = points_at(&s->points, t->rows.sample[r], s->rows.at[0]);
        if (v->text || isnan(v->number))
            return false;
    }
    return s->rows.count == 1;
}

/* Lines go from left to right whatever the order of the file. */
static void place_rows(struct drawing *d)
{
    const struct pivot *t = d->t;
    const struct selection *s = t->selection;
    double *sorted = must_have(t->rows.count, sizeof *sorted);
    d->order = must_have(t->rows.count, sizeof *d->order);
    d->place = must_have(t->rows.count, sizeof *d->place);
    d->numeric = d->o->kind == DRAW_LINES && has_numbers(t);
    for (unsigned r = 0; r < t->rows.count; r++) {
        unsigned i = r;
        d->place[r] = d->numeric ? points_at(&s->points, t->rows.sample[r], s->rows.at[0])->number : r;
        for (; i && d->place[d->order[i - 1]] > d->place[r]; i--)
            d->order[i] = d->order[i - 1];
        d->order[i] = r;
    }
    for (unsigned i = 0; i < t->rows.count; i++)
        sorted[i] = d->place[d->order[i]];
    d->log_x = d->numeric && sorted[0] > 0 && (d->o->log_x || draw_is_geometric(sorted, t->rows.count));
    free(sorted);
}

/* --- Room. */

/* Total width of the names along the x axis. */
static double names_width(const struct drawing *d, double *longest)
{
    const bool heat = d->o->kind == DRAW_HEAT;
    double all = 0;
    char text[WORDS_LABEL];
    *longest = 0;
    for (unsigned i = 0; i < (heat ? d->t->columns.count : d->t->rows.count); i++) {
        if (heat)
            drawing_series(d, 0, i, text);
        else
            drawing_row(d, i, text);
        all += figure_text_width(text) + 14;
        *longest = fmax(*longest, figure_text_width(text));
    }
    return all;
}

static void measure_key(struct drawing *d)
{
    double all = 0;
    char text[WORDS_LABEL];
    for (unsigned c = 0; c < d->t->columns.count && d->o->kind != DRAW_HEAT; c++) {
        drawing_series(d, 0, c, text);
        all += figure_text_width(text) + 50;
    }
    d->key_rows = d->o->kind == DRAW_HEAT ? 0 : 1 + (unsigned)(all / (d->f.width - 40));
}

/* Slanted names go to the right of what they name, the last one beyond the axis. */
static void make_room_for_last(struct drawing *d, double longest, double step)
{
    const double beyond = 0.71 * longest + 8 - (d->numeric ? 0 : step / 2);
    if (!d->slanted || beyond <= d->right)
        return;
    d->f.width += d->o->kind == DRAW_HEAT ? beyond - d->right : 0; /* cells keep their size */
    d->right = beyond;
}

/* The y axis has numbers as 1.5x10^6 or 5x10^-5 then, and its name stands to the left of them. */
static bool has_powers(const struct drawing *d)
{
    const struct drawing_range r = range_of_all(d, true);
    const double most = r.least <= r.most ? fmax(fabs(r.least), fabs(r.most)) : 0;

    return most >= 4e5 || (most > 0 && most < 1e-3) || (d->o->log_y && range_of_all(d, false).least < 1e-3);
}

static void measure_heat(struct drawing *d)
{
    double names = 0;
    char text[WORDS_LABEL];

    for (unsigned r = 0; r < d->t->rows.count; r++) {
        drawing_row(d, r, text);
        names = fmax(names, figure_text_width(text));
    }
    d->left = 50 + names;
    d->right = 60 + drawing_scale_width(d); /* the colours */
    d->axis_height = CELL_HEIGHT * fmax(d->t->rows.count, 4);
    drawing_notes(d, text);
    d->f.width = fmax(fmax(LEAST, figure_text_width(text)), d->left + d->right + CELL_WIDTH * d->t->columns.count);
}

static bool has_title(const struct drawing *d)
{
    return !d->o->columns || d->o->title || d->o->kind == DRAW_HEAT;
}

static void measure(struct drawing *d)
{
    double longest;
    const unsigned bars = d->t->rows.count * (d->t->columns.count + 1), values = d->t->selection->values.count;

    d->left = (d->o->columns ? LEFT_PAPER : LEFT) + (has_powers(d) ? POWERS : 0);
    d->right = d->o->columns ? RIGHT_PAPER : RIGHT;
    d->axis_height = d->o->columns ? AXIS_PAPER : AXIS_HEIGHT;
    if (d->o->kind == DRAW_HEAT)
        measure_heat(d);
    else if (d->o->columns)
        d->f.width = figure_paper_width(d->o->columns);
    else
        d->f.width = d->o->kind == DRAW_BARS ? fmax(WIDTH, BAR_WIDTH * bars + d->left + d->right) : WIDTH;
    const double room = d->f.width - d->left - d->right, all = names_width(d, &longest);
    const unsigned names = d->o->kind == DRAW_HEAT ? d->t->columns.count : d->t->rows.count;
    d->slanted = d->numeric ? all > room : longest + 8 > room / names;
    make_room_for_last(d, longest, room / names);
    measure_key(d);
    d->first = (has_title(d) ? HEAD : HEAD_PAPER) + 20 * d->key_rows + ABOVE;
    d->step = ABOVE + d->axis_height + BELOW + (d->slanted ? 24 + 0.71 * longest : 0);
    d->f.height = d->first - ABOVE + values * d->step;
}

int draw_pivot(const struct pivot *t, const struct draw_options *o, const char *dir, const char *name,
               struct mh_error *err)
{
    struct drawing d = {.t = t, .o = o};
    char note[WORDS_LABEL];
    int status;

    figure_open(&d.f, o->kind == DRAW_HEAT ? "column\trow\tvalue\ttext\tits colour"
                                           : "row\tplace\tmean\tlow\thigh\tlacks points");
    place_rows(&d);
    measure(&d);
    status = check(&d, err);
    if (!status) {
        drawing_notes(&d, note);
        figure_title(&d.f,
                     o->title        ? o->title
                     : has_title(&d) ? t->selection->points.name
                                     : "",
                     has_title(&d) ? note : "", d.key_rows);
        drawing_panels(&d);
        status = figure_finish(&d.f, dir, name, err);
    } else {
        figure_drop(&d.f);
    }
    free(d.order);
    free(d.place);
    return status;
}
