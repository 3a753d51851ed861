#define _GNU_SOURCE /* qsort_r, strverscmp */

#include "levels.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/** What a row has up to a column: the level of those before, and the cell. */
struct key {
    uint64_t cell;
    int before;
    bool text;
};

/** Levels of keys: open addressing, half empty at least. */
struct index {
    struct key *keys;
    int *levels; /* + 1; 0: free */
    uint64_t mask;
};

static void index_open(struct index *x, unsigned keys)
{
    x->mask = 15;
    while (x->mask < 2 * (uint64_t)keys)
        x->mask = 2 * x->mask + 1;
    x->keys = must_have(x->mask + 1, sizeof *x->keys);
    x->levels = must_have(x->mask + 1, sizeof *x->levels);
}

static void index_close(struct index *x)
{
    free(x->keys);
    free(x->levels);
}

/* Texts that are equal have one address (points.h). */
static struct key key_of(const struct points_value *v, int before)
{
    struct key k = {.before = before, .text = v->text != NULL};
    const double number = isnan(v->number) ? (double)NAN : v->number + 0.0; /* one NaN, one zero */
    if (v->text)
        k.cell = (uint64_t)(uintptr_t)v->text;
    else
        memcpy(&k.cell, &number, sizeof number);
    return k;
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->cell == b->cell && a->before == b->before && a->text == b->text;
}

/* The place of the key, or where it goes. */
static uint64_t place_of(const struct index *x, const struct key *k)
{
    uint64_t h = (k->cell ^ (uint64_t)(unsigned)k->before << 32 ^ (uint64_t)k->text) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    for (h ^= h >> 32; x->levels[h & x->mask] && !same_key(&x->keys[h & x->mask], k); h++)
        ;
    return h & x->mask;
}

/* Splits the levels by one more column. */
static void refine(struct levels *l, const struct points *p, unsigned column)
{
    struct index x;
    index_open(&x, p->rows);
    l->count = 0;
    for (unsigned r = 0; r < p->rows; r++) {
        if (l->of[r] == LEVEL_NONE)
            continue;
        const struct key k = key_of(points_at(p, r, column), l->of[r]);
        const uint64_t at = place_of(&x, &k);
        if (!x.levels[at]) {
            x.keys[at] = k;
            x.levels[at] = (int)l->count + 1;
            l->sample[l->count++] = r;
        }
        l->of[r] = x.levels[at] - 1;
    }
    index_close(&x);
}

void levels_of(struct levels *l, const struct points *p, const struct column_list *columns, const bool *chosen)
{
    *l = (struct levels){.of = must_have(p->rows, sizeof *l->of), .sample = must_have(p->rows, sizeof *l->sample)};
    for (unsigned r = 0; r < p->rows; r++) {
        l->of[r] = !chosen || chosen[r] ? 0 : LEVEL_NONE;
        if (!l->of[r] && !l->count++)
            l->sample[0] = r;
    }
    l->count = l->count > 0;
    for (unsigned i = 0; i < columns->count; i++)
        refine(l, p, columns->at[i]);
}

void levels_free(struct levels *l)
{
    free(l->of);
    free(l->sample);
    *l = (struct levels){0};
}

/* --- Order. */

static int rank(const struct points_value *v)
{
    return v->text ? 2 : !isnan(v->number);
}

int levels_compare(const struct points_value *a, const struct points_value *b)
{
    if (rank(a) != rank(b))
        return rank(a) - rank(b);
    if (a->text)
        return strverscmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

struct order {
    const struct points *p;
    const struct column_list *columns;
};

static int compare_rows(const void *a, const void *b, void *ctx)
{
    const struct order *o = ctx;
    const unsigned r = *(const unsigned *)a, s = *(const unsigned *)b;
    for (unsigned i = 0; i < o->columns->count; i++) {
        const unsigned c = o->columns->at[i];
        int by = levels_compare(points_at(o->p, r, c), points_at(o->p, s, c));
        if (by)
            return by;
    }
    return (r > s) - (r < s);
}

void levels_sort(struct levels *l, const struct points *p, const struct column_list *columns)
{
    struct order o = {p, columns};
    int *now = must_have(l->count, sizeof *now);
    qsort_r(l->sample, l->count, sizeof *l->sample, compare_rows, &o);
    for (unsigned i = 0; i < l->count; i++)
        now[l->of[l->sample[i]]] = (int)i;
    for (unsigned r = 0; r < p->rows; r++)
        if (l->of[r] != LEVEL_NONE)
            l->of[r] = now[l->of[r]];
    free(now);
}
