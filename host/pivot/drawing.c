#include "drawing.h"

#include <math.h>
#include <string.h>

#include "show.h"

double drawing_value(const struct drawing *d, double value)
{
    const bool gain = d->t->selection->request->relation == RELATION_GAIN;
    return gain ? 100 * (value - 1) : value;
}

double drawing_half(const struct drawing *d, double half)
{
    return d->t->selection->request->relation == RELATION_GAIN ? 100 * half : half;
}

void drawing_row(const struct drawing *d, unsigned row, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    words_label(&s->points, &s->rows, d->t->rows.sample[row], text);
}

void drawing_series(const struct drawing *d, unsigned value, unsigned column, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    if (s->columns.count)
        words_label(&s->points, &s->columns, d->t->columns.sample[column], text);
    else
        show_value_name(s, value, text);
}

void drawing_axis(const struct drawing *d, unsigned value, char text[WORDS_LABEL])
{
    static const char *const words[] = {
        [RELATION_GAIN] = "gain [%]", [RELATION_RATIO] = "ratio", [RELATION_DIFFERENCE] = "difference"};
    const struct selection *s = d->t->selection;
    const enum relation relation = s->request->relation;
    snprintf(text, WORDS_LABEL, "%.200s",
             relation == RELATION_LEVEL ? s->points.columns[s->values.at[value]].name : words[relation]);
}

double drawing_text_width(const char *text)
{
    return 7.5 * (double)strlen(text);
}

/* --- Frames. */

static double head(const struct drawing *d)
{
    return DRAWING_HEAD + 20 * d->key_rows;
}

static void write_label(FILE *out, unsigned number, const char *text, double y, const char *font)
{
    fprintf(out, "set label %u ", number);
    gnuplot_quote(out, text);
    fprintf(out, " at screen 0.5,%.6g center noenhanced font ',%s'\n", y, font);
}

static bool same_means(const struct selection *s)
{
    for (unsigned v = 1; v < s->values.count; v++)
        if (selection_mean(s, v) != selection_mean(s, 0))
            return false;
    return true;
}

void drawing_notes(const struct drawing *d, char text[WORDS_LABEL])
{
    const struct selection *s = d->t->selection;
    const struct pivot_faults f = pivot_faults(d->t);
    const char *mark = d->o->kind == DRAW_HEAT ? "*" : "rings";
    show_means(d->t, same_means(s) ? selection_mean(s, 0) : MEAN_DEFAULT, text);
    const size_t used = strlen(text);
    if (f.lacking)
        snprintf(text + used, WORDS_LABEL - used, "%s%s: points are missing", *text ? "; " : "", mark);
}

void drawing_begin(struct drawing *d, bool png)
{
    FILE *out = d->g.script;
    const char *type = png ? "png" : "svg";
    char text[WORDS_LABEL];
    fprintf(out, "set terminal %s size %.0f,%.0f%s\nset output ", png ? GNUPLOT_PNG " truecolor" : "svg", d->width,
            d->height, png ? "" : " background 'white'");
    gnuplot_file(out, type);
    fputs("\nset multiplot\n", out);
    write_label(out, 1, d->o->title ? d->o->title : d->t->selection->points.name, 1 - 18 / d->height, "13");
    drawing_notes(d, text);
    write_label(out, 2, text, 1 - 40 / d->height, "10");
    fprintf(out, "set key at screen 0.5,%.6g center top horizontal noenhanced samplen 2 maxrows %u\n",
            1 - 52 / d->height, d->key_rows);
}

void drawing_end(struct drawing *d)
{
    fputs("unset multiplot\nset output\n", d->g.script);
}

void drawing_panel(struct drawing *d, unsigned value)
{
    FILE *out = d->g.script;
    char text[WORDS_LABEL];
    const double top = head(d) + value * (DRAWING_ABOVE + d->axis_height + d->below) + DRAWING_ABOVE;
    if (value)
        fputs("unset key\nunset label 1\nunset label 2\n", out);
    fprintf(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n", d->left / d->width,
            1 - d->right / d->width);
    fprintf(out, "set tmargin at screen %.6g\nset bmargin at screen %.6g\nset title ", 1 - top / d->height,
            1 - (top + d->axis_height) / d->height);
    show_value_name(d->t->selection, value, text);
    if (d->t->selection->request->relation == RELATION_GAIN && d->o->kind == DRAW_HEAT)
        snprintf(text + strlen(text), WORDS_LABEL - strlen(text), " [%%]");
    gnuplot_quote(out, d->o->kind != DRAW_HEAT && !d->t->selection->base ? "" : text); /* it is the axis' name */
    fputs(" noenhanced offset 0,-0.5\nset ylabel ", out);
    drawing_axis(d, value, text);
    gnuplot_quote(out, text);
    fputs(" noenhanced\nset xlabel ", out);
    words_names(&d->t->selection->points, &d->t->selection->rows, text);
    gnuplot_quote(out, value + 1 == d->t->selection->values.count ? text : "");
    fputs(" noenhanced\n", out);
}

/* --- Axes of lines and bars. */

enum { TICKS_MOST = 24 /* numbers of an axis that are written each */ };

static void x_range(const struct drawing *d, FILE *out)
{
    const unsigned n = d->t->rows.count;
    const double first = d->place[d->order[0]], last = d->place[d->order[n - 1]];
    if (d->log_x)
        fprintf(out, "set logscale x\nset xrange [%.9g:%.9g]\n", first / pow(last / first, 0.04) / (n == 1 ? 2 : 1),
                last * pow(last / first, 0.04) * (n == 1 ? 2 : 1));
    else if (d->numeric)
        fprintf(out, "set xrange [%.9g:%.9g]\n", first - (n == 1 ? 1 : 0.04 * (last - first)),
                last + (n == 1 ? 1 : 0.04 * (last - first)));
    else
        fprintf(out, "set xrange [-0.6:%.6g]\n", n - 0.4);
}

void drawing_x_axis(struct drawing *d)
{
    FILE *out = d->g.script;
    char text[WORDS_LABEL];
    x_range(d, out);
    if (d->numeric && d->t->rows.count > TICKS_MOST) {
        fputs("set xtics nomirror autofreq\n", out);
        return;
    }
    fprintf(out, "set xtics nomirror noenhanced %s (", d->slanted ? "rotate by -45" : "rotate by 0");
    for (unsigned i = 0; i < d->t->rows.count; i++) {
        drawing_row(d, d->order[i], text);
        fputs(i ? ", " : "", out);
        gnuplot_quote(out, text);
        fprintf(out, " %.9g", d->place[d->order[i]]);
    }
    fputs(")\n", out);
}

/* That gnuplot has an axis for; an interval may go beyond what a double holds. */
static const double largest = 8e306;

/* Least and most of what a panel draws; gains, differences and bars start at 0. */
static void y_range(const struct drawing *d, unsigned value, double range[2])
{
    const bool zero = d->o->kind == DRAW_BARS || d->t->selection->request->relation == RELATION_GAIN ||
                      d->t->selection->request->relation == RELATION_DIFFERENCE;
    range[0] = zero && !d->o->log_y ? 0 : INFINITY;
    range[1] = zero && !d->o->log_y ? 0 : -INFINITY;
    for (unsigned r = 0; r < d->t->rows.count; r++)
        for (unsigned c = 0; c < d->t->columns.count; c++) {
            const struct cell *cell = pivot_cell(d->t, value, r, c);
            const double v = drawing_value(d, cell->value), half = isnan(cell->half) ? 0 : drawing_half(d, cell->half);
            range[0] = fmin(range[0], d->o->log_y && v - half <= 0 ? v : v - half); /* fmin leaves NaN out */
            range[1] = fmax(range[1], v + half);
        }
    range[0] = range[0] <= largest ? fmax(range[0], -largest) : range[0]; /* INFINITY: there is none */
    range[1] = range[1] >= -largest ? fmin(range[1], largest) : range[1];
}

/* gnuplot's own are powers of ten, of which a range may have none. */
static void log_ticks(const double range[2], FILE *out)
{
    static const struct {
        double factor;     /* most over least */
        double digits[16]; /* that have a tick, each times powers of ten */
    } grades[] = {{3, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}},
                  {30, {1, 1.5, 2, 3, 5, 7}},
                  {1000, {1, 2, 5}},
                  {INFINITY, {1}}};
    unsigned g = 0;
    const char *sep = "";
    while (range[1] / range[0] > grades[g].factor)
        g++;
    fputs("set ytics nomirror (", out);
    for (double ten = pow(10, floor(log10(range[0]))); ten <= range[1]; ten *= 10)
        for (unsigned i = 0; i < 16 && grades[g].digits[i] > 0; i++) {
            const double v = ten * grades[g].digits[i];
            if (v < range[0] || v > range[1])
                continue;
            fprintf(out, "%s%.6g", sep, v);
            sep = ", ";
        }
    fputs(")\n", out);
}

void drawing_y_axis(struct drawing *d, unsigned value)
{
    FILE *out = d->g.script;
    double range[2];
    y_range(d, value, range);
    fprintf(out, "set ytics nomirror\nset grid ytics lt 1 lc rgb '#C8C8C8'\nset xzeroaxis lt -1\nset border 3\n");
    if (!(range[0] <= range[1])) {
        fputs("set yrange [0:1]\n", out);
        return;
    }
    if (d->o->log_y) {
        range[0] /= 1.1;
        range[1] *= 1.1;
        fprintf(out, "set logscale y\nset yrange [%.9g:%.9g]\n", range[0], range[1]);
        log_ticks(range, out);
        return;
    }
    const double size = range[1] - range[0], most = fmax(fabs(range[0]), fabs(range[1]));
    const double least = most > 0 ? 0.02 * most : 1e-9;
    const double margin = size > least ? 0.06 * size : least;
    fprintf(out, "set yrange [%.9g:%.9g]\n", range[0] == 0 ? 0 : range[0] - margin,
            range[1] == 0 && range[0] < 0 ? 0 : range[1] + margin);
}
