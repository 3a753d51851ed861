#include "against.h"

#include <string.h>

#include "base/memory.h"
#include "levels.h"
#include "where.h"

enum { CONDITIONS = 4 };

static const char option[] = "--against";

struct conditions {
    struct where *at;
    unsigned count;
};

static int add_condition(struct conditions *all, const struct points *p, const char *path, const char *text,
                         struct column_list *columns, struct mh_error *err)
{
    struct where *w = &all->at[all->count];
    if (all->count == CONDITIONS)
        return mh_fail(err, "%.200s: %s: more than %d columns", path, option, CONDITIONS);
    if (where_read(w, p, path, option, text, err))
        return -1;
    if (w->sign != WHERE_IS || w->count != 1)
        return mh_fail(err, "%.200s: %s %.100s: one value with =, such as image=baseline", path, option, text);
    if (p->columns[w->column].kind != POINTS_AXIS)
        return mh_fail(err, "%.200s: %s: '%.60s' was not varied: take an axis", path, option,
                       p->columns[w->column].name);
    if (column_list_has(columns, w->column))
        return mh_fail(err, "%.200s: %s: column '%.60s' is named twice", path, option, p->columns[w->column].name);
    columns->at[columns->count++] = w->column;
    all->count++;
    return 0;
}

/* A comma separates conditions where a = comes behind it. */
static int read_conditions(struct conditions *all, const struct points *p, const char *path, const char *text,
                           struct column_list *columns, struct mh_error *err)
{
    char part[WHERE_TEXT];
    while (*text) {
        size_t n = strcspn(text, ",");
        while (text[n] && text[n + 1 + strcspn(text + n + 1, ",=")] != '=')
            n += 1 + strcspn(text + n + 1, ",");
        snprintf(part, sizeof part, "%.*s", (int)n, text);
        if (add_condition(all, p, path, part + strspn(part, " "), columns, err))
            return -1;
        text += n + (text[n] == ',');
    }
    return all->count ? 0 : mh_fail(err, "%.200s: %s: write COLUMN=VALUE, such as image=baseline", path, option);
}

static bool is_base(const struct conditions *all, const struct points *p, unsigned row)
{
    for (unsigned i = 0; i < all->count; i++)
        if (!where_holds(&all->at[i], p, row))
            return false;
    return true;
}

/* Of each level of the other axes its base; -1 and `err`: there are two. */
static int find_bases(const struct conditions *all, const struct points *p, const char *path, const struct levels *l,
                      int *bases, struct mh_error *err)
{
    for (unsigned i = 0; i < l->count; i++)
        bases[i] = -1;
    for (unsigned r = 0; r < p->rows; r++) {
        if (!is_base(all, p, r))
            continue;
        int *base = &bases[l->of[r]];
        if (*base >= 0)
            return mh_fail(err, "%.200s: %s: points %d and %u of the file have the same axes: which is the base?", path,
                           option, *base + 1, r + 1);
        *base = (int)r;
    }
    return 0;
}

static int *pair_rows(const struct conditions *all, const struct points *p, const char *path,
                      const struct column_list *columns, struct mh_error *err)
{
    struct column_list others = {.count = 0};
    struct levels l;
    for (unsigned c = 0; c < p->column_count; c++)
        if (p->columns[c].kind == POINTS_AXIS && !column_list_has(columns, c))
            others.at[others.count++] = c;
    levels_of(&l, p, &others, NULL);
    int *bases = must_have(l.count, sizeof *bases), *of = must_have(p->rows, sizeof *of);
    int status = find_bases(all, p, path, &l, bases, err);
    for (unsigned r = 0; r < p->rows; r++)
        of[r] = bases[l.of[r]];
    free(bases);
    levels_free(&l);
    if (!status)
        return of;
    free(of);
    return NULL;
}

int *against_find(const struct points *p, const char *path, const char *text, struct column_list *columns,
                  struct mh_error *err)
{
    struct conditions all = {.at = must_have(CONDITIONS, sizeof *all.at)};
    int *of = read_conditions(&all, p, path, text, columns, err) ? NULL : pair_rows(&all, p, path, columns, err);
    free(all.at);
    return of;
}
