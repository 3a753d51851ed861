#include "latency.h"

#include <math.h>

#include "base/figure.h"
#include "base/memory.h"

/* One half of the figure. */
struct panel {
    const char *axis, *range, *unit;
    unsigned first, end; /**< points */
    double knee, middle; /**< NaN: none; right of the middle words stand to the left */
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

enum { WIDTH = 1100, HEIGHT = 480, TITLE = 60 /* pixels, and the key */ };

/* Where, then gain and half of the loss's interval of each workload, in percent; one seed has no interval. */
static unsigned write_block(struct figure *f, const struct latency_image *image, const struct latency_summary *s,
                            const struct panel *panel)
{
    const unsigned block = figure_block(f, "%s", panel->axis);
    double *cells = must_have(2 * image->workload_count, sizeof *cells);

    for (unsigned point = panel->first; point < panel->end; point++) {
        const struct latency_point *p = &latency_points[point];
        for (unsigned w = 0; w < image->workload_count; w++) {
            const struct latency_losses *losses = &s->workloads[w];
            cells[2 * w] = 100 * losses->gain[point].mean;
            cells[2 * w + 1] = isnan(losses->loss[point].half) ? 0 : 100 * losses->loss[point].half;
        }
        figure_row_at(f, p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus);
        figure_values(f, 2 * image->workload_count, cells);
    }
    free(cells);
    figure_block_end(f);
    return block;
}

static void mark_knee(struct figure *f, const struct panel *p)
{
    figure_line(f, "unset arrow\nunset label 3");
    if (!isnan(p->knee))
        figure_line(f,
                    "set arrow from first %g, graph 0 to first %g, graph 1 nohead lc rgb 'red'\n"
                    "set label 3 'knee: %g %s' at first %g, graph 0.06 %s tc rgb 'red'",
                    p->knee, p->knee, p->knee, p->unit, p->knee,
                    p->knee > p->middle ? "right offset -0.5,0" : "left offset 0.5,0");
}

/* Equal values leave gnuplot no range. fmin() and fmax() pass NaN over. */
static void set_range(struct figure *f, const struct latency_image *image, const struct latency_summary *s,
                      const struct panel *p)
{
    double least = 0, most = 0;

    for (unsigned w = 0; w < image->workload_count; w++)
        for (unsigned point = 0; point < p->end; point++) {
            least = fmin(least, 100 * s->workloads[w].gain[point].mean);
            most = fmax(most, 100 * s->workloads[w].gain[point].mean);
        }
    const double margin = fmax(0.01 * fabs(most), 0.01);
    figure_line(f, "set autoscale y");
    if (most - least <= 1e-5 * fabs(most))
        figure_line(f, "set yrange [%.6g:%.6g]", least - margin, most + margin);
}

static void draw_panel(struct figure *f, const struct latency *l, const struct latency_image *image,
                       const struct latency_summary *s, const struct panel *p)
{
    char name[WORDS], how[60];
    const unsigned block = write_block(f, image, s, p);

    figure_line(f, "set xlabel '%s'\nset xrange %s", p->axis, p->range);
    set_range(f, image, s, p);
    mark_knee(f, p);
    figure_constant(f, "0 title 'no policy' lc rgb 'gray60'");
    for (unsigned w = 0; w < image->workload_count; w++) {
        const double best = 100 * s->workloads[w].gain[0].mean;
        latency_workload_name(l, image, w, name, sizeof name);
        snprintf(how, sizeof how, "1:%u:%u with yerrorlines pt 7 ps 0.6 lc %u", 2 + 2 * w, 3 + 2 * w, w + 1);
        figure_layer(f, block, how, NULL, name);
        if (!isnan(best))
            figure_constant(f, "%.6g lc %u notitle", best, w + 1);
    }
    figure_panel_end(f);
}

/* In the unit of the axis; NaN: none. */
static double knee_at(const struct latency_summary *s, int keeping, unsigned first)
{
    if (s->verdict != GAIN_REAL || keeping <= 0)
        return (double)NAN;
    const struct latency_point *p = &latency_points[first + (unsigned)keeping - 1];
    return p->kind == POINT_CLOCK ? (double)p->hz * 1e-6 : (double)p->bus;
}

static int plot_image(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                      const char *dir, struct mh_error *err)
{
    const struct panel panels[2] = {
        {"mcu clock [MHz]", "[20:2500]", "MHz", POINTS_FIRST_CLOCK, POINTS_FIRST_BUS,
         knee_at(s, s->clock.knee, POINTS_FIRST_CLOCK), 300},
        {"bus latency [mcu cycles] at 500 MHz", "[4:700]", "cycles", POINTS_FIRST_BUS, POINTS_LAST,
         knee_at(s, s->bus.knee, POINTS_FIRST_BUS), 60},
    };
    struct figure f;
    char name[80], title[256];

    snprintf(name, sizeof name, "latency-%s", latency_image_name(image));
    snprintf(title, sizeof title, "%.100s on %.80s, core %.40s", latency_image_name(image), image->how.preset,
             image->core);
    figure_open(&f, "where, then of each workload the gain and half the interval of its loss, in percent");
    f.width = WIDTH;
    f.height = HEIGHT;
    figure_title(&f, title, "", 1);
    figure_line(&f,
                "set logscale x\nset grid\nset ylabel 'gain [%%] (line without points: decided in no time)'\n"
                "set ytics format \"%%.3g\"\nset size 0.5,%.6g",
                1 - (double)TITLE / HEIGHT);
    for (unsigned i = 0; i < 2; i++) {
        figure_line(&f, "set origin %g,0", 0.5 * i);
        draw_panel(&f, l, image, s, &panels[i]);
    }
    return figure_finish(&f, dir, name, err);
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
