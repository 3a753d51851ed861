#include <jansson.h>
#include <string.h>

#include "record/result.h"

/* Where a value comes from; the first thing that is wrong with the file stays in `err`. */
struct reader {
    const char *path;
    struct mh_error *err;
    bool failed;
};

static void refuse(struct reader *r, const char *key, const char *what)
{
    if (!r->failed)
        (void)mh_fail(r->err, "%s: '%s' %s: not a %s file", r->path, key, what, MH_RECORD_SCHEMA);
    r->failed = true;
}

static uint64_t number(struct reader *r, const json_t *v, const char *key)
{
    if (v && !json_is_integer(v))
        refuse(r, key, "is not a whole number");
    if (json_integer_value(v) < 0)
        refuse(r, key, "is below 0");
    return (uint64_t)json_integer_value(v);
}

static uint64_t number_at(struct reader *r, const json_t *from, const char *key)
{
    const json_t *v = json_object_get(from, key);

    if (!v)
        refuse(r, key, "is missing");
    return number(r, v, key);
}

static uint32_t small(struct reader *r, uint64_t v, const char *key)
{
    if (v > UINT32_MAX)
        refuse(r, key, "is out of range");
    return (uint32_t)v;
}

static uint32_t small_at(struct reader *r, const json_t *from, const char *key)
{
    return small(r, number_at(r, from, key), key);
}

/* One member, whichever of the two widths it has. */
#define READ(r, from, object, name)                                                                                    \
    ((object)->name = (__typeof__((object)->name))(sizeof((object)->name) == 4 ? small_at(r, from, #name)              \
                                                                               : number_at(r, from, #name)))

static void read_counters(struct reader *r, const json_t *from, struct mh_counters *c)
{
#define MH_TENANT_COUNTER(name, field, unit, doc) READ(r, from, c, field);
#include "memhelm/registers.def"
}

static void read_tenants(struct reader *r, const json_t *root, struct mh_stats *s)
{
    const json_t *list = json_object_get(root, "tenants");
    size_t n = json_array_size(list);

    if (n < 1 || n > MH_MAX_TENANTS) {
        refuse(r, "tenants", "is not a list of 1..8");
        return;
    }
    s->tenants = (uint32_t)n;
    for (size_t t = 0; t < n; t++)
        read_counters(r, json_array_get(list, t), &s->tenant[t]);
}

/* There if something was moved. */
static void read_moved(struct reader *r, const json_t *root, struct mh_stats *s)
{
    const json_t *list = json_object_get(root, "trace_addresses_moved");

    for (uint32_t t = 0; list && t < s->tenants; t++) {
        const json_t *n = json_array_get(list, t);

        if (!json_is_integer(n) || json_integer_value(n) < 0)
            refuse(r, "trace_addresses_moved", "has no whole number for each tenant");
        else
            s->moved[t] = (uint64_t)json_integer_value(n);
    }
}

/* There if a tenant has finished, with run.completions. */
static void read_completed(struct reader *r, const json_t *root, struct mh_stats *s)
{
    const json_t *list = json_object_get(root, "completed");

    if (list && json_array_size(list) != s->tenants) {
        refuse(r, "completed", "has not one member for each tenant");
        return;
    }
    for (uint32_t t = 0; list && t < s->tenants; t++) {
        READ(r, json_array_get(list, t), &s->completed[t], cycle);
        READ(r, json_array_get(list, t), &s->completed[t], lane_instr);
    }
}

/* There with sm.wait_reasons. */
static void read_waits(struct reader *r, const json_t *root, struct mh_stats *s)
{
    const json_t *list = json_object_get(root, "waits");

    if (list && json_array_size(list) != s->tenants) {
        refuse(r, "waits", "has not one member for each tenant");
        return;
    }
    for (uint32_t t = 0; list && t < s->tenants; t++)
        for (uint32_t w = 0; w < MH_WAITS; w++)
            s->waits[t][w] = number_at(r, json_array_get(list, t), mh_wait_names[w]);
}

static void read_knob(struct reader *r, const json_t *root, const char *name, uint32_t *word, uint32_t count)
{
    const json_t *list = json_object_get(json_object_get(root, "knobs"), name);

    if (json_array_size(list) != count)
        refuse(r, name, "has not the number of values that it should");
    for (uint32_t i = 0; i < count; i++)
        word[i] = small(r, number(r, json_array_get(list, i), name), name);
}

/* Only the file says how many there are: a value for each walker that can have an owner, or none. */
static void read_walkers(struct reader *r, const json_t *root, const char *name, struct mh_stats *s, uint32_t *word)
{
    size_t n = json_array_size(json_object_get(json_object_get(root, "knobs"), name));

    if (n > MH_MAX_WALKER_QUEUES)
        refuse(r, name, "has not the number of values that it should");
    s->walker_queues = n > MH_MAX_WALKER_QUEUES ? 0 : (uint32_t)n;
    read_knob(r, root, name, word, s->walker_queues);
}

static void read_knobs(struct reader *r, const json_t *root, struct mh_stats *s)
{
#define READ_TENANT(field)               read_knob(r, root, #field, s->knobs.field, s->tenants)
#define READ_SM_MASK(field)              read_knob(r, root, #field, s->knobs.field, MH_SM_WORDS)
#define READ_GPU(field)                  READ(r, json_object_get(root, "knobs"), &s->knobs, field)
#define READ_WALKER(field)               read_walkers(r, root, #field, s, s->knobs.field)
#define READ_TENANT_SM(field)            (void)0
#define MH_KNOB(name, field, shape, ...) READ_##shape(field);
#include "memhelm/registers.def"
}

static void read_control(struct reader *r, const json_t *from, struct mh_control_stats *c)
{
#define MH_CONTROL_FIELD(name) READ(r, from, c, name);
#include "record/fields.def"
}

static void read_source(struct reader *r, const json_t *from, struct mh_source_stats *s)
{
#define MH_SOURCE_FIELD(name) READ(r, from, s, name);
#include "record/fields.def"
}

static void read_sources(struct reader *r, const json_t *from, struct mh_control_stats *c)
{
#define MH_SOURCE(name, field, irq, decision, raised, missed)                                                          \
    read_source(r, json_object_get(from, #field), &c->source[MH_SOURCE_##name]);
#include "memhelm/registers.def"
}

static void read_decisions(struct reader *r, const json_t *from, const char *prefix, struct mh_decisions *d)
{
    char key[64];

    snprintf(key, sizeof key, "%sdecisions", prefix);
    d->count = number_at(r, from, key);
    snprintf(key, sizeof key, "%sdecision_sum", prefix);
    d->sum = number_at(r, from, key);
    snprintf(key, sizeof key, "%sdecision_min", prefix);
    d->min = number_at(r, from, key);
    snprintf(key, sizeof key, "%sdecision_max", prefix);
    d->max = number_at(r, from, key);
}

static void read_mcu(struct reader *r, const json_t *from, struct mh_mcu_stats *c)
{
#define MH_MCU_DECISION(prefix, source) read_decisions(r, from, prefix, &c->decision[MH_SOURCE_##source]);
#define MH_MCU_FIELD(name)              READ(r, from, c, name);
/* Missing: it is 0. */
#define MH_MCU_RARE_FIELD(name)                                                                                        \
    if (json_object_get(from, #name))                                                                                  \
        READ(r, from, c, name);
#include "record/fields.def"
}

static void read_fault(struct reader *r, const json_t *from, struct mh_fault *f)
{
    const char *reason = json_string_value(json_object_get(from, "reason"));
#define MH_FAULT_FIELD(name) READ(r, from, f, name);
#include "record/fields.def"
    if (!reason)
        refuse(r, "reason", "is missing");
    else
        snprintf(f->reason, sizeof f->reason, "%s", reason);
}

static void read_recovery(struct reader *r, const json_t *from, struct mh_recovery *recovery)
{
#define MH_RECOVERY_FIELD(name) READ(r, from, recovery, name);
#include "record/fields.def"
    if (mh_recovery_any(recovery))
        read_fault(r, json_object_get(from, "first"), &recovery->first);
}

static void read_end(struct reader *r, const json_t *root, enum mh_end *end)
{
    const char *name = json_string_value(json_object_get(root, "end"));

    for (int e = 0; name && mh_end_names[e]; e++)
        if (!strcmp(name, mh_end_names[e])) {
            *end = (enum mh_end)e;
            return;
        }
    refuse(r, "end", "is none of pass, fail, fault, hang, deadlock");
}

static void read_result(struct reader *r, const json_t *root, struct mh_result *result)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));

    if (!schema || strcmp(schema, MH_RECORD_SCHEMA)) {
        refuse(r, "schema", "is another one"); /* of a file of another kind all else would be missing, too */
        return;
    }
    read_end(r, root, &result->end);
    /* A run that did not pass has a fault; whether it did is known only if `end` was right. */
    if (!r->failed && result->end != MH_END_PASS)
        read_fault(r, json_object_get(root, "fault"), &result->fault);
    READ(r, root, &result->stats, cycles);
    read_tenants(r, root, &result->stats);
    read_moved(r, root, &result->stats);
    read_completed(r, root, &result->stats);
    read_waits(r, root, &result->stats);
    read_knobs(r, root, &result->stats);
    read_control(r, json_object_get(root, "control"), &result->stats.control);
    read_sources(r, json_object_get(root, "sources"), &result->stats.control);
    read_mcu(r, json_object_get(root, "core"), &result->mcu);
    read_recovery(r, json_object_get(root, "recovery"), &result->mcu.recovery);
}

static int read_root(json_t *root, const json_error_t *where, const char *name, struct mh_result *result,
                     struct mh_error *err)
{
    struct reader r = {.path = name, .err = err};

    memset(result, 0, sizeof *result);
    if (!root)
        return mh_fail(err, "%s:%d: %s", name, where->line, where->text);
    read_result(&r, root, result);
    json_decref(root);
    return r.failed ? -1 : 0;
}

int mh_record_read(const char *path, struct mh_result *result, struct mh_error *err)
{
    json_error_t where;
    return read_root(json_load_file(path, JSON_REJECT_DUPLICATES, &where), &where, path, result, err);
}

int mh_record_parse(const char *text, const char *name, struct mh_result *result, struct mh_error *err)
{
    json_error_t where;
    return read_root(json_loads(text, JSON_REJECT_DUPLICATES, &where), &where, name, result, err);
}
