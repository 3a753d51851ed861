#include "limits.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/patterns.h"
#include "base/yaml_tree.h"

extern const char budget_limits_text[], budget_limits_end[];
__asm__(".pushsection .rodata\n"
        ".global budget_limits_text, budget_limits_end\n"
        "budget_limits_text: .incbin \"firmware/budget/limits.yaml\"\n"
        "budget_limits_end: .byte 0\n"
        ".popsection\n");

static const struct {
    const char *text, *end;
} builtin = {budget_limits_text, budget_limits_end};

#define NAMES "code data stack epoch walk_epoch arrival tenant page_fault timer timer_2"
const char *const limit_names[LIMITS] = {"code",    "data",   "stack",      "epoch", "walk_epoch",
                                         "arrival", "tenant", "page_fault", "timer", "timer_2"};

static int load_values(const struct tree *t, const yaml_node_t *map, struct limits *l)
{
    if (!map)
        return tree_fail(t, tree_root(t), "limits is missing: it has " NAMES);
    if (tree_check(t, map, "limits", NAMES))
        return -1;
    for (unsigned i = 0; i < LIMITS; i++) {
        if (tree_get_number(t, map, limit_names[i], &l->values[i]))
            return -1;
        if (!l->values[i])
            return tree_fail(t, map, "limits: %s is missing", limit_names[i]);
    }
    return 0;
}

static int load_exception(const struct tree *t, const yaml_node_t *map, struct exception *e)
{
    if (tree_check(t, map, "an exception", "images workload limit value core reason") ||
        tree_need_text(t, map, "images", &e->images) || tree_need_text(t, map, "core", &e->core) ||
        tree_need_text(t, map, "reason", &e->reason) || tree_get_text(t, map, "workload", &e->workload))
        return -1;
    if (!tree_get(t, map, "limit"))
        return tree_fail(t, map, "limit is missing, one of: " NAMES);
    if (tree_get_choice(t, map, "limit", NAMES, &e->limit) || tree_get_number(t, map, "value", &e->value))
        return -1;
    if (!e->value)
        return tree_fail(t, map, "value is missing");
    if (e->workload && e->limit < LIMIT_EPOCH)
        return tree_fail(t, map, "%s does not depend on a workload", limit_names[e->limit]);
    return 0;
}

static int load_exceptions(const struct tree *t, const yaml_node_t *list, struct limits *l)
{
    if (list->type != YAML_SEQUENCE_NODE || tree_count(list) > EXCEPTIONS)
        return tree_fail(t, list, "exceptions: a list of at most %d is needed", EXCEPTIONS);
    for (; l->exception_count < tree_count(list); l->exception_count++)
        if (load_exception(t, tree_item(t, list, l->exception_count), &l->exceptions[l->exception_count]))
            return -1;
    return 0;
}

static int load(const struct tree *t, struct limits *l)
{
    const yaml_node_t *root = tree_root(t), *list;
    if (tree_check(t, root, "the limits", "limits core exceptions") || load_values(t, tree_get(t, root, "limits"), l) ||
        tree_need_text(t, root, "core", &l->core))
        return -1;
    list = tree_get(t, root, "exceptions");
    return list ? load_exceptions(t, list, l) : 0;
}

int limits_load(struct limits *l, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = name, .err = err};
    memset(l, 0, sizeof *l);
    if (tree_parse(&t, text, length))
        return -1;
    l->doc = t.doc;
    if (!load(&t, l))
        return 0;
    limits_close(l);
    return -1;
}

int limits_open(struct limits *l, const char *path, struct mh_error *err)
{
    size_t length;
    if (!path)
        return limits_load(l, "limits.yaml", builtin.text, (size_t)(builtin.end - builtin.text), err);
    char *text = read_file(path, &length, err);
    int status = text ? limits_load(l, path, text, length, err) : -1;
    free(text);
    return status;
}

void limits_close(struct limits *l)
{
    tree_free(l->doc);
    memset(l, 0, sizeof *l);
}

uint64_t limits_of(const struct limits *l, const char *image, const char *workload, enum limit limit,
                   const struct exception **why)
{
    *why = NULL;
    for (unsigned i = 0; i < l->exception_count && !*why; i++) {
        const struct exception *e = &l->exceptions[i];
        bool here = !e->workload || (workload && patterns_fit(e->workload, workload));
        if (e->limit == limit && here && patterns_fit(e->images, image))
            *why = e;
    }
    return *why ? (*why)->value : l->values[limit];
}
