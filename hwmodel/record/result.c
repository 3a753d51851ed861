/*
 * result.json, both ways: each function below writes a part of the file or reads it. Keys in the order of the tables,
 * whole numbers alone, so the same run gives the same bytes.
 */
#include "memhelm/record.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

const char *const mh_end_names[] = {"pass", "fail", "fault", "hang", "deadlock", NULL};

/* A pass over the file. Of a reading one, the first error stays in `err`. */
struct pass {
    bool reads;
    const char *path;
    struct mh_error *err;
    bool failed;
};

static void refuse(struct pass *p, const char *key, const char *what)
{
    if (!p->failed)
        (void)mh_fail(p->err, "%s: '%s' %s: not a %s file", p->path, key, what, MH_RECORD_SCHEMA);
    p->failed = true;
}

static uint64_t number_of(struct pass *p, const json_t *v, const char *key)
{
    if (v && !json_is_integer(v))
        refuse(p, key, "is not a whole number");
    if (json_integer_value(v) < 0)
        refuse(p, key, "is below 0");
    return (uint64_t)json_integer_value(v);
}

static uint32_t small_of(struct pass *p, uint64_t v, const char *key)
{
    if (v > UINT32_MAX)
        refuse(p, key, "is out of range");
    return (uint32_t)v;
}

static void number64(struct pass *p, json_t *o, const char *key, uint64_t *value)
{
    const json_t *v = json_object_get(o, key);

    if (!p->reads) {
        json_object_set_new(o, key, json_integer((json_int_t)*value));
        return;
    }
    if (!v)
        refuse(p, key, "is missing");
    *value = number_of(p, v, key);
}

static void number32(struct pass *p, json_t *o, const char *key, uint32_t *value)
{
    uint64_t wide = *value;

    number64(p, o, key, &wide);
    *value = small_of(p, wide, key);
}

/* One member, whichever of the two widths it has. */
#define NUMBER(p, o, object, name)                                                                                     \
    _Generic((object)->name, uint32_t : number32, uint64_t : number64)(p, o, #name, &(object)->name)

/* The object or list `key`; NULL: it is not in the file. */
static json_t *part(const struct pass *p, json_t *o, const char *key, json_t *made)
{
    if (p->reads) {
        json_decref(made);
        return json_object_get(o, key);
    }
    json_object_set_new(o, key, made);
    return made;
}

/* Item `i` of a list of objects. */
static json_t *item(const struct pass *p, json_t *list, size_t i)
{
    if (!p->reads)
        json_array_append_new(list, json_object());
    return json_array_get(list, i);
}

static void counters(struct pass *p, json_t *o, struct mh_counters *c)
{
#define MH_TENANT_COUNTER(name, field, unit, doc) NUMBER(p, o, c, field);
#include "memhelm/registers.def"
}

static void tenants(struct pass *p, json_t *root, struct mh_stats *s)
{
    json_t *list = part(p, root, "tenants", json_array());

    if (p->reads) {
        size_t n = json_array_size(list);

        if (n < 1 || n > MH_MAX_TENANTS) {
            refuse(p, "tenants", "is not a list of 1..8");
            return;
        }
        s->tenants = (uint32_t)n;
    }
    for (uint32_t t = 0; t < s->tenants; t++)
        counters(p, item(p, list, t), &s->tenant[t]);
}

/* A list that a file has only if some value in it is not 0, an item for each tenant. NULL: there is none. */
static json_t *list_if(struct pass *p, json_t *root, const char *key, bool any, const struct mh_stats *s)
{
    json_t *list = p->reads ? json_object_get(root, key) : any ? part(p, root, key, json_array()) : NULL;

    if (!list || !p->reads || json_array_size(list) == s->tenants)
        return list;
    refuse(p, key, "has not one member for each tenant");
    return NULL;
}

/* There if addresses of a recording were moved. */
static void moved(struct pass *p, json_t *root, struct mh_stats *s)
{
    static const char key[] = "trace_addresses_moved";
    uint64_t any = 0;

    for (uint32_t t = 0; t < s->tenants; t++)
        any |= s->moved[t];
    json_t *list = p->reads ? json_object_get(root, key) : any ? part(p, root, key, json_array()) : NULL;

    for (uint32_t t = 0; list && t < s->tenants; t++) {
        if (!p->reads)
            json_array_append_new(list, json_integer((json_int_t)s->moved[t]));
        const json_t *n = json_array_get(list, t);

        if (!json_is_integer(n) || json_integer_value(n) < 0)
            refuse(p, key, "has no whole number for each tenant");
        else
            s->moved[t] = (uint64_t)json_integer_value(n);
    }
}

/* There if a tenant has finished, with run.completions. */
static void completed(struct pass *p, json_t *root, struct mh_stats *s)
{
    uint64_t any = 0;

    for (uint32_t t = 0; t < s->tenants; t++)
        any |= s->completed[t].cycle;
    json_t *list = list_if(p, root, "completed", any, s);

    for (uint32_t t = 0; list && t < s->tenants; t++) {
        json_t *o = item(p, list, t);

        NUMBER(p, o, &s->completed[t], cycle);
        NUMBER(p, o, &s->completed[t], lane_instr);
    }
}

/* SM cycles of each tenant, by what they waited for; there with sm.wait_reasons. */
static void waits(struct pass *p, json_t *root, struct mh_stats *s)
{
    uint64_t any = 0;

    for (uint32_t t = 0; t < s->tenants; t++)
        for (uint32_t w = 0; w < MH_WAITS; w++)
            any |= s->waits[t][w];
    json_t *list = list_if(p, root, "waits", any, s);

    for (uint32_t t = 0; list && t < s->tenants; t++) {
        json_t *o = item(p, list, t);

        for (uint32_t w = 0; w < MH_WAITS; w++)
            number64(p, o, mh_wait_names[w], &s->waits[t][w]);
    }
}

static void knob(struct pass *p, json_t *o, const char *name, uint32_t *word, uint32_t count)
{
    json_t *list = part(p, o, name, json_array());

    for (uint32_t i = 0; !p->reads && i < count; i++)
        json_array_append_new(list, json_integer(word[i]));
    if (json_array_size(list) != count)
        refuse(p, name, "has not the number of values that it should");
    for (uint32_t i = 0; i < count; i++)
        word[i] = small_of(p, number_of(p, json_array_get(list, i), name), name);
}

/* Only the file says how many there are: a value for each walker that can have an owner, or none. */
static void knob_of_walkers(struct pass *p, json_t *o, const char *name, struct mh_stats *s, uint32_t *word)
{
    if (p->reads) {
        size_t n = json_array_size(json_object_get(o, name));

        if (n > MH_MAX_WALKER_QUEUES)
            refuse(p, name, "has not the number of values that it should");
        s->walker_queues = n > MH_MAX_WALKER_QUEUES ? 0 : (uint32_t)n;
    }
    knob(p, o, name, word, s->walker_queues);
}

static void knobs(struct pass *p, json_t *root, struct mh_stats *s)
{
    json_t *o = part(p, root, "knobs", json_object());
#define KNOB_TENANT(field)               knob(p, o, #field, s->knobs.field, s->tenants)
#define KNOB_SM_MASK(field)              knob(p, o, #field, s->knobs.field, MH_SM_WORDS)
#define KNOB_GPU(field)                  NUMBER(p, o, &s->knobs, field)
#define KNOB_WALKER(field)               knob_of_walkers(p, o, #field, s, s->knobs.field)
#define KNOB_TENANT_SM(field)            (void)0
#define MH_KNOB(name, field, shape, ...) KNOB_##shape(field);
#include "memhelm/registers.def"
}

static void control(struct pass *p, json_t *o, struct mh_control_stats *c)
{
#define MH_CONTROL_FIELD(name) NUMBER(p, o, c, name);
#include "record/fields.def"
}

static void source(struct pass *p, json_t *o, struct mh_source_stats *s)
{
#define MH_SOURCE_FIELD(name) NUMBER(p, o, s, name);
#include "record/fields.def"
}

static void sources(struct pass *p, json_t *o, struct mh_control_stats *c)
{
#define MH_SOURCE(name, field, irq, decision, raised, missed)                                                          \
    source(p, part(p, o, #field, json_object()), &c->source[MH_SOURCE_##name]);
#include "memhelm/registers.def"
}

static void decisions(struct pass *p, json_t *o, const char *prefix, struct mh_decisions *d)
{
    const struct {
        const char *name;
        uint64_t *value;
    } rows[] = {
        {"decisions", &d->count}, {"decision_sum", &d->sum}, {"decision_min", &d->min}, {"decision_max", &d->max}};
    char key[64];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, rows[i].name);
        number64(p, o, key, rows[i].value);
    }
}

static void mcu(struct pass *p, json_t *o, struct mh_mcu_stats *c)
{
#define MH_MCU_DECISION(prefix, source) decisions(p, o, prefix, &c->decision[MH_SOURCE_##source]);
#define MH_MCU_FIELD(name)              NUMBER(p, o, c, name);
/* Missing: it is 0. */
#define MH_MCU_RARE_FIELD(name)                                                                                        \
    if (p->reads ? json_object_get(o, #name) != NULL : c->name != 0)                                                   \
        NUMBER(p, o, c, name);
#include "record/fields.def"
}

static void fault(struct pass *p, json_t *o, struct mh_fault *f)
{
#define MH_FAULT_FIELD(name) NUMBER(p, o, f, name);
#include "record/fields.def"
    if (!p->reads)
        json_object_set_new(o, "reason", json_string(f->reason));
    const char *reason = json_string_value(json_object_get(o, "reason"));

    if (!reason)
        refuse(p, "reason", "is missing");
    else if (p->reads)
        snprintf(f->reason, sizeof f->reason, "%s", reason);
}

static void recovery(struct pass *p, json_t *o, struct mh_recovery *r)
{
#define MH_RECOVERY_FIELD(name) NUMBER(p, o, r, name);
#include "record/fields.def"
    if (mh_recovery_any(r))
        fault(p, part(p, o, "first", json_object()), &r->first);
}

/* There if the boot ROM refused the image. */
static void refused(struct pass *p, json_t *o, struct mh_swap *s)
{
    if (!p->reads) {
        if (s->refused)
            json_object_set_new(o, "refused", json_string(mh_boot_texts[s->refused]));
        return;
    }
    const char *why = json_string_value(json_object_get(o, "refused"));

    for (uint32_t i = 0; why && i < BOOT_ROWS; i++)
        if (!strcmp(why, mh_boot_texts[i]))
            s->refused = i;
    if (why && !s->refused)
        refuse(p, "refused", "is no line of the boot ROM");
}

static void span(struct pass *p, json_t *o, struct mh_swap_span *s)
{
    NUMBER(p, o, s, cycles);
    NUMBER(p, o, s, lane_instr);
}

static void swap(struct pass *p, json_t *o, struct mh_swap *s)
{
    if (!p->reads)
        json_object_set_new(o, "image", json_string(s->image));
    const char *image = json_string_value(json_object_get(o, "image"));

    if (!image)
        refuse(p, "image", "of a swap is missing");
    else if (p->reads)
        snprintf(s->image, sizeof s->image, "%s", image);
    NUMBER(p, o, s, asked);
    NUMBER(p, o, s, began);
    NUMBER(p, o, s, committed);
    NUMBER(p, o, s, confirmed);
    NUMBER(p, o, s, rolled_back);
    span(p, part(p, o, "before", json_object()), &s->before);
    span(p, part(p, o, "during", json_object()), &s->during);
    span(p, part(p, o, "after", json_object()), &s->after);
    refused(p, o, s);
}

/* There if images were swapped. */
static void swaps(struct pass *p, json_t *root, struct mh_swaps *s)
{
    static const char key[] = "swaps";
    json_t *list = p->reads ? json_object_get(root, key) : s->count ? part(p, root, key, json_array()) : NULL;

    if (p->reads && list && (json_array_size(list) < 1 || json_array_size(list) > MH_SWAPS)) {
        refuse(p, key, "is not a list of 1..8");
        return;
    }
    if (p->reads)
        s->count = (uint32_t)json_array_size(list);
    for (uint32_t i = 0; i < s->count; i++)
        swap(p, item(p, list, i), &s->list[i]);
}

static void read_end(struct pass *p, const json_t *root, enum mh_end *end)
{
    const char *name = json_string_value(json_object_get(root, "end"));

    for (int e = 0; name && mh_end_names[e]; e++)
        if (!strcmp(name, mh_end_names[e])) {
            *end = (enum mh_end)e;
            return;
        }
    refuse(p, "end", "is none of pass, fail, fault, hang, deadlock");
}

static void head(struct pass *p, json_t *root, struct mh_result *r)
{
    if (p->reads) {
        read_end(p, root, &r->end);
    } else {
        json_object_set_new(root, "schema", json_string(MH_RECORD_SCHEMA));
        json_object_set_new(root, "end", json_string(mh_end_names[r->end]));
    }
    /* A run that did not pass has a fault; whether it did is known only if `end` was right. */
    if (!p->failed && r->end != MH_END_PASS)
        fault(p, part(p, root, "fault", json_object()), &r->fault);
    NUMBER(p, root, &r->stats, cycles);
    if (p->reads ? json_object_get(root, "warmup") != NULL : r->stats.warmup != 0)
        NUMBER(p, root, &r->stats, warmup);
}

static void whole(struct pass *p, json_t *root, struct mh_result *r)
{
    head(p, root, r);
    tenants(p, root, &r->stats);
    moved(p, root, &r->stats);
    completed(p, root, &r->stats);
    waits(p, root, &r->stats);
    knobs(p, root, &r->stats);
    control(p, part(p, root, "control", json_object()), &r->stats.control);
    sources(p, part(p, root, "sources", json_object()), &r->stats.control);
    mcu(p, part(p, root, "core", json_object()), &r->mcu);
    recovery(p, part(p, root, "recovery", json_object()), &r->mcu.recovery);
    swaps(p, root, &r->mcu.swaps);
}

/* Renamed when it is whole: a run that is killed leaves the file of before, or none. */
int mh_result_write(const struct mh_result *result, const char *path, struct mh_error *err)
{
    char temporary[MH_PATH_MAX + 64];
    struct mh_result copy = *result;
    struct pass p = {.reads = false};

    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    json_t *o = json_object();

    whole(&p, o, &copy);
    int status = json_dump_file(o, temporary, JSON_INDENT(2) | JSON_REAL_PRECISION(6));

    json_decref(o);
    if (status)
        return mh_fail(err, "%s: cannot write: %s", temporary, strerror(errno));
    if (rename(temporary, path))
        return mh_fail(err, "%s: cannot rename to %s: %s", temporary, path, strerror(errno));
    return 0;
}

static int read_root(json_t *root, const json_error_t *where, const char *name, struct mh_result *result,
                     struct mh_error *err)
{
    struct pass p = {.reads = true, .path = name, .err = err};
    const char *schema = json_string_value(json_object_get(root, "schema"));

    memset(result, 0, sizeof *result);
    if (!root)
        return mh_fail(err, "%s:%d: %s", name, where->line, where->text);
    if (!schema || strcmp(schema, MH_RECORD_SCHEMA)) /* of a file of another kind all else would be missing, too */
        refuse(&p, "schema", "is another one");
    else
        whole(&p, root, result);
    json_decref(root);
    return p.failed ? -1 : 0;
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
