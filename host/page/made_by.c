#include "made_by.h"

#include <string.h>

#include "base/provenance.h"
#include "settings.h"

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

static void put_setting(void *ctx, const char *key, const char *here, const char *preset)
{
    struct table *t = ctx;
    table_row(t);
    table_text(t, "%s", key);
    table_left(t, here);
    table_left(t, preset);
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
            settings_text(v, value, sizeof value);
            if (*value)
                snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "", key, value);
        }
        doc_item(d, "Tenant %zu: %s", i, text);
    }
}

void made_by_settings(const struct doc *d, const struct run_file *r)
{
    struct mh_error err;
    struct table *t = table_new();
    table_row(t);
    table_text(t, "key");
    table_left(t, "here");
    table_left(t, "preset");
    const int count = settings_changed(r, put_setting, t, &err);
    if (count < 0)
        doc_paragraph(d, "Its preset is not of this memhelm: %s", err.text);
    else if (count)
        doc_table(d, t);
    else
        doc_paragraph(d, "All as preset %s%s%s.", r->cfg.preset, *r->cfg.design ? ", design " : "", r->cfg.design);
    table_free(t);
    put_tenants(d, json_object_get(json_object_get(r->json, "config"), "tenants"));
}
