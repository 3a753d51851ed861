/*
 * The panels of a pivot's figure: lines and bars with rows along the x axis and a series for each column; a heat map
 * with rows along y from the top, columns along x, and the value as a colour with its number on it.
 */
#include <math.h>
#include <string.h>

#include "show.h"
#include "base/words.h"

/* Pixels of a heat map's colour key; characters that its cells have room for. */
enum { BOX = 18, BOX_GAP = 10, CELL_DIGITS = 10, TEXTS_MOST = 24 /* columns with numbers in their cells */ };

/* "gain [%]", or the metric's own name. */
static void axis_name(const struct drawing *d, unsigned value, char text[WORDS_LABEL])
{
    static const char *const words[] = {
        [RELATION_GAIN] = "gain [%]", [RELATION_RATIO] = "ratio", [RELATION_DIFFERENCE] = "difference"};
    const struct selection *s = d->t->selection;
    const enum relation relation = s->request->relation;

    if (relation == RELATION_LEVEL)
        figure_words(s->points.columns[s->values.at[value]].name, text, WORDS_LABEL);
    else
        snprintf(text, WORDS_LABEL, "%s", words[relation]);
}

/* Edges and title; without a base the title is the axis' name. */
static void frame(struct drawing *d, unsigned value)
{
    char text[WORDS_LABEL];
    const struct selection *s = d->t->selection;
    const bool heat = d->o->kind == DRAW_HEAT;
    const double top = d->first + value * d->step;

    figure_edges(&d->f, d->left, d->f.width - d->right, top, top + d->axis_height);
    drawing_value_name(d, value, text);
    if (s->request->relation == RELATION_GAIN && heat)
        text_add(text, WORDS_LABEL, "", " [%%]");
    figure_quoted(&d->f, "set title ", heat || s->base ? text : "", " noenhanced offset 0,-0.5");
    words_names(&s->points, heat ? &s->columns : &s->rows, text);
    figure_quoted(&d->f, "set xlabel ", value + 1 == s->values.count ? text : "", " noenhanced");
}

/* --- Axes of lines and bars. */

enum { TICKS_MOST = 24 /* numbers of an axis that are written each */ };

static void x_range(struct drawing *d)
{
    const unsigned n = d->t->rows.count;
    const double first = d->place[d->order[0]], last = d->place[d->order[n - 1]];
    if (d->log_x)
        figure_line(&d->f, "set logscale x\nset xrange [%.9g:%.9g]", first / pow(last / first, 0.04) / (n == 1 ? 2 : 1),
                    last * pow(last / first, 0.04) * (n == 1 ? 2 : 1));
    else if (d->numeric)
        figure_line(&d->f, "set xrange [%.9g:%.9g]", first - (n == 1 ? 1 : 0.04 * (last - first)),
                    last + (n == 1 ? 1 : 0.04 * (last - first)));
    else
        figure_line(&d->f, "set xrange [-0.6:%.6g]", n - 0.4);
}

static void x_axis(struct drawing *d)
{
    char text[WORDS_LABEL];

    x_range(d);
    if (d->numeric && d->t->rows.count > TICKS_MOST) {
        figure_line(&d->f, "set xtics nomirror autofreq");
        return;
    }
    figure_ticks(&d->f, "x", d->slanted ? "nomirror rotate by -45" : "nomirror rotate by 0");
    for (unsigned i = 0; i < d->t->rows.count; i++) {
        drawing_row(d, d->order[i], text);
        figure_tick(&d->f, text, d->place[d->order[i]]);
    }
    figure_ticks_end(&d->f);
}

/* gnuplot's own are powers of ten, of which a range may have none. */
static void log_ticks(struct figure *f, const double range[2])
{
    static const struct {
        double factor;     /* most over least */
        double digits[16]; /* that have a tick, each times powers of ten */
    } grades[] = {{3, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}},
                  {30, {1, 1.5, 2, 3, 5, 7}},
                  {1000, {1, 2, 5}},
                  {INFINITY, {1}}};
    unsigned g = 0;
    char text[32];

    while (range[1] / range[0] > grades[g].factor)
        g++;
    figure_ticks(f, "y", "nomirror");
    for (double ten = pow(10, floor(log10(range[0]))); ten <= range[1]; ten *= 10)
        for (unsigned i = 0; i < 16 && grades[g].digits[i] > 0; i++) {
            const double v = ten * grades[g].digits[i];
            if (v < range[0] || v > range[1])
                continue;
            snprintf(text, sizeof text, "%.6g", v);
            figure_tick(f, text, v);
        }
    figure_ticks_end(f);
}

/* Gains, differences and bars start at 0. */
static void y_axis(struct drawing *d, unsigned value)
{
    const enum relation relation = d->t->selection->request->relation;
    const struct drawing_range r = drawing_range(d, value, true);
    double range[2] = {r.least, r.most};
    char text[WORDS_LABEL];

    if (!d->o->log_y && (d->o->kind == DRAW_BARS || relation == RELATION_GAIN || relation == RELATION_DIFFERENCE)) {
        range[0] = fmin(range[0], 0);
        range[1] = fmax(range[1], 0);
    }
    axis_name(d, value, text);
    figure_quoted(&d->f, "set ylabel ", text, " noenhanced");
    figure_line(&d->f, "set ytics nomirror\nset grid ytics lt 1 lc rgb '#C8C8C8'\nset xzeroaxis lt -1\nset border 3");
    if (!(range[0] <= range[1])) {
        figure_line(&d->f, "set yrange [0:1]");
        return;
    }
    if (d->o->log_y) {
        range[0] /= 1.1;
        range[1] *= 1.1;
        figure_line(&d->f, "set logscale y\nset yrange [%.9g:%.9g]", range[0], range[1]);
        log_ticks(&d->f, range);
        return;
    }
    const double size = range[1] - range[0], most = fmax(fabs(range[0]), fabs(range[1]));
    const double least = most > 0 ? 0.02 * most : 1e-9, margin = size > least ? 0.06 * size : least;
    figure_line(&d->f, "set yrange [%.9g:%.9g]", range[0] == 0 ? 0 : range[0] - margin,
                range[1] == 0 && range[0] < 0 ? 0 : range[1] + margin);
}

/* --- Lines and bars. */

/* Of a group of bars, whose middle is 1 from the next group's. */
#define GROUP 0.8

static double bar_width(const struct drawing *d)
{
    return GROUP / d->t->columns.count;
}

static double place_of(const struct drawing *d, unsigned row, unsigned column)
{
    const double middle = (d->t->columns.count - 1) / 2.0;
    return d->place[row] + (d->o->kind == DRAW_BARS ? (column - middle) * bar_width(d) : 0);
}

/* What is there of a series: gnuplot finds fault with a plot of which nothing is drawn. */
struct parts {
    unsigned block;
    bool means, intervals, lacking;
};

static struct parts write_series(struct drawing *d, unsigned value, unsigned column)
{
    struct parts p = {.means = false};
    char text[WORDS_LABEL];

    drawing_series(d, value, column, text);
    p.block = figure_block(&d->f, "%s", text);
    for (unsigned i = 0; i < d->t->rows.count; i++) {
        const unsigned row = d->order[i];
        const struct cell *c = pivot_cell(d->t, value, row, column);
        const double v = drawing_value(d, c->value), half = isnan(c->half) ? (double)NAN : drawing_half(d, c->half);
        const bool mean = !isnan(c->value), lacks = c->points < c->of;
        drawing_row(d, row, text);
        figure_row(&d->f, text);
        fprintf(d->f.g.data, "\t%.9g", place_of(d, row, column));
        figure_values(&d->f, 4, (const double[]){v, v - half, v + half, lacks ? v : (double)NAN});
        p.means |= mean;
        p.intervals |= mean && !isnan(half);
        p.lacking |= mean && lacks;
    }
    figure_block_end(&d->f);
    return p;
}

/*
 * Arrows with flat heads at both ends. gnuplot's error bars hide the mark at their middle, and draw one of size 0
 * there, whose matrix some readers of SVG refuse. On a logarithmic axis an interval may begin below the axis.
 */
static void draw_interval(struct drawing *d, unsigned block, const char *colour)
{
    char how[160];
    const char *low = d->o->log_y ? "($4>0?$4:1e-300)" : "$4";

    snprintf(how, sizeof how, "2:(%s):(0):($5-%s) with vectors heads size screen 0.004,90 nofilled lw 1", low, low);
    figure_layer(&d->f, block, how, colour, NULL);
}

static void draw_series(struct drawing *d, unsigned value, unsigned column)
{
    static const int marks[] = {7, 5, 9, 11, 13, 6, 4, 8};
    char text[WORDS_LABEL], how[100] = "2:3 with boxes";
    const struct parts p = write_series(d, value, column);
    const unsigned turn = column / GNUPLOT_COLOURS;
    const char *colour = gnuplot_colours[column % GNUPLOT_COLOURS];
    const bool bars = d->o->kind == DRAW_BARS;

    if (!p.means)
        return;
    if (!bars)
        snprintf(how, sizeof how, "2:3 with linespoints pt %d ps 0.8 lw 2 dt %u",
                 marks[(column + 3 * turn) % GNUPLOT_COLOURS], 1 + turn);
    if (p.intervals && !bars)
        draw_interval(d, p.block, colour);
    drawing_series(d, value, column, text);
    figure_layer(&d->f, p.block, how, colour, text);
    if (p.intervals && bars)
        draw_interval(d, p.block, "black");
    if (p.lacking)
        figure_layer(&d->f, p.block, "2:6 with points pt 6 ps 1.8 lw 1", "black", NULL);
}

static void series_panel(struct drawing *d, unsigned value)
{
    x_axis(d);
    y_axis(d, value);
    if (d->o->kind == DRAW_BARS)
        figure_line(&d->f, "set style fill solid 0.85 border lc rgb 'black'\nset boxwidth %.6g absolute", bar_width(d));
    if (d->t->selection->request->relation == RELATION_RATIO)
        figure_constant(&d->f, "1 with lines lt -1 notitle");
    for (unsigned c = 0; c < d->t->columns.count; c++)
        draw_series(d, value, c);
}

/* --- Heat maps. */

/** What colours stand for. */
struct scale {
    double least, most;
    bool both_ways; /* from `middle`, which is white, to both sides */
};

/* Neutral is in the middle: no gain, a ratio of 1. */
static struct scale scale_of(const struct drawing *d, unsigned value)
{
    const enum relation relation = d->t->selection->request->relation;
    const double middle = relation == RELATION_RATIO;
    const bool both_ways = relation != RELATION_LEVEL;
    const struct drawing_range r = drawing_range(d, value, false);

    if (!(r.least <= r.most))
        return (struct scale){0, 1, both_ways};
    const double far = fmax(fabs(r.least - middle), fabs(r.most - middle));
    if (both_ways)
        return (struct scale){middle - (far > 0 ? far : 1), middle + (far > 0 ? far : 1), true};
    if (r.most - r.least <= 1e-5 * fabs(r.most)) /* gnuplot needs a range */
        return (struct scale){r.least - 1, r.most + 1, false};
    return (struct scale){r.least, r.most, false};
}

/* Width of the colour scale's numbers, pixels. */
double drawing_scale_width(const struct drawing *d)
{
    double most = 40;
    for (unsigned value = 0; value < d->t->selection->values.count; value++) {
        const struct scale s = scale_of(d, value);
        const double numbers[] = {s.least, (s.least + s.most) / 2, s.most};
        for (unsigned i = 0; i < 3; i++) {
            char text[32];
            snprintf(text, sizeof text, "%.3g", numbers[i]);
            most = fmax(most, figure_text_width(text));
        }
    }
    return most;
}

/* White on what is dark. */
static unsigned text_colour(const struct scale *s, double v)
{
    const double part = (v - s->least) / (s->most - s->least);
    const bool dark = s->both_ways ? fabs(2 * part - 1) > 0.62 : part > 0.55;
    return dark ? 0xffffff : 0;
}

static void cell_text(const struct drawing *d, const struct cell *c, char *text, size_t size)
{
    const double v = drawing_value(d, c->value);
    if (d->t->selection->request->relation == RELATION_GAIN)
        snprintf(text, size, fabs(v) < 0.05 ? "0.0" : "%+.1f", v);
    else
        number_short(v, 3, text, size);
    if (strlen(text) > CELL_DIGITS)
        snprintf(text, size, "%.3g", v);
    if (c->points < c->of)
        text_add(text, size, "", "*");
}

/* Cells without a mean leave a hole. */
static unsigned write_cells(struct drawing *d, unsigned value)
{
    char text[48];
    const struct scale s = scale_of(d, value);
    const unsigned block = figure_block(&d->f, "cells");

    for (unsigned r = 0; r < d->t->rows.count; r++)
        for (unsigned c = 0; c < d->t->columns.count; c++) {
            const struct cell *cell = pivot_cell(d->t, value, r, c);
            const double v = drawing_value(d, cell->value);
            if (isnan(v))
                continue;
            cell_text(d, cell, text, sizeof text);
            fprintf(d->f.g.data, "%u\t%u\t%.6g\t%s\t%u\n", c, r, v, text, text_colour(&s, v));
        }
    figure_block_end(&d->f);
    return block;
}

static void name_cells(struct drawing *d)
{
    char text[WORDS_LABEL];

    figure_ticks(&d->f, "y", "scale 0");
    for (unsigned r = 0; r < d->t->rows.count; r++) {
        drawing_row(d, r, text);
        figure_tick(&d->f, text, r);
    }
    figure_ticks_end(&d->f);
    figure_ticks(&d->f, "x", d->slanted ? "scale 0 rotate by -45" : "scale 0");
    for (unsigned c = 0; c < d->t->columns.count; c++) {
        drawing_series(d, 0, c, text);
        figure_tick(&d->f, text, c);
    }
    figure_ticks_end(&d->f);
}

static void colour_axis(struct drawing *d, const struct scale *s)
{
    const double axis_width = d->f.width - d->left - d->right;

    figure_line(&d->f, "set cbrange [%.9g:%.9g]\nset palette defined %s", s->least, s->most,
                s->both_ways ? "(0 '#B35806', 0.25 '#F1A340', 0.5 '#F7F7F7', 0.75 '#67A9CF', 1 '#2166AC')"
                             : "(0 '#F7FBFF', 0.5 '#6BAED6', 1 '#08306B')");
    figure_line(&d->f, "set colorbox user origin graph %.6g, graph 0 size graph %.6g, graph 1",
                1 + BOX_GAP / axis_width, BOX / axis_width);
    figure_line(&d->f, "set cbtics (%.9g, %.9g, %.9g) format '%%.3g'", s->least, (s->least + s->most) / 2, s->most);
}

/* gnuplot's own name of the y axis may be cut off. */
static void heat_panel(struct drawing *d, unsigned value)
{
    char text[WORDS_LABEL], place[100];
    const struct selection *of = d->t->selection;
    const struct scale s = scale_of(d, value);
    const unsigned block = write_cells(d, value);

    name_cells(d);
    figure_line(&d->f, "set xrange [-0.5:%.6g]\nset yrange [%.6g:-0.5]\nset style fill solid noborder",
                d->t->columns.count - 0.5, d->t->rows.count - 0.5);
    colour_axis(d, &s);
    words_names(&of->points, &of->rows, text);
    snprintf(place, sizeof place, " at screen %.6g, graph 0.5 center rotate by 90 noenhanced", 18 / d->f.width);
    figure_quoted(&d->f, "set label 3 ", text, place);
    figure_layer(&d->f, block, "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette", NULL, NULL);
    if (d->t->columns.count <= TEXTS_MOST)
        figure_layer(&d->f, block, "1:2:4:5 with labels noenhanced font ',9' tc rgb variable", NULL, NULL);
}

void drawing_panels(struct drawing *d)
{
    for (unsigned v = 0; v < d->t->selection->values.count; v++) {
        frame(d, v);
        if (d->o->kind == DRAW_HEAT)
            heat_panel(d, v);
        else
            series_panel(d, v);
        figure_panel_end(&d->f);
    }
}
