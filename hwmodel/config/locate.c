/* Where a key stands in a file, for errors that show only when all values are known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "config/load.h"
#include "memhelm/config_file.h"

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
