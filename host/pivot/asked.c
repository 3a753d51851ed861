#include "asked.h"

#include <jansson.h>
#include <string.h>

#include "base/seeds.h"

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
