#include <math.h>
#include <string.h>

#include "part.h"
#include "base/words.h"

/* --- Latency part. */

static void put_hz(struct table *t, const json_t *o, const char *key)
{
    const double hz = input_number(o, key);
    if (isnan(hz))
        table_text(t, "-");
    else
        table_text(t, "%.0f MHz", hz / 1e6);
}

/* What there is to gain, and from which clock on it is kept. */
static void workloads(struct part *p, const json_t *image)
{
    struct table *t = table_new();
    size_t i;
    const json_t *w;
    table_heading(t, "workload|gain in no time|of it|knee|kept down to");
    json_array_foreach(json_object_get(image, "workloads"), i, w)
    {
        table_row(t);
        table_text(t, "%s", input_text(w, "workload"));
        table_text(t, "%+.1f +- %.1f %%", 100 * input_number(w, "gain"), 100 * input_number(w, "gain_half"));
        table_text(t, "%s", *input_text(w, "verdict") ? input_text(w, "verdict") : "kept");
        put_hz(t, w, "knee_hz");
        put_hz(t, w, "kept_hz");
    }
    doc_table(&p->doc, t);
}

/* What of the gain is lost with an mcu and a bus, a row each; the first row's mcu takes no time. */
static void points(struct part *p, const json_t *image)
{
    struct table *t = table_new();
    size_t i, k;
    const json_t *w, *point, *loss;
    table_heading(t, "lost, in points of the gain");
    json_array_foreach(json_object_get(image, "workloads"), i, w)
    {
        table_text(t, "%s", input_text(w, "workload"));
    }
    table_text(t, "missed");
    json_array_foreach(json_object_get(image, "points"), i, point)
    {
        table_row(t);
        table_text(t, "%s", input_text(point, "name"));
        json_array_foreach(json_object_get(point, "losses"), k, loss)
        {
            table_percent(t, json_is_number(loss) ? json_number_value(loss) : (double)NAN);
        }
        table_text(t, "%.0f of %.0f", input_number(point, "missed"), input_number(point, "questions"));
    }
    doc_table(&p->doc, t);
}

int part_latency(struct part *p, const struct input *in, struct mh_error *err)
{
    size_t i;
    const json_t *image;
    int status = 0;
    part_begin(p, in->name);
    made_by_words(&p->doc, in->json);
    doc_paragraph(&p->doc,
                  "Gain: weighted speedup over that of no policy, less 1. Knee: the slowest mcu on which it is kept.");
    json_array_foreach(json_object_get(in->json, "images"), i, image)
    {
        char figure[PART_TITLE];
        if (status)
            break;
        doc_heading(&p->doc, 1, input_text(image, "name"));
        doc_paragraph(&p->doc, "Preset %s, core %s, %.0f GPU cycles.", input_text(image, "preset"),
                      input_text(image, "core"), input_number(image, "cycles"));
        workloads(p, image);
        points(p, image);
        snprintf(figure, sizeof figure, "latency-%.100s", input_text(image, "name"));
        status = part_figures(p, in, figure, ".svg", err);
    }
    part_end(p);
    return status;
}

/* --- Other part. */

enum { ROWS = 500, COLUMNS = 24, DEPTH = 3, LINE = 240 };

/* false: a list or an object. */
static bool scalar(const json_t *v, char *text, size_t size)
{
    if (json_is_integer(v))
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else if (json_is_real(v))
        snprintf(text, size, "%.6g", json_real_value(v));
    else if (json_is_string(v))
        snprintf(text, size, "%s", json_string_value(v));
    else if (json_is_boolean(v))
        snprintf(text, size, "%s", json_is_true(v) ? "yes" : "no");
    else
        snprintf(text, size, "-");
    return !json_is_array(v) && !json_is_object(v);
}

/* --- A list of objects is a table: what is no single value of them stands in the file alone. */

struct columns {
    const char *names[COLUMNS];
    unsigned count;
};

static void add_columns(struct columns *c, const json_t *row)
{
    const char *key;
    char text[LINE];
    json_t *v;
    json_object_foreach((json_t *)row, key, v)
    {
        unsigned k = 0;
        while (k < c->count && strcmp(c->names[k], key) != 0)
            k++;
        if (k == c->count && k < COLUMNS && scalar(v, text, sizeof text))
            c->names[c->count++] = key;
    }
}

static void put_cell(struct table *t, const json_t *v)
{
    char text[LINE] = "";
    if (v)
        scalar(v, text, sizeof text);
    if (json_is_string(v))
        table_left(t, text);
    else
        table_text(t, "%s", text);
}

static void put_list(const struct doc *d, const json_t *list)
{
    struct columns c = {.count = 0};
    struct table *t = table_new();
    size_t i;
    const json_t *row;
    json_array_foreach(list, i, row)
    {
        add_columns(&c, row);
    }
    table_row(t);
    for (unsigned k = 0; k < c.count; k++)
        table_text(t, "%s", c.names[k]);
    for (i = 0; i < json_array_size(list) && i < ROWS; i++) {
        table_row(t);
        for (unsigned k = 0; k < c.count; k++)
            put_cell(t, json_object_get(json_array_get(list, i), c.names[k]));
    }
    if (c.count)
        doc_table(d, t);
    else
        table_free(t);
    if (json_array_size(list) > ROWS)
        doc_paragraph(d, "%zu more are in the file.", json_array_size(list) - ROWS);
}

/* --- A list of values is a line. */

static void put_line(const struct doc *d, const char *name, const json_t *list)
{
    char text[4 * LINE] = "", value[LINE];
    size_t i;
    const json_t *v;
    json_array_foreach(list, i, v)
    {
        if (scalar(v, value, sizeof value))
            text_add(text, sizeof text, ", ", "%s", value);
    }
    if (*text)
        doc_paragraph(d, "%s: %s", name, text);
}

static void put_scalars(const struct doc *d, const json_t *o)
{
    struct table *t = table_new();
    const char *key;
    char text[LINE];
    json_t *v;
    table_heading(t, "name|<value");
    json_object_foreach((json_t *)o, key, v)
    {
        if (!strcmp(key, "schema") || !scalar(v, text, sizeof text))
            continue;
        table_row(t);
        table_text(t, "%s", key);
        table_left(t, text);
    }
    if (t->rows > 1)
        doc_table(d, t);
    else
        table_free(t);
}

static void put_object(const struct doc *d, const json_t *o, unsigned depth)
{
    const char *key;
    json_t *v;
    put_scalars(d, o);
    json_object_foreach((json_t *)o, key, v)
    {
        if (!strcmp(key, "made_by") || (!json_is_object(v) && !json_is_array(v)))
            continue;
        if (json_is_array(v) && !json_is_object(json_array_get(v, 0))) {
            put_line(d, key, v);
            continue;
        }
        doc_heading(d, depth, key);
        if (json_is_array(v))
            put_list(d, v);
        else if (depth < DEPTH)
            put_object(d, v, depth + 1);
    }
}

void part_other(struct part *p, const struct input *in)
{
    char title[PART_TITLE];
    const char *schema = input_text(in->json, "schema");
    snprintf(title, sizeof title, "%.80s: %.80s", in->name, schema);
    part_begin(p, title);
    made_by_words(&p->doc, in->json);
    put_object(&p->doc, in->json, 1);
    part_end(p);
}
