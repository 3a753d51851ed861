/* struct mh_config to YAML, through libyaml's emitter, and value by value to a caller's function. */
#include <string.h>
#include <yaml.h>

#include "config/internal.h"
#include "memhelm/config_file.h"

static int write_out(void *file, unsigned char *text, size_t length)
{
    return fwrite(text, 1, length, file) == length;
}

static bool emit(yaml_emitter_t *e, int made, yaml_event_t *event)
{
    return made && yaml_emitter_emit(e, event);
}

static bool emit_text(yaml_emitter_t *e, const char *text, bool quoted)
{
    yaml_event_t event;
    yaml_scalar_style_t style = quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;

    return emit(
        e, yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), 1, 1, style),
        &event);
}

static bool open_map(yaml_emitter_t *e)
{
    yaml_event_t event;

    return emit(e, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE), &event);
}

static bool close_map(yaml_emitter_t *e)
{
    yaml_event_t event;

    return emit(e, yaml_mapping_end_event_initialize(&event), &event);
}

/* Texts are quoted, whatever they hold. Numbers must not be: the loader refuses them then. */
static bool emit_field(yaml_emitter_t *e, const struct mh_field *f, const char *key, const void *base)
{
    char text[MH_VALUE_MAX];

    mh_field_print(f, base, text);
    return emit_text(e, key, false) && emit_text(e, text, !mh_field_is_number(f));
}

/* Fields of one section stand together in the table: a new prefix closes the mapping before it. */
static bool emit_fields(yaml_emitter_t *e, const struct mh_config *cfg)
{
    char open[MH_KEY_MAX] = "";

    for (size_t i = 0; i < mh_config_fields.count; i++) {
        const struct mh_field *f = &mh_config_fields.field[i];
        size_t n = strcspn(f->name, ".");
        bool nested = f->name[n] == '.';

        if (*open && (strlen(open) != n || strncmp(open, f->name, n))) {
            *open = 0;
            if (!close_map(e))
                return false;
        }
        if (nested && !*open) {
            snprintf(open, sizeof open, "%.*s", (int)n, f->name);
            if (!emit_text(e, open, false) || !open_map(e))
                return false;
        }
        if (!emit_field(e, f, nested ? f->name + n + 1 : f->name, cfg))
            return false;
    }
    return !*open || close_map(e);
}

static bool emit_tenants(yaml_emitter_t *e, const struct mh_config *cfg)
{
    yaml_event_t event;

    if (!emit_text(e, "tenants", false) ||
        !emit(e, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE), &event))
        return false;
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        if (!open_map(e))
            return false;
        for (size_t i = 0; i < mh_tenant_fields.count; i++)
            if (!emit_field(e, &mh_tenant_fields.field[i], mh_tenant_fields.field[i].name, &cfg->tenants[t]))
                return false;
        if (!close_map(e))
            return false;
    }
    return emit(e, yaml_sequence_end_event_initialize(&event), &event);
}

static bool emit_all(yaml_emitter_t *e, const struct mh_config *cfg)
{
    yaml_event_t event;

    return emit(e, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), &event) &&
           emit(e, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1), &event) && open_map(e) &&
           emit_fields(e, cfg) && emit_tenants(e, cfg) && close_map(e) &&
           emit(e, yaml_document_end_event_initialize(&event, 1), &event) &&
           emit(e, yaml_stream_end_event_initialize(&event), &event);
}

int mh_config_write(const struct mh_config *cfg, FILE *out, struct mh_error *err)
{
    yaml_emitter_t e;

    if (!yaml_emitter_initialize(&e))
        return mh_fail(err, "configuration: out of memory");
    yaml_emitter_set_output(&e, write_out, out);
    yaml_emitter_set_width(&e, -1); /* no long text is folded */
    bool done = emit_all(&e, cfg) && yaml_emitter_flush(&e) && fflush(out) == 0;
    int status = done ? 0
                      : mh_fail(err, "configuration: cannot be written: %s",
                                e.problem ? e.problem : "a text in it is not UTF-8");

    yaml_emitter_delete(&e);
    return status;
}

void mh_config_visit(const struct mh_config *cfg,
                     void (*value)(void *ctx, const char *key, const char *text, bool number), void *ctx)
{
    char key[2 * MH_KEY_MAX], text[MH_VALUE_MAX];

    for (size_t i = 0; i < mh_config_fields.count; i++) {
        const struct mh_field *f = &mh_config_fields.field[i];

        mh_field_print(f, cfg, text);
        value(ctx, f->name, text, mh_field_is_number(f));
    }
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        for (size_t i = 0; i < mh_tenant_fields.count; i++) {
            const struct mh_field *f = &mh_tenant_fields.field[i];

            snprintf(key, sizeof key, "tenants[%u].%s", t, f->name);
            mh_field_print(f, &cfg->tenants[t], text);
            value(ctx, key, text, mh_field_is_number(f));
        }
}
