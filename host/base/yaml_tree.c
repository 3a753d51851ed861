#include "yaml_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/text.h"
#include "memory.h"
#include "words.h"

int tree_parse(struct tree *t, const char *text, size_t length)
{
    yaml_parser_t parser;
    int status = 0;
    t->doc = NULL;
    if (mh_yaml_depth(text, length, t->name, t->err))
        return -1;
    t->doc = must_have(1, sizeof *t->doc);
    must(yaml_parser_initialize(&parser) ? t : NULL);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (!yaml_parser_load(&parser, t->doc))
        status = mh_fail(t->err, "%s:%zu: %s", t->name, parser.problem_mark.line + 1, parser.problem);
    else if (!tree_root(t))
        status = mh_fail(t->err, "%s: is empty", t->name);
    yaml_parser_delete(&parser);
    if (status) {
        tree_free(t->doc);
        t->doc = NULL;
    }
    return status;
}

void tree_free(yaml_document_t *doc)
{
    if (doc)
        yaml_document_delete(doc);
    free(doc);
}

yaml_node_t *tree_root(const struct tree *t)
{
    return yaml_document_get_root_node(t->doc);
}

int tree_fail(const struct tree *t, const yaml_node_t *n, const char *format, ...)
{
    char what[800];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return mh_fail(t->err, "%s:%zu: %s", t->name, n->start_mark.line + 1, what);
}

static yaml_node_t *node(const struct tree *t, int index)
{
    return yaml_document_get_node(t->doc, index);
}

/* Is `name` one of the words of `words`? Its number, or -1. */
static int word_index(const char *words, const char *name)
{
    size_t n = strlen(name);
    int index = 0;
    for (const char *w = words; *w; w += strcspn(w, " "), w += *w == ' ', index++)
        if (n && strcspn(w, " ") == n && !strncmp(w, name, n))
            return index;
    return -1;
}

int tree_check(const struct tree *t, const yaml_node_t *map, const char *what, const char *allowed)
{
    if (map->type != YAML_MAPPING_NODE)
        return tree_fail(t, map, "%s takes keys and values", what);
    for (unsigned i = 0; i < tree_count(map); i++) {
        const char *key = tree_key(t, map, i);
        const yaml_node_t *at = node(t, map->data.mapping.pairs.start[i].key);
        if (!key)
            return tree_fail(t, map, "%s: a key is a word", what);
        if (allowed && word_index(allowed, key) < 0)
            return tree_fail(t, at, "%s has no key '%.60s'%s; there are: %s", what, key,
                             nearest_word(key, allowed).text, allowed);
        for (unsigned k = 0; k < i; k++)
            if (!strcmp(tree_key(t, map, k), key))
                return tree_fail(t, at, "%s: key '%.60s' is given twice: remove one", what, key);
    }
    return 0;
}

const char *tree_key(const struct tree *t, const yaml_node_t *map, unsigned n)
{
    const char *text = NULL;
    const yaml_node_t *key = node(t, map->data.mapping.pairs.start[n].key);
    return key->type == YAML_SCALAR_NODE ? (text = (const char *)key->data.scalar.value) : NULL;
}

yaml_node_t *tree_value(const struct tree *t, const yaml_node_t *map, unsigned n)
{
    return node(t, map->data.mapping.pairs.start[n].value);
}

yaml_node_t *tree_item(const struct tree *t, const yaml_node_t *list, unsigned n)
{
    return node(t, list->data.sequence.items.start[n]);
}

yaml_node_t *tree_get(const struct tree *t, const yaml_node_t *map, const char *key)
{
    for (unsigned i = 0; i < tree_count(map); i++)
        if (!strcmp(tree_key(t, map, i), key))
            return tree_value(t, map, i);
    return NULL;
}

unsigned tree_count(const yaml_node_t *n)
{
    if (n->type == YAML_MAPPING_NODE)
        return (unsigned)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
    if (n->type == YAML_SEQUENCE_NODE)
        return (unsigned)(n->data.sequence.items.top - n->data.sequence.items.start);
    return 0;
}

/* Texts are shown to people: one may have lines and tabs, but nothing else that moves a terminal. */
static bool is_plain(const yaml_node_t *n)
{
    for (size_t i = 0; i < n->data.scalar.length; i++)
        if ((n->data.scalar.value[i] < ' ' && !strchr("\n\t", n->data.scalar.value[i])) ||
            n->data.scalar.value[i] == 0x7f)
            return false;
    return n->data.scalar.length && !memchr(n->data.scalar.value, 0, n->data.scalar.length);
}

int tree_text(const struct tree *t, const yaml_node_t *n, const char **text)
{
    if (n->type != YAML_SCALAR_NODE || !is_plain(n))
        return tree_fail(t, n, "expected a text");
    *text = (const char *)n->data.scalar.value;
    return 0;
}

int tree_get_text(const struct tree *t, const yaml_node_t *map, const char *key, const char **text)
{
    const yaml_node_t *n = tree_get(t, map, key);
    return n ? tree_text(t, n, text) : 0;
}

int tree_need_text(const struct tree *t, const yaml_node_t *map, const char *key, const char **text)
{
    if (tree_get_text(t, map, key, text))
        return -1;
    return *text ? 0 : tree_fail(t, map, "%s is missing", key);
}

int tree_need_list(const struct tree *t, const yaml_node_t *map, const char *key, unsigned most, yaml_node_t **list)
{
    *list = tree_get(t, map, key);
    if (!*list || (*list)->type != YAML_SEQUENCE_NODE || !tree_count(*list) || tree_count(*list) > most)
        return tree_fail(t, *list ? *list : map, "%s: a list of 1 to %u is needed", key, most);
    return 0;
}

static int not_in_range(const struct tree *t, const yaml_node_t *n, const char *what, const uint64_t range[2],
                        const char *text)
{
    if (range[1] == UINT64_MAX)
        return tree_fail(t, n, "%s is a whole number of at least %" PRIu64 ", not '%.40s'", what, range[0], text);
    return tree_fail(t, n, "%s is a whole number, %" PRIu64 "..%" PRIu64 ", not '%.40s'", what, range[0], range[1],
                     text);
}

int tree_number(const struct tree *t, const yaml_node_t *n, const char *what, const uint64_t range[2], uint64_t *number)
{
    const char *text = NULL;
    char *end;
    if (tree_text(t, n, &text))
        return -1;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < range[0] || v > range[1])
        return not_in_range(t, n, what, range, text);
    *number = v;
    return 0;
}

int tree_get_range(const struct tree *t, const yaml_node_t *map, const char *key, const uint64_t range[2],
                   uint64_t *number)
{
    const yaml_node_t *n = tree_get(t, map, key);
    return n ? tree_number(t, n, key, range, number) : 0;
}

int tree_get_number(const struct tree *t, const yaml_node_t *map, const char *key, uint64_t *number)
{
    return tree_get_range(t, map, key, (const uint64_t[]){1, UINT64_MAX}, number);
}

int tree_real(const struct tree *t, const yaml_node_t *n, const char *what, double *number)
{
    const char *text = NULL;
    char *end;
    if (tree_text(t, n, &text))
        return -1;
    *number = strtod(text, &end);
    return end != text && !*end ? 0 : tree_fail(t, n, "%s is a number, not '%.40s'", what, text);
}

int tree_get_real(const struct tree *t, const yaml_node_t *map, const char *key, double *number)
{
    const yaml_node_t *n = tree_get(t, map, key);
    return n ? tree_real(t, n, key, number) : 0;
}

int tree_get_choice(const struct tree *t, const yaml_node_t *map, const char *key, const char *names, unsigned *choice)
{
    const yaml_node_t *n = tree_get(t, map, key);
    const char *text = NULL;
    if (!n)
        return 0;
    if (tree_text(t, n, &text))
        return -1;
    int index = word_index(names, text);
    if (index < 0)
        return tree_fail(t, n, "%s is one of: %s; not '%.40s'%s", key, names, text, nearest_word(text, names).text);
    *choice = (unsigned)index;
    return 0;
}

int tree_check_name(const struct tree *t, const yaml_node_t *n, const char *id)
{
    return id && strchr(id, '/') ? tree_fail(t, n, "id '%.60s' names a figure's file: it takes no '/'", id) : 0;
}
