/* The static instructions of a recording as NAME.pcs.json: the keys and the form that published traces have. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/json.h"
#include "recording.h"

static json_t *pcs(const uint32_t *list, uint32_t count)
{
    json_t *j = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(j, json_integer(list[i]));
    return j;
}

static json_t *row(const struct record_code *c)
{
    static const char *const names[] = {"load", "store", "atomic", "barrier"};

    return json_pack("{s:I,s:s,s:s,s:I,s:I,s:i,s:I,s:o,s:o}", "pc", (json_int_t)c->pc, "fn", c->function, "op",
                     names[c->kind], "bytes", (json_int_t)c->bytes, "loop_depth", (json_int_t)c->depth, "use",
                     (int)c->use, "line", (json_int_t)c->line, "addr_deps", pcs(c->address, c->addresses), "val_deps",
                     pcs(c->value, c->values));
}

int recording_write_codes(const struct recording *r, const char *path, struct mh_error *err)
{
    struct bytes text = {0};
    int status;

    bytes_byte(&text, '[');
    for (unsigned i = 0; i < r->codes; i++) {
        json_t *j = row(&r->code[i]);
        char *line = json_dumps(j, JSON_COMPACT);

        bytes_add(&text, ",\n", i ? 2 : 0);
        bytes_add(&text, line, line ? strlen(line) : 0);
        text.failed |= !line;
        free(line);
        json_decref(j);
    }
    bytes_add(&text, "]\n", 2);
    status =
        text.failed ? mh_fail(err, "%s: out of memory", path) : write_file(path, (const char *)text.at, text.size, err);
    bytes_free(&text);
    return status;
}
