/* A heat map: rows are y from the top, columns x, the value a colour with its number on it. */
#include <math.h>
#include <string.h>

#include "drawing.h"

/* Pixels of a cell; texts of the columns below. */
enum {
    CELL_WIDTH = 64,
    CELL_HEIGHT = 30,
    CELL_DIGITS = 10, /**< that a cell has room for */
    BOX = 18 /**< of colours */,
    BOX_GAP = 10,
    TEXTS_MOST = 24 /**< columns with numbers in their cells */
};

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
    struct scale s = {INFINITY, -INFINITY, relation != RELATION_LEVEL};
    for (unsigned r = 0; r < d->t->rows.count; r++)
        for (unsigned c = 0; c < d->t->columns.count; c++) {
            const double v = drawing_value(d, pivot_cell(d->t, value, r, c)->value);
            s.least = fmin(s.least, v);
            s.most = fmax(s.most, v);
        }
    if (!(s.least <= s.most))
        return (struct scale){0, 1, s.both_ways};
    double far = fmax(fabs(s.least - middle), fabs(s.most - middle));
    if (s.both_ways)
        return (struct scale){middle - (far > 0 ? far : 1), middle + (far > 0 ? far : 1), true};
    if (s.most - s.least <= 1e-5 * fabs(s.most)) /* gnuplot needs a range */
        return (struct scale){s.least - 1, s.most + 1, false};
    return s;
}

/* Width of the colour scale's numbers, pixels. */
static double scale_width(const struct drawing *d)
{
    double most = 40;
    for (unsigned value = 0; value < d->t->selection->values.count; value++) {
        const struct scale s = scale_of(d, value);
        const double numbers[] = {s.least, (s.least + s.most) / 2, s.most};
        for (unsigned i = 0; i < 3; i++) {
            char text[32];
            snprintf(text, sizeof text, "%.3g", numbers[i]);
            most = fmax(most, drawing_text_width(text));
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
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", c->points < c->of ? "*" : "");
}

/* Column, row, value, text and its colour; cells without a mean leave a hole. */
static void write_block(struct drawing *d, unsigned value)
{
    char text[48];
    const struct scale s = scale_of(d, value);
    for (unsigned r = 0; r < d->t->rows.count; r++)
        for (unsigned c = 0; c < d->t->columns.count; c++) {
            const struct cell *cell = pivot_cell(d->t, value, r, c);
            const double v = drawing_value(d, cell->value);
            if (isnan(v))
                continue;
            cell_text(d, cell, text, sizeof text);
            fprintf(d->g.data, "%u\t%u\t%.6g\t%s\t%u\n", c, r, v, text, text_colour(&s, v));
        }
    fputs("\n\n", d->g.data);
}

static void write_names(struct drawing *d, bool rows)
{
    FILE *out = d->g.script;
    char text[WORDS_LABEL];
    fprintf(out, "set %stics scale 0 noenhanced %s(", rows ? "y" : "x", rows || !d->slanted ? "" : "rotate by -45 ");
    for (unsigned i = 0; i < (rows ? d->t->rows.count : d->t->columns.count); i++) {
        if (rows)
            drawing_row(d, i, text);
        else
            drawing_series(d, 0, i, text);
        fputs(i ? ", " : "", out);
        gnuplot_quote(out, text);
        fprintf(out, " %u", i);
    }
    fputs(")\n", out);
}

static void write_axes(struct drawing *d, unsigned value)
{
    FILE *out = d->g.script;
    char text[WORDS_LABEL];
    const struct scale s = scale_of(d, value);
    const struct selection *of = d->t->selection;
    write_names(d, true);
    write_names(d, false);
    fprintf(out, "set xrange [-0.5:%.6g]\nset yrange [%.6g:-0.5]\nset cbrange [%.9g:%.9g]\n", d->t->columns.count - 0.5,
            d->t->rows.count - 0.5, s.least, s.most);
    fputs(s.both_ways
              ? "set palette defined (0 '#B35806', 0.25 '#F1A340', 0.5 '#F7F7F7', 0.75 '#67A9CF', 1 '#2166AC')\n"
              : "set palette defined (0 '#F7FBFF', 0.5 '#6BAED6', 1 '#08306B')\n",
          out);
    const double axis_width = d->width - d->left - d->right;
    fprintf(out, "set colorbox user origin graph %.6g, graph 0 size graph %.6g, graph 1\n", 1 + BOX_GAP / axis_width,
            BOX / axis_width);
    fprintf(out, "set cbtics (%.9g, %.9g, %.9g) format '%%.3g'\n", s.least, (s.least + s.most) / 2, s.most);
    fputs("unset key\nset style fill solid noborder\nset ylabel ''\nset label 3 ", out); /* gnuplot's may be cut off */
    words_names(&of->points, &of->rows, text);
    gnuplot_quote(out, text);
    fprintf(out, " at screen %.6g, graph 0.5 center rotate by 90 noenhanced\nset xlabel ", 18 / d->width);
    words_names(&of->points, &of->columns, text);
    gnuplot_quote(out, value + 1 == of->values.count ? text : "");
    fputs(" noenhanced\n", out);
}

static void write_panel(struct drawing *d, unsigned value)
{
    FILE *out = d->g.script;
    drawing_panel(d, value);
    write_axes(d, value);
    fputs("plot ", out);
    gnuplot_file(out, "dat");
    fprintf(out, " index %u using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette notitle", value);
    if (d->t->columns.count <= TEXTS_MOST)
        fprintf(out, ", '' index %u using 1:2:4:5 with labels noenhanced font ',9' tc rgb variable notitle", value);
    fputc('\n', out);
}

void draw_heat_room(struct drawing *d)
{
    double names = 0;
    char text[WORDS_LABEL];
    for (unsigned r = 0; r < d->t->rows.count; r++) {
        drawing_row(d, r, text);
        names = fmax(names, drawing_text_width(text));
    }
    d->left = 50 + names;
    d->right = 60 + scale_width(d); /* the colours */
    d->axis_height = CELL_HEIGHT * fmax(d->t->rows.count, 4);
    drawing_notes(d, text);
    d->width =
        fmax(fmax(DRAWING_LEAST, drawing_text_width(text)), d->left + d->right + CELL_WIDTH * d->t->columns.count);
}

void draw_heat(struct drawing *d)
{
    const unsigned values = d->t->selection->values.count;
    fputs("# column\trow\tvalue\ttext\tits colour\n", d->g.data);
    for (unsigned v = 0; v < values; v++)
        write_block(d, v);
    for (int png = 0; png < 2; png++) {
        drawing_begin(d, png);
        for (unsigned v = 0; v < values; v++)
            write_panel(d, v);
        drawing_end(d);
    }
}
