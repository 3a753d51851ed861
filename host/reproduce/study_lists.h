/* Lists of a rows file: of workloads, of ids; names to lists. Private to the study's readers. */
#ifndef HOST_REPRODUCE_STUDY_LISTS_H
#define HOST_REPRODUCE_STUDY_LISTS_H

#include "study.h"
#include "base/yaml_tree.h"

/** A scalar is a list of one. `list->items` is freed with lists_free() or free(), after an error, too. */
int lists_load_items(const struct tree *t, const yaml_node_t *n, struct list *list);

/** A mapping of names to lists into `*count` new ones at `*lists`; `what` names it in errors; NULL: none. */
int lists_load_named(const struct tree *t, const yaml_node_t *map, const char *what, struct list **lists,
                     unsigned *count);

/** NULL when there is none such. */
const struct list *lists_find(const struct list *lists, unsigned count, const char *name);

void lists_free(struct list *lists, unsigned count);

#endif
