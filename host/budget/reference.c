#include "reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/patterns.h"
#include "base/yaml_tree.h"

extern const char budget_reference_text[], budget_reference_end[];
__asm__(".pushsection .rodata\n"
        ".global budget_reference_text, budget_reference_end\n"
        "budget_reference_text: .incbin \"host/budget/reference.yaml\"\n"
        "budget_reference_end: .byte 0\n"
        ".popsection\n");

static const struct {
    const char *text, *end;
} builtin = {budget_reference_text, budget_reference_end};

static int load_sets(const struct tree *t, const yaml_node_t *map, const char *sets[REFERENCE_SETS], unsigned *count)
{
    yaml_node_t *list;
    if (!tree_get(t, map, "set"))
        return 0;
    if (tree_need_list(t, map, "set", REFERENCE_SETS, &list))
        return -1;
    for (; *count < tree_count(list); ++*count)
        if (tree_text(t, tree_item(t, list, *count), &sets[*count]))
            return -1;
    return 0;
}

static int load_workload(const struct tree *t, const yaml_node_t *map, struct reference_workload *w)
{
    unsigned check = 0;
    if (tree_check(t, map, "a workload", "name tenants set check") || tree_need_text(t, map, "name", &w->name) ||
        tree_need_text(t, map, "tenants", &w->tenants) || tree_get_choice(t, map, "check", "no yes", &check))
        return -1;
    w->check = check;
    return load_sets(t, map, w->sets, &w->set_count);
}

static int load_workloads(const struct tree *t, struct reference *r)
{
    yaml_node_t *list;
    unsigned checked = 0;
    if (tree_need_list(t, tree_root(t), "workloads", REFERENCE_WORKLOADS, &list))
        return -1;
    for (; r->workload_count < tree_count(list); r->workload_count++) {
        struct reference_workload *w = &r->workloads[r->workload_count];
        if (load_workload(t, tree_item(t, list, r->workload_count), w))
            return -1;
        checked += w->check;
    }
    return checked ? 0 : tree_fail(t, list, "no workload has `check: yes`");
}

static int load_presets(const struct tree *t, struct reference *r)
{
    yaml_node_t *list;
    if (tree_need_list(t, tree_root(t), "presets", REFERENCE_PRESETS, &list))
        return -1;
    for (; r->preset_count < tree_count(list); r->preset_count++) {
        const yaml_node_t *map = tree_item(t, list, r->preset_count);
        struct reference_preset *p = &r->presets[r->preset_count];
        if (tree_check(t, map, "a preset", "images preset set") || tree_need_text(t, map, "images", &p->images) ||
            tree_need_text(t, map, "preset", &p->preset) || load_sets(t, map, p->sets, &p->set_count))
            return -1;
    }
    return 0;
}

static int load(const struct tree *t, struct reference *r)
{
    const yaml_node_t *root = tree_root(t);
    if (tree_check(t, root, "the reference set", "cycles presets workloads") ||
        tree_get_number(t, root, "cycles", &r->cycles))
        return -1;
    if (!r->cycles)
        return tree_fail(t, root, "cycles is missing");
    return load_presets(t, r) || load_workloads(t, r) ? -1 : 0;
}

int reference_load(struct reference *r, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = name, .err = err};
    memset(r, 0, sizeof *r);
    if (tree_parse(&t, text, length))
        return -1;
    r->doc = t.doc;
    if (!load(&t, r))
        return 0;
    reference_close(r);
    return -1;
}

int reference_open(struct reference *r, const char *path, struct mh_error *err)
{
    size_t length;
    if (!path)
        return reference_load(r, "reference.yaml", builtin.text, (size_t)(builtin.end - builtin.text), err);
    char *text = read_file(path, &length, err);
    int status = text ? reference_load(r, path, text, length, err) : -1;
    free(text);
    return status;
}

void reference_close(struct reference *r)
{
    tree_free(r->doc);
    memset(r, 0, sizeof *r);
}

const struct reference_preset *reference_preset(const struct reference *r, const char *image)
{
    for (unsigned i = 0; i < r->preset_count; i++)
        if (patterns_fit(r->presets[i].images, image))
            return &r->presets[i];
    return NULL;
}
