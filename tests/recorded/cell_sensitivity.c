/* Cells of `memhelm sensitivity`: a row with another value of a key. */
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "base/json.h"
#include "recorded/cell.h"

struct sensitivity_cell {
    struct sensitivity_options options;
    struct sensitivity all;
    bool opened;
    const struct reproduce_row *row;
};

struct place {
    const json_t *row, *key, *value;
};

static bool find(const json_t *file, size_t *n, struct place *p)
{
    size_t r, k;
    json_array_foreach(json_object_get(file, "rows"), r, p->row)
    {
        json_array_foreach(json_object_get(p->row, "keys"), k, p->key)
        {
            const json_t *values = json_object_get(p->key, "values");
            p->value = json_array_get(values, *n);
            if (p->value)
                return true;
            *n -= json_array_size(values);
        }
    }
    return false;
}

/* A file that has no `workloads` may be of others than its rows' own. */
static size_t count(const json_t *file)
{
    struct place p = {.row = NULL};
    size_t left = SIZE_MAX;
    if (!json_object_get(file, "workloads") && !json_is_true(json_object_get(file, "quick")))
        return 0;
    (void)find(file, &left, &p);
    return SIZE_MAX - left;
}

static void ask(struct sensitivity_options *o, const json_t *file, const struct place *p, const char *results)
{
    struct reproduce_options *rows = &o->rows;
    *rows = (struct reproduce_options){.mode = MODE_HEADLINES, .jobs = 1, .results = results};
    rows->study = study_name(cell_text(file, "study"));
    rows->quick = json_is_true(json_object_get(file, "quick"));
    rows->twin = !strcmp(cell_text(file, "machine"), "twin");
    rows->cycles = cell_count(file, "cycles");
    rows->seed_first = (unsigned)cell_count(file, "seed_first");
    rows->seed_last = (unsigned)cell_count(file, "seed_last");
    rows->set_count = cell_texts(json_object_get(file, "set"), rows->sets, REPRODUCE_MAX);
    rows->workload_count = cell_texts(json_object_get(file, "workloads"), rows->workloads, MEASURE_LISTS);
    rows->ids[rows->id_count++] = cell_text(p->row, "id");
    o->keys[o->key_count++] = cell_text(p->key, "key");
}

static int add_row(struct cell *c, const struct reproduce_row *row, struct mh_error *err)
{
    const struct series *const all[] = {&row->once, &row->plain, &row->other};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (unsigned w = 0; w < all[i]->seeds * all[i]->workload_count; w++)
            if (cell_add_series(c, all[i], w, err))
                return -1;
    return 0;
}

static int open_cell(struct cell *c, const json_t *file, size_t n, struct mh_error *err)
{
    struct place p = {.row = NULL};
    if (!study_name(cell_text(file, "study")) || !find(file, &n, &p))
        return mh_fail(err, "there is no such study now");
    struct sensitivity_cell *own = cell_own(c, sizeof *own);
    const char *value = cell_text(p.value, "value");
    c->was = json_object_get(p.value, "ours");
    snprintf(c->name, sizeof c->name, "%s, %s=%s", cell_text(p.row, "id"), cell_text(p.key, "key"), value);
    ask(&own->options, file, &p, c->results);
    if (sensitivity_open(&own->all, &own->options, err))
        return -1;
    own->opened = true;
    for (unsigned v = 0; v < own->all.variation_count; v++)
        if (!strcmp(own->all.variations[v].value, value))
            own->row = &own->all.variations[v].rows[0];
    return own->row ? add_row(c, own->row, err)
                    : mh_fail(err, "the preset does not have that value behind the bar now");
}

static json_t *value_json(const struct cell *c)
{
    const struct sensitivity_cell *own = c->own;
    struct outcome out;
    outcome_of(own->row, &out);
    return json_number(out.summary.value);
}

static void close_cell(struct cell *c)
{
    struct sensitivity_cell *own = c->own;
    if (own->opened)
        sensitivity_close(&own->all);
}

const struct cell_kind cell_sensitivity = {"memhelm-sensitivity-1", count, open_cell, value_json, close_cell};
