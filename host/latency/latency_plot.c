#include "latency_plot.h"

#include <math.h>

#include "base/gnuplot.h"
#include "latency_words.h"

/* One half of the figure, a block of the data as gnuplot counts them. */
struct panel {
    const char *axis, *range, *unit;
    unsigned block, first, end; /**< points */
    double knee, middle;        /**< NaN: none; right of the middle words stand to the left */
};

/* gnuplot fails on a curve without a point. */
static bool drawable(const struct latency_losses *losses, unsigned first, unsigned end)
{
    for (unsigned point = first; point < end; point++)
        if (!isnan(losses->loss[point].mean))
            return true;
    return false;
}

static bool all_drawable(const struct latency_image *image, const struct latency_summary *s)
{
    for (unsigned w = 0; w < image->workload_count; w++)
        if (!drawable(&s->workloads[w], POINTS_FIRST_CLOCK, POINTS_FIRST_BUS) ||
            !drawable(&s->workloads[w], POINTS_FIRST_BUS, POINTS_LAST))
            return false;
    return true;
}

/* Columns: where, then gain and half of the loss's interval of each workload, in percent. */
static void block(struct gnuplot *g, const struct latency_image *image, const struct latency_summary *s,
                  const struct panel *panel)
{
    for (unsigned point = panel->first; point < panel->end; point++) {
        const struct latency_point *p = &latency_points[point];
        fprintf(g->data, "%g", p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus);
        for (unsigned w = 0; w < image->workload_count; w++) {
            const struct latency_losses *losses = &s->workloads[w];
            double half = losses->loss[point].half; /* one seed has none */
            gnuplot_value(g, 100 * losses->gain[point].mean);
            gnuplot_value(g, isnan(half) ? 0 : 100 * half);
        }
        fputc('\n', g->data);
    }
    fputs("\n\n", g->data);
}

static void mark_knee(struct gnuplot *g, const struct panel *p)
{
    if (!isnan(p->knee))
        fprintf(g->script,
                "set arrow from first %g, graph 0 to first %g, graph 1 nohead lc rgb 'red'\n"
                "set label 'knee: %g %s' at first %g, graph 0.06 %s tc rgb 'red'\n",
                p->knee, p->knee, p->knee, p->unit, p->knee,
                p->knee > p->middle ? "right offset -0.5,0" : "left offset 0.5,0");
}

/* fmin() and fmax() pass NaN over. */
static void set_range(struct gnuplot *g, const struct latency_image *image, const struct latency_summary *s,
                      const struct panel *p)
{
    double least = 0, most = 0;
    for (unsigned w = 0; w < image->workload_count; w++)
        for (unsigned point = 0; point < p->end; point++) {
            least = fmin(least, 100 * s->workloads[w].gain[point].mean);
            most = fmax(most, 100 * s->workloads[w].gain[point].mean);
        }
    gnuplot_range(g, least, most);
}

static void panel(struct gnuplot *g, const struct latency *l, const struct latency_image *image,
                  const struct latency_summary *s, const struct panel *p)
{
    char name[WORDS];
    fprintf(g->script, "set xlabel '%s'\nset xrange %s\nunset arrow\nunset label\nset autoscale y\n", p->axis,
            p->range);
    set_range(g, image, s, p);
    mark_knee(g, p);
    fputs("plot 0 title 'no policy' lc rgb 'gray60'", g->script);
    for (unsigned w = 0; w < image->workload_count; w++) {
        words_workload(l, image, w, name);
        fputs(", ", g->script);
        gnuplot_file(g->script, "dat");
        fprintf(g->script, " index %u using 1:%u:%u with yerrorlines pt 7 ps 0.6 lc %u title ", p->block, 2 + 2 * w,
                3 + 2 * w, w + 1);
        gnuplot_quote(g->script, name);
        if (!isnan(s->workloads[w].gain[0].mean))
            fprintf(g->script, ", %.6g title '' lc %u", 100 * s->workloads[w].gain[0].mean, w + 1);
    }
    fputc('\n', g->script);
}

/* In the unit of the axis; NaN: none. */
static double knee_at(const struct latency_summary *s, int keeping, unsigned first)
{
    if (s->verdict != GAIN_REAL || keeping <= 0)
        return (double)NAN;
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus;
}

static void script(struct gnuplot *g, const struct latency *l, const struct latency_image *image,
                   const struct latency_summary *s, const struct panel panels[2])
{
    char title[256];
    snprintf(title, sizeof title, "%.100s on %.80s, core %.40s", latency_image_name(image), image->how.preset,
             image->core);
    fputs("set datafile separator tab\nset datafile missing '?'\nset logscale x\nset grid\n"
          "set key below noenhanced\nset ylabel 'gain [%] (line without points: in no time)'\nset ytics format "
          "\"%.3g\"\n",
          g->script);
    for (int png = 0; png < 2; png++) {
        const char *type = png ? "png" : "svg";
        fprintf(g->script, "set terminal %s size 1100,480\nset output ", type);
        gnuplot_file(g->script, type);
        fputs("\nset multiplot layout 1,2 title ", g->script);
        gnuplot_quote(g->script, title);
        fputs(" noenhanced\n", g->script);
        panel(g, l, image, s, &panels[0]);
        panel(g, l, image, s, &panels[1]);
        fputs("unset multiplot\n", g->script);
    }
}

static int plot_image(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                      const char *dir, struct mh_error *err)
{
    const struct panel panels[2] = {
        {"mcu clock [MHz]", "[20:2500]", "MHz", 0, POINTS_FIRST_CLOCK, POINTS_FIRST_BUS,
         knee_at(s, s->clock.knee, POINTS_FIRST_CLOCK), 300},
        {"bus latency [mcu cycles] at 500 MHz", "[4:700]", "cycles", 1, POINTS_FIRST_BUS, POINTS_LAST,
         knee_at(s, s->bus.knee, POINTS_FIRST_BUS), 60},
    };
    struct gnuplot g;
    char name[80];
    snprintf(name, sizeof name, "latency-%s", latency_image_name(image));
    if (gnuplot_open(&g, err))
        return -1;
    block(&g, image, s, &panels[0]);
    block(&g, image, s, &panels[1]);
    script(&g, l, image, s, panels);
    return gnuplot_finish(&g, dir, name, err);
}

int latency_plot(const struct latency *l, const char *dir, struct mh_error *err)
{
    struct latency_summary s;
    for (unsigned i = 0; i < l->image_count; i++) {
        const struct latency_image *image = &l->images[i];
        latency_summarise(l, image, &s);
        if (!all_drawable(image, &s))
            fprintf(stderr, "memhelm: %s: runs are missing, no figure\n", latency_image_name(image));
        else if (plot_image(l, image, &s, dir, err))
            return -1;
    }
    return 0;
}
