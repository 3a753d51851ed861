#define _GNU_SOURCE /* qsort_r, strverscmp, tdestroy */

#include "pivot.h"

#include <math.h>
#include <search.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "base/number.h"
#include "show.h"

enum { NAME = 512 };

bool column_list_has(const struct column_list *list, unsigned column)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->at[i] == column)
            return true;
    return false;
}

void column_list_add_kind(struct column_list *list, const struct points *p, enum points_kind kind)
{
    for (unsigned c = 0; c < p->column_count; c++)
        if (p->columns[c].kind == kind && !column_list_has(list, c))
            list->at[list->count++] = c;
}

static void name_kinds(const struct points *p, unsigned kinds, struct nearest *near, char *names, size_t size)
{
    *names = 0;
    for (unsigned c = 0; c < p->column_count; c++) {
        if (!(kinds >> p->columns[c].kind & 1))
            continue;
        nearest_try(near, p->columns[c].name);
        text_add(names, size, ", ", "%s", p->columns[c].name);
    }
}

static int add(struct column_list *list, const struct points *p, const char *path, const char *option, const char *name,
               unsigned kinds, struct mh_error *err)
{
    char names[550];
    struct nearest near = nearest_begin(name, "");
    struct mh_error none;
    const int c = points_column_named(p, name, &none);
    name_kinds(p, kinds, &near, names, sizeof names);
    if (c < 0 || !(kinds >> p->columns[c].kind & 1))
        return mh_fail(err, "%.200s: %s: %s column '%.60s'%s; there are: %s", path, option, c < 0 ? "no" : "not of",
                       name, c < 0 ? near.text : "", names);
    if (column_list_has(list, (unsigned)c))
        return mh_fail(err, "%.200s: %s: column '%.60s' is named twice", path, option, name);
    list->at[list->count++] = (unsigned)c;
    return 0;
}

int column_list_add(struct column_list *list, const struct points *p, const char *path, const char *option,
                    const char *text, unsigned kinds, struct mh_error *err)
{
    char name[NAME];
    struct mh_error none;
    if (points_column_named(p, text, &none) >= 0 || !strchr(text, ','))
        return add(list, p, path, option, text, kinds, err);
    for (size_t n; *text; text += n + (text[n] == ',')) {
        n = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        if (add(list, p, path, option, name + strspn(name, " "), kinds, err))
            return -1;
    }
    return 0;
}

/* --- Levels. */

/** What a row has up to a column: the level of those before, and the cell; and the level that is. */
struct key {
    uint64_t cell;
    int before, text, level;
};

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

static int by_key(const void *a, const void *b)
{
    const struct key *k = a, *l = b;

    if (k->cell != l->cell)
        return k->cell < l->cell ? -1 : 1;
    return k->before != l->before ? k->before - l->before : k->text - l->text;
}

/* Splits the levels by one more column. */
static void refine(struct levels *l, const struct points *p, unsigned column)
{
    void *keys = NULL;

    l->count = 0;
    for (unsigned r = 0; r < p->rows; r++) {
        if (l->of[r] == LEVEL_NONE)
            continue;
        struct key k = key_of(points_at(p, r, column), l->of[r]), **known = tfind(&k, &keys, by_key);
        if (!known) {
            k.level = (int)l->count;
            l->sample[l->count++] = r;
            known = must(tsearch(memcpy(must(malloc(sizeof k)), &k, sizeof k), &keys, by_key));
        }
        l->of[r] = (*known)->level;
    }
    tdestroy(keys, free);
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

void levels_of_column(struct levels *l, const struct points *p, int column, const bool *chosen)
{
    const struct column_list list = {.at = {column < 0 ? 0 : (unsigned)column}, .count = column >= 0};

    levels_of(l, p, &list, chosen);
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

/* --- Where. */

static const char *const signs[] = {[WHERE_IS_NOT] = "!=", [WHERE_AT_MOST] = "<=", [WHERE_AT_LEAST] = ">=",
                                    [WHERE_IS] = "=",      [WHERE_LESS] = "<",     [WHERE_MORE] = ">"};

/* The sign that `text` begins with, the longer one of two; -1: none. */
static int sign_of(const char *text)
{
    int best = -1;
    for (int s = 0; s < (int)(sizeof signs / sizeof *signs); s++)
        if (!strncmp(text, signs[s], strlen(signs[s])) && (best < 0 || strlen(signs[s]) > strlen(signs[best])))
            best = s;
    return best;
}

/* Metrics have blanks in their names: the longest column's name with a sign behind it. */
static const char *find_column(struct where *w, const struct points *p, const char *text)
{
    const char *values = NULL;
    size_t longest = 0;
    for (unsigned c = 0; c < p->column_count; c++) {
        const size_t n = strlen(p->columns[c].name);
        if (n < longest || strncmp(text, p->columns[c].name, n))
            continue;
        const char *behind = text + n + strspn(text + n, " ");
        const int sign = sign_of(behind);
        if (sign < 0)
            continue;
        longest = n;
        w->column = c;
        w->sign = (enum where_sign)sign;
        values = behind + strlen(signs[sign]);
    }
    return values;
}

static bool same(const struct points_value *v, const char *text)
{
    double number = 0;
    return v->text ? !strcmp(v->text, text) : number_any(text, &number) && number == v->number;
}

static bool any_has(const struct points *p, unsigned column, const char *text)
{
    const struct points_value *last = NULL;
    for (unsigned r = 0; r < p->rows; r++) {
        const struct points_value *v = points_at(p, r, column);
        if ((!last || v->text != last->text || v->number != last->number) && same(v, text))
            return true;
        last = v;
    }
    return false;
}

/* What a column has, in its order, as far as there is room. */
static void list_values(const struct points *p, unsigned column, char *out, size_t size)
{
    enum { MOST = 40 };
    char number[NUMBER_TEXT];
    struct levels l;
    levels_of_column(&l, p, (int)column, NULL);
    *out = 0;
    for (unsigned i = 0; i < l.count; i++) {
        const char *text = words_value(points_at(p, l.sample[i], column), number);
        const bool room = i < MOST && strlen(out) + strlen(text) + 8 < size;
        text_add(out, size, ", ", "%s", room ? text : "..");
        if (!room)
            break;
    }
    levels_free(&l);
}

static int check_value(const struct where *w, const struct points *p, const char *path, const char *option,
                       const char *value, struct mh_error *err)
{
    char there[560];
    double number;
    const char *name = p->columns[w->column].name;
    if (w->sign == WHERE_IS || w->sign == WHERE_IS_NOT) {
        if (any_has(p, w->column, value))
            return 0;
        list_values(p, w->column, there, sizeof there);
        return mh_fail(err, "%.150s: %s: no point has %.60s=%.60s%s; there are: %s", path, option, name, value,
                       nearest_word(value, there).text, there);
    }
    for (unsigned r = 0; r < p->rows; r++)
        if (points_at(p, r, w->column)->text)
            return mh_fail(
                err, "%.200s: %s: column '%.60s' has texts such as '%.60s', and %s compares numbers: use = or !=", path,
                option, name, points_at(p, r, w->column)->text, signs[w->sign]);
    if (!number_any(value, &number))
        return mh_fail(err, "%.200s: %s: '%.60s' is no number, and %s compares numbers, such as 64 or 2M", path, option,
                       value, signs[w->sign]);
    return 0;
}

/* The whole is one value if a point has it: texts may have commas. */
static int split_values(struct where *w, const struct points *p, const char *path, const char *option,
                        struct mh_error *err)
{
    const bool lists = w->sign == WHERE_IS || w->sign == WHERE_IS_NOT;
    char *text = w->text;
    if (!lists || any_has(p, w->column, text)) {
        w->values[w->count++] = text;
        return check_value(w, p, path, option, text, err);
    }
    for (char *end = text; end; text = end + 1) {
        end = strchr(text, ',');
        if (end)
            *end = 0;
        if (w->count == WHERE_VALUES)
            return mh_fail(err, "%.200s: %s: more than %d values", path, option, WHERE_VALUES);
        if (check_value(w, p, path, option, text, err))
            return -1;
        w->values[w->count++] = text;
    }
    return 0;
}

int where_read(struct where *w, const struct points *p, const char *path, const char *option, const char *text,
               struct mh_error *err)
{
    struct mh_error columns;
    memset(w, 0, sizeof *w);
    const char *values = find_column(w, p, text);
    if (!values) {
        char name[WHERE_TEXT];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "=<>!"), text);
        if (!strpbrk(text, "=<>"))
            return mh_fail(err, "%.200s: %s %.200s: write COLUMN=VALUE, such as image=baseline", path, option, text);
        (void)points_column_named(p, name, &columns);
        return mh_fail(err, "%.200s: %s %.100s: %.700s", path, option, text, columns.text);
    }
    values += strspn(values, " ");
    if (strlen(values) >= sizeof w->text)
        return mh_fail(err, "%.200s: %s %.100s: longer than %zu characters", path, option, text, sizeof w->text - 1);
    snprintf(w->text, sizeof w->text, "%s", values);
    return split_values(w, p, path, option, err);
}

static bool any_value(const struct where *w, const struct points_value *v)
{
    for (unsigned i = 0; i < w->count; i++)
        if (same(v, w->values[i]))
            return true;
    return false;
}

bool where_holds(const struct where *w, const struct points *p, unsigned row)
{
    const struct points_value *v = points_at(p, row, w->column);
    double limit = 0;
    if (!v->text && isnan(v->number))
        return false;
    if (w->sign == WHERE_IS || w->sign == WHERE_IS_NOT)
        return any_value(w, v) == (w->sign == WHERE_IS);
    (void)number_any(w->values[0], &limit);
    switch (w->sign) {
    case WHERE_LESS:
        return v->number < limit;
    case WHERE_AT_MOST:
        return v->number <= limit;
    case WHERE_MORE:
        return v->number > limit;
    default:
        return v->number >= limit;
    }
}
