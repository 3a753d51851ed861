#include "study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

struct row *study_row(const struct study *s, const char *id)
{
    for (unsigned i = 0; i < s->row_count; i++)
        if (!strcmp(s->rows[i].id, id))
            return &s->rows[i];
    return NULL;
}

const struct grid *study_grid(const struct study *s, const char *id)
{
    for (unsigned i = 0; i < s->grid_count; i++)
        if (!strcmp(s->grids[i].id, id))
            return &s->grids[i];
    return NULL;
}

struct nearest study_near_row(const struct study *s, const char *id)
{
    struct nearest near = nearest_begin(id, "");
    for (unsigned i = 0; i < s->row_count; i++)
        nearest_try(&near, s->rows[i].id);
    return near;
}

struct nearest study_near_grid(const struct study *s, const char *id)
{
    struct nearest near = nearest_begin(id, "");
    for (unsigned i = 0; i < s->grid_count; i++)
        nearest_try(&near, s->grids[i].id);
    return near;
}

const struct measure *grid_measure(const struct grid *g, unsigned column)
{
    return g->measures ? &g->measures[column] : &g->measure;
}

static bool holds(const struct list *l, const char *item)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], item))
            return true;
    return false;
}

/* --- Other windows. */

typedef void change(struct measure *m, uint64_t from, uint64_t to);

static void put(struct measure *m, uint64_t from, uint64_t to)
{
    (void)from;
    m->cycles = to;
}

static void scale(struct measure *m, uint64_t from, uint64_t to)
{
    m->cycles = (uint64_t)((double)m->cycles * (double)to / (double)from + 0.5);
}

static void change_windows(struct study *s, change *how, uint64_t to)
{
    for (unsigned i = 0; i < s->row_count; i++) {
        how(&s->rows[i].measure, s->cycles, to);
        how(&s->rows[i].plain, s->cycles, to);
        how(&s->rows[i].other, s->cycles, to);
    }
    for (unsigned i = 0; i < s->grid_count; i++) {
        struct grid *g = &s->grids[i];
        how(&g->measure, s->cycles, to);
        for (unsigned c = 0; g->measures && c < g->column_count; c++)
            how(&g->measures[c], s->cycles, to);
    }
    s->cycles = to;
}

void study_quick(struct study *s)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->row_count; i++)
        if (holds(&s->quick_rows, s->rows[i].id))
            s->rows[kept++] = s->rows[i];
        else
            expr_free(s->rows[i].measure.expr);
    s->row_count = kept;
    for (unsigned i = 0; i < s->grid_count; i++)
        s->grids[i].left_out = s->quick_grids.count && !holds(&s->quick_grids, s->grids[i].id);
    if (s->quick_cycles)
        change_windows(s, put, s->quick_cycles);
    s->quick = true;
}

void study_cycles(struct study *s, uint64_t cycles)
{
    change_windows(s, scale, cycles);
}

static const struct list *list_of(const struct study *s, const char *name)
{
    const struct list *quick = s->quick ? lists_find(s->quick_lists, s->quick_list_count, name) : NULL;
    return quick ? quick : lists_find(s->lists, s->list_count, name);
}

struct gathering {
    const struct study *study;
    const struct measure *measure;
    struct workload *workloads;
    unsigned count, room;
    struct mh_error *err;
};

/* A kernel in our words, at the size that an axis gives it. */
static int spell_kernel(const struct gathering *g, const char *name, char *text, size_t size)
{
    const struct axis *axis = g->measure->axis;
    const struct list *own = lists_find(g->study->kernels, g->study->kernel_count, name);
    const struct list *sizes = axis ? lists_find(axis->sizes, axis->size_count, name) : NULL;
    const char *words = own ? own->items[0] : name;
    if (!sizes)
        return snprintf(text, size, "%s", words);
    return snprintf(text, size, "%.*s:%s", (int)strcspn(words, ":"), words, sizes->items[g->measure->at]);
}

/* "BFS2+CFD" with each kernel in our words. */
static int spell(const struct gathering *g, const char *words, char *text, size_t size)
{
    *text = 0;
    for (const char *w = words; *w; w += strcspn(w, "+"), w += *w == '+') {
        char name[256], kernel[320];
        if (snprintf(name, sizeof name, "%.*s", (int)strcspn(w, "+"), w) >= (int)sizeof name ||
            spell_kernel(g, name, kernel, sizeof kernel) >= (int)sizeof kernel ||
            !text_add(text, size, "+", "%s", kernel))
            return mh_fail(g->err, "workload '%.80s..' is too long", words);
    }
    return 0;
}

static int add(struct gathering *g, const char *words)
{
    char text[1024];
    if (spell(g, words, text, sizeof text))
        return -1;
    g->workloads = grow(g->workloads, g->count, &g->room, sizeof *g->workloads);
    g->workloads[g->count++] = (struct workload){must(strdup(words)), must(strdup(text))};
    return 0;
}

enum { NESTING = 4 };

static int gather(struct gathering *g, const char *name, unsigned depth)
{
    const struct list *l = list_of(g->study, name);
    if (!l)
        return add(g, name);
    if (depth == NESTING)
        return mh_fail(g->err, "list %s: lists in lists, more than %d levels", name, NESTING);
    for (unsigned i = 0; i < l->count; i++)
        if (gather(g, l->items[i], depth + 1))
            return -1;
    return 0;
}

struct workload *study_workloads(const struct study *s, const struct measure *m, unsigned *count, struct mh_error *err)
{
    struct gathering g = {.study = s, .measure = m, .err = err};
    *count = 0;
    for (unsigned i = 0; i < m->list_count; i++)
        if (gather(&g, m->lists[i], 0)) {
            study_free_workloads(g.workloads, g.count);
            return NULL;
        }
    *count = g.count;
    if (!g.count)
        (void)mh_fail(err, "no workload in the lists of this row");
    return g.workloads;
}

void study_free_workloads(struct workload *workloads, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        free(workloads[i].name);
        free(workloads[i].spec);
    }
    free(workloads);
}

static int add_list(const struct study *study, const char *list, struct words *out, struct mh_error *err)
{
    const struct measure m = {.lists = {list}, .list_count = 1};
    unsigned count = 0;
    struct workload *w = study_workloads(study, &m, &count, err);
    int status = w ? 0 : -1;
    for (unsigned i = 0; !status && i < count; i++)
        if (!words_have(out, w[i].spec))
            words_add(out, w[i].spec);
    study_free_workloads(w, count);
    return status;
}

static int unknown_list(const struct study *study, const char *list, struct mh_error *err)
{
    char names[512] = "";
    for (unsigned i = 0; i < study->list_count; i++)
        text_add(names, sizeof names, "", " %s", study->lists[i].name);
    return mh_fail(err, "workload @%s:%.60s: study %s has no such list; there are:%s", study->name, list, study->name,
                   names);
}

int study_named_list(const char *name, struct words *out, struct mh_error *err)
{
    struct study study;
    char paper[32];
    const char *list = strchr(name, ':') + 1;
    snprintf(paper, sizeof paper, "%.*s", (int)(list - 1 - name), name);
    if (!study_name(paper))
        return mh_fail(err, "workload @%.60s: no list of yours, and %.30s is no study; there are: %s", name, paper,
                       study_names());
    if (study_open(&study, paper, NULL, err))
        return -1;
    int status = lists_find(study.lists, study.list_count, list) ? add_list(&study, list, out, err)
                                                                 : unknown_list(&study, list, err);
    study_close(&study);
    return status;
}

int lists_load_items(const struct tree *t, const yaml_node_t *n, struct list *list)
{
    if (n->type == YAML_SCALAR_NODE) {
        list->items = must_have(1, sizeof *list->items);
        list->count = 1;
        return tree_text(t, n, &list->items[0]);
    }
    if (n->type != YAML_SEQUENCE_NODE)
        return tree_fail(t, n, "expected a list");
    list->items = must_have(tree_count(n), sizeof *list->items);
    for (; list->count < tree_count(n); list->count++)
        if (tree_text(t, tree_item(t, n, list->count), &list->items[list->count]))
            return -1;
    return 0;
}

int lists_load_named(const struct tree *t, const yaml_node_t *map, const char *what, struct list **lists,
                     unsigned *count)
{
    if (!map)
        return 0;
    if (tree_check(t, map, what, NULL))
        return -1;
    *lists = must_have(tree_count(map), sizeof **lists);
    for (unsigned i = 0; i < tree_count(map); i++) {
        struct list *l = &(*lists)[(*count)++];
        l->name = tree_key(t, map, i);
        if (lists_load_items(t, tree_value(t, map, i), l))
            return -1;
    }
    return 0;
}

const struct list *lists_find(const struct list *lists, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(lists[i].name, name))
            return &lists[i];
    return NULL;
}

void lists_free(struct list *lists, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(lists[i].items);
    free(lists);
}
