#include "lines.h"

#include <math.h>
#include <string.h>

#include "base/gnuplot.h"

/* Pixels. */
enum {
    WIDTH = 960,
    LEFT = 92,    /**< of a panel: its y axis */
    RIGHT = 36,   /**< the last mark goes on beyond it */
    ABOVE = 62,   /**< its marks */
    HEIGHT = 220, /**< of the axis itself */
    BELOW = 52,
    TITLE = 76 /**< and two lines of key, above all */
};

void lines_init(struct lines *l)
{
    const double none = (double)NAN;
    memset(l, 0, sizeof *l);
    for (unsigned p = 0; p < PLOT_PANELS; p++)
        for (unsigned s = 0; s < PLOT_SERIES; s++)
            for (unsigned v = 0; v < AXIS_VALUES; v++)
                l->panels[p].points[s][v] = (struct lines_point){none, none, none, none};
}

double lines_place(const struct axis *a, double number)
{
    unsigned v = 0;
    while (v + 2 < a->value_count && number > a->values[v + 1].number)
        v++;
    if (v + 1 >= a->value_count)
        return 0;
    const double from = a->values[v].number, to = a->values[v + 1].number;
    return v + (from > 0 ? log(number / from) / log(to / from) : (number - from) / (to - from));
}

bool lines_range(const struct lines_panel *p, unsigned series_count, double range[2])
{
    bool any = false;
    range[0] = range[1] = 0;
    for (unsigned s = 0; s < series_count; s++)
        for (unsigned v = 0; v < p->axis->value_count; v++) {
            const struct lines_point *at = &p->points[s][v];
            any |= !isnan(at->mean);
            range[0] = fmin(range[0], fmin(at->mean, at->low)); /* fmin leaves NaN out */
            range[1] = fmax(range[1], fmax(at->mean, at->high));
        }
    const double margin = range[0] < range[1] ? 0.06 * (range[1] - range[0]) : 1;
    range[0] -= margin;
    range[1] += margin;
    return any;
}

/* --- Data: a block for each line of each panel. */

static bool drawn(const struct lines_panel *p, unsigned series)
{
    for (unsigned v = 0; v < p->axis->value_count; v++)
        if (!isnan(p->points[series][v].mean))
            return true;
    return false;
}

/* Means over a few workloads have no quartiles. */
static bool has_quartiles(const struct lines_panel *p, unsigned series)
{
    for (unsigned v = 0; v < p->axis->value_count; v++)
        if (!isnan(p->points[series][v].median))
            return true;
    return false;
}

static void write_data(const struct lines *l, struct gnuplot *g)
{
    fputs("# value\tplace\tmean\tlow\tmedian\thigh\n", g->data);
    for (unsigned p = 0; p < l->panel_count; p++)
        for (unsigned s = 0; s < l->series_count; s++) {
            const struct axis *a = l->panels[p].axis;
            if (!drawn(&l->panels[p], s))
                continue;
            fputs("# ", g->data);
            gnuplot_cell(g->data, a->name);
            fputs(", ", g->data);
            gnuplot_cell(g->data, l->series[s]);
            fputc('\n', g->data);
            for (unsigned v = 0; v < a->value_count; v++) {
                const struct lines_point *at = &l->panels[p].points[s][v];
                gnuplot_cell(g->data, a->values[v].label);
                fprintf(g->data, "\t%u", v);
                gnuplot_value(g, at->mean);
                gnuplot_value(g, at->low);
                gnuplot_value(g, at->median);
                gnuplot_value(g, at->high);
                fputc('\n', g->data);
            }
            fputs("\n\n", g->data);
        }
}

/* --- Script. */

static unsigned columns(const struct lines *l)
{
    return l->panel_count < 2 ? 1 : 2; /* names of axes are long */
}

static double height(const struct lines *l)
{
    const unsigned across = columns(l), rows = (l->panel_count + across - 1) / across;
    return TITLE + rows * (ABOVE + HEIGHT + BELOW);
}

static void write_ticks(const struct axis *a, FILE *out)
{
    fputs("set xtics nomirror noenhanced rotate by 0 (", out);
    for (unsigned v = 0; v < a->value_count; v++) {
        fputs(v ? ", " : "", out);
        gnuplot_quote(out, a->values[v].label);
        fprintf(out, " %u", v);
    }
    fputs(")\nunset x2tics\nset grid ytics nox2tics lt 1 lc rgb '#C8C8C8'\n", out);
    if (!a->mark_count)
        return;
    fputs("set grid x2tics\nset x2tics noenhanced scale 0 rotate by 40 left offset -0.5,0 font ',10' (", out);
    for (unsigned m = 0; m < a->mark_count; m++) {
        fputs(m ? ", " : "", out);
        gnuplot_quote(out, a->marks[m].label);
        fprintf(out, " %.6g", lines_place(a, a->marks[m].number));
    }
    fputs(")\n", out);
}

/* What a colour and a stroke mean, in a plot of their own over the whole width: in a panel they would be as wide. */
static void write_key(const struct lines *l, FILE *out)
{
    fputs("unset grid\nunset xzeroaxis\nunset border\nunset xtics\nunset x2tics\nunset ytics\nunset xlabel\nunset "
          "ylabel\n"
          "set key center bottom horizontal noenhanced samplen 3 maxrows 1\nset lmargin at screen 0\n"
          "set rmargin at screen 1\nset tmargin at screen 1\n",
          out);
    fprintf(out, "set bmargin at screen %.6g\nset xrange [0:1]\nset yrange [0:1]\nset label 1 ", 1 - TITLE / height(l));
    gnuplot_quote(out, l->title);
    fprintf(out, " at screen 0.5,%.6g center noenhanced\nplot 1e30 notitle, ", 1 - 16 / height(l));
    for (unsigned s = 0; s < l->series_count; s++) {
        fprintf(out, "keyentry with linespoints pt 7 ps 0.7 lw 2 lc rgb '%s' title ", gnuplot_colours[s]);
        gnuplot_quote(out, l->series[s]);
        fputs(", ", out);
    }
    fputs("keyentry with lines lw 1 lc rgb 'black' title 'median', keyentry with filledcurves fs solid 1 noborder "
          "lc rgb '#D8D8D8' title 'quartiles'\nunset label 1\nunset key\nset border\nset xzeroaxis lt -1\nset "
          "ytics\nset ylabel ",
          out);
    gnuplot_quote(out, l->axis);
    fputs(" noenhanced\n", out);
}

/* Bands lie below lines: the parts of all series one after the other. */
static void write_curves(const struct lines *l, const struct lines_panel *p, unsigned first, FILE *out)
{
    static const char *const parts[] = {"2:4:6 with filledcurves fs transparent solid 0.15 noborder",
                                        "2:5 with lines lw 1", "2:3 with linespoints pt 7 ps 0.7 lw 2"};
    const char *sep = "plot ";
    for (unsigned part = 0; part < 3; part++)
        for (unsigned s = 0, block = first; s < l->series_count; block += drawn(p, s), s++) {
            if (!drawn(p, s) || (part < 2 && !has_quartiles(p, s)))
                continue;
            fputs(sep, out);
            gnuplot_file(out, "dat");
            fprintf(out, " index %u using %s lc rgb '%s' notitle", block, parts[part], gnuplot_colours[s]);
            sep = ", ";
        }
    fputs(*sep == ',' ? "\n" : "plot 1e30 notitle\n", out);
}

static unsigned blocks(const struct lines *l, const struct lines_panel *p)
{
    unsigned n = 0;
    for (unsigned s = 0; s < l->series_count; s++)
        n += drawn(p, s);
    return n;
}

static void write_panel(const struct lines *l, unsigned panel, unsigned block, FILE *out)
{
    const struct lines_panel *p = &l->panels[panel];
    double range[2];
    const double whole = height(l), wide = (double)WIDTH / columns(l);
    const double left = wide * (panel % columns(l)),
                 top = TITLE + (double)(panel / columns(l)) * (ABOVE + HEIGHT + BELOW);
    fprintf(out, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n", (left + LEFT) / WIDTH,
            (left + wide - RIGHT) / WIDTH);
    fprintf(out, "set tmargin at screen %.6g\nset bmargin at screen %.6g\n", 1 - (top + ABOVE) / whole,
            1 - (top + ABOVE + HEIGHT) / whole);
    fputs("set xlabel ", out);
    gnuplot_quote(out, p->axis->name);
    fprintf(out, " noenhanced\nset xrange [-0.3:%.6g]\nset x2range [-0.3:%.6g]\n", p->axis->value_count - 0.7,
            p->axis->value_count - 0.7);
    (void)lines_range(p, l->series_count, range);
    fprintf(out, "set yrange [%.6g:%.6g]\n", range[0], range[1]);
    write_ticks(p->axis, out);
    write_curves(l, p, block, out);
}

static void write_figure(const struct lines *l, bool png, FILE *out)
{
    unsigned block = 0;
    fprintf(out, "set terminal %s size %d,%.0f\nset output ", png ? GNUPLOT_PNG " truecolor" : "svg", WIDTH, height(l));
    gnuplot_file(out, png ? "png" : "svg");
    fputs("\nset multiplot\n", out);
    write_key(l, out);
    for (unsigned p = 0; p < l->panel_count; block += blocks(l, &l->panels[p]), p++)
        write_panel(l, p, block, out);
    fputs("unset multiplot\nset output\n", out);
}

static bool any_point(const struct lines *l)
{
    bool any = false;
    for (unsigned p = 0; p < l->panel_count; p++)
        any |= blocks(l, &l->panels[p]) > 0;
    return any;
}

int lines_write(const struct lines *l, const char *dir, struct mh_error *err)
{
    struct gnuplot g;
    if (!any_point(l)) {
        fprintf(stderr, "memhelm: %s: nothing to draw, no figure\n", l->name);
        return 0;
    }
    if (gnuplot_open(&g, err))
        return -1;
    write_data(l, &g);
    fputs("set datafile separator tab\nset datafile missing '?'\n", g.script);
    write_figure(l, false, g.script);
    write_figure(l, true, g.script);
    return gnuplot_finish(&g, dir, l->name, err);
}
