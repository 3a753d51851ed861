#include "sensitivity_show.h"

#include <stdlib.h>

#include "base/json.h"
#include "report/report.h"
#include "shift.h"

static json_t *flips_json(const struct reproduce_row *plain, const struct reproduce_row *with)
{
    json_t *all = json_array();
    for (unsigned w = 0; w < plain->once.workload_count; w++) {
        const double factor = shift_factor(plain, with, w);
        if (!shift_is_flip(factor))
            continue;
        json_t *o = json_object();
        json_put(o, "workload", json_string(plain->once.workloads[w].name));
        json_put_real(o, "from", series_cell_mean(&plain->once, w));
        json_put_real(o, "to", series_cell_mean(&with->once, w));
        json_array_append_new(all, o);
    }
    return all;
}

static void put_spread(json_t *o, const struct over_workloads *over)
{
    json_t *quartiles = json_array();
    if (over->known) {
        json_array_append_new(quartiles, json_number(over->quartiles.first));
        json_array_append_new(quartiles, json_number(over->quartiles.third));
    }
    json_put(o, "median", over->known ? json_number(over->quartiles.median) : json_null());
    json_put(o, "quartiles", quartiles);
}

static json_t *value_json(const struct reproduce_row *plain, const struct variation *v, unsigned row)
{
    json_t *o = json_object();
    struct shift s;
    shift_of(plain, &v->rows[row], &s);
    json_put(o, "value", json_string(v->value));
    json_put_real(o, "ours", s.with.summary.value);
    json_put_real(o, "interval", s.with.summary.half);
    put_spread(o, &s.with.over);
    json_put_real(o, "shift", s.shift);
    json_put_real(o, "shift_interval", s.half);
    json_put_real(o, "of_paper", s.part);
    json_put(o, "depends", json_boolean(s.depends));
    json_put(o, "moves_most", s.moves_most ? json_string(s.moves_most) : json_null());
    json_put_real(o, "shift_without", s.without);
    json_put(o, "flips", flips_json(plain, &v->rows[row]));
    json_put(o, "reason", s.with.reason ? json_string(s.with.reason) : json_null());
    return o;
}

static json_t *assumption_json(const struct mh_assumption *of)
{
    json_t *o = json_object();
    json_put(o, "key", json_string(of->key));
    json_put(o, "value", json_string(of->value));
    json_put(o, "file", json_string(of->file));
    json_put_count(o, "line", of->line);
    json_put(o, "why", json_stringn(of->why, (size_t)of->why_length));
    return o;
}

static json_t *row_json(const struct sensitivity *a, unsigned row)
{
    const struct reproduce_row *plain = &a->reproduction.rows[row];
    json_t *o = json_object(), *list = json_array();
    struct outcome own;
    unsigned count, varied;
    outcome_of(plain, &own);
    json_put(o, "id", json_string(plain->row->id));
    json_put(o, "figure", json_string(plain->row->figure));
    json_put(o, "what", json_string(plain->row->what));
    json_put(o, "paper", json_string(plain->row->paper));
    json_put_real(o, "ours", own.summary.value);
    json_put_real(o, "interval", own.summary.half);
    json_put(o, "reason", own.reason ? json_string(own.reason) : json_null());
    json_put_count(o, "workload_count", plain->once.workload_count);
    json_put_count(o, "depends_on", summary_count(a, row, &varied));
    json_put_count(o, "varied", varied);
    struct swing *swings = swings_of(a, row, &count);
    for (unsigned i = 0; i < count; i++) {
        json_t *one = assumption_json(swings[i].of), *values = json_array();
        for (unsigned v = 0; v < a->variation_count; v++)
            if (a->variations[v].of == swings[i].of)
                json_array_append_new(values, value_json(plain, &a->variations[v], row));
        json_put(one, "values", values);
        json_array_append_new(list, one);
    }
    free(swings);
    json_put(o, "keys", list);
    return o;
}

static json_t *fixed_json(const struct sensitivity *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->assumed_count; i++)
        if (!a->assumed[i].others_length)
            json_array_append_new(list, assumption_json(&a->assumed[i]));
    return list;
}

int sensitivity_json_write(const struct sensitivity *a, const char *path, struct mh_error *err)
{
    const struct reproduce_options *in = &a->options->rows;
    json_t *o = json_object(), *rows = json_array();
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        json_array_append_new(rows, row_json(a, r));
    json_put(o, "schema", json_string("memhelm-sensitivity-1"));
    made_put(o, a->reproduction.plan);
    json_put(o, "rows_sha256", json_string(a->reproduction.study.sha256));
    json_put(o, "study", json_string(a->reproduction.study.name));
    json_put(o, "preset", json_string(a->preset));
    json_put(o, "machine", json_string(in->twin ? "twin" : "qemu"));
    json_put(o, "quick", json_boolean(a->reproduction.study.quick));
    json_put_count(o, "cycles", a->reproduction.study.cycles);
    json_put_count(o, "seed_first", in->seed_first);
    json_put_count(o, "seed_last", in->seed_last);
    json_put(o, "set", json_texts(in->sets, in->set_count));
    json_put(o, "workloads", json_texts(in->workloads, in->workload_count));
    json_put(o, "rows", rows);
    json_put(o, "not_varied", fixed_json(a));
    return json_write(o, path, err);
}
