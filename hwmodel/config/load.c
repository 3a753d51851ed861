/* YAML to struct mh_config. libyaml's document tree keeps the mark of every node, so each error has its line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "config/field.h"
#include "config/preset.h"
#include "memhelm/config_file.h"

enum { FILE_MAX = 1 << 20, WHERE_MAX = MH_PATH_MAX + 32 };

struct loader {
    yaml_document_t doc;
    const char *name; /* of the file, for errors */
    struct mh_config *cfg;
    struct mh_error *err;
};

/* "FILE:LINE: " of a node; valid until the next call. */
static const char *where(const struct loader *l, const yaml_node_t *n)
{
    static char text[WHERE_MAX];
    snprintf(text, sizeof text, "%s:%zu: ", l->name, n->start_mark.line + 1);
    return text;
}

static yaml_node_t *node_of(struct loader *l, int index)
{
    return yaml_document_get_node(&l->doc, index);
}

static const char *text_of(const yaml_node_t *n)
{
    return (const char *)n->data.scalar.value;
}

static bool is_text(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE && !memchr(n->data.scalar.value, 0, n->data.scalar.length);
}

static int load_value(struct loader *l, const struct mh_field *f, void *base, const char *key, const yaml_node_t *v)
{
    if (!is_text(v))
        return mh_fail(l->err, "%s%s takes one value, not a list or mapping (%s)", where(l, v), key, f->doc);
    if (f->type != MH_FIELD_TEXT && v->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return mh_fail(l->err, "%s%s is a number: write %.60s without quotes", where(l, v), key, text_of(v));
    return mh_field_parse(f, base, key, text_of(v), where(l, v), l->err);
}

/* The pair's key must be text and new among the pairs before it. */
static int check_key(struct loader *l, const yaml_node_t *map, const yaml_node_pair_t *pair, const char *section)
{
    const yaml_node_t *key = node_of(l, pair->key);
    if (!is_text(key))
        return mh_fail(l->err, "%sa key must be plain text", where(l, key));
    if (strlen(text_of(key)) >= MH_KEY_MAX / 2)
        return mh_fail(l->err, "%sunknown key '%.60s..': no key is that long", where(l, key), text_of(key));
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < pair; p++) {
        const yaml_node_t *earlier = node_of(l, p->key);
        if (!strcmp(text_of(earlier), text_of(key)))
            return mh_fail(l->err, "%skey '%s'%s%s is given twice; first in line %zu: remove one", where(l, key),
                           text_of(key), *section ? " of " : "", section, earlier->start_mark.line + 1);
    }
    return 0;
}

static int load_tenant(struct loader *l, const yaml_node_t *map, uint32_t index)
{
    struct mh_tenant_cfg *t = &l->cfg->tenants[index];
    char section[MH_KEY_MAX], key[2 * MH_KEY_MAX];
    snprintf(section, sizeof section, "tenants[%u]", index);
    if (map->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%s%s takes a mapping such as {kernel: MVT}", where(l, map), section);
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = node_of(l, p->key);
        if (check_key(l, map, p, section))
            return -1;
        const struct mh_field *f = mh_field_find(&mh_tenant_fields, text_of(name));
        if (!f)
            return mh_field_unknown(&mh_tenant_fields, "", text_of(name), where(l, name), l->err);
        snprintf(key, sizeof key, "%s.%s", section, f->name);
        if (load_value(l, f, t, key, node_of(l, p->value)))
            return -1;
    }
    if (!*t->kernel)
        return mh_fail(l->err, "%s%s has no kernel: a name, or trace:FILE", where(l, map), section);
    return 0;
}

static int load_tenants(struct loader *l, const yaml_node_t *list)
{
    if (list->type != YAML_SEQUENCE_NODE)
        return mh_fail(l->err, "%stenants takes a list, each item such as - {kernel: MVT}", where(l, list));
    memset(l->cfg->tenants, 0, sizeof l->cfg->tenants);
    l->cfg->tenants_count = 0;
    for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
        const yaml_node_t *item = node_of(l, *i);
        if (l->cfg->tenants_count == MH_MAX_TENANTS)
            return mh_fail(l->err, "%smore than %d tenants", where(l, item), MH_MAX_TENANTS);
        if (load_tenant(l, item, l->cfg->tenants_count++))
            return -1;
    }
    return 0;
}

static int load_section(struct loader *l, const yaml_node_t *map, const char *section);

static int load_pair(struct loader *l, const yaml_node_pair_t *p, const char *section)
{
    char full[2 * MH_KEY_MAX];
    const yaml_node_t *key = node_of(l, p->key), *value = node_of(l, p->value);
    snprintf(full, sizeof full, "%s%s%s", section, *section ? "." : "", text_of(key));
    const struct mh_field *f = strchr(text_of(key), '.') ? NULL : mh_field_find(&mh_config_fields, full);
    if (f)
        return load_value(l, f, l->cfg, full, value);
    if (*section == 0 && !strcmp(full, "tenants"))
        return load_tenants(l, value);
    if (*section || !mh_field_is_section(&mh_config_fields, full))
        return mh_field_unknown(&mh_config_fields, section, text_of(key), where(l, key), l->err);
    if (value->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%s%s is a section: its keys come indented below it", where(l, value), full);
    return load_section(l, value, full);
}

static int load_section(struct loader *l, const yaml_node_t *map, const char *section)
{
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
        if (check_key(l, map, p, section) || load_pair(l, p, section))
            return -1;
    return 0;
}

/* The value of a key at the top level; NULL when it is not there. */
static const yaml_node_t *find_base(struct loader *l, const yaml_node_t *root, const char *name)
{
    for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = node_of(l, p->key), *value = node_of(l, p->value);
        if (is_text(key) && !strcmp(text_of(key), name) && is_text(value))
            return value;
    }
    return NULL;
}

/*
 * `preset` and then `design` come before all other keys, wherever they stand. A file that has a preset and says nothing
 * of a design has the one that was chosen before it.
 */
static int load_base(struct loader *l, const yaml_node_t *root)
{
    const yaml_node_t *preset = find_base(l, root, "preset"), *design = find_base(l, root, "design");
    char chosen[MH_NAME_MAX];
    struct mh_error why; /* a list of names at most */
    memcpy(chosen, l->cfg->design, sizeof chosen);
    if (preset && *text_of(preset) && mh_config_preset(l->cfg, text_of(preset), &why))
        return mh_fail(l->err, "%s%.400s", where(l, preset), why.text);
    if (preset && *text_of(preset) && !design && *chosen && mh_config_design(l->cfg, chosen, &why))
        return mh_fail(l->err, "%s%.400s", where(l, preset), why.text);
    if (design && *text_of(design) && mh_config_design(l->cfg, text_of(design), &why))
        return mh_fail(l->err, "%s%.400s", where(l, design), why.text);
    return 0;
}

static int load_document(struct loader *l)
{
    const yaml_node_t *root = yaml_document_get_root_node(&l->doc);
    if (!root)
        return 0;
    if (root->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%sa configuration is a mapping of keys, such as `sm: {count: 30}`", where(l, root));
    return load_base(l, root) || load_section(l, root, "") ? -1 : 0;
}

static int fail_syntax(const yaml_parser_t *parser, const char *name, struct mh_error *err)
{
    const char *context = parser->context ? parser->context : "";
    const char *problem = parser->problem ? parser->problem : "out of memory";
    return mh_fail(err, "%s:%zu: not YAML: %s%s%s", name, parser->problem_mark.line + 1, context, *context ? ": " : "",
                   problem);
}

/* A second document in the stream would be dropped silently. */
static int check_last(yaml_parser_t *parser, const char *name, struct mh_error *err)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next))
        return fail_syntax(parser, name, err);
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    size_t line = root ? root->start_mark.line + 1 : 0;
    yaml_document_delete(&next);
    return line ? mh_fail(err, "%s:%zu: a second YAML document; one is allowed", name, line) : 0;
}

static int load_text(struct mh_config *cfg, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct mh_config work;
    struct loader l = {.name = name, .cfg = &work, .err = err};
    yaml_parser_t parser;
    int status;
    memcpy(&work, cfg, sizeof work);
    if (!yaml_parser_initialize(&parser))
        return mh_fail(err, "%s: out of memory", name);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (yaml_parser_load(&parser, &l.doc)) {
        bool empty = !yaml_document_get_root_node(&l.doc);
        status = load_document(&l);
        yaml_document_delete(&l.doc);
        if (!status && !empty)
            status = check_last(&parser, name, err);
    } else {
        status = fail_syntax(&parser, name, err);
    }
    yaml_parser_delete(&parser);
    if (!status)
        memcpy(cfg, &work, sizeof work);
    return status;
}

static int unknown(const char *what, const char *name, const char *const *names, struct mh_error *err)
{
    char list[256] = "";
    for (const char *const *n = names; *n; n++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", *n);
    return mh_fail(err, "unknown %s '%.60s'; there are:%s", what, name, list);
}

static int load_preset(struct mh_config *cfg, const struct mh_preset *p, struct mh_error *err)
{
    char file[MH_NAME_MAX + 8];
    snprintf(file, sizeof file, "%s.yaml", p->name);
    return load_text(cfg, file, p->text, (size_t)(p->end - p->text), err);
}

int mh_config_preset(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    const struct mh_preset *p = mh_preset_find(name);
    if (!p)
        return unknown("preset", name, mh_preset_names(), err);
    memset(cfg, 0, sizeof *cfg);
    snprintf(cfg->preset, sizeof cfg->preset, "%s", name);
    return load_preset(cfg, p, err);
}

int mh_config_dram_preset(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    const struct mh_preset *p = mh_dram_preset_find(name);
    return p ? load_preset(cfg, p, err) : unknown("preset", name, mh_dram_preset_names(), err);
}

int mh_config_design(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    const struct mh_preset *d = mh_design_find(name);
    if (!d)
        return unknown("design", name, mh_design_names(), err);
    if (*cfg->design && strcmp(cfg->design, name))
        return mh_fail(err, "design '%s', but '%s' is chosen already: give one", name, cfg->design);
    if (load_preset(cfg, d, err))
        return -1;
    memset(cfg->design, 0, sizeof cfg->design);
    snprintf(cfg->design, sizeof cfg->design, "%s", name);
    return 0;
}

int mh_config_load(struct mh_config *cfg, const char *path, struct mh_error *err)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
    char *text = malloc(FILE_MAX + 1);
    if (!text) {
        fclose(f);
        return mh_fail(err, "%s: out of memory", path);
    }
    int status;
    size_t length = fread(text, 1, FILE_MAX + 1, f);
    if (ferror(f))
        status = mh_fail(err, "%s: cannot read: %s", path, strerror(errno));
    else if (length > FILE_MAX)
        status = mh_fail(err, "%s: more than %d bytes: not a configuration", path, FILE_MAX);
    else
        status = load_text(cfg, path, text, length, err);
    fclose(f);
    free(text);
    return status;
}
