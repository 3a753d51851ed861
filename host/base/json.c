#include "json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "file.h"

void json_put(json_t *object, const char *key, json_t *v)
{
    json_object_set_new(object, key, v);
}

void json_put_count(json_t *object, const char *key, uint64_t v)
{
    json_put(object, key, json_integer((json_int_t)v));
}

json_t *json_number(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

void json_put_real(json_t *object, const char *key, double v)
{
    json_put(object, key, json_number(v));
}

json_t *json_texts(const char *const *texts, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_string(texts[i]));
    return list;
}

enum { STYLE = JSON_INDENT(2) | JSON_REAL_PRECISION(6) };

int json_print(json_t *o, FILE *out, struct mh_error *err)
{
    int status = json_dumpf(o, out, STYLE);
    json_decref(o);
    fputc('\n', out);
    return status ? mh_fail(err, "out of memory") : 0;
}

/* Level 19: recordings are read a thousand times and written once. */
static int write_packed(const char *path, const char *text, size_t length, struct mh_error *err)
{
    const size_t room = ZSTD_compressBound(length);
    char *packed = malloc(room);
    const size_t size = packed ? ZSTD_compress(packed, room, text, length, 19) : 0;
    int status =
        packed && !ZSTD_isError(size) ? write_file(path, packed, size, err) : mh_fail(err, "%s: out of memory", path);

    free(packed);
    return status;
}

int json_write(json_t *o, const char *path, struct mh_error *err)
{
    char *text = json_dumps(o, STYLE);

    json_decref(o);
    if (!text)
        return mh_fail(err, "%s: out of memory", path);
    size_t n = strlen(text);
    const bool packed = strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".zst");
    text[n] = '\n'; /* the terminating 0 is not written */
    int status = packed ? write_packed(path, text, n + 1, err) : write_file(path, text, n + 1, err);
    free(text);
    return status;
}

json_t *json_read(const char *path, struct mh_error *err)
{
    size_t length;
    json_error_t why;
    char *text = read_packed(path, &length, err);
    json_t *o = text ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &why) : NULL;

    if (text && !o)
        (void)mh_fail(err, "%s:%d: damaged: %.160s", path, why.line, why.text);
    free(text);
    return o;
}
