#define _GNU_SOURCE

#include "part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "base/escape.h"
#include "base/words.h"
#include "memhelm/config_file.h"

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

static void settings_text(const json_t *v, char *text, size_t size)
{
    if (json_is_integer(v))
        snprintf(text, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else
        snprintf(text, size, "%s", json_string_value(v) ? json_string_value(v) : "");
}

struct comparison {
    const json_t *config;
    struct table *table;
};

static void compare(void *ctx, const char *key, const char *preset, bool number)
{
    const struct comparison *x = ctx;
    const json_t *v = value_at(x->config, key);
    char here[MH_PATH_MAX];

    (void)number;
    settings_text(v, here, sizeof here);
    if (!v || !strcmp(here, preset))
        return;
    table_row(x->table);
    table_text(x->table, "%s", key);
    table_left(x->table, here);
    table_left(x->table, preset);
}

/*
 * Adds a row for each key, but those of tenants, that is not as the preset and design have it: its value here and
 * there. -1 and `err`: this memhelm has no such preset or design.
 */
static int changed(const struct run_file *r, struct table *t, struct mh_error *err)
{
    struct mh_config preset;
    struct comparison x = {json_object_get(r->json, "config"), t};

    if (mh_config_preset(&preset, r->cfg.preset, err) ||
        (*r->cfg.design && mh_config_design(&preset, r->cfg.design, err)))
        return -1;
    mh_config_visit(&preset, compare, &x);
    return 0;
}

/* --- As options. */

static bool only_measures(const char *key)
{
    return patterns_fit("sm.wait_reasons sm.stall_reasons run.log*", key);
}

char *settings_options(const struct run_file *r)
{
    struct table *t = table_new();
    struct draft d;
    struct mh_error err;

    draft_open(&d);
    FILE *out = d.out;
    fputs(" -p ", out);
    shell_word(out, r->cfg.preset);
    if (*r->cfg.design) {
        fputs(" -d ", out);
        shell_word(out, r->cfg.design);
    }
    fputs(" -w ", out);
    shell_word(out, r->workload);
    fprintf(out, " --cycles %" PRIu64 " --seed %" PRIu64, r->cfg.run.cycles, r->cfg.run.seed);
    t->raw = true;
    changed(r, t, &err);
    for (unsigned i = 0; i < t->rows; i++) {
        const char *key = table_cell(t, i, 0);
        char text[MH_PATH_MAX + 80];
        snprintf(text, sizeof text, "%s=%s", key, table_cell(t, i, 1));
        if (only_measures(key) || patterns_fit("run.cycles run.seed design", key)) /* these have options of their own */
            continue;
        fputs(" -s ", out);
        shell_word(out, text);
    }
    table_free(t);
    return draft_text(&d);
}

/* --- Settings compared. */

json_t *settings_of_results(const struct run_file *r)
{
    json_t *config = must(json_deep_copy(json_object_get(r->json, "config"))), *section, *value;
    const char *name, *key;
    void *next, *after;
    json_object_foreach_safe(config, after, name, section)
    {
        json_object_foreach_safe(section, next, key, value)
        {
            char whole[160];
            snprintf(whole, sizeof whole, "%s.%s", name, key);
            if (only_measures(whole))
                json_object_del(section, key);
        }
    }
    return config;
}

/* How many keys of the section differ; those that still fit are said. */
static void beside(const char *name, const json_t *of, const json_t *other, unsigned *count, char *text, size_t size)
{
    enum { MOST = 3 };
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)of, key, v)
    {
        const json_t *o = json_object_get(other, key);
        char value[MH_PATH_MAX];
        if (json_is_object(v) || json_is_array(v) || json_equal(v, o))
            continue;
        settings_text(v, value, sizeof value);
        if ((*count)++ < MOST)
            text_add(text, size, ", ", "%s%s%s %s", name, *name ? "." : "", key, value);
    }
}

void settings_beside(const json_t *of, const json_t *other, char *text, size_t size)
{
    unsigned count = 0;
    const char *name;
    json_t *section;
    *text = 0;
    beside("", of, other, &count, text, size);
    json_object_foreach((json_t *)of, name, section)
    {
        if (json_is_object(section))
            beside(name, section, json_object_get(other, name), &count, text, size);
    }
}

/* --- Made by. */

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
    struct table *t = table_new();
    table_heading(t, "<image|<machine|<core|<sha256|<configuration|<model|<commit");
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
}

/* --- Settings. */

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
            settings_text(v, value, sizeof value);
            if (*value)
                text_add(text, sizeof text, ", ", "%s %s", key, value);
        }
        doc_item(d, "Tenant %zu: %s", i, text);
    }
}

void made_by_settings(const struct doc *d, const struct run_file *r)
{
    struct mh_error err;
    struct table *t = table_new();
    table_heading(t, "key|<here|<preset");
    const int status = changed(r, t, &err);
    if (status)
        doc_paragraph(d, "Its preset is not of this memhelm: %s", err.text);
    else if (t->rows == 1)
        doc_paragraph(d, "All as preset %s%s%s.", r->cfg.preset, *r->cfg.design ? ", design " : "", r->cfg.design);
    if (!status && t->rows > 1)
        doc_table(d, t);
    else
        table_free(t);
    put_tenants(d, json_object_get(json_object_get(r->json, "config"), "tenants"));
}
