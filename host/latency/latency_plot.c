#include "latency_plot.h"

#include <math.h>

#include "gnuplot.h"
#include "values.h"

/* Blocks of the data, as gnuplot counts them. */
enum { BLOCK_CLOCKS, BLOCK_BUSES };

/* Of weighted speedup; NaN: not known. */
struct levels {
    double full, none, kept; /**< in no time, with no policy, at the knee */
};

/* gnuplot fails on a curve without a point. */
static bool drawable(const struct latency *l, const struct latency_image *image, unsigned first, unsigned end)
{
    struct latency_row row;
    for (unsigned point = first; point < end; point++) {
        latency_row(l, image, point, &row);
        if (!isnan(row.weighted_speedup) && !isnan(row.fairness))
            return true;
    }
    return false;
}

static void block(struct gnuplot *g, const struct latency *l, const struct latency_image *image, unsigned first,
                  unsigned end)
{
    struct latency_row row;
    for (unsigned point = first; point < end; point++) {
        const struct latency_point *p = &latency_points[point];
        latency_row(l, image, point, &row);
        fprintf(g->data, "%g", p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus);
        gnuplot_value(g, row.weighted_speedup);
        gnuplot_value(g, row.fairness);
        fputc('\n', g->data);
    }
    fputs("\n\n", g->data);
}

/* A level that is not known is not drawn. */
static void level(struct gnuplot *g, double v, const char *title, const char *colour)
{
    if (!isnan(v))
        fprintf(g->script, ", %.6g title '%s' lc rgb '%s'", v, title, colour);
}

/* One half of the figure. */
struct panel {
    const char *axis, *range, *unit;
    int block;
    double knee, knee_noise; /**< NaN: none; counting losses within noise as none */
    double middle;           /**< right of it, words stand to the left */
    double least, most;      /**< weighted speedup in it, levels included */
};

static void mark(struct gnuplot *g, const struct panel *p, double at, const char *what, double height)
{
    if (!isnan(at))
        fprintf(g->script,
                "set arrow from first %g, graph 0 to first %g, graph 1 nohead lc rgb 'red'\n"
                "set label '%s %g %s' at first %g, graph %g %s tc rgb 'red'\n",
                at, at, what, at, p->unit, at, height, at > p->middle ? "right offset -0.5,0" : "left offset 0.5,0");
}

static void panel(struct gnuplot *g, const struct panel *p, const char *data, const struct levels *levels)
{
    fprintf(g->script, "set xlabel '%s'\nset xrange %s\nunset arrow\nunset label\nset autoscale y\n", p->axis,
            p->range);
    gnuplot_range(g, p->least, p->most);
    mark(g, p, p->knee, "knee:", 0.06);
    if (p->knee_noise != p->knee)
        mark(g, p, p->knee_noise, "beyond noise:", 0.12);
    fprintf(g->script, "plot %s index %d using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup'", data,
            p->block);
    level(g, levels->full, "no time", "black");
    level(g, levels->kept, "kept at the knee", "orange");
    level(g, levels->none, "no policy", "gray60");
    fprintf(g->script,
            ", %s index %d using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'\n",
            data, p->block);
}

/* fmin() and fmax() pass NaN over: what is not known is not drawn. */
static void take_extent(struct panel *p, const struct latency *l, const struct latency_image *image, unsigned first,
                        unsigned end, const struct levels *levels)
{
    struct latency_row row;
    p->least = fmin(fmin(levels->full, levels->none), levels->kept);
    p->most = fmax(fmax(levels->full, levels->none), levels->kept);
    for (unsigned point = first; point < end; point++) {
        latency_row(l, image, point, &row);
        p->least = fmin(p->least, row.weighted_speedup);
        p->most = fmax(p->most, row.weighted_speedup);
    }
}

/* In the unit of the axis; NaN: none. */
static double knee_at(const struct latency_summary *s, int keeping, unsigned first)
{
    if (s->verdict != GAIN_REAL || keeping <= 0)
        return (double)NAN;
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus;
}

static void take_levels(struct levels *levels, const struct latency *l, const struct latency_image *image,
                        const struct latency_summary *s)
{
    struct latency_row full, none;
    latency_row(l, image, 0, &full);
    latency_row(l, image, POINTS_LAST, &none);
    *levels = (struct levels){full.weighted_speedup, none.weighted_speedup, (double)NAN};
    if (s->verdict == GAIN_REAL)
        levels->kept = none.weighted_speedup * (1 + knee_floor(full.gain));
}

static void script(struct gnuplot *g, const struct latency *l, const struct latency_image *image, const char *name)
{
    struct latency_summary s;
    struct levels levels;
    char data[96];
    latency_summarise(l, image, &s);
    take_levels(&levels, l, image, &s);
    struct panel clock = {.axis = "core clock [MHz]",
                          .range = "[20:2500]",
                          .unit = "MHz",
                          .block = BLOCK_CLOCKS,
                          .knee = knee_at(&s, s.clock, POINTS_FIRST_CLOCK),
                          .knee_noise = knee_at(&s, s.clock_noise, POINTS_FIRST_CLOCK),
                          .middle = 300};
    struct panel bus = {.axis = "bus latency [core cycles] at 500 MHz",
                        .range = "[4:700]",
                        .unit = "cycles",
                        .block = BLOCK_BUSES,
                        .knee = knee_at(&s, s.bus, POINTS_FIRST_BUS),
                        .knee_noise = knee_at(&s, s.bus_noise, POINTS_FIRST_BUS),
                        .middle = 60};
    take_extent(&clock, l, image, POINTS_FIRST_CLOCK, POINTS_FIRST_BUS, &levels);
    take_extent(&bus, l, image, POINTS_FIRST_BUS, POINTS_LAST, &levels);
    snprintf(data, sizeof data, "'%s.dat'", name);
    fputs("set datafile separator tab\nset datafile missing '?'\nset logscale x\nset grid\n"
          "set key below noenhanced\nset ylabel 'weighted speedup'\nset y2label 'fairness'\nset y2range [0:1]\n"
          "set ytics nomirror format \"%.3g\"\nset y2tics\n",
          g->script);
    for (int png = 0; png < 2; png++) {
        fprintf(g->script, "set terminal %s size 1100,480\nset output '%s.%s'\n", png ? "png" : "svg", name,
                png ? "png" : "svg");
        fprintf(g->script, "set multiplot layout 1,2 title \"%s on %s, core %s\" noenhanced\n",
                latency_image_name(image), image->how.preset, image->core);
        panel(g, &clock, data, &levels);
        panel(g, &bus, data, &levels);
        fputs("unset multiplot\n", g->script);
    }
}

static int plot_image(const struct latency *l, const struct latency_image *image, const char *dir, struct mh_error *err)
{
    struct gnuplot g;
    char name[80];
    snprintf(name, sizeof name, "latency-%s", latency_image_name(image));
    if (gnuplot_open(&g, err))
        return -1;
    block(&g, l, image, POINTS_FIRST_CLOCK, POINTS_FIRST_BUS);
    block(&g, l, image, POINTS_FIRST_BUS, POINTS_LAST);
    script(&g, l, image, name);
    return gnuplot_finish(&g, dir, name, err);
}

int latency_plot(const struct latency *l, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < l->image_count; i++) {
        const struct latency_image *image = &l->images[i];
        if (!drawable(l, image, POINTS_FIRST_CLOCK, POINTS_FIRST_BUS) ||
            !drawable(l, image, POINTS_FIRST_BUS, POINTS_LAST))
            fprintf(stderr, "memhelm: %s: runs are missing, no figure\n", latency_image_name(image));
        else if (plot_image(l, image, dir, err))
            return -1;
    }
    return 0;
}
