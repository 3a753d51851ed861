#include "epoch_plot.h"

#include <math.h>
#include <string.h>

#include "base/gnuplot.h"
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
    LEAST = 300
};

struct figure {
    const struct epoch_plot *p;
    struct epoch_log *logs; /* [file] */
    const char *names[EPOCH_PLOT_PANELS];
    struct expr *panels[EPOCH_PLOT_PANELS];
    unsigned panel_count;
    unsigned tenants;           /* the most of a log */
    double width, height, last; /* last: the latest end of a run */
    double unit;                /* of the time axis, in cycles */
    const char *name;
    struct gnuplot g;
};

/* --- What is drawn. */

static int add_panel(struct figure *f, const char *text, struct mh_error *err)
{
    struct mh_error why;
    struct expr *e = expr_parse(text, &why);
    if (!e)
        return mh_fail(err, "--panel '%.100s': %.800s", text, why.text);
    f->names[f->panel_count] = text;
    f->panels[f->panel_count++] = e;
    for (unsigned i = 0; i < f->p->file_count; i++)
        if (epoch_log_check(&f->logs[i], e, &why))
            return mh_fail(err, "%.200s: --panel '%.100s': %.600s", f->p->files[i], text, why.text);
    return 0;
}

/* A column that a run has not, and so is no name there. */
static bool in_all(const struct figure *f, const char *column)
{
    for (unsigned i = 0; i < f->p->file_count; i++)
        if (epoch_log_column(&f->logs[i], column) < 0)
            return false;
    return true;
}

/* A twin's take no time. */
static bool decisions_take_time(const struct figure *f)
{
    bool any = false;
    for (unsigned i = 0; i < f->p->file_count; i++) {
        const int column = epoch_log_column(&f->logs[i], "latency");
        for (unsigned e = 0; column >= 0 && e < f->logs[i].epochs; e++)
            any |= epoch_log_at(&f->logs[i], e, 0, (unsigned)column) > 0;
    }
    return any && in_all(f, "latency");
}

/* Knobs that a policy turns in any of the runs. */
static int add_usual(struct figure *f, struct mh_error *err)
{
    if (add_panel(f, "lane_instr / cycles", err) || add_panel(f, "l2tlb_access - l2tlb_hit", err) ||
        (decisions_take_time(f) && add_panel(f, "latency", err)))
        return -1;
    for (unsigned i = 0; i < f->p->file_count; i++)
        for (unsigned c = 0; c < f->logs[i].column_count; c++) {
            const char *name = f->logs[i].columns[c];
            bool known = f->panel_count == EPOCH_PLOT_PANELS || !in_all(f, name);
            for (unsigned k = 0; k < f->panel_count && !known; k++)
                known = !strcmp(f->names[k], name);
            if (!known && epoch_log_turns(&f->logs[i], c) && add_panel(f, name, err))
                return -1;
        }
    return 0;
}

static int open_panels(struct figure *f, struct mh_error *err)
{
    for (unsigned i = 0; i < f->p->panel_count; i++)
        if (add_panel(f, f->p->panels[i], err))
            return -1;
    return f->panel_count ? 0 : add_usual(f, err);
}

/* --- Data: a block for each tenant of each run in each panel; an epoch is a step. */

static void write_block(struct figure *f, unsigned panel, const struct epoch_log *l, unsigned tenant)
{
    double sum = 0;
    fputs("# ", f->g.data);
    gnuplot_cell(f->g.data, f->names[panel]);
    fputs(", ", f->g.data);
    gnuplot_cell(f->g.data, l->name);
    fprintf(f->g.data, ", tenant %u\n", tenant);
    for (unsigned e = 0; e < l->epochs; e++) {
        const double v = epoch_log_value(l, f->panels[panel], e, tenant), begin = epoch_log_begin(l, e);
        fprintf(f->g.data, "%.9g", begin / f->unit);
        gnuplot_value(&f->g, v);
        gnuplot_value(&f->g, sum);
        sum += isnan(v) ? 0 : v;
        fprintf(f->g.data, "\n%.9g", epoch_log_begin(l, e + 1) / f->unit);
        gnuplot_value(&f->g, v);
        gnuplot_value(&f->g, sum);
        fputc('\n', f->g.data);
    }
    fputs("\n\n", f->g.data);
}

static void write_data(struct figure *f)
{
    fputs("# cycle\tvalue of the epoch\tsum so far\n", f->g.data);
    for (unsigned panel = 0; panel < f->panel_count; panel++)
        for (unsigned i = 0; i < f->p->file_count; i++)
            for (unsigned t = 0; t < f->logs[i].tenants; t++)
                write_block(f, panel, &f->logs[i], t);
}

/* --- Script. */

/* Least and most of a quantity in all runs: of epochs, or of sums. */
static void range_of(const struct figure *f, unsigned panel, bool sums, double range[2])
{
    range[0] = range[1] = 0;
    for (unsigned i = 0; i < f->p->file_count; i++)
        for (unsigned t = 0; t < f->logs[i].tenants; t++) {
            double sum = 0;
            for (unsigned e = 0; e < f->logs[i].epochs; e++) {
                const double v = epoch_log_value(&f->logs[i], f->panels[panel], e, t);
                sum += isnan(v) ? 0 : v;
                range[0] = fmin(range[0], sums ? sum : v); /* fmin leaves NaN out */
                range[1] = fmax(range[1], sums ? sum : v);
            }
        }
    if (range[0] == range[1])
        range[1] = range[0] + 1;
    range[1] += 0.06 * (range[1] - range[0]);
}

static void write_margins(const struct figure *f, unsigned panel, unsigned file)
{
    const double wide = f->width / f->p->file_count, top = HEAD + (double)panel * (HEIGHT + BETWEEN);
    const double left = wide * file + LEFT, right = wide * (file + 1) - (f->p->sums ? RIGHT_SUMS : RIGHT);
    fprintf(f->g.script, "set lmargin at screen %.6g\nset rmargin at screen %.6g\n", left / f->width, right / f->width);
    fprintf(f->g.script, "set tmargin at screen %.6g\nset bmargin at screen %.6g\n", 1 - top / f->height,
            1 - (top + HEIGHT) / f->height);
}

/* 250k where 250000 would need too much room. */
static void write_y_axis(const struct figure *f, unsigned panel, bool sums)
{
    double range[2];
    const char *axis = sums ? "y2" : "y";
    range_of(f, panel, sums, range);
    fprintf(f->g.script, "set %srange [%.9g:%.9g]\nset %stics nomirror format '%s' font ',10'\n", axis, range[0],
            range[1], axis, range[1] < 1e4 ? "%g" : "%.1s%c");
}

/* Runs are named above their panels, quantities above the first run's, time stands below. */
static void write_frame(const struct figure *f, unsigned panel, unsigned file)
{
    FILE *out = f->g.script;
    const bool last = panel + 1 == f->panel_count;
    write_margins(f, panel, file);
    fputs("set title ", out);
    gnuplot_quote(out, panel ? "" : f->logs[file].name);
    fprintf(out, " noenhanced offset 0,0.8\nset xrange [0:%.9g]\nset xtics nomirror format '%s' font ',10'\n",
            f->last / f->unit, last ? "%g" : "");
    fprintf(out, "set xlabel '%s'\nset label 2 ", !last ? "" : f->unit == 1e6 ? "GPU cycles [M]" : "GPU cycles [K]");
    gnuplot_quote(out, file ? "" : f->names[panel]);
    fputs(" at graph 0,1.1 left noenhanced font ',10'\n", out);
    write_y_axis(f, panel, false);
    if (f->p->sums)
        write_y_axis(f, panel, true);
    if (panel || file)
        fputs("unset key\nunset label 1\n", out);
}

static unsigned first_block(const struct figure *f, unsigned panel, unsigned file)
{
    unsigned all = 0, before = 0;
    for (unsigned i = 0; i < f->p->file_count; i++) {
        all += f->logs[i].tenants;
        before += i < file ? f->logs[i].tenants : 0;
    }
    return panel * all + before;
}

static bool any_value(const struct figure *f, unsigned panel, unsigned file, unsigned tenant)
{
    for (unsigned e = 0; e < f->logs[file].epochs; e++)
        if (!isnan(epoch_log_value(&f->logs[file], f->panels[panel], e, tenant)))
            return true;
    return false;
}

/* The key names all tenants, of which the first panel's run need not have as many. */
static void write_key(const struct figure *f)
{
    FILE *out = f->g.script;
    for (unsigned t = 0; t < f->tenants; t++)
        fprintf(out, "%skeyentry with lines lw 2 lc rgb '%s' title 'tenant %u'", t ? ", " : "", gnuplot_colours[t], t);
    if (f->p->sums)
        fputs(", keyentry with lines lw 1 dt 3 lc rgb 'black' title 'sum so far'", out);
}

static void write_panel(struct figure *f, unsigned panel, unsigned file)
{
    FILE *out = f->g.script;
    unsigned block = first_block(f, panel, file);
    write_frame(f, panel, file);
    fputs("plot ", out);
    write_key(f);
    for (unsigned t = 0; t < f->logs[file].tenants; t++, block++) {
        if (!any_value(f, panel, file, t))
            continue;
        fputs(", ", out);
        gnuplot_file(out, "dat");
        fprintf(out, " index %u using 1:2 with lines lw 2 lc rgb '%s' notitle", block,
                gnuplot_colours[t % GNUPLOT_COLOURS]);
        if (f->p->sums)
            fprintf(out, ", '' index %u using 1:3 axes x1y2 with lines lw 1 dt 3 lc rgb '%s' notitle", block,
                    gnuplot_colours[t % GNUPLOT_COLOURS]);
    }
    fputc('\n', out);
}

static void write_figure(struct figure *f, bool png)
{
    FILE *out = f->g.script;
    fprintf(out, "set terminal %s size %.0f,%.0f%s\nset output ", png ? GNUPLOT_PNG " truecolor" : "svg", f->width,
            f->height, png ? "" : " background 'white'");
    gnuplot_file(out, png ? "png" : "svg");
    fputs("\nset multiplot\nset label 1 ", out);
    gnuplot_quote(out, f->p->title ? f->p->title : "");
    fprintf(out,
            " at screen 0.5,%.6g center noenhanced font ',13'\nset key at screen 0.5,%.6g center top horizontal "
            "samplen 2\nset grid ytics lt 1 lc rgb '#C8C8C8'\n",
            1 - 18 / f->height, 1 - 34 / f->height);
    for (unsigned panel = 0; panel < f->panel_count; panel++)
        for (unsigned file = 0; file < f->p->file_count; file++)
            write_panel(f, panel, file);
    fputs("unset multiplot\nset output\n", out);
}

static void measure(struct figure *f)
{
    for (unsigned i = 0; i < f->p->file_count; i++) {
        f->tenants = f->logs[i].tenants > f->tenants ? f->logs[i].tenants : f->tenants;
        f->last = fmax(f->last, epoch_log_begin(&f->logs[i], f->logs[i].epochs));
    }
    f->unit = f->last < 1e6 ? 1e3 : 1e6;
    f->width = fmax(WIDTH, f->p->file_count * (LEFT + LEAST + (f->p->sums ? RIGHT_SUMS : RIGHT)));
    f->height = HEAD + f->panel_count * (HEIGHT + BETWEEN) + BELOW;
}

static int draw(struct figure *f, const char *dir, struct mh_error *err)
{
    if (open_panels(f, err))
        return -1;
    measure(f);
    if (gnuplot_open(&f->g, err))
        return -1;
    write_data(f);
    fputs("set datafile separator tab\nset datafile missing '?'\n", f->g.script);
    write_figure(f, false);
    write_figure(f, true);
    return gnuplot_finish(&f->g, dir, f->name, err);
}

int epoch_plot_write(const struct epoch_plot *p, const char *dir, const char *name, struct mh_error *err)
{
    struct figure f = {.p = p, .name = name, .logs = must_have(p->file_count, sizeof *f.logs)};
    unsigned read = 0;
    int status = 0;
    while (read < p->file_count && !(status = epoch_log_read(&f.logs[read], p->files[read], err)))
        read++;
    if (!status)
        status = draw(&f, dir, err);
    for (unsigned i = 0; i < f.panel_count; i++)
        expr_free(f.panels[i]);
    for (unsigned i = 0; i < read; i++)
        epoch_log_free(&f.logs[i]);
    free(f.logs);
    return status;
}
