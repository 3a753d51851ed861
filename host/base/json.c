#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int json_write(json_t *o, const char *path, struct mh_error *err)
{
    char *text = json_dumps(o, STYLE);
    json_decref(o);
    if (!text)
        return mh_fail(err, "%s: out of memory", path);
    size_t n = strlen(text);
    text[n] = '\n'; /* the terminating 0 is not written */
    int status = write_file(path, text, n + 1, err);
    free(text);
    return status;
}
