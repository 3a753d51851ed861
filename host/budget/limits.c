#include "limits.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/words.h"
#include "base/yaml_tree.h"

extern const char budget_limits_text[], budget_limits_end[];
__asm__(".pushsection .rodata\n"
        ".global budget_limits_text, budget_limits_end\n"
        "budget_limits_text: .incbin \"firmware/budget/limits.yaml\"\n"
        "budget_limits_end: .byte 0\n"
        ".popsection\n");

static const struct {
    const char *text, *end;
} builtin_limits = {budget_limits_text, budget_limits_end};

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

static int load_limits(const struct tree *t, struct limits *l)
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
    if (!load_limits(&t, l))
        return 0;
    limits_close(l);
    return -1;
}

int limits_open(struct limits *l, const char *path, struct mh_error *err)
{
    size_t length;
    if (!path)
        return limits_load(l, "limits.yaml", builtin_limits.text, (size_t)(builtin_limits.end - builtin_limits.text),
                           err);
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

static const struct {
    const char *name, *missed;
} rows[MH_SOURCES] = {
#define MH_SOURCE(NAME, field, irq, REGISTER, raised, missed) {#field, missed},
#include "memhelm/registers.def"
};

/* The hooks that serve them (firmware/image/common/fw.c). */
static const char *const hooks[MH_SOURCES] = {
    [MH_SOURCE_EPOCH] = "on_epoch",    [MH_SOURCE_WALK_EPOCH] = "on_walk_epoch", [MH_SOURCE_ARRIVAL] = "on_arrival",
    [MH_SOURCE_TENANT] = "on_event",   [MH_SOURCE_PAGE_FAULT] = "on_page_fault", [MH_SOURCE_TIMER] = "on_timer",
    [MH_SOURCE_TIMER_2] = "on_timer_2"};

struct source_info source_info(unsigned source)
{
    struct source_info info = {.name = rows[source].name, .hook = hooks[source], .missed = rows[source].missed};
    for (enum limit l = LIMIT_EPOCH; l < LIMITS; l++)
        if (!strcmp(limit_names[l], info.name)) {
            info.limited = true;
            info.limit = l;
        }
    return info;
}

extern const char budget_reference_text[], budget_reference_end[];
__asm__(".pushsection .rodata\n"
        ".global budget_reference_text, budget_reference_end\n"
        "budget_reference_text: .incbin \"host/budget/reference.yaml\"\n"
        "budget_reference_end: .byte 0\n"
        ".popsection\n");

static const struct {
    const char *text, *end;
} builtin_reference = {budget_reference_text, budget_reference_end};

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

static int load_reference(const struct tree *t, struct reference *r)
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
    if (!load_reference(&t, r))
        return 0;
    reference_close(r);
    return -1;
}

int reference_open(struct reference *r, const char *path, struct mh_error *err)
{
    size_t length;
    if (!path)
        return reference_load(r, "reference.yaml", builtin_reference.text,
                              (size_t)(builtin_reference.end - builtin_reference.text), err);
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

/* The ebreak of a check: right behind the branch, or where it goes. */
static const struct code_line *ebreak_of(const struct code *code, const struct code_line *l)
{
    const struct code_line *next = code_at(code, l->address + l->insn.size);
    return next && next->insn.cls == INSN_EBREAK ? next : code_at(code, insn_target(&l->insn, l->address));
}

/* Several checks may share one. */
static bool is_shared(const struct code *code, unsigned line)
{
    for (unsigned i = 0; i < line; i++)
        if ((code->list[i].flags & CODE_CHECK) && ebreak_of(code, &code->list[i]) == ebreak_of(code, &code->list[line]))
            return true;
    return false;
}

struct checks checks_of(const struct code *code)
{
    struct checks c = {0};
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_line *l = &code->list[i], *trap = ebreak_of(code, l);
        if (!(l->flags & CODE_CHECK))
            continue;
        c.sites++;
        c.bytes += l->insn.size + (trap && !is_shared(code, i) ? trap->insn.size : 0u);
    }
    return c;
}

enum { NOBODY = MH_SOURCES };

static unsigned source_of_kind(const char *kind)
{
    unsigned s = 0;
    while (s < MH_SOURCES && (!source_info(s).hook || strcmp(source_info(s).hook, kind)))
        s++;
    return s;
}

/* A function that is the hook of several sources is counted for none. */
static unsigned source_of_hook(const struct hooks *h, uint32_t address)
{
    unsigned found = NOBODY;
    bool any = false;
    for (unsigned i = 0; i < h->count; i++) {
        if (h->list[i].address != address)
            continue;
        unsigned source = source_of_kind(h->list[i].kind);
        found = any && source != found ? NOBODY : source;
        any = true;
    }
    return found;
}

/* The source that node `n` works for: that of the nearest hook on the way to it. */
static unsigned source_of_node(const struct profile *p, const struct functions *f, const struct hooks *h, unsigned n)
{
    unsigned source = NOBODY;
    for (; n && source == NOBODY; n = p->nodes[n].parent)
        source = source_of_hook(h, f->list[p->nodes[n].function].address);
    return source;
}

static unsigned source_of_function(const struct profile *p, const struct functions *f, const struct hooks *h,
                                   unsigned function)
{
    unsigned found = NOBODY;
    bool first = true;
    for (unsigned n = 1; n < p->node_count; n++) {
        if (p->nodes[n].function != (int)function)
            continue;
        unsigned source = source_of_node(p, f, h, n);
        if (!first && source != found)
            return NOBODY;
        found = source;
        first = false;
    }
    return found;
}

static struct check_cost executed(const struct code *code, const struct code_line *l, const struct profile_at *at)
{
    const struct code_line *target = code_at(code, insn_target(&l->insn, l->address));
    const struct cost *c = &l->cost[CORE_CYCLES];
    uint64_t jump = c->taken + (target ? target->cost[CORE_CYCLES].landing : 0u);
    return (struct check_cost){at->count, at->count * (1u + c->extra) + at->taken * jump};
}

static void add(struct check_cost *to, struct check_cost c)
{
    to->instructions += c.instructions;
    to->cycles += c.cycles;
}

struct checks_run checks_executed(const struct code *code, const struct profile *p, const struct functions *f,
                                  const struct hooks *h)
{
    struct checks_run run = {0};
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(code, p->at[i].address);
        if (!l || !(l->flags & CODE_CHECK))
            continue;
        unsigned source = source_of_function(p, f, h, l->function);
        add(&run.all, executed(code, l, &p->at[i]));
        if (source < MH_SOURCES)
            add(&run.sources[source], executed(code, l, &p->at[i]));
    }
    return run;
}
