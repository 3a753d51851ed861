#include "plot_lines.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "spread.h"

static const struct reproduce_grid *find_grid(const struct reproduction *r, const struct grid *g)
{
    for (unsigned i = 0; i < r->grid_count; i++)
        if (r->grids[i].grid == g)
            return &r->grids[i];
    return NULL;
}

/* A name has one colour in all panels: its place in the order of the rows file. */
static unsigned series_of(struct lines *l, const char *name)
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
    for (unsigned i = 0; i < from->count; i++) {
        const struct reproduce_grid *g = find_grid(r, from->grids[i]);
        const unsigned s = series_of(l, from->names[i]);
        if (!g || s == PLOT_SERIES)
            continue;
        any = true;
        l->panels[l->panel_count].axis = g->grid->axis;
        put_points(g, p->percent ? 100 : 1, l->panels[l->panel_count].points[s]);
    }
    l->panel_count += any;
}

int plot_lines(const struct reproduction *r, const struct plot *p, const char *axis, const char *dir,
               struct mh_error *err)
{
    struct lines *l = malloc(sizeof *l);
    if (!l)
        return mh_fail(err, "%s: out of memory", p->id);
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
