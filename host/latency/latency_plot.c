#include "latency_plot.h"

#include <math.h>

#include "gnuplot.h"
#include "values.h"

/* Blocks of the data, as gnuplot counts them. */
enum { BLOCK_CLOCKS, BLOCK_BUSES };

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
static void level(struct gnuplot *g, double v, const char *title, int dash)
{
    if (!isnan(v))
        fprintf(g->script, ", %.6g title '%s' lc rgb 'gray40' dt %d", v, title, dash);
}

struct panel {
    const char *axis, *range;
    int block;
    double knee; /**< NaN: none */
    const char *unit;
};

static void panel(struct gnuplot *g, const struct panel *p, const char *data, const struct latency_row *full,
                  const struct latency_row *none)
{
    fprintf(g->script, "set xlabel '%s'\nset xrange %s\nunset arrow\nunset label\n", p->axis, p->range);
    if (!isnan(p->knee))
        fprintf(g->script,
                "set arrow from first %g, graph 0 to first %g, graph 1 nohead lc rgb 'red' dt 2\n"
                "set label 'knee: %g %s' at first %g, graph 0.06 offset 0.5, 0 tc rgb 'red'\n",
                p->knee, p->knee, p->knee, p->unit, p->knee);
    fprintf(g->script, "plot %s index %d using 1:2 with linespoints pt 7 lc rgb 'blue' title 'weighted speedup'", data,
            p->block);
    level(g, full->weighted_speedup, "no time", 1);
    level(g, none->weighted_speedup, "no policy", 3);
    fprintf(g->script,
            ", %s index %d using 1:3 axes x1y2 with linespoints pt 6 lc rgb 'dark-green' title 'fairness (right)'\n",
            data, p->block);
}

static double knee_at(const struct latency_summary *s, int keeping, unsigned first)
{
    if (s->verdict != GAIN_REAL || keeping <= 0)
        return (double)NAN;
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus;
}

static void script(struct gnuplot *g, const struct latency *l, const struct latency_image *image, const char *dir,
                   const char *name)
{
    struct latency_summary s;
    struct latency_row full, none;
    char data[HOST_PATH];
    latency_summarise(l, image, &s);
    latency_row(l, image, 0, &full);
    latency_row(l, image, POINTS_LAST, &none);
    const struct panel clock = {"core clock [MHz]", "[20:2500]", BLOCK_CLOCKS, knee_at(&s, s.clock, POINTS_FIRST_CLOCK),
                                "MHz"};
    const struct panel bus = {"bus latency [core cycles] at 500 MHz", "[4:700]", BLOCK_BUSES,
                              knee_at(&s, s.bus, POINTS_FIRST_BUS), "cycles"};
    snprintf(data, sizeof data, "'%s/%s.dat'", dir, name);
    fputs("set datafile separator tab\nset datafile missing '?'\nset logscale x\nset grid\n"
          "set key below noenhanced\nset ylabel 'weighted speedup'\nset y2label 'fairness'\nset y2range [0:1]\n"
          "set ytics nomirror\nset y2tics\n",
          g->script);
    for (int png = 0; png < 2; png++) {
        fprintf(g->script, "set terminal %s size 1100,480\nset output '%s/%s.%s'\n", png ? "png" : "svg", dir, name,
                png ? "png" : "svg");
        fprintf(g->script, "set multiplot layout 1,2 title \"%s on %s, core %s\" noenhanced\n",
                latency_image_name(image), image->how.preset, image->core);
        panel(g, &clock, data, &full, &none);
        panel(g, &bus, data, &full, &none);
        fputs("unset multiplot\n", g->script);
    }
}

int latency_plot(const struct latency *l, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < l->image_count; i++) {
        const struct latency_image *image = &l->images[i];
        struct gnuplot g;
        char name[80];
        snprintf(name, sizeof name, "latency-%s", latency_image_name(image));
        if (gnuplot_open(&g, err))
            return -1;
        block(&g, l, image, POINTS_FIRST_CLOCK, POINTS_FIRST_BUS);
        block(&g, l, image, POINTS_FIRST_BUS, POINTS_LAST);
        script(&g, l, image, dir, name);
        if (gnuplot_finish(&g, dir, name, err))
            return -1;
    }
    return 0;
}
