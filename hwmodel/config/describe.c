/* Every key for people: what it may be, and where a GPU's value comes from. */
#include <stdlib.h>
#include <string.h>

#include "config/field.h"
#include "config/load.h"
#include "memhelm/config_file.h"

static void describe(const struct mh_field_table *table, const char *prefix, const struct mh_config *values, FILE *out)
{
    char text[MH_VALUE_MAX], key[MH_KEY_MAX], range[MH_RANGE_MAX];

    for (size_t i = 0; i < table->count; i++) {
        const struct mh_field *f = &table->field[i];

        snprintf(key, sizeof key, "%s%s", prefix, f->name);
        mh_field_range(f, range);
        if (values)
            mh_field_print(f, values, text);
        fprintf(out, "%-22s %-12s %-24s %s%s%s\n", key, values ? text : "", f->type == MH_FIELD_TEXT ? "text" : range,
                *f->unit ? f->unit : "", *f->unit ? "; " : "", f->doc);
    }
}

void mh_config_describe(const struct mh_config *values, FILE *out)
{
    fprintf(out, "%-22s %-12s %-24s %s\n", "key", "value", "allowed", "unit; meaning");
    describe(&mh_config_fields, "", values, out);
    describe(&mh_tenant_fields, "tenants[N].", NULL, out);
}

static void print_source(const struct mh_field *f, const struct mh_config *cfg, const struct mh_source *s, FILE *out)
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
    struct mh_source *sources = mh_load_sources(&cfg, preset, design, err);

    if (!sources)
        return -1;
    fprintf(out, "%-22s %-12s %-23s %s\n", "key", "value", "unit", "where it stands: its source");
    for (size_t i = 0; i < mh_config_fields.count; i++)
        print_source(&mh_config_fields.field[i], &cfg, &sources[i], out);
    free(sources);
    return 0;
}
