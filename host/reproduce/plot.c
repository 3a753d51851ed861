#include "outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "figures.h"

/** A figure as it fills. */
struct drawing {
    const struct reproduction *r;
    const struct plot *plot;
    struct bars figure;
    struct mh_error *err;
};

/** Cells of a series of a figure, and how they are averaged. */
struct source {
    const struct series *series; /**< NULL: no row of it is in the call */
    enum aggregate over;
};

static const struct reproduce_row *find_row(const struct reproduction *r, const char *id)
{
    for (unsigned i = 0; i < r->row_count; i++)
        if (!strcmp(r->rows[i].row->id, id))
            return &r->rows[i];
    return NULL;
}

static double scale(const struct drawing *d)
{
    return d->plot->percent ? 100 : 1;
}

/* --- Ours. */

static void put(struct drawing *d, const char *group, unsigned series, bool gain, double v)
{
    struct bars_cell *c = bars_cell(&d->figure, group, series);
    c->ours = scale(d) * v;
    if (gain)
        number_gain(v, c->ours_text, sizeof c->ours_text);
    else if (d->plot->percent)
        snprintf(c->ours_text, sizeof c->ours_text, "%.1f %%", c->ours);
    else
        snprintf(c->ours_text, sizeof c->ours_text, "%.3g", c->ours);
}

static void put_workloads(struct drawing *d, const struct series *s, unsigned series)
{
    for (unsigned w = 0; w < s->workload_count && d->plot->each; w++)
        put(d, s->workloads[w].name, series, s->measure->relation == RELATION_GAIN, series_cell_mean(s, w));
}

/* NaN: some of the lists' workloads are not in this call. */
static double mean_over(struct drawing *d, const struct source *from, const struct list *mean)
{
    struct measure m = {.list_count = mean->count};
    unsigned count;
    memcpy(m.lists, mean->items, mean->count * sizeof *m.lists);
    struct workload *part = study_workloads(&d->r->study, &m, &count, d->err);
    double v = part ? series_part(from->series, part, count, from->over) : (double)NAN;
    study_free_workloads(part, count);
    return v;
}

static void put_mean(struct drawing *d, const struct source *from, unsigned series, const struct list *mean)
{
    double v = mean->count ? mean_over(d, from, mean) : series_mean(from->series, from->over);
    bool gain = from->series->measure->relation == RELATION_GAIN;
    if (!isnan(v))
        put(d, mean->name, series, gain, v);
}

/* --- The paper's. */

/* A bound is a bar as high as it is; a direction, and about 0, are words. */
static void put_claim(const struct drawing *d, const struct row *row, struct bars_cell *c)
{
    const struct claim *claim = &row->claim;
    double ends[][2] = {[CLAIM_RANGE] = {claim->low, claim->high},
                        [CLAIM_WITHIN] = {-claim->high, claim->high},
                        [CLAIM_BELOW] = {claim->high, claim->high},
                        [CLAIM_ABOVE] = {claim->low, claim->low}};
    snprintf(c->paper_text, sizeof c->paper_text, "%s", row->paper);
    if (!strpbrk(row->paper, "123456789"))
        return;
    c->low = scale(d) * ends[claim->form][0];
    c->high = scale(d) * ends[claim->form][1];
}

static void put_row(struct drawing *d, const char *group, unsigned series, const struct reproduce_row *own)
{
    struct outcome o;
    struct bars_cell *c = bars_cell(&d->figure, group, series);
    outcome_of(own, &o);
    c->ours = scale(d) * o.summary.value;
    claim_format(&own->row->claim, o.summary.value, c->ours_text, sizeof c->ours_text);
    c->alone = !strcmp(own->row->figure, "ours");
    if (!c->alone)
        put_claim(d, own->row, c);
}

/* The group of bars to which a row belongs in a figure over workloads; study_plots.c has checked that there is one. */
static const char *group_of(const struct drawing *d, const struct row *row)
{
    const char *list = row->measure.lists[0];
    if (row->over == OVER_MIN || row->over == OVER_MAX)
        return row->over == OVER_MIN ? "least" : "most";
    for (unsigned i = 0; i < d->plot->mean_count; i++)
        if (d->plot->means[i].count == 1 && !strcmp(d->plot->means[i].items[0], list))
            return d->plot->means[i].name;
    return list;
}

static void put_rows(struct drawing *d, unsigned series, const struct list *rows)
{
    for (unsigned i = 0; i < rows->count; i++) {
        const struct reproduce_row *own = find_row(d->r, rows->items[i]);
        if (own)
            put_row(d, rows->name ? rows->name : group_of(d, own->row), series, own);
    }
}

/* --- Figures. */

static struct source source_of_rows(const struct drawing *d, const struct plot_series *own)
{
    for (unsigned i = 0; i < own->groups[0].count && !own->groups[0].name; i++) {
        const struct reproduce_row *row = find_row(d->r, own->groups[0].items[i]);
        if (row)
            return (struct source){&row->once, row->row->over == OVER_MEAN ? OVER_MEAN : OVER_GEOMEAN};
    }
    return (struct source){NULL, OVER_MEAN};
}

/* As the rows that speak of its columns; else as in its table. */
static enum aggregate over_of_grid(const struct drawing *d)
{
    for (unsigned i = 0; i < d->plot->series_count; i++) {
        struct source from = source_of_rows(d, &d->plot->series[i]);
        if (from.series)
            return from.over;
    }
    return d->plot->grid->over;
}

static struct source source_of_grid(const struct drawing *d, unsigned column)
{
    for (unsigned i = 0; i < d->r->grid_count; i++)
        if (d->r->grids[i].grid == d->plot->grid)
            return (struct source){&d->r->grids[i].columns[column], over_of_grid(d)};
    return (struct source){NULL, OVER_MEAN};
}

static unsigned name_series(struct drawing *d)
{
    const struct plot *p = d->plot;
    struct bars *f = &d->figure;
    f->series_count = p->grid ? p->grid->column_count : p->series_count;
    if (f->series_count > BARS_SERIES)
        f->series_count = BARS_SERIES;
    for (unsigned s = 0; s < f->series_count; s++)
        f->series[s] = p->grid ? p->grid->columns[s].name : p->series[s].name;
    return f->series_count;
}

static unsigned series_of(const struct drawing *d, const char *name)
{
    unsigned s = 0;
    while (s + 1 < d->figure.series_count && strcmp(d->figure.series[s], name))
        s++;
    return s;
}

/* Workloads, then means, then what the rows say. */
static void fill(struct drawing *d)
{
    const struct plot *p = d->plot;
    struct source sources[BARS_SERIES];
    unsigned count = name_series(d);
    for (unsigned s = 0; s < count; s++) {
        sources[s] = p->grid ? source_of_grid(d, s) : source_of_rows(d, &p->series[s]);
        if (sources[s].series)
            put_workloads(d, sources[s].series, s);
    }
    d->figure.apart = d->figure.group_count;
    for (unsigned m = 0; m < p->mean_count; m++)
        for (unsigned s = 0; s < count; s++)
            if (sources[s].series)
                put_mean(d, &sources[s], s, &p->means[m]);
    for (unsigned s = 0; s < p->series_count; s++)
        for (unsigned g = 0; g < p->series[s].group_count; g++)
            put_rows(d, series_of(d, p->series[s].name), &p->series[s].groups[g]);
}

/* --- Lines, from grids over an axis. */

static const struct reproduce_grid *find_grid(const struct reproduction *r, const struct grid *g)
{
    for (unsigned i = 0; i < r->grid_count; i++)
        if (r->grids[i].grid == g)
            return &r->grids[i];
    return NULL;
}

/* A name has one colour in all panels: its place in the order of the rows file. */
static unsigned line_of(struct lines *l, const char *name)
{
    unsigned s = 0;
    while (s < l->series_count && strcmp(l->series[s], name) != 0)
        s++;
    if (s == l->series_count && s < PLOT_SERIES)
        l->series[l->series_count++] = name;
    return s;
}

static void put_points(const struct reproduce_grid *g, double scale, struct lines_point *points)
{
    for (unsigned c = 0; c < g->grid->column_count; c++) {
        struct spread spread;
        points[c].mean = scale * series_mean(&g->columns[c], g->grid->over);
        if (!spread_of(&g->columns[c], g->grid->over, &spread))
            continue;
        points[c].low = scale * spread.quartiles.first;
        points[c].median = scale * spread.quartiles.median;
        points[c].high = scale * spread.quartiles.third;
    }
}

static void add_panel(const struct reproduction *r, const struct plot *p, const struct plot_panel *from,
                      struct lines *l)
{
    bool any = false;
    struct lines_panel empty = l->panels[l->panel_count], *to = &l->panels[l->panel_count];
    for (unsigned i = 0; i < from->count; i++) {
        const struct reproduce_grid *g = from->grids[i] ? find_grid(r, from->grids[i]) : NULL;
        const unsigned s = line_of(l, from->names[i]);
        if (s == PLOT_SERIES)
            continue;
        to->published[s] = from->published[i];
        to->published_count[s] = from->points[i];
        if (!g)
            continue;
        any = true;
        to->axis = g->grid->axis;
        put_points(g, p->percent ? 100 : 1, to->points[s]);
    }
    if (!any)
        *to = empty;
    l->panel_count += any;
}

static int draw_lines(const struct reproduction *r, const struct plot *p, const char *axis, const char *dir,
                      struct mh_error *err)
{
    struct lines *l = must_have(1, sizeof *l);
    lines_init(l);
    l->name = p->id;
    l->title = p->title;
    l->axis = axis;
    for (unsigned i = 0; i < p->panel_count; i++)
        add_panel(r, p, &p->panels[i], l);
    int status = l->panel_count ? lines_write(l, dir, err) : 0;
    free(l);
    return status;
}

/* --- A figure. */

static int draw(const struct reproduction *r, const struct plot *p, const char *dir, struct mh_error *err)
{
    char axis[160];
    struct drawing d = {.r = r, .plot = p, .err = err};
    snprintf(axis, sizeof axis, "%s%s", p->axis, p->percent ? " [%]" : "");
    if (p->panel_count)
        return draw_lines(r, p, axis, dir, err);
    d.figure = (struct bars){.name = p->id, .title = p->title, .axis = axis, .log = p->log, .cut = p->cut};
    fill(&d);
    int status = d.figure.group_count ? bars_write(&d.figure, dir, err) : 0; /* 0: its rows are not in this call */
    bars_free(&d.figure);
    return status;
}

/* --- What is drawn where the rows file says nothing. */

static bool shows(const struct plot *p, const struct grid *g)
{
    if (p->grid == g)
        return true;
    for (unsigned i = 0; i < p->panel_count; i++)
        for (unsigned k = 0; k < p->panels[i].count; k++)
            if (p->panels[i].grids[k] == g)
                return true;
    return false;
}

/* With --row plots of the rows file are left out. */
static bool drawn(const struct reproduction *r, const struct grid *g)
{
    for (unsigned i = 0; i < r->study.plot_count && !r->options->id_count; i++)
        if (shows(&r->study.plots[i], g))
            return true;
    return false;
}

static int draw_grid(const struct reproduction *r, const struct reproduce_grid *g, const char *dir,
                     struct mh_error *err)
{
    bool gain = g->grid->measure.relation == RELATION_GAIN;
    struct plot p = {.id = g->grid->id, .title = g->grid->title, .grid = g->grid, .each = true, .percent = gain};
    struct list all = {.name = "mean"};
    struct plot_panel panel = {.names = {g->grid->columns[0].image}, .grids = {g->grid}, .count = 1};
    p.axis = gain ? "gain" : g->grid->measure.metric;
    p.panels = &panel;
    p.panel_count = g->grid->axis != NULL;
    p.means = &all;
    p.mean_count = 1;
    return draw(r, &p, dir, err);
}

/* Effects and levels of one unit; a bound has no bar. */
static int draw_rows(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    char name[64];
    struct plot p = {.percent = true};
    struct drawing d = {.r = r, .plot = &p, .err = err};
    snprintf(name, sizeof name, "%s-rows", r->study.name);
    d.figure = (struct bars){.name = name, .title = "The paper's numbers beside ours", .axis = "effect or level [%]"};
    d.figure.series[d.figure.series_count++] = "ours";
    for (unsigned i = 0; i < r->row_count; i++) {
        const struct claim *c = &r->rows[i].row->claim;
        if (c->form == CLAIM_RANGE && (c->unit == UNIT_PERCENT || c->gain))
            put_row(&d, r->rows[i].row->id, 0, &r->rows[i]);
    }
    const int status = bars_write(&d.figure, dir, err);
    bars_free(&d.figure);
    return status;
}

int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < r->study.plot_count; i++)
        if (r->options->mode == MODE_ROWS && !r->options->id_count && draw(r, &r->study.plots[i], dir, err))
            return -1;
    for (unsigned i = 0; i < r->grid_count; i++)
        if (!drawn(r, r->grids[i].grid) && draw_grid(r, &r->grids[i], dir, err))
            return -1;
    return r->row_count ? draw_rows(r, dir, err) : 0;
}
