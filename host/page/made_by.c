#include "made_by.h"

#include <string.h>

#include "base/provenance.h"
#include "memhelm/config_file.h"

enum { HASH_DIGITS = 12 };

void made_by_words(const struct doc *d, const json_t *o)
{
    char text[PROVENANCE_TEXT];
    const json_t *made_by = json_object_get(o, "made_by");
    if (!made_by)
        return;
    provenance_words(made_by, text);
    doc_paragraph(d, "%s", text);
}

void made_by_images(const struct doc *d, const struct run_file *const *runs, unsigned count)
{
    static const char *const names[] = {"image", "machine", "core", "sha256", "configuration", "model", "commit"};
    struct table *t = table_new();
    table_row(t);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        table_left(t, names[i]);
    for (unsigned i = 0; i < count; i++) {
        const json_t *o = runs[i]->json, *made_by = json_object_get(o, "made_by");
        table_row(t);
        table_text(t, "%s", runs[i]->image);
        table_text(t, "%s", input_text(json_object_get(o, "image"), "machine"));
        table_text(t, "%s", input_text(json_object_get(o, "core"), "name"));
        table_text(t, "%.*s", HASH_DIGITS, input_text(json_object_get(o, "image"), "sha256"));
        table_text(t, "%.*s", HASH_DIGITS, input_text(o, "config_sha256"));
        table_text(t, "%.*s", HASH_DIGITS, input_text(made_by, "model"));
        table_text(t, "%s", input_text(made_by, "commit"));
    }
    doc_table(d, t);
    table_free(t);
}

/* --- Settings. */

struct difference {
    const json_t *config;
    struct table *table;
    unsigned count;
};

/* Of `section.key` or `key`; NULL: the file has none, or it is a tenant's. */
static const json_t *value_at(const json_t *config, const char *key)
{
    char section[64];
    const char *dot = strchr(key, '.');
    if (!dot)
        return json_object_get(config, key);
    snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
    return json_object_get(json_object_get(config, section), dot + 1);
}

static void value_text(const json_t *v, char *text, size_t size)
{
    if (json_is_integer(v))
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else
        snprintf(text, size, "%s", json_string_value(v) ? json_string_value(v) : "");
}

static void compare(void *ctx, const char *key, const char *text, bool number)
{
    struct difference *x = ctx;
    char has[MH_PATH_MAX];
    const json_t *v = value_at(x->config, key);
    (void)number;
    if (!v)
        return;
    value_text(v, has, sizeof has);
    if (!strcmp(has, text))
        return;
    x->count++;
    table_row(x->table);
    table_text(x->table, "%s", key);
    table_left(x->table, has);
    table_left(x->table, text);
}

static void put_tenants(const struct doc *d, const json_t *tenants)
{
    size_t i;
    const json_t *tenant;
    json_array_foreach(tenants, i, tenant)
    {
        char text[2048] = "", value[MH_PATH_MAX];
        const char *key;
        json_t *v;
        json_object_foreach((json_t *)tenant, key, v)
        {
            const size_t used = strlen(text);
            value_text(v, value, sizeof value);
            if (*value)
                snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "", key, value);
        }
        doc_item(d, "Tenant %zu: %s", i, text);
    }
}

void made_by_settings(const struct doc *d, const struct run_file *r)
{
    struct mh_config preset;
    struct mh_error err;
    struct difference x = {json_object_get(r->json, "config"), table_new(), 0};
    const char *design = r->cfg.design;
    if (mh_config_preset(&preset, r->cfg.preset, &err) || (*design && mh_config_design(&preset, design, &err))) {
        doc_paragraph(d, "Its preset is not of this memhelm: %s", err.text);
    } else {
        table_row(x.table);
        table_text(x.table, "key");
        table_left(x.table, "here");
        table_left(x.table, "preset");
        mh_config_visit(&preset, compare, &x);
        if (x.count)
            doc_table(d, x.table);
        else
            doc_paragraph(d, "All as preset %s%s%s.", r->cfg.preset, *design ? ", design " : "", design);
    }
    table_free(x.table);
    put_tenants(d, json_object_get(x.config, "tenants"));
}
