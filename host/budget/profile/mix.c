#include "mix.h"

#include "base/json.h"

static bool read_count(const json_t *v, uint64_t *count)
{
    *count = json_is_integer(v) && json_integer_value(v) >= 0 ? (uint64_t)json_integer_value(v) : 0;
    return json_is_integer(v) && json_integer_value(v) >= 0;
}

/* The file has all branches in one class. A trap may hold one back into a span that it was not executed in. */
static void split_branches(struct mix *m, uint64_t taken)
{
    uint64_t *row = m->classes;
    row[CORE_BRANCH_TAKEN] = taken < row[CORE_BRANCH_NOT_TAKEN] ? taken : row[CORE_BRANCH_NOT_TAKEN];
    row[CORE_BRANCH_NOT_TAKEN] -= row[CORE_BRANCH_TAKEN];
}

bool mix_read(struct mix *m, const json_t *o)
{
    const json_t *classes = json_object_get(o, "classes");
    uint64_t taken;
    bool good = json_array_size(classes) == CORE_CLASS_ROWS + 1;
    for (unsigned k = 0; good && k < CORE_CLASS_ROWS; k++)
        good = read_count(json_array_get(classes, k), &m->classes[k]);
    if (!good || m->classes[CORE_BRANCH_TAKEN] || !read_count(json_array_get(classes, CORE_CLASS_ROWS), &m->unknown) ||
        !read_count(json_object_get(o, "taken"), &taken) || !read_count(json_object_get(o, "mmio"), &m->mmio) ||
        !read_count(json_object_get(o, "traps"), &m->traps))
        return false;
    split_branches(m, taken);
    return true;
}

uint64_t mix_instructions(const struct mix *m)
{
    uint64_t all = m->unknown;
    for (unsigned k = 0; k < CORE_CLASS_ROWS; k++)
        all += m->classes[k];
    return all;
}

json_t *mix_classes_json(const uint64_t classes[CORE_CLASS_ROWS])
{
    json_t *o = json_object();
    for (unsigned k = 0; k < CORE_CLASS_ROWS; k++)
        if (classes[k])
            json_put_count(o, core_row_name((enum core_row)k), classes[k]);
    return o;
}

json_t *mix_json(const struct mix *m)
{
    json_t *o = json_object(), *classes = mix_classes_json(m->classes);
    if (m->unknown)
        json_put_count(classes, "unknown", m->unknown);
    json_put(o, "classes", classes);
    json_put_count(o, "mmio", m->mmio);
    json_put_count(o, "interrupts", m->traps);
    return o;
}
