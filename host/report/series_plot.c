#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/figure.h"
#include "base/memory.h"
#include "run/bursts.h"
#include "run/setup.h"

enum {
    PERIODS = 500 /* more than a figure has room for */,
    PANELS = 3,
    PANEL_HEIGHT = 260,
    WIDTH = 1100,
    LEFT = 90,
    RIGHT = 140,
    ABOVE = 20,
    BELOW = 60,
    HEAD = 50
};

static const char *const panel_titles[PANELS] = {"NoC demand", "NoC use", "DRAM use"};

/* The last periods, each at its number modulo PERIODS; values in percent of what is sustained. */
struct window {
    double sustained[PANELS];
    uint32_t reply_flits;
    uint64_t count; /* of periods so far */
    struct {
        uint64_t cycle;
        double value[PANELS][MH_MAX_TENANTS];
    } period[PERIODS];
};

static void take_row(void *ctx, const struct series_row *row)
{
    struct window *w = ctx;

    if (!w->count || w->period[(w->count - 1) % PERIODS].cycle != row->cycle)
        w->period[w->count++ % PERIODS].cycle = row->cycle;
    double(*value)[MH_MAX_TENANTS] = w->period[(w->count - 1) % PERIODS].value;
    const uint64_t amount[PANELS] = {w->reply_flits * row->count[SERIES_request_reads], row->count[SERIES_reply_flits],
                                     series_dram_lines(row)};
    for (unsigned p = 0; p < PANELS && row->tenant < MH_MAX_TENANTS; p++)
        value[p][row->tenant] = 100 * (double)amount[p] / w->sustained[p];
}

/* Cycle, then of each panel the sums over the first tenants: the upper edges of their areas. */
static unsigned write_data(struct figure *f, const struct window *w, uint32_t tenants)
{
    const unsigned block = figure_block(f, "periods");

    for (uint64_t i = w->count > PERIODS ? w->count - PERIODS : 0; i < w->count; i++) {
        double edges[PANELS * MH_MAX_TENANTS];
        unsigned n = 0;
        for (unsigned p = 0; p < PANELS; p++) {
            double edge = 0;
            for (uint32_t t = 0; t < tenants; t++)
                edges[n++] = edge += w->period[i % PERIODS].value[p][t];
        }
        figure_row_at(f, (double)w->period[i % PERIODS].cycle);
        figure_values(f, n, edges);
    }
    figure_block_end(f);
    return block;
}

/* The areas of the first tenants lie upon those of all. */
static void draw_panel(struct figure *f, const struct experiment *x, unsigned panel, unsigned block)
{
    const uint32_t tenants = x->cfg.tenants_count;
    const double top = HEAD + ABOVE + panel * PANEL_HEIGHT;

    figure_edges(f, LEFT, WIDTH - RIGHT, top, top + PANEL_HEIGHT - ABOVE - BELOW);
    figure_line(f, "set ylabel '%s [%% of sustained]'\nset key outside right noenhanced", panel_titles[panel]);
    for (uint32_t t = tenants; t-- > 0;) {
        char how[60];
        snprintf(how, sizeof how, "1:%u with filledcurves y1=0", 2 + panel * tenants + t);
        figure_layer(f, block, how, gnuplot_colours[t % GNUPLOT_COLOURS], setup_kernel_name(&x->cfg.tenants[t]));
    }
    figure_constant(f, "100 with lines dt 2 lc rgb 'black' notitle");
    figure_panel_end(f);
}

static int draw(const struct experiment *x, const struct window *w, const char *path, struct mh_error *err)
{
    char dir[HOST_PATH], name[HOST_PATH], title[600], workload[400];
    struct figure f;

    if (!w->count)
        return mh_fail(err, "%s: no figure: the run was shorter than a period of the series", path);
    if (gnuplot_place("--series-plot", path, dir, name, err))
        return -1;
    figure_open(&f, "cycle, then of each panel the upper edge of each tenant's area");
    f.width = WIDTH;
    f.height = HEAD + PANELS * PANEL_HEIGHT;
    const unsigned block = write_data(&f, w, x->cfg.tenants_count);
    report_workload(&x->cfg, " + ", workload, sizeof workload);
    snprintf(title, sizeof title, "%s on %s: %s", x->images[0]->name, x->cfg.preset, workload);
    figure_title(&f, title, "", 0);
    figure_line(&f, "set grid\nset yrange [0:*]\nset xlabel 'GPU cycles, periods of %" PRIu64 "'",
                x->cfg.run.log_series);
    for (unsigned p = 0; p < PANELS; p++)
        draw_panel(&f, x, p, block);
    return figure_finish(&f, dir, name, err);
}

int series_plot_write(const struct experiment *x, const char *path, struct mh_error *err)
{
    const struct sim *s = &x->runs[0]->sim;
    if (s->state != SIM_DONE)
        return 0;
    struct window *w = must_have(1, sizeof *w);
    w->reply_flits = peaks_reply_flits(&s->cfg);
    w->sustained[0] = w->sustained[1] = BURST_NOC_SUSTAINED * peaks_noc_flits(&s->cfg, s->cfg.run.log_series);
    w->sustained[2] = BURST_DRAM_SUSTAINED * peaks_dram_lines(&s->cfg, s->cfg.run.log_series);
    int status = series_file_read(s->dir, take_row, w, err) ? -1 : draw(x, w, path, err);
    free(w);
    return status;
}
