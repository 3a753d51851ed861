#include "study.h"

#include <stdlib.h>
#include <string.h>

#include "study_lists.h"

struct row *study_row(const struct study *s, const char *id)
{
    for (unsigned i = 0; i < s->row_count; i++)
        if (!strcmp(s->rows[i].id, id))
            return &s->rows[i];
    return NULL;
}

static bool holds(const struct list *l, const char *item)
{
    for (unsigned i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], item))
            return true;
    return false;
}

void study_quick(struct study *s)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->row_count; i++) {
        if (!holds(&s->quick_rows, s->rows[i].id)) {
            expr_free(s->rows[i].measure.expr);
            continue;
        }
        s->rows[kept] = s->rows[i];
        s->rows[kept].plain.cycles = s->rows[kept].measure.cycles = s->quick_cycles;
        kept++;
    }
    s->row_count = kept;
    for (unsigned i = 0; i < s->grid_count; i++)
        s->grids[i].measure.cycles = s->quick_cycles;
    s->cycles = s->quick_cycles;
    s->quick = true;
}

static void scale(struct measure *m, uint64_t from, uint64_t to)
{
    m->cycles = (uint64_t)((double)m->cycles * (double)to / (double)from + 0.5);
}

void study_cycles(struct study *s, uint64_t cycles)
{
    for (unsigned i = 0; i < s->row_count; i++) {
        scale(&s->rows[i].measure, s->cycles, cycles);
        scale(&s->rows[i].plain, s->cycles, cycles);
    }
    for (unsigned i = 0; i < s->grid_count; i++)
        scale(&s->grids[i].measure, s->cycles, cycles);
    s->cycles = cycles;
}

static const struct list *list_of(const struct study *s, const char *name)
{
    const struct list *quick = s->quick ? lists_find(s->quick_lists, s->quick_list_count, name) : NULL;
    return quick ? quick : lists_find(s->lists, s->list_count, name);
}

struct gathering {
    const struct study *study;
    struct workload *workloads;
    unsigned count, room;
    struct mh_error *err;
};

/* "BFS2+CFD" with each kernel in our words. */
static int spell(const struct study *s, const char *words, char *text, size_t size, struct mh_error *err)
{
    size_t used = 0;
    for (const char *w = words; *w; w += strcspn(w, "+"), w += *w == '+') {
        char name[256];
        int n = snprintf(name, sizeof name, "%.*s", (int)strcspn(w, "+"), w);
        const struct list *kernel = lists_find(s->kernels, s->kernel_count, name);
        if (n < (int)sizeof name)
            n = snprintf(text + used, size - used, "%s%s", used ? "+" : "", kernel ? kernel->items[0] : name);
        if (n >= (int)(size - used))
            return mh_fail(err, "workload '%.80s..' is too long", words);
        used += (size_t)n;
    }
    return 0;
}

static int add(struct gathering *g, const char *words)
{
    char text[1024];
    if (spell(g->study, words, text, sizeof text, g->err))
        return -1;
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 16;
        struct workload *grown = realloc(g->workloads, g->room * sizeof *grown);
        if (!grown)
            return mh_fail(g->err, "out of memory");
        g->workloads = grown;
    }
    struct workload *w = &g->workloads[g->count++];
    w->name = strdup(words);
    w->spec = strdup(text);
    return w->name && w->spec ? 0 : mh_fail(g->err, "out of memory");
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
    struct gathering g = {.study = s, .err = err};
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
