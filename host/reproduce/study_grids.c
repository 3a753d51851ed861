#include "study_grids.h"

#include <stdlib.h>

#include "study_axis.h"
#include "study_measure.h"

static int load_columns(const struct tree *t, const yaml_node_t *map, struct grid *g)
{
    const yaml_node_t *columns = tree_get(t, map, "columns");
    if (!columns || tree_check(t, columns, "columns", NULL) || !tree_count(columns))
        return tree_fail(t, map, "columns takes a mapping of names to runs");
    g->columns = calloc(tree_count(columns), sizeof *g->columns);
    if (!g->columns)
        return tree_no_memory(t);
    for (; g->column_count < tree_count(columns); g->column_count++) {
        struct variant *v = &g->columns[g->column_count];
        v->name = tree_key(t, columns, g->column_count);
        if (study_variant_load(t, tree_value(t, columns, g->column_count), v))
            return -1;
    }
    return 0;
}

/* Runs of their own, or one at several values. */
static int load_runs(const struct tree *t, const yaml_node_t *map, const struct study *s, struct grid *g)
{
    const yaml_node_t *run = tree_get(t, map, "run"), *axis = tree_get(t, map, "axis");
    struct variant v = {.name = NULL};
    if (!run && !axis)
        return load_columns(t, map, g);
    if (tree_get(t, map, "columns"))
        return tree_fail(t, axis ? axis : run, "a grid has columns, or run and axis: leave one of them out");
    if (!run || !axis)
        return tree_fail(t, map, "run and axis go together: %s is missing", run ? "axis" : "run");
    return study_variant_load(t, run, &v) || study_axis_load(t, axis, s, &v, g) ? -1 : 0;
}

static int load_grid_over(const struct tree *t, const yaml_node_t *map, struct grid *g)
{
    unsigned over = g->measure.relation == RELATION_GAIN ? OVER_GEOMEAN : OVER_MEAN;
    if (tree_get_choice(t, map, "over", "geomean mean", &over))
        return -1;
    g->over = (enum aggregate)over;
    return 0;
}

static int load_grid(const struct tree *t, const yaml_node_t *map, const struct study *s, struct grid *g)
{
    unsigned use = GRID_PLOT;
    uint64_t digits = 3;
    if (tree_check(t, map, "a grid", "id title use columns run axis digits over " STUDY_MEASURE_KEYS) ||
        tree_get_text(t, map, "id", &g->id) || tree_get_text(t, map, "title", &g->title) ||
        tree_get_choice(t, map, "use", "plot table latency traces", &use) ||
        tree_get_range(t, map, "digits", (const uint64_t[]){0, 6}, &digits) ||
        study_measure_load(t, map, s, false, &g->measure) || load_runs(t, map, s, g) || load_grid_over(t, map, g) ||
        tree_check_name(t, map, g->id))
        return -1;
    if (g->measure.alone_both)
        return tree_fail(t, map, "alone: both is for rows; a grid has same or whole");
    g->use = (enum grid_use)use;
    g->digits = (unsigned)digits;
    return g->id && g->title ? 0 : tree_fail(t, map, "a grid needs id and title");
}

int study_grids_load(const struct tree *t, struct study *s)
{
    const yaml_node_t *list = tree_get(t, tree_root(t), "grids");
    if (!list)
        return 0;
    s->grids = calloc(tree_count(list) + 1, sizeof *s->grids);
    if (!s->grids)
        return tree_no_memory(t);
    for (; s->grid_count < tree_count(list); s->grid_count++)
        if (load_grid(t, tree_item(t, list, s->grid_count), s, &s->grids[s->grid_count])) {
            s->grid_count++;
            return -1;
        }
    return 0;
}

void study_grids_free(struct study *s)
{
    for (unsigned i = 0; i < s->grid_count; i++) {
        expr_free(s->grids[i].measure.expr);
        study_axis_free(&s->grids[i]);
        free(s->grids[i].columns);
    }
    free(s->grids);
}
