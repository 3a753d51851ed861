#include "epoch_log.h"

#include <math.h>
#include <string.h>

#include "base/figure.h"
#include "base/memory.h"

/* Pixels: of a panel, and around all. */
enum {
    LEFT = 64,
    RIGHT = 24,
    RIGHT_SUMS = 64,
    HEAD = 112,   /**< title, key, names of the runs, name of the first quantity */
    HEIGHT = 110, /**< of an axis */
    BETWEEN = 28, /**< a quantity's name */
    BELOW = 56,
    WIDTH = 960,
    LEAST = 300,
    KEY_ROWS = 2
};

struct drawing {
    const struct epoch_plot *p;
    struct epoch_log *logs; /* [file] */
    const char *names[EPOCH_PLOT_PANELS];
    struct expr *panels[EPOCH_PLOT_PANELS];
    unsigned panel_count;
    unsigned tenants;  /* the most of a log */
    double last, unit; /* cycles: the latest end of a run; one of the time axis */
    struct figure f;
};

/* --- What is drawn. */

static int add_panel(struct drawing *d, const char *text, struct mh_error *err)
{
    struct mh_error why;
    struct expr *e = expr_parse(text, &why);
    if (!e)
        return mh_fail(err, "--panel '%.100s': %.800s", text, why.text);
    d->names[d->panel_count] = text;
    d->panels[d->panel_count++] = e;
    for (unsigned i = 0; i < d->p->file_count; i++)
        if (epoch_log_check(&d->logs[i], e, &why))
            return mh_fail(err, "%.200s: --panel '%.100s': %.600s", d->p->files[i], text, why.text);
    return 0;
}

/* A column that a run has not, and so is no name there. */
static bool in_all(const struct drawing *d, const char *column)
{
    for (unsigned i = 0; i < d->p->file_count; i++)
        if (epoch_log_column(&d->logs[i], column) < 0)
            return false;
    return true;
}

/* A twin's take no time. */
static bool decisions_take_time(const struct drawing *d)
{
    bool any = false;
    for (unsigned i = 0; i < d->p->file_count; i++) {
        const int column = epoch_log_column(&d->logs[i], "latency");
        for (unsigned e = 0; column >= 0 && e < d->logs[i].epochs; e++)
            any |= epoch_log_at(&d->logs[i], e, 0, (unsigned)column) > 0;
    }
    return any && in_all(d, "latency");
}

static const char ipc[] = "lane_instr / cycles", misses[] = "l2tlb_access - l2tlb_hit";

static void name_panel(const char *quantity, char *text, size_t size)
{
    if (!strcmp(quantity, "latency"))
        snprintf(text, size, "decision latency [GPU cycles]");
    else
        figure_words(!strcmp(quantity, ipc)      ? "ipc"
                     : !strcmp(quantity, misses) ? "l2tlb misses"
                                                 : quantity,
                     text, size);
}

/* Knobs that a policy turns in any of the runs. */
static int add_usual(struct drawing *d, struct mh_error *err)
{
    if (add_panel(d, ipc, err) || add_panel(d, misses, err) || (decisions_take_time(d) && add_panel(d, "latency", err)))
        return -1;
    for (unsigned i = 0; i < d->p->file_count; i++)
        for (unsigned c = 0; c < d->logs[i].column_count; c++) {
            const char *name = d->logs[i].columns[c];
            bool known = d->panel_count == EPOCH_PLOT_PANELS || !in_all(d, name);
            for (unsigned k = 0; k < d->panel_count && !known; k++)
                known = !strcmp(d->names[k], name);
            if (!known && epoch_log_turns(&d->logs[i], c) && add_panel(d, name, err))
                return -1;
        }
    return 0;
}

static int open_panels(struct drawing *d, struct mh_error *err)
{
    for (unsigned i = 0; i < d->p->panel_count; i++)
        if (add_panel(d, d->p->panels[i], err))
            return -1;
    return d->panel_count ? 0 : add_usual(d, err);
}

/* --- A block for each tenant of each run in each panel; an epoch is a step. */

static unsigned write_block(struct drawing *d, unsigned panel, const struct epoch_log *l, unsigned tenant, bool *any)
{
    double sum = 0;
    const unsigned block = figure_block(&d->f, "%s, %s, tenant %u", d->names[panel], l->name, tenant);

    for (unsigned e = 0; e < l->epochs; e++) {
        const double v = epoch_log_value(l, d->panels[panel], e, tenant), cells[] = {v, sum};
        figure_row_at(&d->f, epoch_log_begin(l, e) / d->unit);
        figure_values(&d->f, 2, cells);
        *any |= !isnan(v);
        sum += isnan(v) ? 0 : v;
        figure_row_at(&d->f, epoch_log_begin(l, e + 1) / d->unit);
        figure_values(&d->f, 2, (const double[]){v, sum});
    }
    figure_block_end(&d->f);
    return block;
}

/* Least and most of a quantity in all runs: of epochs, or of sums. */
static void range_of(const struct drawing *d, unsigned panel, bool sums, double range[2])
{
    range[0] = range[1] = 0;
    for (unsigned i = 0; i < d->p->file_count; i++)
        for (unsigned t = 0; t < d->logs[i].tenants; t++) {
            double sum = 0;
            for (unsigned e = 0; e < d->logs[i].epochs; e++) {
                const double v = epoch_log_value(&d->logs[i], d->panels[panel], e, t);
                sum += isnan(v) ? 0 : v;
                range[0] = fmin(range[0], sums ? sum : v); /* fmin leaves NaN out */
                range[1] = fmax(range[1], sums ? sum : v);
            }
        }
    if (range[0] == range[1])
        range[1] = range[0] + 1;
    range[1] += 0.06 * (range[1] - range[0]);
}

/* 250k where 250000 would need too much room. */
static void set_y_axis(struct drawing *d, unsigned panel, bool sums)
{
    double range[2];
    const char *axis = sums ? "y2" : "y";

    range_of(d, panel, sums, range);
    figure_line(&d->f, "set %srange [%.9g:%.9g]\nset %stics nomirror format '%s' font ',10'", axis, range[0], range[1],
                axis, range[1] < 1e4 ? "%g" : "%.1s%c");
}

/* Runs are named above their panels, quantities above the first run's, time stands below. */
static void set_frame(struct drawing *d, unsigned panel, unsigned file)
{
    char name[200];
    const bool last = panel + 1 == d->panel_count;
    const double wide = d->f.width / d->p->file_count, top = HEAD + (double)panel * (HEIGHT + BETWEEN);

    figure_edges(&d->f, wide * file + LEFT, wide * (file + 1) - (d->p->sums ? RIGHT_SUMS : RIGHT), top, top + HEIGHT);
    figure_quoted(&d->f, "set title ", panel ? "" : d->logs[file].name, " noenhanced offset 0,0.8");
    figure_line(&d->f, "set xrange [0:%.9g]\nset xtics nomirror format '%s' font ',10'\nset xlabel '%s'",
                d->last / d->unit, last ? "%g" : "",
                !last            ? ""
                : d->unit == 1e6 ? "GPU cycles [M]"
                                 : "GPU cycles [K]");
    name_panel(d->names[panel], name, sizeof name);
    figure_quoted(&d->f, "set label 3 ", file ? "" : name, " at graph 0,1.1 left noenhanced font ',10'");
    set_y_axis(d, panel, false);
    if (d->p->sums)
        set_y_axis(d, panel, true);
}

/* One key is of all runs: a tenant has a name where they agree in it. */
static void name_tenant(const struct drawing *d, unsigned tenant, char *text, size_t size)
{
    char other[80];
    epoch_log_tenant(&d->logs[0], tenant, text, size);
    for (unsigned i = 1; i < d->p->file_count; i++) {
        epoch_log_tenant(&d->logs[i], tenant, other, sizeof other);
        if (strcmp(text, other))
            snprintf(text, size, "tenant %u", tenant);
    }
}

/* The key names all tenants, of which the first panel's run need not have as many. */
static void draw_key(struct drawing *d)
{
    char name[80];

    for (unsigned t = 0; t < d->tenants; t++) {
        name_tenant(d, t, name, sizeof name);
        figure_key(&d->f, "lines lw 2", gnuplot_colours[t % GNUPLOT_COLOURS], name);
    }
    if (d->p->sums)
        figure_key(&d->f, "lines lw 1 dt 3", "black", "sum so far");
}

static void draw_panel(struct drawing *d, unsigned panel, unsigned file)
{
    set_frame(d, panel, file);
    draw_key(d);
    for (unsigned t = 0; t < d->logs[file].tenants; t++) {
        bool any = false;
        const unsigned block = write_block(d, panel, &d->logs[file], t, &any);
        const char *colour = gnuplot_colours[t % GNUPLOT_COLOURS];
        if (!any)
            continue;
        figure_layer(&d->f, block, "1:2 with lines lw 2", colour, NULL);
        if (d->p->sums)
            figure_layer(&d->f, block, "1:3 axes x1y2 with lines lw 1 dt 3", colour, NULL);
    }
    figure_panel_end(&d->f);
}

static void measure(struct drawing *d)
{
    for (unsigned i = 0; i < d->p->file_count; i++) {
        d->tenants = d->logs[i].tenants > d->tenants ? d->logs[i].tenants : d->tenants;
        d->last = fmax(d->last, epoch_log_begin(&d->logs[i], d->logs[i].epochs));
    }
    d->unit = d->last < 1e6 ? 1e3 : 1e6;
    d->f.width = fmax(WIDTH, d->p->file_count * (LEFT + LEAST + (d->p->sums ? RIGHT_SUMS : RIGHT)));
    d->f.height = HEAD + d->panel_count * (HEIGHT + BETWEEN) + BELOW;
}

static int draw(struct drawing *d, const char *dir, const char *name, struct mh_error *err)
{
    if (open_panels(d, err))
        return -1;
    figure_open(&d->f, "cycle\tvalue of the epoch\tsum so far");
    measure(d);
    figure_title(&d->f, d->p->title ? d->p->title : "", "", KEY_ROWS);
    figure_line(&d->f, "set grid ytics lt 1 lc rgb '#C8C8C8'");
    for (unsigned panel = 0; panel < d->panel_count; panel++)
        for (unsigned file = 0; file < d->p->file_count; file++)
            draw_panel(d, panel, file);
    return figure_finish(&d->f, dir, name, err);
}

int epoch_plot_write(const struct epoch_plot *p, const char *dir, const char *name, struct mh_error *err)
{
    struct drawing d = {.p = p, .logs = must_have(p->file_count, sizeof *d.logs)};
    unsigned read = 0;
    int status = 0;
    while (read < p->file_count && !(status = epoch_log_read(&d.logs[read], p->files[read], err)))
        read++;
    if (!status)
        status = draw(&d, dir, name, err);
    for (unsigned i = 0; i < d.panel_count; i++)
        expr_free(d.panels[i]);
    for (unsigned i = 0; i < read; i++)
        epoch_log_free(&d.logs[i]);
    free(d.logs);
    return status;
}
