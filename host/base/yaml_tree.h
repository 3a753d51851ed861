/* A YAML document as libyaml's tree, whose nodes keep their marks: each error has file and line. */
#ifndef HOST_BASE_YAML_TREE_H
#define HOST_BASE_YAML_TREE_H

#include <stdint.h>
#include <yaml.h>

#include "memhelm/error.h"

struct tree {
    yaml_document_t *doc; /**< owner of all strings; see tree_free() */
    const char *name;     /**< of the file, for errors */
    struct mh_error *err;
};

/** Parses `text`; `t->name` and `t->err` are set by the caller. */
int tree_parse(struct tree *t, const char *text, size_t length);
void tree_free(yaml_document_t *doc);

yaml_node_t *tree_root(const struct tree *t);

/** Writes "FILE:LINE: what" to the error and evaluates to -1. */
int tree_fail(const struct tree *t, const yaml_node_t *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** -1 unless `map` is a mapping with no key twice and none but those of `allowed` (separated by blanks; NULL: any). */
int tree_check(const struct tree *t, const yaml_node_t *map, const char *what, const char *allowed);

/** The value of `key`, NULL when it is not there. */
yaml_node_t *tree_get(const struct tree *t, const yaml_node_t *map, const char *key);

/** The n-th key and value of a mapping; the n-th item of a list. NULL behind the last. */
const char *tree_key(const struct tree *t, const yaml_node_t *map, unsigned n);
yaml_node_t *tree_value(const struct tree *t, const yaml_node_t *map, unsigned n);
yaml_node_t *tree_item(const struct tree *t, const yaml_node_t *list, unsigned n);

/** Pairs of a mapping, items of a list, 0 of anything else. */
unsigned tree_count(const yaml_node_t *n);

/** Text of a scalar into `*text`; -1 for anything else. */
int tree_text(const struct tree *t, const yaml_node_t *n, const char **text);

/** The text under `key`; *text stays when there is none. */
int tree_get_text(const struct tree *t, const yaml_node_t *map, const char *key, const char **text);

/** A text that must be there; a list of 1 to `most` items that must be there. */
int tree_need_text(const struct tree *t, const yaml_node_t *map, const char *key, const char **text);
int tree_need_list(const struct tree *t, const yaml_node_t *map, const char *key, unsigned most, yaml_node_t **list);

/** As tree_get_text() for a choice, an index into `names`, separated by blanks; for a whole number of at least 1. */
int tree_get_choice(const struct tree *t, const yaml_node_t *map, const char *key, const char *names, unsigned *choice);
int tree_get_number(const struct tree *t, const yaml_node_t *map, const char *key, uint64_t *number);

/** For a whole number of range[0] .. range[1]; UINT64_MAX: no limit above. */
int tree_get_range(const struct tree *t, const yaml_node_t *map, const char *key, const uint64_t range[2],
                   uint64_t *number);

/** The number of the scalar `n` itself; `what` it is stands in the error. */
int tree_number(const struct tree *t, const yaml_node_t *n, const char *what, const uint64_t range[2],
                uint64_t *number);

/** For any number; tree_real(): the scalar `n` itself. */
int tree_real(const struct tree *t, const yaml_node_t *n, const char *what, double *number);
int tree_get_real(const struct tree *t, const yaml_node_t *map, const char *key, double *number);

/** -1 and an error if `id`, which NULL leaves, cannot be the name of a file in a folder: it has a '/'. */
int tree_check_name(const struct tree *t, const yaml_node_t *n, const char *id);

#endif
