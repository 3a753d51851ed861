#include "study_parts.h"

#include <stdlib.h>
#include <string.h>

#include "study.h"
#include "base/memory.h"

/* --- What a figure may show. */

static bool percent(const struct row *r)
{
    return r->claim.gain || r->claim.unit == UNIT_PERCENT;
}

static bool is_mean(const struct plot *p, const char *list)
{
    for (unsigned i = 0; i < p->mean_count; i++)
        if (p->means[i].count == 1 && !strcmp(p->means[i].items[0], list))
            return true;
    return false;
}

/* In a figure over workloads, a row must belong to a group of them. */
static int check_place(const struct tree *t, const yaml_node_t *n, const struct study *s, const struct plot *p,
                       const struct row *r)
{
    if (r->missing || r->less_plain || r->over == OVER_SHARE)
        return tree_fail(t, n, "row %s has no values per workload: name it as {group: row}", r->id);
    if (r->over == OVER_MIN || r->over == OVER_MAX)
        return 0;
    const char *list = r->measure.lists[0];
    bool one = r->measure.list_count == 1, mean = one && is_mean(p, list);
    bool workload = one && p->each && !lists_find(s->lists, s->list_count, list);
    return mean || workload ? 0 : tree_fail(t, n, "row %s is over '%.60s', which is none of the means", r->id, list);
}

static int check_rows(const struct tree *t, const yaml_node_t *n, const struct study *s, struct plot *p,
                      const struct plot_series *own)
{
    for (unsigned g = 0; g < own->group_count; g++)
        for (unsigned i = 0; i < own->groups[g].count; i++) {
            const struct row *r = study_row(s, own->groups[g].items[i]);
            if (!r)
                return tree_fail(t, n, "there is no row '%.60s'%s", own->groups[g].items[i],
                                 study_near_row(s, own->groups[g].items[i]).text);
            if (p->rows++ && percent(r) != p->percent)
                return tree_fail(t, n, "row %s has another unit than those before it: one axis has one", r->id);
            p->percent = percent(r);
            if (!own->groups[g].name && check_place(t, n, s, p, r))
                return -1;
        }
    return 0;
}

/* --- Reading. */

/* {group: row}, or rows whose workloads are the groups. */
static int load_series(const struct tree *t, const yaml_node_t *n, struct plot_series *own)
{
    if (n->type == YAML_MAPPING_NODE)
        return lists_load_named(t, n, "a series", &own->groups, &own->group_count);
    own->groups = must_have(1, sizeof *own->groups);
    own->group_count = 1;
    return lists_load_items(t, n, own->groups);
}

static int load_all_series(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    if (tree_check(t, map, "series", NULL) || !tree_count(map) || tree_count(map) > PLOT_SERIES)
        return tree_fail(t, map, "series and paper take names of 1 to %d series, and rows", PLOT_SERIES);
    p->series = must_have(tree_count(map), sizeof *p->series);
    for (; p->series_count < tree_count(map); p->series_count++) {
        struct plot_series *own = &p->series[p->series_count];
        const yaml_node_t *value = tree_value(t, map, p->series_count);
        own->name = tree_key(t, map, p->series_count);
        if (load_series(t, value, own) || check_rows(t, value, s, p, own)) {
            p->series_count++;
            return -1;
        }
    }
    return 0;
}

static int check_columns(const struct tree *t, const yaml_node_t *map, const struct grid *g, const struct plot *p)
{
    for (unsigned i = 0; i < p->series_count; i++) {
        unsigned c = 0;
        while (c < g->column_count && strcmp(g->columns[c].name, p->series[i].name))
            c++;
        if (c == g->column_count)
            return tree_fail(t, map, "grid %s has no column '%.60s'", g->id, p->series[i].name);
    }
    return 0;
}

/* --- Panels. */

/* One x axis for all lines of a panel. */
static bool same_axis(const struct axis *a, const struct axis *b)
{
    bool same = a->value_count == b->value_count && !strcmp(a->name, b->name);
    for (unsigned v = 0; same && v < a->value_count; v++)
        same = !strcmp(a->values[v].label, b->values[v].label);
    return same;
}

static int add_line(const struct tree *t, const yaml_node_t *n, const struct grid *g, struct plot *p,
                    struct plot_panel *panel)
{
    const bool gain = g->measure.relation == RELATION_GAIN;
    if (!g->axis)
        return tree_fail(t, n, "grid %s has no axis: a panel draws lines over one", g->id);
    if (panel->count && !same_axis(panel->grids[0]->axis, g->axis))
        return tree_fail(t, n, "grids %s and %s have different axes: a panel has one", panel->grids[0]->id, g->id);
    if (p->rows++ && gain != p->percent)
        return tree_fail(t, n, "grid %s has another unit than those before it: a figure has one", g->id);
    p->percent = gain;
    panel->grids[panel->count++] = g;
    return 0;
}

/* Within the first line's axis: a figure has one. */
static int load_point(const struct tree *t, const yaml_node_t *map, const struct axis *a, struct plot_panel *panel)
{
    const unsigned line = panel->count, i = panel->points[line];
    struct plot_point *p = &panel->published[line][panel->points[line]++];
    const char *at = tree_key(t, map, i);
    if (!study_axis_number(at, &p->number) || p->number < a->values[0].number ||
        p->number > a->values[a->value_count - 1].number || (i && p->number <= p[-1].number))
        return tree_fail(t, map, "points ascend from %s to %s, as the axis; not '%.40s'", a->values[0].label,
                         a->values[a->value_count - 1].label, at);
    return tree_real(t, tree_value(t, map, i), "a published point", &p->value);
}

static int add_published(const struct tree *t, const yaml_node_t *map, struct plot_panel *panel)
{
    if (!panel->count)
        return tree_fail(t, map, "the first line of a panel is a grid: points lie on its axis");
    if (tree_check(t, map, "points", NULL) || !tree_count(map) || tree_count(map) > PLOT_PUBLISHED)
        return tree_fail(t, map, "a line takes a grid, or 1 to %d published points", PLOT_PUBLISHED);
    panel->published[panel->count] = must_have(tree_count(map), sizeof **panel->published);
    while (panel->points[panel->count] < tree_count(map))
        if (load_point(t, map, panel->grids[0]->axis, panel))
            return -1;
    panel->count++;
    return 0;
}

static int load_line(const struct tree *t, const yaml_node_t *n, const struct study *s, struct plot *p,
                     struct plot_panel *panel)
{
    const char *id = NULL;
    if (n->type == YAML_MAPPING_NODE)
        return add_published(t, n, panel);
    if (tree_text(t, n, &id))
        return -1;
    const struct grid *g = study_grid(s, id);
    if (!g)
        return tree_fail(t, n, "there is no grid '%.60s'%s", id, study_near_grid(s, id).text);
    return add_line(t, n, g, p, panel);
}

static int load_panel(const struct tree *t, const yaml_node_t *n, const struct study *s, struct plot *p)
{
    struct plot_panel *panel = &p->panels[p->panel_count++];
    if (tree_check(t, n, "a panel", NULL) || !tree_count(n) || tree_count(n) > PLOT_SERIES)
        return tree_fail(t, n, "a panel takes names of 1 to %d lines, and grids", PLOT_SERIES);
    for (unsigned i = 0; i < tree_count(n); i++) {
        panel->names[i] = tree_key(t, n, i);
        if (load_line(t, tree_value(t, n, i), s, p, panel))
            return -1;
    }
    return 0;
}

static int load_panels(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    yaml_node_t *list;
    if (tree_check(t, map, "a plot with panels", "id title axis panels") ||
        tree_need_list(t, map, "panels", PLOT_PANELS, &list))
        return -1;
    p->panels = must_have(tree_count(list), sizeof *p->panels);
    while (p->panel_count < tree_count(list))
        if (load_panel(t, tree_item(t, list, p->panel_count), s, p))
            return -1;
    return 0;
}

/* --- Bars. */

/* Columns of a grid, `paper` says which rows speak of them; or rows. */
static int load_source(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    const yaml_node_t *series = tree_get(t, map, "series"), *paper = tree_get(t, map, "paper");
    const char *id = NULL;
    if (tree_get_text(t, map, "grid", &id))
        return -1;
    if (!series == !id || (paper && !id))
        return tree_fail(t, map, "a plot has series of rows, or a grid and perhaps paper");
    if (!id)
        return load_all_series(t, series, s, p);
    p->grid = study_grid(s, id);
    if (!p->grid)
        return tree_fail(t, map, "there is no grid '%.60s'%s", id, study_near_grid(s, id).text);
    if (p->grid->column_count > PLOT_SERIES)
        return tree_fail(t, map, "grid %s has more than %d columns", id, PLOT_SERIES);
    p->percent = p->grid->measure.relation == RELATION_GAIN;
    p->rows = p->percent; /* a level without rows is in no unit that was said */
    return paper ? load_all_series(t, paper, s, p) || check_columns(t, paper, p->grid, p) : 0;
}

static int load_means(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    unsigned each = 1;
    if (tree_get_choice(t, map, "each", "no yes", &each) ||
        lists_load_named(t, tree_get(t, map, "means"), "means", &p->means, &p->mean_count))
        return -1;
    p->each = each;
    for (unsigned i = 0; i < p->mean_count; i++) {
        if (!p->means[i].count || p->means[i].count > MEASURE_LISTS)
            return tree_fail(t, map, "means: %s takes 1..%d lists", p->means[i].name, MEASURE_LISTS);
        for (unsigned k = 0; k < p->means[i].count; k++)
            if (!lists_find(s->lists, s->list_count, p->means[i].items[k]))
                return tree_fail(t, map, "means: there is no list '%.60s'", p->means[i].items[k]);
    }
    return 0;
}

static int load_axis(const struct tree *t, const yaml_node_t *map, struct plot *p)
{
    unsigned log = 0;
    if (tree_get_choice(t, map, "log", "no yes", &log) || tree_get_real(t, map, "cut", &p->cut))
        return -1;
    p->log = log;
    return p->cut >= 0 ? 0 : tree_fail(t, map, "cut is above 0");
}

/* Ids are names of files: one has one figure. */
static int check_id(const struct tree *t, const yaml_node_t *map, const struct study *s, const struct plot *p)
{
    const struct grid *g = study_grid(s, p->id);
    if (strspn(p->id, "abcdefghijklmnopqrstuvwxyz0123456789.-") != strlen(p->id))
        return tree_fail(t, map, "id '%.60s': lower case letters, digits, - and . only", p->id);
    for (const struct plot *other = s->plots; other < p; other++)
        if (!strcmp(other->id, p->id))
            return tree_fail(t, map, "id '%s' is given twice", p->id);
    return !g || g == p->grid ? 0 : tree_fail(t, map, "id '%s' is that of another grid", p->id);
}

static int load_content(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    if (tree_get(t, map, "panels"))
        return load_panels(t, map, s, p);
    return load_means(t, map, s, p) || load_source(t, map, s, p) || load_axis(t, map, p) ? -1 : 0;
}

static int load_plot(const struct tree *t, const yaml_node_t *map, const struct study *s, struct plot *p)
{
    if (tree_check(t, map, "a plot", "id title axis grid paper series panels means each log cut") ||
        tree_need_text(t, map, "id", &p->id) || tree_need_text(t, map, "title", &p->title) ||
        tree_need_text(t, map, "axis", &p->axis) || load_content(t, map, s, p))
        return -1;
    return check_id(t, map, s, p);
}

int study_plots_load(const struct tree *t, struct study *s)
{
    const yaml_node_t *list = tree_get(t, tree_root(t), "plots");
    if (!list)
        return 0;
    if (list->type != YAML_SEQUENCE_NODE)
        return tree_fail(t, list, "plots takes a list");
    s->plots = must_have(tree_count(list), sizeof *s->plots);
    while (s->plot_count < tree_count(list))
        if (s->plot_count++, load_plot(t, tree_item(t, list, s->plot_count - 1), s, &s->plots[s->plot_count - 1]))
            return -1;
    return 0;
}

void study_plots_free(struct study *s)
{
    for (unsigned i = 0; i < s->plot_count; i++) {
        struct plot *p = &s->plots[i];
        for (unsigned k = 0; k < p->series_count; k++)
            lists_free(p->series[k].groups, p->series[k].group_count);
        free(p->series);
        for (unsigned k = 0; k < p->panel_count; k++)
            for (unsigned l = 0; l < PLOT_SERIES; l++)
                free(p->panels[k].published[l]);
        free(p->panels);
        lists_free(p->means, p->mean_count);
    }
    free(s->plots);
}
