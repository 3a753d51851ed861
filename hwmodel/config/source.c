#include "config/internal.h"
#include "memhelm/config_file.h"

#include <stdlib.h>
#include <string.h>

/* Where the values of built-in files stand, and which of them are our assumptions. */

/* Read once more, for the lines alone: mh_config_preset() does not tell them. */
static int find_lines(struct mh_key_source *sources, const char *preset, const char *design, struct mh_error *err)
{
    struct mh_config scratch = {0};

    if (mh_load_named(&scratch, &mh_presets, preset, sources, err))
        return -1;
    return design ? mh_load_named(&scratch, &mh_designs, design, sources, err) : 0;
}

struct mh_key_source *mh_load_sources(struct mh_config *cfg, const char *preset, const char *design,
                                      struct mh_error *err)
{
    if (mh_config_preset(cfg, preset, err) || (design && mh_config_design(cfg, design, err)))
        return NULL;
    struct mh_key_source *sources = calloc(mh_config_fields.count, sizeof *sources);

    if (!sources)
        (void)mh_fail(err, "out of memory");
    else if (!find_lines(sources, preset, design, err))
        return sources;
    free(sources);
    return NULL;
}

const char *mh_source_comment(const struct mh_key_source *s, int *length)
{
    const char *at = s->file->text;

    for (unsigned line = 1; line < s->line; line++)
        at += strcspn(at, "\n") + 1;
    const char *end = at + strcspn(at, "\n"), *mark = memchr(at, '#', (size_t)(end - at));

    mark = mark ? mark + 1 + strspn(mark + 1, " ") : end;
    *length = (int)(end - mark);
    return mark;
}

/* Is the value ours, or may another stand there? Then the comment's two parts. */
static bool take_comment(struct mh_assumption *a, const struct mh_key_source *s)
{
    static const char ours[] = "[ours]";
    int length = 0;
    const char *text = s->file ? mh_source_comment(s, &length) : "";
    const char *end = text + length, *bar = memchr(text, '|', (size_t)length);
    bool marked = !strncmp(text, ours, strlen(ours));

    if (!marked && !bar)
        return false;
    text += marked ? strlen(ours) : 0;
    text += strspn(text, "; ");
    a->why = text;
    a->why_length = (int)((bar ? bar : end) - text);
    while (a->why_length && text[a->why_length - 1] == ' ')
        a->why_length--;
    a->others = bar ? bar + 1 + strspn(bar + 1, " ") : end;
    a->others_length = (int)(end - a->others);
    return true;
}

struct mh_assumption *mh_config_assumptions(const char *preset, const char *design, size_t *count, struct mh_error *err)
{
    struct mh_config cfg;
    struct mh_key_source *sources = mh_load_sources(&cfg, preset, design, err);
    struct mh_assumption *all = sources ? calloc(mh_config_fields.count, sizeof *all) : NULL;

    if (sources && !all)
        (void)mh_fail(err, "out of memory");
    *count = 0;
    for (size_t i = 0; all && i < mh_config_fields.count; i++) {
        struct mh_assumption *a = &all[*count];

        if (!take_comment(a, &sources[i]))
            continue;
        a->key = mh_config_fields.field[i].name;
        mh_field_print(&mh_config_fields.field[i], &cfg, a->value);
        a->file = sources[i].file->file;
        a->line = sources[i].line;
        ++*count;
    }
    free(sources);
    return all;
}

/* Every key for people: what it may be, and where a GPU's value comes from. */

static void describe(const struct mh_field_table *table, const char *prefix, const struct mh_config *values, FILE *out)
{
    char text[MH_VALUE_MAX], key[MH_KEY_MAX], range[MH_RANGE_MAX];

    for (size_t i = 0; i < table->count; i++) {
        const struct mh_field *f = &table->field[i];

        snprintf(key, sizeof key, "%s%s", prefix, f->name);
        mh_field_range(f, range);
        if (values)
            mh_field_print(f, values, text);
        fprintf(out, "%-22s %-12s %-24s %s%s%s\n", key, values ? text : "", range, *f->unit ? f->unit : "",
                *f->unit ? "; " : "", f->doc);
    }
}

void mh_config_describe(const struct mh_config *values, FILE *out)
{
    fprintf(out, "%-22s %-12s %-24s %s\n", "key", "value", "allowed", "unit; meaning");
    describe(&mh_config_fields, "", values, out);
    describe(&mh_tenant_fields, "tenants[N].", NULL, out);
}

static void print_source(const struct mh_field *f, const struct mh_config *cfg, const struct mh_key_source *s,
                         FILE *out)
{
    char value[MH_VALUE_MAX];
    int length;

    mh_field_print(f, cfg, value);
    fprintf(out, "%-22s %-12s %-23s ", f->name, *value ? value : "-", *f->unit ? f->unit : "-");
    if (!s->file) {
        fprintf(out, "%s\n", *value ? "chosen" : "none");
        return;
    }
    const char *comment = mh_source_comment(s, &length);

    fprintf(out, "%s:%u%s%.*s\n", s->file->file, s->line, length ? ": " : "", length, comment);
}

int mh_config_describe_sources(const char *preset, const char *design, FILE *out, struct mh_error *err)
{
    struct mh_config cfg;
    struct mh_key_source *sources = mh_load_sources(&cfg, preset, design, err);

    if (!sources)
        return -1;
    fprintf(out, "%-22s %-12s %-23s %s\n", "key", "value", "unit", "where it stands: its source");
    for (size_t i = 0; i < mh_config_fields.count; i++)
        print_source(&mh_config_fields.field[i], &cfg, &sources[i], out);
    free(sources);
    return 0;
}
