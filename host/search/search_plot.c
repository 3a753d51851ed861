#include "search.h"

#include <math.h>
#include <string.h>

#include "base/figure.h"
#include "run/setup.h"

/* Combinations without a value leave a hole. Returns how many have one. */
static unsigned write_cells(struct figure *f, const struct search *s, const struct search_workload *w, double range[2])
{
    unsigned drawn = 0;

    range[0] = INFINITY, range[1] = -INFINITY;
    (void)figure_block(f, "combinations");
    for (unsigned i = 0; i < w->all.count; i++) {
        const double v = search_value(s, w, (int)i, s->request->metric).mean;
        if (isnan(v))
            continue;
        figure_row_at(f, w->all.ctas[i][0]);
        figure_values(f, 2, (const double[]){w->all.ctas[i][1], v});
        range[0] = fmin(range[0], v);
        range[1] = fmax(range[1], v);
        drawn++;
    }
    figure_block_end(f);
    return drawn;
}

static void set_axes(struct figure *f, const struct search *s, const struct search_workload *w)
{
    char text[SEARCH_NAME + 200];
    const uint8_t *best = w->all.ctas[search_best(s, w, s->request->metric)];

    for (unsigned t = 0; t < 2; t++) {
        snprintf(text, sizeof text, "CTAs of %s on an SM", setup_kernel_name(&search_config(w)->tenants[t]));
        figure_quoted(f, t ? "set ylabel " : "set xlabel ", text, " noenhanced");
    }
    snprintf(text, sizeof text, "%s on %s, %s: best %u + %u", w->name, s->request->preset,
             s->request->spatial ? "SMs split" : "SMs shared", best[0], best[1]);
    figure_quoted(f, "set title ", text, " noenhanced");
    figure_line(
        f,
        "unset key\nset style fill solid noborder\nset palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\n"
        "set xrange [0.5:%u.5]\nset yrange [0.5:%u.5]\nset tics out nomirror\nset cblabel '%s'",
        combinations_highest(&w->all, 0), combinations_highest(&w->all, 1), search_metrics[s->request->metric].title);
}

static void draw(struct figure *f, const struct search *s, const struct search_workload *w, const double range[2])
{
    const uint8_t *best = w->all.ctas[search_best(s, w, s->request->metric)];
    const unsigned block = figure_block(f, "the best");
    const double margin = fmax(0.01 * fabs(range[1]), 0.01);

    figure_row_at(f, best[0]);
    figure_values(f, 1, (const double[]){best[1]});
    figure_block_end(f);
    set_axes(f, s, w);
    if (range[1] - range[0] <= 1e-5 * fabs(range[1])) /* equal values leave gnuplot no range of colours */
        figure_line(f, "set cbrange [%.6g:%.6g]", range[0] - margin, range[1] + margin);
    figure_layer(f, 0, "1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror lc palette", NULL, NULL);
    figure_layer(f, block, "1:2 with points pt 4 ps 2 lw 2", "red", NULL);
    figure_panel_end(f);
}

/* A workload's name is the start of files' names. */
static void file_name(const struct search *s, const struct search_workload *w, char *text, size_t size)
{
    snprintf(text, size, "search-%s%s", s->request->spatial ? "spatial-" : "", w->name);
    for (char *c = text; *c; c++)
        if (strchr("/:@' \\\"", *c))
            *c = '-';
}

static int plot_one(const struct search *s, const struct search_workload *w, const char *dir, struct mh_error *err)
{
    struct figure f;
    double range[2];
    char name[SEARCH_NAME + 20];

    figure_open(&f, "CTAs of the first tenant\tof the second\tthe metric");
    f.width = 720;
    f.height = 560;
    if (!write_cells(&f, s, w, range)) {
        fprintf(stderr, "memhelm: %s: no combination has a result yet, no figure\n", w->name);
        figure_drop(&f);
        return 0;
    }
    file_name(s, w, name, sizeof name);
    draw(&f, s, w, range);
    return figure_finish(&f, dir, name, err);
}

int search_plot(const struct search *s, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        if (w->tenants != 2)
            fprintf(stderr, "memhelm: %s: a heat map is of two kernels, no figure\n", w->name);
        else if (plot_one(s, w, dir, err))
            return -1;
    }
    return 0;
}
