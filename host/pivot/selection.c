#include "pivot.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

enum { ANY_AXIS = 1 << POINTS_AXIS, ANY_METRIC = 1 << POINTS_METRIC };

/* --- Each point's base: the one that has a given image, say, and is otherwise of the same axes. */

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

/*
 * Reads `text`, COLUMN=VALUE[,COLUMN=VALUE], and finds the base of every row of the file: -1 where there is none. The
 * caller frees what is returned. NULL and `err`: no such column or value, or two points that could be one's base.
 */
static int *against_find(const struct points *p, const char *path, const char *text, struct column_list *columns,
                         struct mh_error *err)
{
    struct conditions all = {.at = must_have(CONDITIONS, sizeof *all.at)};
    int *of = read_conditions(&all, p, path, text, columns, err) ? NULL : pair_rows(&all, p, path, columns, err);
    free(all.at);
    return of;
}

/* --- What is chosen. */

static int name_columns(struct selection *s, struct mh_error *err)
{
    const struct pivot_request *q = s->request;
    const struct points *p = &s->points;
    const unsigned by = ANY_AXIS | 1 << POINTS_ABOUT;
    if ((q->rows && column_list_add(&s->rows, p, q->file, "--rows", q->rows, by, err)) ||
        (q->columns && column_list_add(&s->columns, p, q->file, "--columns", q->columns, by, err)) ||
        (q->values && column_list_add(&s->values, p, q->file, "--value", q->values, ANY_METRIC, err)))
        return -1;
    for (unsigned i = 0; i < s->rows.count; i++)
        if (column_list_has(&s->columns, s->rows.at[i]))
            return mh_fail(err, "%.200s: '%.60s' is in both --rows and --columns", q->file,
                           p->columns[s->rows.at[i]].name);
    if (!q->values)
        column_list_add_kind(&s->values, p, POINTS_METRIC);
    return s->values.count ? 0 : mh_fail(err, "%.200s: it has no metric", q->file);
}

static int filter(struct selection *s, const char *text, struct mh_error *err)
{
    struct where *w = must_have(1, sizeof *w);
    int status = where_read(w, &s->points, s->request->file, "--where", text, err);
    for (unsigned r = 0; !status && r < s->points.rows; r++)
        s->chosen[r] = s->chosen[r] && where_holds(w, &s->points, r);
    free(w);
    return status;
}

/* A line over numbers goes through its base; elsewhere it would be a column of +0.0 %. */
static bool bases_are_shown(const struct selection *s)
{
    for (unsigned i = 0; i < s->against.count; i++) {
        const unsigned c = s->against.at[i];
        if (points_at(&s->points, 0, c)->text || !(column_list_has(&s->rows, c) || column_list_has(&s->columns, c)))
            return false;
    }
    return true;
}

static int choose(struct selection *s, struct mh_error *err)
{
    const struct pivot_request *q = s->request;
    s->chosen = must_have(s->points.rows, sizeof *s->chosen);
    for (unsigned r = 0; r < s->points.rows; r++)
        s->chosen[r] = true;
    for (unsigned i = 0; i < q->where_count; i++)
        if (filter(s, q->where[i], err))
            return -1;
    for (unsigned r = 0; s->base && !bases_are_shown(s) && r < s->points.rows; r++)
        s->chosen[r] &= s->base[r] != (int)r;
    for (unsigned r = 0; r < s->points.rows; r++)
        s->chosen_count += s->chosen[r];
    if (s->chosen_count)
        return 0;
    return mh_fail(err, "%.200s: of its %u points none is left: %s", q->file, s->points.rows,
                   q->where_count ? "no point fulfils all --where at once; leave one out"
                                  : "all are the base of --against; name another");
}

static double number_at(const struct selection *s, unsigned row, unsigned value)
{
    const struct points_value *v = points_at(&s->points, row, s->values.at[value]);
    return v->text ? (double)NAN : v->number;
}

static double relate(const struct selection *s, unsigned row, unsigned value)
{
    const double own = number_at(s, row, value);
    if (!s->base)
        return own;
    if (s->base[row] < 0)
        return (double)NAN;
    const double base = number_at(s, (unsigned)s->base[row], value);
    if (s->request->relation == RELATION_DIFFERENCE)
        return own - base;
    return base != 0 ? own / base : (double)NAN;
}

static void take_values(struct selection *s)
{
    s->value = must_have((size_t)s->points.rows * s->values.count, sizeof *s->value);
    for (unsigned r = 0; r < s->points.rows; r++)
        for (unsigned v = 0; v < s->values.count && s->chosen[r]; v++)
            s->value[(size_t)r * s->values.count + v] = relate(s, r, v);
}

/* A quotient of two runs, whatever its tenants: weighted_speedup, speedup[1]. */
static bool is_speedup(const char *metric)
{
    const size_t n = strcspn(metric, "[");
    const char *end = strchr(metric, ']');
    char name[40];

    snprintf(name, sizeof name, "%.*s", (int)n, metric);
    return (!metric[n] || (end && !end[1])) &&
           patterns_fit("speedup weighted_speedup harmonic_speedup max_slowdown fairness", name);
}

/* {name: expression}: a name of its own may say nothing. */
static void find_speedups(struct selection *s, const json_t *metrics)
{
    s->speedups = must_have(s->values.count, sizeof *s->speedups);
    for (unsigned v = 0; v < s->values.count; v++) {
        const char *name = s->points.columns[s->values.at[v]].name;
        const char *of = json_string_value(json_object_get(metrics, name));
        s->speedups[v] = is_speedup(of ? of : name);
    }
}

static void read_spec(struct selection *s)
{
    const struct points *p = &s->points;
    json_t *spec = json_loads(p->spec, 0, NULL);
    const bool drawn = json_object_get(spec, "sample") || json_object_get(spec, "points");
    for (unsigned c = 0; drawn && c < p->column_count; c++)
        if (p->columns[c].kind == POINTS_AXIS && !patterns_fit("preset design image workload seed", p->columns[c].name))
            s->drawn.at[s->drawn.count++] = c;
    find_speedups(s, json_object_get(spec, "metrics"));
    json_decref(spec);
}

static int open_all(struct selection *s, struct mh_error *err)
{
    const struct pivot_request *q = s->request;
    if (points_read(&s->points, q->file, err) || name_columns(s, err))
        return -1;
    if (q->against && !(s->base = against_find(&s->points, q->file, q->against, &s->against, err)))
        return -1;
    if (choose(s, err))
        return -1;
    take_values(s);
    read_spec(s);
    return 0;
}

int selection_open(struct selection *s, const struct pivot_request *q, struct mh_error *err)
{
    memset(s, 0, sizeof *s);
    s->request = q;
    int status = open_all(s, err);
    if (status)
        selection_close(s);
    return status;
}

void selection_close(struct selection *s)
{
    points_free(&s->points);
    free(s->chosen);
    free(s->base);
    free(s->value);
    free(s->speedups);
    memset(s, 0, sizeof *s);
}

/* --- Reasons. */

static void reason_of_row(const struct selection *s, unsigned row, const char *before, char text[SELECTION_TEXT])
{
    struct mh_error none;
    const int c = points_column_named(&s->points, "reason", &none);
    const struct points_value *v = c < 0 ? NULL : points_at(&s->points, row, (unsigned)c);
    const bool said = v && v->text && *v->text;
    snprintf(text, SELECTION_TEXT, "%s%.900s", before, said ? v->text : "the file has no value, and does not say why");
}

void selection_reason(const struct selection *s, unsigned row, unsigned value, char text[SELECTION_TEXT])
{
    const int base = s->base ? s->base[row] : (int)row;
    if (isnan(number_at(s, row, value)))
        reason_of_row(s, row, "", text);
    else if (base < 0)
        snprintf(text, SELECTION_TEXT, "no point has %.300s and else the same axes", s->request->against);
    else if (isnan(number_at(s, (unsigned)base, value)))
        reason_of_row(s, (unsigned)base, "its base: ", text);
    else
        snprintf(text, SELECTION_TEXT, "its base is 0, to divide by");
}

/* --- Means. */

enum mean_kind selection_mean(const struct selection *s, unsigned value)
{
    const struct pivot_request *q = s->request;
    const bool ratio = q->relation == RELATION_GAIN || q->relation == RELATION_RATIO;
    if (q->mean != MEAN_DEFAULT)
        return q->mean;
    if (ratio || (q->relation == RELATION_LEVEL && s->speedups[value]))
        return MEAN_GEOMETRIC;
    return MEAN_ARITHMETIC;
}

enum mean_kind selection_mean_of_all(const struct selection *s)
{
    const enum mean_kind first = selection_mean(s, 0);

    for (unsigned v = 1; v < s->values.count; v++)
        if (selection_mean(s, v) != first)
            return MEAN_DEFAULT;
    return first;
}

/* --- What a sweep that has not run to its end asked for, by the spec in its file. */

static size_t seeds_of(const json_t *spec)
{
    const char *text = json_string_value(json_object_get(spec, "seeds"));
    unsigned first, last;
    struct mh_error none;
    return text && !seeds_parse(text, &first, &last, &none) ? last - first + 1 : 0;
}

/* Values of one axis; 0: the spec does not say. */
static size_t values_of(const json_t *spec, const char *axis)
{
    const json_t *varied = json_object_get(json_object_get(spec, "vary"), axis);
    if (!strcmp(axis, "seed"))
        return seeds_of(spec);
    return json_array_size(varied ? varied : json_object_get(spec, axis));
}

static size_t cells_of(const json_t *spec, const struct selection *s)
{
    const struct column_list *const lists[] = {&s->rows, &s->columns};
    size_t cells = 1;
    for (unsigned l = 0; l < 2; l++)
        for (unsigned i = 0; i < lists[l]->count; i++)
            cells *= values_of(spec, s->points.columns[lists[l]->at[i]].name);
    return cells;
}

/* The base's points are left out of what they are averaged with. */
static bool leaves_out(const struct selection *s)
{
    for (unsigned i = 0; i < s->against.count; i++)
        if (!column_list_has(&s->rows, s->against.at[i]) && !column_list_has(&s->columns, s->against.at[i]))
            return true;
    return s->request->where_count > 0;
}

unsigned asked_of_cell(const struct selection *s)
{
    if (s->points.asked == s->points.rows || s->drawn.count || leaves_out(s))
        return 0;
    json_t *spec = json_loads(s->points.spec, 0, NULL);
    const size_t cells = cells_of(spec, s);
    json_decref(spec);
    return cells && s->points.asked % cells == 0 ? (unsigned)(s->points.asked / cells) : 0;
}
