#include "profile.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/file.h"
#include "base/json.h"

#define SCHEMA "memhelm-core-2"

struct reader {
    struct profile *p;
    unsigned functions;
};

/* A row [a, b, ..] of `count` whole numbers; -1 is one for no function. */
static bool row(const json_t *list, size_t i, json_int_t *numbers, size_t count)
{
    const json_t *one = json_array_get(list, i);
    if (json_array_size(one) != count)
        return false;
    for (size_t k = 0; k < count; k++) {
        const json_t *v = json_array_get(one, k);
        if (!json_is_integer(v) || json_integer_value(v) < -1)
            return false;
        numbers[k] = json_integer_value(v);
    }
    return true;
}

static bool read_nodes(const struct reader *r, const json_t *list)
{
    json_int_t n[7];
    r->p->nodes = must_have(json_array_size(list), sizeof *r->p->nodes);
    if (!json_array_size(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!row(list, i, n, 7) || n[0] != (json_int_t)i || n[1] < 0 || (i && n[1] >= n[0]) ||
            n[2] >= (json_int_t)r->functions || (i && n[2] < 0) || n[3] < 0 || n[4] < 0 || n[5] < 0 || n[6] < 0)
            return false;
        r->p->nodes[r->p->node_count++] = (struct profile_node){.parent = (unsigned)n[1],
                                                                .function = (int)n[2],
                                                                .calls = (uint64_t)n[3],
                                                                .instructions = (uint64_t)n[4],
                                                                .cycles = (uint64_t)n[5],
                                                                .mmio = (uint64_t)n[6]};
    }
    return true;
}

static bool read_addresses(const struct reader *r, const json_t *list)
{
    json_int_t n[5], last = -1;
    r->p->at = must_have(json_array_size(list), sizeof *r->p->at);
    if (!json_is_array(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++, last = n[0]) {
        if (!row(list, i, n, 5) || n[0] <= last || n[0] > UINT32_MAX || n[1] < 0 || n[2] < 0 || n[3] < 0 || n[4] < 0 ||
            n[4] > UINT32_MAX)
            return false;
        r->p->at[r->p->at_count++] =
            (struct profile_at){(uint32_t)n[0], (uint64_t)n[1], (uint64_t)n[2], (uint64_t)n[3], (uint32_t)n[4]};
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint64_t v = *(const uint64_t *)a, w = *(const uint64_t *)b;
    return v < w ? -1 : v > w;
}

/* Sorts the values. */
static struct spread spread_of(uint64_t *values, size_t count)
{
    struct spread s = {0};
    for (size_t i = 0; i < count; i++)
        s.mean += (double)values[i];
    s.mean /= (double)count;
    qsort(values, count, sizeof *values, by_value);
    s.min = values[0];
    s.max = values[count - 1];
    s.p99 = values[(count * 99 + 99) / 100 - 1];
    return s;
}

static bool read_samples(struct series *s, const json_t *list)
{
    struct spread *const to[] = {&s->instructions, &s->cycles, &s->stalls};
    size_t count = json_array_size(list);
    json_int_t n[3];
    uint64_t *values = must_have(count, sizeof *values);
    bool good = count;
    for (unsigned k = 0; good && k < 3; k++) {
        for (size_t i = 0; good && i < count; i++) {
            good = row(list, i, n, 3) && n[k] >= 0;
            values[i] = good ? (uint64_t)n[k] : 0;
        }
        *to[k] = spread_of(values, count);
    }
    free(values);
    s->count = count;
    return good;
}

/* Nodes of one function are added up. */
static void add_share(struct share *all, const struct profile_node *node, const struct part *part)
{
    struct share *s = &all[node->function];
    s->function = (unsigned)node->function;
    s->instructions += part->instructions;
    s->cycles += part->cycles;
}

static int by_cycles(const void *a, const void *b)
{
    const struct share *s = a, *t = b;
    if (s->cycles != t->cycles)
        return s->cycles > t->cycles ? -1 : 1;
    return s->function < t->function ? -1 : s->function > t->function;
}

static bool read_parts(const struct reader *r, struct series *s, const json_t *list)
{
    json_int_t n[3];
    s->parts = must_have(json_array_size(list), sizeof *s->parts);
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        good = row(list, i, n, 3) && n[0] > 0 && n[0] < (json_int_t)r->p->node_count && n[1] >= 0 && n[2] >= 0;
        if (good)
            s->parts[s->part_count++] = (struct part){(unsigned)n[0], (uint64_t)n[1], (uint64_t)n[2]};
    }
    return good;
}

/* Of a source, the nodes are decisions' work. */
static bool read_worst(const struct reader *r, struct series *s, const json_t *list, bool source)
{
    struct share *all = must_have(r->functions, sizeof *all);
    bool good = read_parts(r, s, list);
    for (unsigned i = 0; good && i < s->part_count; i++) {
        const struct part *part = &s->parts[i];
        add_share(all, &r->p->nodes[part->node], part);
        if (source)
            r->p->nodes[part->node].decided += s->count * part->cycles;
    }
    if (good)
        qsort(all, r->functions, sizeof *all, by_cycles);
    while (good && s->worst_count < SHARES && s->worst_count < r->functions && all[s->worst_count].cycles) {
        s->worst[s->worst_count] = all[s->worst_count];
        s->worst_count++;
    }
    free(all);
    return good;
}

/* They must be all instructions of the samples, and of the first of the longest. */
static bool read_mixes(struct series *s, const json_t *span)
{
    const json_t *list = json_object_get(span, "samples");
    json_int_t n[3], longest = -1;
    uint64_t all = 0, worst = 0;
    for (size_t i = 0; i < json_array_size(list) && row(list, i, n, 3); i++) {
        all += (uint64_t)n[0];
        worst = n[1] > longest ? (uint64_t)n[0] : worst;
        longest = n[1] > longest ? n[1] : longest;
    }
    return mix_read(&s->mix, json_object_get(span, "mix")) && mix_instructions(&s->mix) == all &&
           mix_read(&s->worst_mix, json_object_get(span, "worst_mix")) && mix_instructions(&s->worst_mix) == worst;
}

static bool read_span(const struct reader *r, const json_t *span)
{
    const char *kind = json_string_value(json_object_get(span, "kind"));
    const json_t *id = json_object_get(span, "id");
    json_int_t n = json_is_integer(id) ? json_integer_value(id) : -1;
    bool source = kind && !strcmp(kind, "source"), hook = kind && !strcmp(kind, "hook");
    if (n < 0 || (!source && !hook) || n >= (source ? (json_int_t)MH_SOURCES : HOOKS_MAX))
        return false;
    struct series *s = source ? &r->p->sources[n] : &r->p->hooks[n];
    const json_t *low = json_object_get(span, "stack_low");
    s->stack_low = (uint32_t)json_integer_value(low);
    return !s->count && json_is_integer(low) && read_samples(s, json_object_get(span, "samples")) &&
           read_mixes(s, span) && read_worst(r, s, json_object_get(span, "worst"), source);
}

static bool read_spans(const struct reader *r, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!read_span(r, json_array_get(list, i)))
            return false;
    return json_is_array(list);
}

static bool read_profile(const struct reader *r, const json_t *file)
{
    const char *schema = json_string_value(json_object_get(file, "schema"));
    const json_t *instructions = json_object_get(file, "instructions");
    const json_t *traps = json_object_get(file, "traps");
    r->p->instructions = (uint64_t)json_integer_value(instructions);
    r->p->traps = (uint64_t)json_integer_value(traps);
    r->p->stack_low = (uint32_t)json_integer_value(json_object_get(file, "stack_low"));
    return schema && !strcmp(schema, SCHEMA) && json_is_integer(instructions) && json_is_integer(traps) &&
           mix_read(&r->p->mix, json_object_get(file, "mix")) && mix_instructions(&r->p->mix) == r->p->instructions &&
           read_addresses(r, json_object_get(file, "at")) && read_nodes(r, json_object_get(file, "nodes")) &&
           read_spans(r, json_object_get(file, "spans"));
}

struct profile *profile_parse(const char *name, const char *text, unsigned functions, struct mh_error *err)
{
    json_error_t why;
    struct reader r = {must_have(1, sizeof(struct profile)), functions};
    json_t *file = json_loads(text, 0, &why);
    bool good = file && read_profile(&r, file);
    if (!file)
        (void)mh_fail(err, "%s:%d: %s", name, why.line, why.text);
    else if (!good)
        (void)mh_fail(err, "%s: no counts of this image (" SCHEMA "); are QEMU's plugin and memhelm of one build?",
                      name);
    json_decref(file);
    if (!good)
        profile_free(r.p);
    return good ? r.p : NULL;
}

struct profile *profile_read(const char *path, unsigned functions, struct mh_error *err)
{
    size_t length;
    char *text = read_log(path, &length, err);
    struct profile *p = text ? profile_parse(path, text, functions, err) : NULL;
    free(text);
    return p;
}

void profile_free(struct profile *p)
{
    for (unsigned s = 0; s < MH_SOURCES; s++)
        free(p->sources[s].parts);
    for (unsigned h = 0; h < HOOKS_MAX; h++)
        free(p->hooks[h].parts);
    free(p->nodes);
    free(p->at);
    free(p);
}

static int by_address(const void *key, const void *one)
{
    uint32_t a = *(const uint32_t *)key, b = ((const struct profile_at *)one)->address;
    return a < b ? -1 : a > b;
}

const struct profile_at *profile_at(const struct profile *p, uint32_t address)
{
    return bsearch(&address, p->at, p->at_count, sizeof *p->at, by_address);
}

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
