#include "recorded/cell.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct cell_kind *cell_kind_of(const json_t *file)
{
    static const struct cell_kind *const kinds[] = {&cell_rows, &cell_sensitivity, &cell_latency, &cell_search};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i]->schema, cell_text(file, "schema")))
            return kinds[i];
    return NULL;
}

void *cell_own(struct cell *c, size_t size)
{
    c->own = calloc(1, size);
    if (!c->own)
        abort();
    return c->own;
}

void cell_close(struct cell *c)
{
    if (c->own)
        c->kind->close(c);
    free(c->own);
    free(c->sims);
    memset(c, 0, sizeof *c);
}

static void add_sim(struct cell *c, struct kept_sim *s)
{
    for (unsigned i = 0; i < c->sim_count; i++)
        if (c->sims[i] == s)
            return;
    void *more = grow(c->sims, c->sim_count, &c->room, sizeof *c->sims);
    if (!more)
        abort();
    c->sims = more;
    c->sims[c->sim_count++] = s;
}

int cell_add_point(struct cell *c, const struct point *p, struct mh_error *err)
{
    if (!p->run)
        return mh_fail(err, "%s", p->reason);
    add_sim(c, p->run);
    for (unsigned t = 0; t < MH_MAX_TENANTS && p->alone[t]; t++)
        add_sim(c, p->alone[t]);
    return 0;
}

static int add_side(struct cell *c, const struct side *side, unsigned workload, struct mh_error *err)
{
    const unsigned first = workload * side->partitions;
    for (unsigned p = first; p < first + side->partitions; p++)
        if (cell_add_point(c, &side->points[p], err) || (side->under && cell_add_point(c, &side->under[p], err)))
            return -1;
    return 0;
}

int cell_add_series(struct cell *c, const struct series *s, unsigned workload, struct mh_error *err)
{
    return add_side(c, &s->run, workload, err) || add_side(c, &s->against, workload, err) ? -1 : 0;
}

const char *cell_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

uint64_t cell_count(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

unsigned cell_texts(const json_t *list, const char **texts, unsigned most)
{
    unsigned count = (unsigned)json_array_size(list);
    count = count < most ? count : most;
    for (unsigned i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        texts[i] = text ? text : "";
    }
    return count;
}
