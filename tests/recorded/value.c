#include "recorded/value.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OVER " / "

static const char *const folders[] = {"host/reproduce/results", "host/latency/results", "host/assumptions/results",
                                      "firmware"};

int value_file(const char *name, const char *suffix, char *path, size_t size, struct mh_error *err)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, size, "%s/%s%s", folders[i], name, suffix);
        if (!access(path, R_OK))
            return 0;
    }
    return mh_fail(err, "%s%s is in none of %s, %s, %s, %s", name, suffix, folders[0], folders[1], folders[2],
                   folders[3]);
}

static const json_t *in_list(const json_t *list, const char *key)
{
    static const char *const names[] = {"id", "name", "workload", "key", "value"};
    for (size_t i = 0; i < json_array_size(list); i++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const json_t *o = json_array_get(list, i);
            const char *text = json_string_value(json_object_get(o, names[n]));
            if (text && !strcmp(text, key))
                return o;
        }
    if (!strcmp(key, "last"))
        return json_array_get(list, json_array_size(list) - 1);
    bool place = *key && strspn(key, "0123456789") == strlen(key);
    return place ? json_array_get(list, strtoul(key, NULL, 10)) : NULL;
}

static int to_number(const json_t *at, double *value, struct mh_error *err)
{
    if (!json_is_number(at))
        return mh_fail(err, "%s", at ? "is not a number" : "there is none such");
    *value = json_number_value(at);
    return 0;
}

/* `keys` are taken apart. */
static int walk(const json_t *at, char *keys, double *value, struct mh_error *err)
{
    char *rest;
    for (char *key = strtok_r(keys, "/", &rest); key && at; key = strtok_r(NULL, "/", &rest)) {
        if (json_is_array(at) && !strcmp(key, "#")) {
            *value = (double)json_array_size(at);
            return 0;
        }
        at = json_is_array(at) ? in_list(at, key) : json_object_get(at, key);
    }
    return to_number(at, value, err);
}

static int one_value(const char *name, double *value, struct mh_error *err)
{
    char words[256], path[256];
    json_error_t why;
    bool negative = *name == '-';
    snprintf(words, sizeof words, "%s", name + negative);
    char *colon = strchr(words, ':');
    if (!colon || !colon[1])
        return mh_fail(err, "write FILE:KEY/KEY");
    *colon = 0;
    if (value_file(words, ".json", path, sizeof path, err))
        return -1;
    json_t *file = json_load_file(path, 0, &why);
    if (!file)
        return mh_fail(err, "%s:%d: %s", path, why.line, why.text);
    int status = walk(file, colon + 1, value, err);
    json_decref(file);
    if (negative)
        *value = -*value;
    return status;
}

int value_of(const char *name, double *value, struct mh_error *err)
{
    char first[256];
    double by;
    const char *over = strstr(name, OVER);
    snprintf(first, sizeof first, "%.*s", over ? (int)(over - name) : (int)strlen(name), name);
    if (one_value(first, value, err) || (over && one_value(over + strlen(OVER), &by, err)))
        return -1;
    if (over)
        *value /= by;
    return 0;
}
