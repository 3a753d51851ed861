/* A core's YAML file to struct core; each error has file and line. */
#include <limits.h>
#include <string.h>

#include "timing.h"
#include "base/words.h"
#include "base/yaml_tree.h"

enum { CYCLES_MAX = 1000 };
static const uint64_t count_max = 1000000000000;

/* A whole number up to `max`, 0 included; *number stays when the key is not there. */
static int get_number(const struct tree *t, const yaml_node_t *map, const char *key, uint64_t max, uint64_t *number)
{
    return tree_get_range(t, map, key, (const uint64_t[]){0, max}, number);
}

/* The row with this name among first..end - 1, CORE_ROWS when there is none. */
static enum core_row find_row(const char *name, unsigned first, unsigned end)
{
    for (unsigned row = first; row < end; row++)
        if (!strcmp(core_row_name((enum core_row)row), name))
            return (enum core_row)row;
    return CORE_ROWS;
}

/* "no class 'x'; there are: alu ..", of first..end - 1. */
static int no_row(const struct tree *t, const yaml_node_t *n, const char *name, unsigned first, unsigned end)
{
    struct nearest near = nearest_begin(name, "");
    for (unsigned row = first; row < end; row++)
        nearest_try(&near, core_row_name((enum core_row)row));
    return tree_fail(t, n, "no %s '%.60s'%s; there are:%s",
                     first             ? "event"
                     : end < CORE_ROWS ? "class"
                                       : "class or event",
                     name, near.text, near.names);
}

static const struct core_source *find_source(const struct core *c, const char *key)
{
    for (unsigned i = 0; i < c->source_count; i++)
        if (!strcmp(c->sources[i].key, key))
            return &c->sources[i];
    return NULL;
}

static int check_source(const struct tree *t, const yaml_node_t *n, const struct core *c, const char *key)
{
    if (key && !find_source(c, key))
        return tree_fail(t, n, "no source '%.60s': add it to `sources`", key);
    return 0;
}

/* A list of mappings; `each` gets them in order. */
static int load_list(const struct tree *t, const yaml_node_t *root, const char *key, unsigned most, struct core *c,
                     int (*each)(const struct tree *t, const yaml_node_t *n, struct core *c))
{
    const yaml_node_t *list = tree_get(t, root, key);
    if (!list)
        return 0;
    if (list->type != YAML_SEQUENCE_NODE || tree_count(list) > most)
        return tree_fail(t, list, "%s takes a list of at most %u rows", key, most);
    for (unsigned i = 0; i < tree_count(list); i++)
        if (each(t, tree_item(t, list, i), c))
            return -1;
    return 0;
}

static int load_source(const struct tree *t, const yaml_node_t *n, struct core *c)
{
    struct core_source s = {0};
    if (tree_check(t, n, "a source", "key repo path commit document") || tree_need_text(t, n, "key", &s.key) ||
        tree_get_text(t, n, "repo", &s.repo) || tree_get_text(t, n, "path", &s.path) ||
        tree_get_text(t, n, "commit", &s.commit) || tree_get_text(t, n, "document", &s.document))
        return -1;
    if (find_source(c, s.key))
        return tree_fail(t, n, "source '%.60s' is given twice: remove one", s.key);
    if (!s.document == !(s.repo && s.path && s.commit))
        return tree_fail(t, n, "a source has either repo, path and commit, or document");
    c->sources[c->source_count++] = s;
    return 0;
}

/* --- Values. */

static int load_cycles(const struct tree *t, const yaml_node_t *n, bool class, struct core_value *v)
{
    uint64_t cycles = UINT64_MAX, min, max;
    if (get_number(t, n, "cycles", CYCLES_MAX, &cycles))
        return -1;
    if (cycles == UINT64_MAX)
        return tree_fail(t, n, "cycles is missing");
    min = max = cycles;
    if (get_number(t, n, "min", CYCLES_MAX, &min) || get_number(t, n, "max", CYCLES_MAX, &max))
        return -1;
    if (min > cycles || cycles > max)
        return tree_fail(t, n, "min <= cycles <= max does not hold: %u, %u, %u", (unsigned)min, (unsigned)cycles,
                         (unsigned)max);
    if (class && !min)
        return tree_fail(t, n, "an instruction takes at least 1 cycle");
    v->cycles[CORE_MIN] = (uint16_t)min;
    v->cycles[CORE_CYCLES] = (uint16_t)cycles;
    v->cycles[CORE_MAX] = (uint16_t)max;
    return 0;
}

/* Nothing without a source, and nothing of ours without a reason. */
static int check_kind(const struct tree *t, const yaml_node_t *n, const struct core_value *v)
{
    switch (v->kind) {
    case CORE_DOC:
    case CORE_MEASURED:
        return v->source && v->quote
                   ? 0
                   : tree_fail(t, n, "a value of kind %s needs source and quote", core_kind_name(v->kind));
    case CORE_RTL:
        return v->source && (v->quote || v->note)
                   ? 0
                   : tree_fail(t, n, "a value of kind rtl needs source, and quote or note");
    default:
        return v->note ? 0 : tree_fail(t, n, "a value of kind assumed needs a note: why this value");
    }
}

static int load_value(const struct tree *t, const yaml_node_t *n, struct core *c, unsigned first, unsigned end)
{
    const char *name = NULL;
    unsigned kind = UINT_MAX;
    struct core_value v = {.given = true};
    bool class = first == 0;
    if (tree_check(t, n, "a value", "name cycles min max kind source quote when note") ||
        tree_need_text(t, n, "name", &name) || tree_get_text(t, n, "source", &v.source) ||
        tree_get_text(t, n, "quote", &v.quote) || tree_get_text(t, n, "when", &v.when) ||
        tree_get_text(t, n, "note", &v.note) || tree_get_choice(t, n, "kind", "doc rtl measured assumed", &kind))
        return -1;
    enum core_row row = find_row(name, first, end);
    if (row == CORE_ROWS)
        return no_row(t, n, name, first, end);
    if (c->values[row].given)
        return tree_fail(t, n, "'%s' is given twice: remove one", name);
    if (kind == UINT_MAX)
        return tree_fail(t, n, "kind is missing: doc, rtl, measured or assumed");
    v.kind = (enum core_kind)kind;
    if (load_cycles(t, n, class, &v) || check_source(t, n, c, v.source) || check_kind(t, n, &v))
        return -1;
    c->values[row] = v;
    return 0;
}

static int load_class(const struct tree *t, const yaml_node_t *n, struct core *c)
{
    return load_value(t, n, c, 0, CORE_CLASS_ROWS);
}

static int load_event(const struct tree *t, const yaml_node_t *n, struct core *c)
{
    return load_value(t, n, c, CORE_CLASS_ROWS, CORE_ROWS);
}

static int check_values(const struct tree *t, const struct core *c)
{
    const yaml_node_t *root = tree_root(t);
    for (unsigned row = 0; row < CORE_CLASS_ROWS; row++)
        if (!c->values[row].given)
            return tree_fail(t, root, "class '%s' (%s) is missing", core_row_name((enum core_row)row),
                             core_row_meaning((enum core_row)row));
    for (unsigned b = 0; b < CORE_BOUNDS; b++)
        if (c->values[CORE_BRANCH_TAKEN].cycles[b] < c->values[CORE_BRANCH_NOT_TAKEN].cycles[b])
            return tree_fail(t, root, "branch_taken is shorter than branch_not_taken, in %s",
                             b == CORE_MIN      ? "min"
                             : b == CORE_CYCLES ? "cycles"
                                                : "max");
    return 0;
}

/* --- Checks. */

static int load_counts(const struct tree *t, const yaml_node_t *n, struct core_check *check)
{
    const yaml_node_t *map = tree_get(t, n, "counts");
    if (!map || map->type != YAML_MAPPING_NODE || tree_check(t, map, "counts", NULL))
        return map && map->type == YAML_MAPPING_NODE ? -1
                                                     : tree_fail(t, n, "a check needs counts: {class: number, ..}");
    for (unsigned i = 0; i < tree_count(map); i++) {
        const char *name = tree_key(t, map, i);
        enum core_row row = find_row(name, 0, CORE_ROWS);
        if (row == CORE_ROWS)
            return no_row(t, map, name, 0, CORE_ROWS);
        if (get_number(t, map, name, count_max, &check->counts[row]))
            return -1;
    }
    return 0;
}

/* The published counters against each other, and against the table. */
static int verify(const struct tree *t, const yaml_node_t *n, const struct core *c, const struct core_check *check)
{
    uint64_t instructions = 0, cycles = core_check_cycles(c, check);
    for (unsigned row = 0; row < CORE_CLASS_ROWS; row++)
        instructions += check->counts[row];
    if (instructions != check->instructions)
        return tree_fail(t, n, "the counts of classes sum up to %llu instructions, not %llu",
                         (unsigned long long)instructions, (unsigned long long)check->instructions);
    if (cycles != check->cycles)
        return tree_fail(t, n, "the table gives %llu cycles, published are %llu: a value or a count is wrong",
                         (unsigned long long)cycles, (unsigned long long)check->cycles);
    return 0;
}

static int load_check(const struct tree *t, const yaml_node_t *n, struct core *c)
{
    struct core_check check = {0};
    if (tree_check(t, n, "a check", "name source counts instructions cycles") ||
        tree_need_text(t, n, "name", &check.name) || tree_need_text(t, n, "source", &check.source) ||
        check_source(t, n, c, check.source) || load_counts(t, n, &check) ||
        get_number(t, n, "instructions", count_max, &check.instructions) ||
        get_number(t, n, "cycles", count_max, &check.cycles))
        return -1;
    if (!check.instructions || !check.cycles)
        return tree_fail(t, n, "a check needs instructions and cycles, as published");
    if (verify(t, n, c, &check))
        return -1;
    c->checks[c->check_count++] = check;
    return 0;
}

/* --- The file. */

static int check_name(const struct tree *t, const struct core *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t n = strlen(c->name);
    if (n >= CORE_NAME || strspn(c->name, letters) != n)
        return tree_fail(t, tree_root(t), "core: a name of at most %d letters, digits, '-', '_', '.', not '%.60s'",
                         CORE_NAME - 1, c->name);
    return 0;
}

static int load_root(const struct tree *t, struct core *c)
{
    const yaml_node_t *root = tree_root(t);
    if (tree_check(t, root, "a core", "core title isa config assumes sources classes events checks") ||
        tree_need_text(t, root, "core", &c->name) || tree_need_text(t, root, "title", &c->title) ||
        tree_need_text(t, root, "isa", &c->isa) || tree_get_text(t, root, "config", &c->config) ||
        tree_need_text(t, root, "assumes", &c->assumes) || check_name(t, c))
        return -1;
    if (load_list(t, root, "sources", CORE_SOURCES, c, load_source) ||
        load_list(t, root, "classes", CORE_CLASS_ROWS, c, load_class) ||
        load_list(t, root, "events", CORE_ROWS - CORE_CLASS_ROWS, c, load_event) || check_values(t, c))
        return -1;
    return load_list(t, root, "checks", CORE_CHECKS, c, load_check);
}

int core_load(struct core *c, const char *file, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = file, .err = err};
    memset(c, 0, sizeof *c);
    if (tree_parse(&t, text, length))
        return -1;
    c->doc = t.doc;
    hash_text(text, length, c->sha256);
    if (!load_root(&t, c))
        return 0;
    core_close(c);
    return -1;
}
