#include "budget.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

#define SCHEMA "memhelm-baseline-2"

static json_t *no_baselines(struct mh_error *err, const char *path, const char *why)
{
    (void)mh_fail(err, "%s: %s", path, why);
    return NULL;
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

json_t *baselines_read(const char *path, struct mh_error *err)
{
    char copy[HOST_PATH];
    snprintf(copy, sizeof copy, "%s", path);
    const char *folder = dirname(copy);
    if (access(folder, R_OK | X_OK))
        return no_baselines(err, folder, "no such folder: start at the top of the tree, or give --baselines");
    if (access(path, F_OK))
        return json_object();
    json_t *file = json_read(path, err), *images = json_object_get(file, "images");
    const char *schema = json_string_value(json_object_get(file, "schema"));
    if (json_is_object(images) && schema && !strcmp(schema, SCHEMA))
        json_incref(images);
    else
        images = file ? no_baselines(err, path, "no baselines of schema " SCHEMA) : NULL;
    json_decref(file);
    return images;
}

int baseline_of_image(struct baseline *b, json_t *images, const char *image, struct mh_error *err)
{
    memset(b, 0, sizeof *b);
    b->json = json_incref(json_object_get(images, image));
    b->present = b->json && read_last(b, json_object_get(b->json, "accepted")) &&
                 read_functions(b, json_object_get(b->json, "functions"));
    if (b->present || !b->json)
        return 0;
    baseline_free(b);
    return mh_fail(err, "%s: its baseline lacks something; remove it and `make budget-accept`", image);
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

/* The entries of before and the new one, at most BASELINE_HISTORY of them. */
static json_t *accepted_json(const struct baseline *now, const struct baseline *before, const char *sha256)
{
    json_t *list = before->present ? json_deep_copy(json_object_get(before->json, "accepted")) : json_array();
    json_t *entry = entry_json(now, sha256);
    if (json_equal(json_array_get(list, json_array_size(list) - 1), entry))
        json_decref(entry);
    else
        json_array_append_new(list, entry);
    while (json_array_size(list) > BASELINE_HISTORY)
        json_array_remove(list, 0);
    return list;
}

static json_t *functions_json(const struct baseline *b)
{
    json_t *functions = json_object();
    for (unsigned i = 0; i < b->count; i++) {
        json_t *f = json_object();
        for (unsigned p = 0; p < BASELINE_PARTS; p++)
            json_put_count(f, part_names[p], b->functions[i].parts[p]);
        json_put(functions, b->functions[i].name, f);
    }
    return functions;
}

void baseline_put(json_t *images, const char *image, const struct baseline *now, const struct baseline *before,
                  const char *sha256)
{
    json_t *json = json_object();
    json_put(json, "accepted", accepted_json(now, before, sha256));
    json_put(json, "functions", functions_json(now));
    json_put(images, image, json);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys of an object by name; the caller frees the list, not the texts. */
static const char **sorted_keys(json_t *object)
{
    const char **keys = must_have(json_object_size(object), sizeof *keys), *key;
    unsigned count = 0;
    json_t *value;
    json_object_foreach(object, key, value) keys[count++] = key;
    qsort(keys, count, sizeof *keys, by_text);
    return keys;
}

static bool is_nested(json_t *v)
{
    void *i = json_object_iter(v);
    json_t *first = i ? json_object_iter_value(i) : json_array_get(v, 0);
    return json_is_object(first) || json_is_array(first);
}

enum { INDENT = 2 };

static void print_line(json_t *v, FILE *out)
{
    char *text = must(json_dumps(v, 0));
    fputs(text, out);
    free(text);
}

/* Objects by name. What holds no object or list is a line: a changed measurement or function is seen at once. */
static void print_json(json_t *v, int indent, FILE *out)
{
    if (!is_nested(v)) {
        print_line(v, out);
        return;
    }
    const bool list = json_is_array(v);
    const char **keys = sorted_keys(v);
    const size_t count = list ? json_array_size(v) : json_object_size(v);
    fputc(list ? '[' : '{', out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s\n%*s", i ? "," : "", indent + INDENT, "");
        if (!list)
            fprintf(out, "\"%s\": ", keys[i]);
        print_json(list ? json_array_get(v, i) : json_object_get(v, keys[i]), indent + INDENT, out);
    }
    fprintf(out, "\n%*s%c", indent, "", list ? ']' : '}');
    free(keys);
}

int baselines_write(json_t *images, const char *path, struct mh_error *err)
{
    struct draft d;
    draft_open(&d);
    fputs("{\n  \"schema\": \"" SCHEMA "\",\n  \"images\": ", d.out);
    print_json(images, INDENT, d.out);
    fputs("\n}\n", d.out);
    return draft_write(&d, path, err);
}

void baseline_free(struct baseline *b)
{
    free(b->functions);
    json_decref(b->json);
    memset(b, 0, sizeof *b);
}

const struct baseline_function *baseline_function(const struct baseline *b, const char *name)
{
    for (unsigned i = 0; i < b->count; i++)
        if (!strcmp(b->functions[i].name, name))
            return &b->functions[i];
    return NULL;
}
