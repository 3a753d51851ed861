#include "loops.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = UINT32_MAX };

static uint32_t meet(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (a != b)
        if (a > b)
            a = dominator[a];
        else
            b = dominator[b];
    return a;
}

/* One pass over all edges; false when nothing changed any more. Cooper, Harvey, Kennedy: A Simple, Fast Dominance
 * Algorithm. */
static bool refine(uint32_t *dominator, const struct loop_graph *g)
{
    bool changed = false;

    for (uint32_t from = 0; from < g->blocks; from++)
        for (uint32_t e = g->first[from]; e < g->first[from + 1] && dominator[from] != UNKNOWN; e++) {
            uint32_t to = g->edge[e], new;

            if (!to)
                continue;
            new = dominator[to] == UNKNOWN ? from : meet(dominator, from, dominator[to]);
            changed |= new != dominator[to];
            dominator[to] = new;
        }
    return changed;
}

static bool dominates(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (b > a)
        b = dominator[b];
    return b == a;
}

/* Adds the blocks from which `latch` can be reached without the header. */
static void collect(struct loop *l, const struct loop_graph *g, uint32_t latch)
{
    bool changed = !l->has[latch];

    l->has[latch] = true;
    while (changed) {
        changed = false;
        for (uint32_t b = g->blocks; b-- > 0;)
            for (uint32_t e = g->first[b]; e < g->first[b + 1] && !l->has[b] && b != l->header; e++)
                if (g->edge[e] != l->header && l->has[g->edge[e]])
                    changed = l->has[b] = true;
    }
}

/* The loop of a header that has a way back to it; -1: out of memory. */
static int find_one(struct loops *l, const struct loop_graph *g, const uint32_t *dominator, uint32_t header)
{
    struct loop *new = &l->loop[l->count];

    for (uint32_t b = header; b < g->blocks; b++)
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            if (g->edge[e] != header || !dominates(dominator, header, b))
                continue;
            if (!new->has) {
                new->has = calloc(g->blocks, sizeof *new->has);
                if (!new->has)
                    return -1;
                new->header = header;
                new->has[header] = true;
            }
            collect(new, g, b);
        }
    l->count += new->has != NULL;
    return 0;
}

/* In reverse post-order a header comes before those of the loops in it. */
static void nest(struct loops *l, const struct loop_graph *g)
{
    for (uint32_t b = 0; b < g->blocks; b++)
        l->innermost[b] = LOOP_NONE;
    for (int i = 0; i < l->count; i++) {
        struct loop *x = &l->loop[i];

        x->parent = l->innermost[x->header];
        x->depth = x->parent == LOOP_NONE ? 1 : l->loop[x->parent].depth + 1;
        for (uint32_t b = 0; b < g->blocks; b++)
            if (x->has[b])
                l->innermost[b] = i;
    }
}

bool loops_find(struct loops *l, const struct loop_graph *g)
{
    uint32_t *dominator = malloc(g->blocks * sizeof *dominator);
    bool good;

    l->count = 0;
    l->loop = calloc(g->blocks, sizeof *l->loop);
    l->innermost = malloc(g->blocks * sizeof *l->innermost);
    good = dominator && l->loop && l->innermost;
    if (good) {
        memset(dominator, 0xff, g->blocks * sizeof *dominator);
        dominator[0] = 0;
        while (refine(dominator, g))
            continue;
        for (uint32_t b = 0; b < g->blocks && good; b++)
            good = find_one(l, g, dominator, b) == 0;
        if (good)
            nest(l, g);
    }
    free(dominator);
    return good;
}

void loops_free(struct loops *l)
{
    for (int i = 0; i < l->count; i++)
        free(l->loop[i].has);
    free(l->loop);
    free(l->innermost);
    *l = (struct loops){0};
}
