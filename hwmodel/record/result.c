/* result.json: keys in the order of the tables, whole numbers alone, so the same run gives the same bytes. */
#include "record/result.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

const char *const mh_end_names[] = {"pass", "fail", "fault", "hang", "deadlock", NULL};

static json_t *number(uint64_t v)
{
    return json_integer((json_int_t)v);
}

static json_t *counters_json(const struct mh_counters *c)
{
    json_t *o = json_object();
#define MH_TENANT_COUNTER(name, field, unit, doc) json_object_set_new(o, #field, number(c->field));
#include "memhelm/registers.def"
    return o;
}

static json_t *tenants_json(const struct mh_stats *s)
{
    json_t *list = json_array();

    for (uint32_t t = 0; t < s->tenants; t++)
        json_array_append_new(list, counters_json(&s->tenant[t]));
    return list;
}

static json_t *words_json(const uint32_t *word, uint32_t count)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, number(word[i]));
    return list;
}

static json_t *knobs_json(const struct mh_stats *s)
{
    json_t *o = json_object();
#define SET(field, value)  json_object_set_new(o, #field, value);
#define SET_TENANT(field)  SET(field, words_json(s->knobs.field, s->tenants))
#define SET_SM_MASK(field) SET(field, words_json(s->knobs.field, MH_SM_WORDS))
#define SET_GPU(field)     SET(field, number(s->knobs.field))
#define SET_WALKER(field)  SET(field, words_json(s->knobs.field, s->walker_queues))
#define SET_TENANT_SM(field)
#define MH_KNOB(name, field, shape, ...) SET_##shape(field)
#include "memhelm/registers.def"
    return o;
}

static json_t *control_json(const struct mh_control_stats *c)
{
    json_t *o = json_object();
#define MH_CONTROL_FIELD(name) json_object_set_new(o, #name, number(c->name));
#include "record/fields.def"
    return o;
}

static json_t *source_json(const struct mh_source_stats *s)
{
    json_t *o = json_object();
#define MH_SOURCE_FIELD(name) json_object_set_new(o, #name, number(s->name));
#include "record/fields.def"
    return o;
}

static json_t *sources_json(const struct mh_control_stats *c)
{
    json_t *o = json_object();
#define MH_SOURCE(name, field, irq, decision, raised, missed)                                                          \
    json_object_set_new(o, #field, source_json(&c->source[MH_SOURCE_##name]));
#include "memhelm/registers.def"
    return o;
}

static void add_decisions(json_t *o, const char *prefix, const struct mh_decisions *d)
{
    char key[64];

    snprintf(key, sizeof key, "%sdecisions", prefix);
    json_object_set_new(o, key, number(d->count));
    snprintf(key, sizeof key, "%sdecision_sum", prefix);
    json_object_set_new(o, key, number(d->sum));
    snprintf(key, sizeof key, "%sdecision_min", prefix);
    json_object_set_new(o, key, number(d->min));
    snprintf(key, sizeof key, "%sdecision_max", prefix);
    json_object_set_new(o, key, number(d->max));
}

static json_t *mcu_json(const struct mh_mcu_stats *c)
{
    json_t *o = json_object();
#define MH_MCU_DECISION(prefix, source) add_decisions(o, prefix, &c->decision[MH_SOURCE_##source]);
#define MH_MCU_FIELD(name)              json_object_set_new(o, #name, number(c->name));
#define MH_MCU_RARE_FIELD(name)                                                                                        \
    if (c->name)                                                                                                       \
        json_object_set_new(o, #name, number(c->name));
#include "record/fields.def"
    return o;
}

static json_t *fault_json(const struct mh_fault *f)
{
    json_t *o = json_object();
#define MH_FAULT_FIELD(name) json_object_set_new(o, #name, number(f->name));
#include "record/fields.def"
    json_object_set_new(o, "reason", json_string(f->reason));
    return o;
}

static json_t *recovery_json(const struct mh_recovery *r)
{
    json_t *o = json_object();
#define MH_RECOVERY_FIELD(name) json_object_set_new(o, #name, number(r->name));
#include "record/fields.def"
    if (mh_recovery_any(r))
        json_object_set_new(o, "first", fault_json(&r->first));
    return o;
}

/* As many as the tenants have lost of their recordings; NULL: none has. */
static json_t *moved_json(const struct mh_stats *s)
{
    json_t *list = json_array();
    uint64_t all = 0;

    for (uint32_t t = 0; t < s->tenants; t++) {
        json_array_append_new(list, number(s->moved[t]));
        all += s->moved[t];
    }
    if (all)
        return list;
    json_decref(list);
    return NULL;
}

/* Of each tenant; NULL: none has finished, or run.completions is 0. */
static json_t *completed_json(const struct mh_stats *s)
{
    json_t *list = json_array();
    uint64_t last = 0;

    for (uint32_t t = 0; t < s->tenants; t++) {
        json_t *o = json_object();

        json_object_set_new(o, "cycle", number(s->completed[t].cycle));
        json_object_set_new(o, "lane_instr", number(s->completed[t].lane_instr));
        json_array_append_new(list, o);
        last |= s->completed[t].cycle;
    }
    if (last)
        return list;
    json_decref(list);
    return NULL;
}

/* SM cycles of each tenant, by what they waited for; NULL: not requested. */
static json_t *waits_json(const struct mh_stats *s)
{
    json_t *list = json_array();
    uint64_t all = 0;

    for (uint32_t t = 0; t < s->tenants; t++) {
        json_t *o = json_object();

        for (uint32_t w = 0; w < MH_WAITS; w++) {
            json_object_set_new(o, mh_wait_names[w], number(s->waits[t][w]));
            all += s->waits[t][w];
        }
        json_array_append_new(list, o);
    }
    if (all)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *result_json(const struct mh_result *r)
{
    json_t *o = json_object();

    json_object_set_new(o, "schema", json_string(MH_RECORD_SCHEMA));
    json_object_set_new(o, "end", json_string(mh_end_names[r->end]));
    if (r->end != MH_END_PASS)
        json_object_set_new(o, "fault", fault_json(&r->fault));
    json_object_set_new(o, "cycles", number(r->stats.cycles));
    json_object_set_new(o, "tenants", tenants_json(&r->stats));
    json_t *moved = moved_json(&r->stats), *completed = completed_json(&r->stats), *waits = waits_json(&r->stats);

    if (moved)
        json_object_set_new(o, "trace_addresses_moved", moved);
    if (completed)
        json_object_set_new(o, "completed", completed);
    if (waits)
        json_object_set_new(o, "waits", waits);
    json_object_set_new(o, "knobs", knobs_json(&r->stats));
    json_object_set_new(o, "control", control_json(&r->stats.control));
    json_object_set_new(o, "sources", sources_json(&r->stats.control));
    json_object_set_new(o, "core", mcu_json(&r->mcu));
    json_object_set_new(o, "recovery", recovery_json(&r->mcu.recovery));
    return o;
}

/* Renamed when it is whole: a run that is killed leaves the file of before, or none. */
int mh_result_write(const struct mh_result *result, const char *path, struct mh_error *err)
{
    char temporary[MH_PATH_MAX + 64];

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    json_t *o = result_json(result);
    int status = json_dump_file(o, temporary, JSON_INDENT(2) | JSON_REAL_PRECISION(6));

    json_decref(o);
    if (status)
        return mh_fail(err, "%s: cannot write: %s", temporary, strerror(errno));
    if (rename(temporary, path))
        return mh_fail(err, "%s: cannot rename to %s: %s", temporary, path, strerror(errno));
    return 0;
}
