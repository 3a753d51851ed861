#include "budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/file.h"
#include "base/json.h"

#define SCHEMA "memhelm-baseline-1"

static int refuse(const char *name, const char *what, struct mh_error *err)
{
    return mh_fail(err, "%s: %s; remove it and `make budget-accept`", name, what);
}

/* A whole number from 0; false for anything else. */
static bool number(const json_t *object, const char *key, uint64_t *value)
{
    const json_t *v = json_object_get(object, key);
    if (!json_is_integer(v) || json_integer_value(v) < 0)
        return false;
    *value = (uint64_t)json_integer_value(v);
    return true;
}

static const char *const part_names[BASELINE_PARTS] = {"bytes", "frame", "cycles"};

static bool read_functions(struct baseline *b, json_t *functions)
{
    const char *name;
    json_t *f;
    b->functions = must_have(json_object_size(functions), sizeof *b->functions);
    json_object_foreach(functions, name, f)
    {
        struct baseline_function *to = &b->functions[b->count++];
        to->name = name;
        for (unsigned p = 0; p < BASELINE_PARTS; p++)
            if (!number(f, part_names[p], &to->parts[p]))
                return false;
    }
    return true;
}

/* Entries that were accepted before there was such a limit do not have it. */
static bool read_need(const json_t *entry, enum limit l, uint64_t *need)
{
    const char *name = limit_names[l];
    bool late = l >= LIMIT_ARRIVAL;
    *need = 0;
    return (late && !json_object_get(entry, name)) || number(entry, name, need);
}

static bool read_last(struct baseline *b, const json_t *accepted)
{
    const json_t *last = json_array_get(accepted, json_array_size(accepted) - 1);
    b->core = json_string_value(json_object_get(last, "core"));
    for (enum limit l = 0; l < LIMITS; l++)
        if (!read_need(last, l, &b->needs[l]))
            return false;
    return b->core != NULL;
}

int baseline_parse(struct baseline *b, const char *name, const char *text, struct mh_error *err)
{
    json_error_t why;
    memset(b, 0, sizeof *b);
    b->file = json_loads(text, 0, &why);
    if (!b->file)
        return mh_fail(err, "%s:%d: %s; remove it and `make budget-accept`", name, why.line, why.text);
    const char *schema = json_string_value(json_object_get(b->file, "schema"));
    b->present = schema && !strcmp(schema, SCHEMA) && read_last(b, json_object_get(b->file, "accepted")) &&
                 read_functions(b, json_object_get(b->file, "functions"));
    if (b->present)
        return 0;
    baseline_free(b);
    return refuse(name, "no baseline of schema " SCHEMA, err);
}

int baseline_read(struct baseline *b, const char *folder, const char *image, struct mh_error *err)
{
    char path[HOST_PATH], name[80];
    size_t length;
    memset(b, 0, sizeof *b);
    snprintf(name, sizeof name, "%s.json", image);
    if (access(folder, R_OK | X_OK))
        return mh_fail(err, "%s: no such folder: start at the top of the tree, or give --baselines", folder);
    if (path_join(path, folder, name, err))
        return -1;
    if (access(path, R_OK))
        return 0;
    char *text = read_file(path, &length, err);
    int status = text ? baseline_parse(b, path, text, err) : -1;
    free(text);
    return status;
}

static json_t *entry_json(const struct baseline *b, const char *sha256)
{
    json_t *entry = json_object();
    for (unsigned i = 0; i < LIMITS; i++)
        json_put_count(entry, limit_names[i], b->needs[i]);
    json_put(entry, "core", json_string(b->core));
    json_put(entry, "sha256", json_string(sha256));
    return entry;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct baseline_function *)a)->name, ((const struct baseline_function *)b)->name);
}

/* A line each: what has changed is seen at once. */
static void print_functions(const struct baseline *b, FILE *out)
{
    struct baseline_function *sorted = must_have(b->count, sizeof *sorted);
    memcpy(sorted, b->functions, b->count * sizeof *sorted);
    qsort(sorted, b->count, sizeof *sorted, by_name);
    for (unsigned i = 0; i < b->count; i++) {
        fprintf(out, "    \"%s\": {", sorted[i].name);
        for (unsigned p = 0; p < BASELINE_PARTS; p++)
            fprintf(out, "%s\"%s\": %" PRIu64, p ? ", " : "", part_names[p], sorted[i].parts[p]);
        fprintf(out, "}%s\n", i + 1 < b->count ? "," : "");
    }
    free(sorted);
}

static void print_accepted(json_t *list, FILE *out)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        char *text = json_dumps(json_array_get(list, i), 0);
        fprintf(out, "    %s%s\n", text ? text : "", i + 1 < json_array_size(list) ? "," : "");
        free(text);
    }
    json_decref(list);
}

/* The entries of before and the new one, at most BASELINE_HISTORY of them. */
static json_t *accepted_json(const struct baseline *now, const struct baseline *before, const char *sha256)
{
    json_t *list = before->present ? json_deep_copy(json_object_get(before->file, "accepted")) : json_array();
    json_t *entry = entry_json(now, sha256);
    if (json_equal(json_array_get(list, json_array_size(list) - 1), entry))
        json_decref(entry);
    else
        json_array_append_new(list, entry);
    while (json_array_size(list) > BASELINE_HISTORY)
        json_array_remove(list, 0);
    return list;
}

int baseline_write(const struct baseline *now, const struct baseline *before, const char *folder, const char *image,
                   const char *sha256, struct mh_error *err)
{
    char path[HOST_PATH], name[80];
    snprintf(name, sizeof name, "%s.json", image);
    if (path_join(path, folder, name, err))
        return -1;
    struct draft d;
    draft_open(&d);
    fputs("{\n  \"schema\": \"" SCHEMA "\",\n  \"accepted\": [\n", d.out);
    print_accepted(accepted_json(now, before, sha256), d.out);
    fputs("  ],\n  \"functions\": {\n", d.out);
    print_functions(now, d.out);
    fputs("  }\n}\n", d.out);
    return draft_write(&d, path, err);
}

void baseline_free(struct baseline *b)
{
    free(b->functions);
    json_decref(b->file);
    memset(b, 0, sizeof *b);
}

const struct baseline_function *baseline_function(const struct baseline *b, const char *name)
{
    for (unsigned i = 0; i < b->count; i++)
        if (!strcmp(b->functions[i].name, name))
            return &b->functions[i];
    return NULL;
}
