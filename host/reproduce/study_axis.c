#include "study_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/setup.h"
#include "study.h"
#include "base/memory.h"

/* --- Values. */

bool study_axis_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '/') {
        const char *below = end + 1;
        *number /= strtod(below, &end);
        end = end == below ? (char *)(uintptr_t)text : end;
    }
    return end != text && !*end && isfinite(*number) && *number >= 0;
}

static int load_value(const struct tree *t, const yaml_node_t *values, const char *label, struct axis *a)
{
    struct axis_value *v = &a->values[a->value_count];
    v->label = label;
    if (!label || !study_axis_number(label, &v->number) || (a->value_count && v->number <= v[-1].number))
        return tree_fail(t, values, "values are ascending numbers, such as 1 or 1/4; not '%.40s'",
                         label ? label : "a list");
    if (a->key)
        a->assignments[a->value_count] = must_print("%s=%s", a->key, label);
    a->value_count++;
    return 0;
}

static int load_values(const struct tree *t, const yaml_node_t *map, struct axis *a)
{
    const yaml_node_t *values = tree_get(t, map, "values");
    const unsigned count = values ? tree_count(values) : 0;
    if (!count || count > AXIS_VALUES)
        return tree_fail(t, values ? values : map, "values takes 1 to %d numbers, or a mapping of such", AXIS_VALUES);
    bool more = values->type == YAML_MAPPING_NODE;
    if (more && tree_check(t, values, "values", NULL))
        return -1;
    for (unsigned i = 0; i < count; i++) {
        const char *label = NULL;
        if (more)
            label = tree_key(t, values, i);
        else if (tree_text(t, tree_item(t, values, i), &label))
            return -1;
        if (load_value(t, values, label, a))
            return -1;
    }
    return 0;
}

static int load_marks(const struct tree *t, const yaml_node_t *map, struct axis *a)
{
    const yaml_node_t *marks = tree_get(t, map, "marks");
    if (!marks)
        return 0;
    if (tree_check(t, marks, "marks", NULL) || tree_count(marks) > AXIS_MARKS)
        return tree_fail(t, marks, "marks takes up to %d numbers and names", AXIS_MARKS);
    for (unsigned i = 0; i < tree_count(marks); i++) {
        struct axis_mark *m = &a->marks[a->mark_count++];
        const char *text = tree_key(t, marks, i);
        if (!study_axis_number(text, &m->number) || m->number < a->values[0].number ||
            m->number > a->values[a->value_count - 1].number)
            return tree_fail(t, marks, "marks are at numbers from %s to %s; not '%.40s'", a->values[0].label,
                             a->values[a->value_count - 1].label, text);
        if (tree_text(t, tree_value(t, marks, i), &m->label))
            return -1;
    }
    return 0;
}

static int load_sizes(const struct tree *t, const yaml_node_t *map, struct axis *a)
{
    const yaml_node_t *sizes = tree_get(t, map, "sizes");
    if (lists_load_named(t, sizes, "sizes", &a->sizes, &a->size_count))
        return -1;
    for (unsigned i = 0; i < a->size_count; i++)
        if (a->sizes[i].count != a->value_count)
            return tree_fail(t, sizes, "sizes of %.60s: %u for %u values", a->sizes[i].name, a->sizes[i].count,
                             a->value_count);
    return 0;
}

static int load_axis(const struct tree *t, const yaml_node_t *map, struct axis *a)
{
    if (tree_check(t, map, "an axis", "key name values sizes marks") || tree_get_text(t, map, "key", &a->key))
        return -1;
    a->name = a->key;
    if (tree_get_text(t, map, "name", &a->name) || load_values(t, map, a) || load_marks(t, map, a) ||
        load_sizes(t, map, a))
        return -1;
    if (!a->key && !a->size_count)
        return tree_fail(t, map, "nothing changes on this axis: key, or sizes of kernels, is missing");
    return a->name ? 0 : tree_fail(t, map, "an axis without a key needs a name");
}

/* --- Columns. */

/* Each has the value, then what it assigns besides. */
static int fill_columns(const struct tree *t, const yaml_node_t *map, const struct variant *run, struct grid *g)
{
    const yaml_node_t *values = tree_get(t, map, "values");
    for (; g->column_count < g->axis->value_count; g->column_count++) {
        const unsigned c = g->column_count;
        struct measure *m = &g->measures[c];
        *m = g->measure;
        m->axis = g->axis;
        m->at = c;
        g->columns[c] = *run;
        g->columns[c].name = g->axis->values[c].label;
        if (g->axis->key && m->common.set_count == VARIANT_SETS)
            return tree_fail(t, map, "an axis is an assignment more than the %d of study and grid", VARIANT_SETS);
        if (g->axis->key)
            m->common.sets[m->common.set_count++] = g->axis->assignments[c];
        if (values->type == YAML_MAPPING_NODE && study_sets_add(t, tree_value(t, values, c), &m->common))
            return -1;
    }
    return 0;
}

/* --- Checks: what a run would say in hours is said at once. */

static bool contains(const char *workload, const char *kernel)
{
    const size_t n = strlen(kernel);
    for (const char *w = workload; *w; w += strcspn(w, "+"), w += *w == '+')
        if (strcspn(w, "+") == n && !strncmp(w, kernel, n))
            return true;
    return false;
}

static int check_sizes(const struct tree *t, const yaml_node_t *map, const struct axis *a,
                       const struct workload *workloads, unsigned count)
{
    for (unsigned i = 0; i < a->size_count; i++) {
        unsigned w = 0;
        while (w < count && !contains(workloads[w].name, a->sizes[i].name))
            w++;
        if (w == count)
            return tree_fail(t, tree_get(t, map, "sizes"), "sizes: no workload of the grid has kernel %.60s",
                             a->sizes[i].name);
    }
    return 0;
}

static void add_sets(struct options *o, const struct variant *v)
{
    o->preset = v->preset ? v->preset : o->preset;
    o->design = v->design ? v->design : o->design;
    for (unsigned i = 0; i < v->set_count; i++)
        o->sets[o->set_count++] = v->sets[i];
}

static int check_workload(const struct grid *g, unsigned column, const char *workload, struct mh_error *err)
{
    struct options o;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    options_init(&o);
    o.workload = workload;
    add_sets(&o, &g->measures[column].common);
    add_sets(&o, &g->columns[column]);
    int status = setup_words(&o, cfg, err);
    free(cfg);
    return status;
}

static int check_column(const struct tree *t, const yaml_node_t *map, const struct study *s, const struct grid *g,
                        unsigned column)
{
    struct mh_error why;
    unsigned count;
    struct workload *w = study_workloads(s, &g->measures[column], &count, t->err);
    int status = w ? check_sizes(t, map, g->axis, w, count) : -1;
    for (unsigned i = 0; i < count && !status; i += g->axis->size_count ? 1 : count) /* the key is of all alike */
        if (check_workload(g, column, w[i].spec, &why))
            status = tree_fail(t, tree_get(t, map, "values"), "value %s: %.700s", g->columns[column].name, why.text);
    study_free_workloads(w, w ? count : 0);
    return status;
}

int study_axis_load(const struct tree *t, const yaml_node_t *map, const struct study *s, const struct variant *run,
                    struct grid *g)
{
    g->axis = must_have(1, sizeof *g->axis);
    if (load_axis(t, map, g->axis))
        return -1;
    g->columns = must_have(g->axis->value_count, sizeof *g->columns);
    g->measures = must_have(g->axis->value_count, sizeof *g->measures);
    if (fill_columns(t, map, run, g))
        return -1;
    for (unsigned c = 0; c < g->column_count; c++)
        if (check_column(t, map, s, g, c))
            return -1;
    return 0;
}

static void study_axis_free(struct grid *g)
{
    if (!g->axis)
        return;
    for (unsigned i = 0; i < g->axis->value_count; i++)
        free(g->axis->assignments[i]);
    lists_free(g->axis->sizes, g->axis->size_count);
    free(g->axis);
}

static int load_columns(const struct tree *t, const yaml_node_t *map, struct grid *g)
{
    const yaml_node_t *columns = tree_get(t, map, "columns");
    if (!columns || tree_check(t, columns, "columns", NULL) || !tree_count(columns))
        return tree_fail(t, map, "columns takes a mapping of names to runs");
    g->columns = must_have(tree_count(columns), sizeof *g->columns);
    for (; g->column_count < tree_count(columns); g->column_count++) {
        struct variant *v = &g->columns[g->column_count];
        v->name = tree_key(t, columns, g->column_count);
        if (study_variant_load(t, tree_value(t, columns, g->column_count), v))
            return -1;
    }
    return 0;
}

/* One run, of which each column shows another metric. */
static int load_metrics(const struct tree *t, const yaml_node_t *metrics, const struct variant *run, struct grid *g)
{
    struct mh_error why;
    if (tree_check(t, metrics, "metrics", NULL) || !tree_count(metrics))
        return tree_fail(t, metrics, "metrics takes a mapping of names to metrics");
    g->columns = must_have(tree_count(metrics), sizeof *g->columns);
    g->measures = must_have(tree_count(metrics), sizeof *g->measures);
    for (; g->column_count < tree_count(metrics); g->column_count++) {
        struct measure *m = &g->measures[g->column_count];
        *m = g->measure;
        g->columns[g->column_count] = *run;
        g->columns[g->column_count].name = tree_key(t, metrics, g->column_count);
        if (tree_text(t, tree_value(t, metrics, g->column_count), &m->metric))
            return -1;
        m->expr = expr_parse(m->metric, &why);
        if (!m->expr)
            return tree_fail(t, tree_value(t, metrics, g->column_count), "%s", why.text);
    }
    return 0;
}

/* Runs of their own, one at several values, or one with several metrics. */
static int load_runs(const struct tree *t, const yaml_node_t *map, const struct study *s, struct grid *g)
{
    const yaml_node_t *run = tree_get(t, map, "run"), *axis = tree_get(t, map, "axis");
    const yaml_node_t *metrics = tree_get(t, map, "metrics");
    struct variant v = {.name = NULL};
    if (!run && !axis && !metrics)
        return load_columns(t, map, g);
    if (tree_get(t, map, "columns"))
        return tree_fail(t,
                         axis      ? axis
                         : metrics ? metrics
                                   : run,
                         "a grid has columns, or run and axis, or run and metrics: leave one of them out");
    if (!run || !axis == !metrics)
        return tree_fail(t, map, "run goes with one of axis and metrics: %s",
                         run ? "it has none, or both" : "run is missing");
    if (study_variant_load(t, run, &v))
        return -1;
    return axis ? study_axis_load(t, axis, s, &v, g) : load_metrics(t, metrics, &v, g);
}

static int load_grid_over(const struct tree *t, const yaml_node_t *map, struct grid *g)
{
    unsigned over = g->measure.relation == RELATION_GAIN ? OVER_GEOMEAN : OVER_MEAN;
    if (tree_get_choice(t, map, "over", "geomean mean", &over))
        return -1;
    g->over = (enum aggregate)over;
    return 0;
}

/* Behind the columns. */
static int load_regret(const struct tree *t, const yaml_node_t *map, struct grid *g)
{
    const char *name = NULL;
    if (tree_get_text(t, map, "regret", &name) || !name)
        return name ? -1 : 0;
    for (unsigned c = 0; c < g->column_count && !g->regret; c++)
        g->regret = !strcmp(g->columns[c].name, name) ? c + 1 : 0;
    if (!g->regret)
        return tree_fail(t, map, "regret: there is no column '%.60s'", name);
    return g->measure.relation == RELATION_GAIN && g->column_count > 1
               ? 0
               : tree_fail(t, map, "regret is of a column of gains beside others: relation: gain, and against");
}

static int load_grid(const struct tree *t, const yaml_node_t *map, const struct study *s, struct grid *g)
{
    const yaml_node_t *metrics = tree_get(t, map, "metrics");
    unsigned use = GRID_PLOT;
    uint64_t digits = 3;
    if (metrics && metrics->type == YAML_MAPPING_NODE && tree_count(metrics) &&
        tree_text(t, tree_value(t, metrics, 0), &g->measure.metric))
        return -1;
    if (tree_check(t, map, "a grid", "id title use columns run axis metrics digits over regret " STUDY_MEASURE_KEYS) ||
        tree_get_text(t, map, "id", &g->id) || tree_get_text(t, map, "title", &g->title) ||
        tree_get_choice(t, map, "use", "plot table latency traces", &use) ||
        tree_get_range(t, map, "digits", (const uint64_t[]){0, 6}, &digits) ||
        study_measure_load(t, map, s, false, &g->measure) || load_runs(t, map, s, g) || load_grid_over(t, map, g) ||
        load_regret(t, map, g) || tree_check_name(t, map, g->id))
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
    s->grids = must_have(tree_count(list), sizeof *s->grids);
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
        struct grid *g = &s->grids[i];
        for (unsigned c = 0; g->measures && c < g->column_count; c++)
            if (g->measures[c].expr != g->measure.expr)
                expr_free(g->measures[c].expr);
        expr_free(g->measure.expr);
        study_axis_free(g);
        free(g->measures);
        free(g->columns);
    }
    free(s->grids);
}
