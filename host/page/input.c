#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_stream.h"

#define WHAT "a page is made of memhelm's JSON files, files of points, and epoch logs"

static void name_of(struct input *in)
{
    const char *slash = strrchr(in->path, '/'), *name = slash ? slash + 1 : in->path;
    snprintf(in->name, sizeof in->name, "%s", name);
    if (names_file(in->name, ".zst"))
        in->name[strlen(in->name) - strlen(".zst")] = 0;
    char *end = strrchr(in->name, '.');
    if (end && end != in->name)
        *end = 0;
}

static int kind_of_json(struct input *in, const char *text, struct mh_error *err)
{
    json_error_t why;
    in->json = json_loads(text, 0, &why);
    if (!in->json)
        return mh_fail(err, "%.300s:%d: %.200s; a file that was cut off? Write it anew", in->path, why.line, why.text);
    const char *schema = input_text(in->json, "schema");
    if (!strcmp(schema, "memhelm-record-1"))
        return mh_fail(err, "%.300s: what a run left for memhelm; give what --json of `run` or `compare` wrote",
                       in->path);
    if (strncmp(schema, "memhelm-", strlen("memhelm-")) != 0)
        return mh_fail(err, "%.300s: no schema of memhelm: " WHAT, in->path);
    if (!strcmp(schema, "memhelm-result-1") || !strcmp(schema, "memhelm-compare-1"))
        in->kind = INPUT_RUNS;
    else if (!strcmp(schema, "memhelm-reproduce-1"))
        in->kind = INPUT_STUDY;
    else
        in->kind = strcmp(schema, "memhelm-latency-2") ? INPUT_OTHER : INPUT_LATENCY;
    return 0;
}

static int kind_of(struct input *in, const char *text, size_t length, struct mh_error *err)
{
    static const char sqlite[] = "SQLite format 3", log[] = "epoch,cycle,";
    if (length >= sizeof sqlite && !memcmp(text, sqlite, sizeof sqlite))
        in->kind = INPUT_POINTS;
    else if (!strncmp(text, log, strlen(log)))
        in->kind = INPUT_EPOCHS;
    else if (text[strspn(text, " \t\r\n")] == '{')
        return kind_of_json(in, text, err);
    else
        return mh_fail(err, "%.300s: " WHAT, in->path);
    return 0;
}

int input_open(struct input *in, const char *path, struct mh_error *err)
{
    size_t length;
    *in = (struct input){.path = path};
    char *text = read_packed(path, &length, err);
    if (!text)
        return -1;
    name_of(in);
    const int status = kind_of(in, text, length, err);
    free(text);
    return status;
}

void input_close(struct input *in)
{
    json_decref(in->json);
    in->json = NULL;
}

const char *input_text(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

double input_number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}
