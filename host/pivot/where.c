#include "where.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "levels.h"
#include "words.h"

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
    const struct column_list one = {.at = {column}, .count = 1};
    struct levels l;
    levels_of(&l, p, &one, NULL);
    *out = 0;
    for (unsigned i = 0; i < l.count; i++) {
        const size_t used = strlen(out);
        const char *text = words_value(points_at(p, l.sample[i], column), number);
        const bool room = i < MOST && used + strlen(text) + 8 < size;
        snprintf(out + used, size - used, "%s%s", i ? ", " : "", room ? text : "..");
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
