#include "column_list.h"

#include <string.h>

#include "base/nearest.h"

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
    const char *sep = "";
    *names = 0;
    for (unsigned c = 0; c < p->column_count; c++) {
        const size_t used = strlen(names);
        if (!(kinds >> p->columns[c].kind & 1))
            continue;
        nearest_try(near, p->columns[c].name);
        snprintf(names + used, size - used, "%s%s", sep, p->columns[c].name);
        sep = ", ";
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
