#include "series_plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/gnuplot.h"
#include "run/bursts.h"
#include "run/peaks.h"
#include "run/series_file.h"
#include "run/setup.h"

enum { PERIODS = 500 /* more than a figure has room for */, PANELS = 3, PANEL_HEIGHT = 260 };

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
static void write_data(struct gnuplot *g, const struct window *w, uint32_t tenants)
{
    for (uint64_t i = w->count > PERIODS ? w->count - PERIODS : 0; i < w->count; i++) {
        fprintf(g->data, "%" PRIu64, w->period[i % PERIODS].cycle);
        for (unsigned p = 0; p < PANELS; p++) {
            double edge = 0;
            for (uint32_t t = 0; t < tenants; t++)
                gnuplot_value(g, edge += w->period[i % PERIODS].value[p][t]);
        }
        fputc('\n', g->data);
    }
}

static void write_title(FILE *out, const struct experiment *x)
{
    char text[600];
    const struct mh_config *c = &x->cfg;
    int n = snprintf(text, sizeof text, "%s on %s:", x->images[0].name, c->preset);
    for (uint32_t t = 0; t < c->tenants_count && n < (int)sizeof text; t++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %s", t ? " +" : "", setup_kernel_name(&c->tenants[t]));
    gnuplot_quote(out, text);
}

/* The areas of the first tenants lie upon those of all. */
static void write_panel(FILE *out, const struct experiment *x, unsigned panel)
{
    const uint32_t tenants = x->cfg.tenants_count;
    fprintf(out, "set ylabel '%s [%% of sustained]'\nplot ", panel_titles[panel]);
    for (uint32_t t = tenants; t-- > 0;) {
        gnuplot_file(out, "dat");
        fprintf(out, " using 1:%u with filledcurves y1=0 lc rgb '%s' title ", 2 + panel * tenants + t,
                gnuplot_colours[t]);
        gnuplot_quote(out, setup_kernel_name(&x->cfg.tenants[t]));
        fputs(", ", out);
    }
    fputs("100 with lines dt 2 lc rgb 'black' title ''\n", out);
}

static void write_script(FILE *out, const struct experiment *x)
{
    fprintf(out,
            "set datafile separator tab\nset grid\nset key outside right noenhanced\nset yrange [0:*]\n"
            "set terminal svg size 1100,%d\nset output ",
            PANELS * PANEL_HEIGHT);
    gnuplot_file(out, "svg");
    fprintf(out, "\nset xlabel 'GPU cycles, periods of %" PRIu64 "'\nset multiplot layout %d,1 title ",
            x->cfg.run.log_series, PANELS);
    write_title(out, x);
    fputs(" noenhanced\n", out);
    for (unsigned p = 0; p < PANELS; p++)
        write_panel(out, x, p);
    fputs("unset multiplot\n", out);
}

int series_plot_check(const char *path, struct mh_error *err)
{
    char dir[HOST_PATH], name[HOST_PATH];
    return gnuplot_place("--series-plot", path, dir, name, err) || check_writable(path, err) || gnuplot_check(dir, err)
               ? -1
               : 0;
}

static int draw(const struct experiment *x, const struct window *w, const char *path, struct mh_error *err)
{
    char dir[HOST_PATH], name[HOST_PATH];
    struct gnuplot g;
    if (!w->count)
        return mh_fail(err, "%s: no figure: the run was shorter than a period of the series", path);
    if (gnuplot_place("--series-plot", path, dir, name, err) || gnuplot_open(&g, err))
        return -1;
    write_data(&g, w, x->cfg.tenants_count);
    write_script(g.script, x);
    return gnuplot_finish(&g, dir, name, err);
}

int series_plot_write(const struct experiment *x, const char *path, struct mh_error *err)
{
    const struct sim *s = &x->runs[0];
    if (s->state != SIM_DONE)
        return 0;
    struct window *w = calloc(1, sizeof *w);
    if (!w)
        return mh_fail(err, "%s: out of memory", path);
    w->reply_flits = peaks_reply_flits(&s->cfg);
    w->sustained[0] = w->sustained[1] = BURST_NOC_SUSTAINED * peaks_noc_flits(&s->cfg, s->cfg.run.log_series);
    w->sustained[2] = BURST_DRAM_SUSTAINED * peaks_dram_lines(&s->cfg, s->cfg.run.log_series);
    int status = series_file_read(s->dir, take_row, w, err) ? -1 : draw(x, w, path, err);
    free(w);
    return status;
}
