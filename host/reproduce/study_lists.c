#include "study_lists.h"

#include <stdlib.h>
#include <string.h>

int lists_load_items(const struct tree *t, const yaml_node_t *n, struct list *list)
{
    if (n->type == YAML_SCALAR_NODE) {
        list->items = calloc(1, sizeof *list->items);
        list->count = 1;
        return list->items ? tree_text(t, n, &list->items[0]) : tree_no_memory(t);
    }
    if (n->type != YAML_SEQUENCE_NODE)
        return tree_fail(t, n, "expected a list");
    list->items = calloc(tree_count(n) + 1, sizeof *list->items);
    if (!list->items)
        return tree_no_memory(t);
    for (; list->count < tree_count(n); list->count++)
        if (tree_text(t, tree_item(t, n, list->count), &list->items[list->count]))
            return -1;
    return 0;
}

int lists_load_named(const struct tree *t, const yaml_node_t *map, const char *what, struct list **lists,
                     unsigned *count)
{
    if (!map)
        return 0;
    if (tree_check(t, map, what, NULL))
        return -1;
    *lists = calloc(tree_count(map) + 1, sizeof **lists);
    if (!*lists)
        return tree_no_memory(t);
    for (unsigned i = 0; i < tree_count(map); i++) {
        struct list *l = &(*lists)[(*count)++];
        l->name = tree_key(t, map, i);
        if (lists_load_items(t, tree_value(t, map, i), l))
            return -1;
    }
    return 0;
}

const struct list *lists_find(const struct list *lists, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(lists[i].name, name))
            return &lists[i];
    return NULL;
}

void lists_free(struct list *lists, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(lists[i].items);
    free(lists);
}
