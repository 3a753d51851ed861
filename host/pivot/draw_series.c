/* Lines and bars: rows are the x axis, columns the series. */
#include <math.h>

#include "drawing.h"

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

/* --- Data: a block for each series of each panel. */

static void write_block(struct drawing *d, unsigned value, unsigned column)
{
    char text[WORDS_LABEL];
    drawing_series(d, value, column, text);
    fputs("# ", d->g.data);
    gnuplot_cell(d->g.data, text);
    fputc('\n', d->g.data);
    for (unsigned i = 0; i < d->t->rows.count; i++) {
        const unsigned row = d->order[i];
        const struct cell *c = pivot_cell(d->t, value, row, column);
        const double v = drawing_value(d, c->value), half = drawing_half(d, c->half);
        drawing_row(d, row, text);
        gnuplot_cell(d->g.data, text);
        fprintf(d->g.data, "\t%.9g", place_of(d, row, column));
        gnuplot_value(&d->g, v);
        gnuplot_value(&d->g, v - half);
        gnuplot_value(&d->g, v + half);
        gnuplot_value(&d->g, c->points < c->of ? v : (double)NAN);
        fputc('\n', d->g.data);
    }
    fputs("\n\n", d->g.data);
}

/* gnuplot finds fault with a plot of which nothing is drawn. */
struct parts {
    bool means, intervals, lacking;
};

static struct parts parts_of(const struct drawing *d, unsigned value, unsigned column)
{
    struct parts p = {false, false, false};
    for (unsigned r = 0; r < d->t->rows.count; r++) {
        const struct cell *c = pivot_cell(d->t, value, r, column);
        const bool mean = !isnan(c->value);
        p.means |= mean;
        p.intervals |= mean && !isnan(c->half);
        p.lacking |= mean && c->points < c->of;
    }
    return p;
}

/* --- Script. */

static void write_marks(struct drawing *d, unsigned column)
{
    static const int points[] = {7, 5, 9, 11, 13, 6, 4, 8};
    const char *colour = gnuplot_colours[column % GNUPLOT_COLOURS];
    if (d->o->kind == DRAW_BARS)
        fprintf(d->g.script, "2:3 with boxes lc rgb '%s'", colour);
    else
        fprintf(d->g.script, "2:3 with linespoints pt %d ps 0.8 lw 2 dt %u lc rgb '%s'",
                points[(column + 3 * (column / GNUPLOT_COLOURS)) % GNUPLOT_COLOURS], 1 + column / GNUPLOT_COLOURS,
                colour);
}

/*
 * Arrows with flat heads at both ends. gnuplot's error bars hide the mark at their middle, and draw one of size 0
 * there, whose matrix some readers of SVG refuse. On a logarithmic axis an interval may begin below the axis.
 */
static void write_interval(struct drawing *d, unsigned block, const char *colour)
{
    const char *low = d->o->log_y ? "($4>0?$4:1e-300)" : "$4";
    fprintf(d->g.script,
            " index %u using 2:(%s):(0):($5-%s) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb '%s' "
            "notitle",
            block, low, low, colour);
}

static void write_series(struct drawing *d, unsigned value, unsigned column, const char **sep)
{
    FILE *out = d->g.script;
    char text[WORDS_LABEL];
    const unsigned block = value * d->t->columns.count + column;
    const bool bars = d->o->kind == DRAW_BARS;
    const struct parts p = parts_of(d, value, column);
    if (!p.means)
        return;
    fputs(*sep, out);
    gnuplot_file(out, "dat");
    *sep = ", ";
    if (p.intervals && !bars) {
        write_interval(d, block, gnuplot_colours[column % GNUPLOT_COLOURS]);
        fputs(", ''", out);
    }
    fprintf(out, " index %u using ", block);
    write_marks(d, column);
    drawing_series(d, value, column, text);
    fputs(" title ", out);
    gnuplot_quote(out, text);
    if (p.intervals && bars) {
        fputs(", ''", out);
        write_interval(d, block, "black");
    }
    if (p.lacking)
        fprintf(out, ", '' index %u using 2:6 with points pt 6 ps 1.8 lw 1 lc rgb 'black' notitle", block);
}

static void write_panel(struct drawing *d, unsigned value)
{
    const char *sep = "plot ";
    drawing_panel(d, value);
    drawing_x_axis(d);
    drawing_y_axis(d, value);
    if (d->o->kind == DRAW_BARS)
        fprintf(d->g.script, "set style fill solid 0.85 border lc rgb 'black'\nset boxwidth %.6g absolute\n",
                bar_width(d));
    if (d->t->selection->request->relation == RELATION_RATIO) {
        fprintf(d->g.script, "%s1 with lines lt -1 notitle", sep);
        sep = ", ";
    }
    for (unsigned c = 0; c < d->t->columns.count; c++)
        write_series(d, value, c, &sep);
    fputs(*sep == ',' ? "\n" : "plot 1e30 notitle\n", d->g.script);
}

void draw_series(struct drawing *d)
{
    const unsigned values = d->t->selection->values.count;
    fputs("# row\tplace\tmean\tlow\thigh\tlacks points\n", d->g.data);
    for (unsigned v = 0; v < values; v++)
        for (unsigned c = 0; c < d->t->columns.count; c++)
            write_block(d, v, c);
    for (int png = 0; png < 2; png++) {
        drawing_begin(d, png);
        for (unsigned v = 0; v < values; v++)
            write_panel(d, v);
        drawing_end(d);
    }
}
