#include "config/internal.h"
#include "memhelm/config_file.h"
#include "memhelm/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Which file is read: a built-in one by its name, a user's by its path. */

enum { FILE_MAX = 1 << 20 };

int mh_load_unknown(const char *where, const struct mh_preset_set *set, bool base, const char *name,
                    struct mh_error *err)
{
    char list[256] = "";
    const char *kind = base ? "base" : set->kind;

    for (; set; set = base ? set->more : NULL)
        for (size_t i = 0; i < set->count; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", set->preset[i].name);
    return mh_fail(err, "%sunknown %s '%.60s'; there are:%s", where, kind, name, list);
}

int mh_load_named(struct mh_config *cfg, const struct mh_preset_set *set, const char *name,
                  struct mh_key_source *sources, struct mh_error *err)
{
    struct mh_load load = {.file = mh_preset_find(set, name), .bases = set, .sources = sources};

    return load.file ? mh_load(cfg, &load, err) : mh_load_unknown("", set, false, name, err);
}

int mh_config_preset(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    if (!mh_preset_find(&mh_presets, name))
        return mh_load_unknown("", &mh_presets, false, name, err);
    memset(cfg, 0, sizeof *cfg);
    snprintf(cfg->preset, sizeof cfg->preset, "%s", name);
    return mh_load_named(cfg, &mh_presets, name, NULL, err);
}

int mh_config_dram_preset(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    return mh_load_named(cfg, &mh_dram_presets, name, NULL, err);
}

int mh_config_design(struct mh_config *cfg, const char *name, struct mh_error *err)
{
    if (!mh_preset_find(&mh_designs, name))
        return mh_load_unknown("", &mh_designs, false, name, err);
    if (*cfg->design && strcmp(cfg->design, name))
        return mh_fail(err, "design '%s', but '%s' is chosen already: give one", name, cfg->design);
    if (mh_load_named(cfg, &mh_designs, name, NULL, err))
        return -1;
    memset(cfg->design, 0, sizeof cfg->design);
    snprintf(cfg->design, sizeof cfg->design, "%s", name);
    return 0;
}

static char *read_open(FILE *f, const char *path, size_t *length, struct mh_error *err)
{
    char *text = malloc(FILE_MAX + 1);

    if (!text)
        return (void)mh_fail(err, "%s: out of memory", path), NULL;
    /* One byte more than is allowed: a longer file shows. */
    *length = fread(text, 1, FILE_MAX + 1, f);
    int status = ferror(f) ? mh_fail(err, "%s: cannot read: %s", path, strerror(errno)) : 0;

    if (!status && *length > FILE_MAX)
        status = mh_fail(err, "%s: more than %d bytes: not a configuration", path, FILE_MAX);
    if (!status)
        status = mh_yaml_depth(text, *length, path, err);
    if (status) {
        free(text);
        text = NULL;
    }
    return text;
}

char *mh_load_text(const char *path, size_t *length, struct mh_error *err)
{
    FILE *f = fopen(path, "rb");

    if (!f)
        return (void)mh_fail(err, "%s: cannot open: %s", path, strerror(errno)), NULL;
    char *text = read_open(f, path, length, err);

    fclose(f);
    return text;
}

int mh_config_load(struct mh_config *cfg, const char *path, struct mh_error *err)
{
    size_t length;
    char *text = mh_load_text(path, &length, err);

    if (!text)
        return -1;
    struct mh_preset file = {.file = path, .text = text, .end = text + length};
    int status = mh_load(cfg, &(struct mh_load){.file = &file, .bases = &mh_presets}, err);

    free(text);
    return status;
}

/* Where a key stands in a file, for errors that show only when all values are known. */

/* The value of `name` (its first `length` characters) in a mapping, and the line of its key. */
static yaml_node_t *member(yaml_document_t *doc, yaml_node_t *map, const char *name, size_t length, unsigned *line)
{
    yaml_node_pair_t *pair = map->data.mapping.pairs.start;

    for (; map->type == YAML_MAPPING_NODE && pair < map->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(doc, pair->key);

        if (key->type == YAML_SCALAR_NODE && key->data.scalar.length == length &&
            !memcmp(key->data.scalar.value, name, length)) {
            *line = (unsigned)key->start_mark.line + 1;
            return yaml_document_get_node(doc, pair->value);
        }
    }
    return NULL;
}

static yaml_node_t *item(yaml_document_t *doc, yaml_node_t *list, unsigned long i, unsigned *line)
{
    if (list->type != YAML_SEQUENCE_NODE ||
        i >= (unsigned long)(list->data.sequence.items.top - list->data.sequence.items.start))
        return NULL;
    yaml_node_t *node = yaml_document_get_node(doc, list->data.sequence.items.start[i]);

    *line = (unsigned)node->start_mark.line + 1;
    return node;
}

/* Follows `key` as far as the file has it: the line of the last part that is there. */
static unsigned follow(yaml_document_t *doc, const char *key)
{
    yaml_node_t *node = yaml_document_get_root_node(doc);
    unsigned line = 0;

    while (node && *key) {
        size_t n = strcspn(key, ".[");

        if (n)
            node = member(doc, node, key, n, &line);
        key += n;
        if (node && *key == '[') {
            char *end;

            node = item(doc, node, strtoul(key + 1, &end, 10), &line);
            key = end + (*end == ']');
        }
        key += *key == '.';
    }
    return line;
}

unsigned mh_config_line(const char *path, const char *key)
{
    yaml_parser_t parser;
    yaml_document_t doc;
    struct mh_error unused;
    unsigned line = 0;
    size_t length;
    char *text = mh_load_text(path, &length, &unused);

    if (text && yaml_parser_initialize(&parser)) {
        yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
        if (yaml_parser_load(&parser, &doc)) {
            line = follow(&doc, key);
            yaml_document_delete(&doc);
        }
        yaml_parser_delete(&parser);
    }
    free(text);
    return line;
}
