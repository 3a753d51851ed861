#include "plot.h"

#include <math.h>

#include "../gnuplot.h"

struct plot {
    struct gnuplot out;
    unsigned groups;    /**< of bars */
    uint64_t known;     /**< bit c: column c has a bar; gnuplot warns of one that has none */
    double least, most; /**< of all bars */
};

enum { COLUMNS = 64 };

static void bar(struct plot *p, unsigned column, double v)
{
    gnuplot_value(&p->out, v);
    if (isnan(v))
        return;
    p->known |= 1ull << column % COLUMNS;
    p->least = fmin(p->least, v);
    p->most = fmax(p->most, v);
}

static int open_plot(struct plot *p, struct mh_error *err)
{
    *p = (struct plot){.least = INFINITY, .most = -INFINITY};
    return gnuplot_open(&p->out, err);
}

/* Both outputs of one plot. */
static void script_head(struct plot *p, const char *name, const char *title, const char *axis)
{
    unsigned width = 400 + 26 * p->groups;
    fprintf(p->out.script,
            "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.8 border -1\n"
            "set boxwidth 0.9\nset rmargin 12\nset xtics rotate by -45 noenhanced\nset key above noenhanced\nset grid "
            "ytics\n"
            "set xzeroaxis\nset title \"%s\" noenhanced\nset ylabel \"%s\"\nset datafile separator tab\n"
            "set datafile missing '?'\n",
            title, axis);
    gnuplot_range(&p->out, p->least, p->most);
    for (int png = 0; png < 2; png++)
        fprintf(p->out.script, "set terminal %s size %u,480\nset output '%s.%s'\nplot @BARS\n", png ? "png" : "svg",
                width > 1800 ? 1800 : width, name, png ? "png" : "svg");
}

static void script_bars(struct plot *p, const char *name, unsigned bars)
{
    const char *sep = "", *labels = ":xtic(1)";
    fputs("BARS = \"", p->out.script);
    for (unsigned b = 0; b < bars; b++) {
        if (!(p->known >> b % COLUMNS & 1))
            continue;
        fprintf(p->out.script, "%s'%s.dat' using %u%s title columnheader(%u)", sep, name, b + 2, labels, b + 2);
        sep = ", ";
        labels = "";
    }
    fputs("\"\n", p->out.script);
}

/* A figure without a bar is none. */
static int finish(struct plot *p, const char *dir, const char *name, struct mh_error *err)
{
    if (p->known)
        return gnuplot_finish(&p->out, dir, name, err);
    fprintf(stderr, "memhelm: %s: nothing to draw, no figure\n", name);
    gnuplot_drop(&p->out);
    return 0;
}

static int plot_grid(const struct reproduce_grid *g, const char *dir, struct mh_error *err)
{
    struct plot p;
    bool gain = g->grid->measure.relation == RELATION_GAIN;
    if (open_plot(&p, err))
        return -1;
    fputs("workload", p.out.data);
    for (unsigned c = 0; c < g->grid->column_count; c++)
        fprintf(p.out.data, "\t%s", g->grid->columns[c].name);
    for (unsigned w = 0; w < g->columns[0].workload_count; w++) {
        fprintf(p.out.data, "\n%s", g->columns[0].workloads[w].name);
        for (unsigned c = 0; c < g->grid->column_count; c++)
            bar(&p, c, (gain ? 100 : 1) * series_cell_mean(&g->columns[c], w));
    }
    fputs("\nmean", p.out.data);
    for (unsigned c = 0; c < g->grid->column_count; c++)
        bar(&p, c, (gain ? 100 : 1) * series_mean(&g->columns[c]));
    fputc('\n', p.out.data);
    p.groups = (g->columns[0].workload_count + 1) * g->grid->column_count / 2;
    script_bars(&p, g->grid->id, g->grid->column_count);
    script_head(&p, g->grid->id, g->grid->title, gain ? "gain [%]" : g->grid->measure.metric);
    return finish(&p, dir, g->grid->id, err);
}

/* Effects and levels of one unit; a bound has no bar. */
static int plot_rows(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    struct plot p;
    char name[64];
    if (open_plot(&p, err))
        return -1;
    snprintf(name, sizeof name, "%s-rows", r->study.name);
    fputs("row\tpaper\tours\n", p.out.data);
    for (unsigned i = 0; i < r->row_count; i++) {
        const struct row *row = r->rows[i].row;
        struct outcome o;
        if (row->claim.form != CLAIM_RANGE || (row->claim.unit != UNIT_PERCENT && !row->claim.gain))
            continue;
        reproduce_outcome(&r->rows[i], &o);
        fprintf(p.out.data, "%s", row->id);
        bar(&p, 0, 50 * (row->claim.low + row->claim.high));
        bar(&p, 1, 100 * o.summary.value);
        fputc('\n', p.out.data);
        p.groups++;
    }
    script_bars(&p, name, 2);
    script_head(&p, name, "The paper's numbers beside ours", "%");
    return finish(&p, dir, name, err);
}

int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < r->grid_count; i++)
        if (plot_grid(&r->grids[i], dir, err))
            return -1;
    return r->row_count ? plot_rows(r, dir, err) : 0;
}
