#include "base/memory.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/yaml_tree.h"
#include "memhelm/config.h"
#include "plan/quantity.h"
#include "study.h"
#include "study_parts.h"

/* Paths start at the top of the tree: the assembler gets -I. from the Makefile. */
#define STUDY(paper, what)                                                                                             \
    extern const char study_##paper##_text[], study_##paper##_end[];                                                   \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global study_" #paper "_text, study_" #paper "_end\n"                                                    \
            "study_" #paper "_text: .incbin \"host/reproduce/" #paper ".yaml\"\n"                                      \
            "study_" #paper "_end: .byte 0\n"                                                                          \
            ".popsection\n");
#include "studies.def"

static const struct builtin {
    const char *name, *text, *end;
} builtins[] = {
#define STUDY(paper, what) {#paper, study_##paper##_text, study_##paper##_end},
#include "studies.def"
};

const char *study_names(void)
{
    return ""
#define STUDY(paper, what) " " #paper
#include "studies.def"
           + 1;
}

static const struct builtin *find_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(builtins[i].name, name))
            return &builtins[i];
    return NULL;
}

const char *study_name(const char *name)
{
    const struct builtin *b = find_builtin(name);
    return b ? b->name : NULL;
}

/* --- Rows. */

static int load_row_words(const struct tree *t, const yaml_node_t *map, struct row *r)
{
    static const char needed[][8] = {"id", "figure", "what", "paper", "kind"};
    if (tree_check(t, map, "a row", "id figure what paper kind note missing run over above less " STUDY_MEASURE_KEYS))
        return -1;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!tree_get(t, map, needed[i]))
            return tree_fail(t, map, "a row needs %s", needed[i]);
    unsigned kind = 0;
    if (tree_get_text(t, map, "id", &r->id) || tree_get_text(t, map, "figure", &r->figure) ||
        tree_get_text(t, map, "what", &r->what) || tree_get_text(t, map, "paper", &r->paper) ||
        tree_get_text(t, map, "note", &r->note) || tree_get_text(t, map, "missing", &r->missing) ||
        tree_get_choice(t, map, "kind", "effect level order", &kind) || tree_check_name(t, map, r->id))
        return -1;
    r->kind = (enum row_kind)kind;
    return 0;
}

static int load_above(const struct tree *t, const yaml_node_t *map, struct row *r)
{
    if (!tree_get(t, map, "above") == (r->over == OVER_SHARE))
        return tree_fail(t, map, "over: share has above: NUMBER, the others have not");
    return tree_get_real(t, map, "above", &r->above);
}

static int load_run(const struct tree *t, const yaml_node_t *map, const struct study *s, struct row *r)
{
    const yaml_node_t *run = tree_get(t, map, "run");
    unsigned over = OVER_GEOMEAN, less = 0;
    if (!run)
        return tree_fail(t, map, "row %s: neither a run nor missing: REASON", r->id);
    if (study_variant_load(t, run, &r->run) || study_measure_load(t, map, s, r->kind == ROW_LEVEL, &r->measure) ||
        tree_get_choice(t, map, "over", "geomean mean min max share", &over) ||
        tree_get_choice(t, map, "less", "nothing plain", &less))
        return -1;
    r->over = (enum aggregate)over;
    r->less_plain = less;
    if (r->measure.alone_both && !values_need_alone(r->measure.expr))
        return tree_fail(t, map, "alone: both, but %s looks at no tenant alone", r->measure.metric);
    r->plain = r->other = r->measure;
    r->plain.common.set_count = s->common.set_count;
    r->other.alone_whole = !r->measure.alone_whole;
    return load_above(t, map, r);
}

static int load_row(const struct tree *t, const yaml_node_t *map, struct study *s, struct row *r)
{
    struct mh_error why;
    if (load_row_words(t, map, r))
        return -1;
    if (strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789.-") != strlen(r->id))
        return tree_fail(t, map, "id '%.60s': lower case letters, digits, - and . only", r->id);
    for (const struct row *other = s->rows; other < r; other++)
        if (!strcmp(other->id, r->id))
            return tree_fail(t, map, "id '%s' is given twice", r->id);
    if (!r->missing && load_run(t, map, s, r))
        return -1;
    bool gain = r->missing ? r->kind != ROW_LEVEL : r->measure.relation == RELATION_GAIN && r->over != OVER_SHARE;
    return claim_parse(&r->claim, r->paper, gain, &why) ? tree_fail(t, tree_get(t, map, "paper"), "%s", why.text) : 0;
}

static int load_rows(const struct tree *t, struct study *s)
{
    const yaml_node_t *list = tree_get(t, tree_root(t), "rows");
    if (!list || list->type != YAML_SEQUENCE_NODE || !tree_count(list))
        return tree_get(t, tree_root(t), "grids") && !list
                   ? 0
                   : mh_fail(t->err, "%s: rows: a list of rows is missing", t->name);
    s->rows = must_have(tree_count(list), sizeof *s->rows);
    while (s->row_count < tree_count(list))
        if (s->row_count++, load_row(t, tree_item(t, list, s->row_count - 1), s, &s->rows[s->row_count - 1]))
            return -1;
    return 0;
}

/* --- The rest. */

static bool is_row(const struct study *s, const char *id)
{
    return study_row(s, id);
}

static bool is_grid(const struct study *s, const char *id)
{
    return study_grid(s, id);
}

/* The ids under `key` of `map`, if they are there, of which `is` says what they have to be. */
static int load_ids(const struct tree *t, const yaml_node_t *map, const char *key, const struct study *s,
                    bool (*is)(const struct study *s, const char *id), struct list *ids)
{
    const yaml_node_t *n = tree_get(t, map, key);
    if (n && lists_load_items(t, n, ids))
        return -1;
    for (unsigned i = 0; i < ids->count; i++)
        if (!is(s, ids->items[i]))
            return tree_fail(t, n, "%s: there is no %s '%.60s'%s", key, is == is_row ? "row" : "grid", ids->items[i],
                             (is == is_row ? study_near_row : study_near_grid)(s, ids->items[i]).text);
    return 0;
}

static int load_quick(const struct tree *t, struct study *s)
{
    const yaml_node_t *quick = tree_get(t, tree_root(t), "quick");
    if (load_ids(t, tree_root(t), "doubling", s, is_row, &s->doubling))
        return -1;
    if (!quick)
        return 0;
    if (tree_check(t, quick, "quick", "rows grids cycles lists") ||
        tree_get_number(t, quick, "cycles", &s->quick_cycles) ||
        lists_load_named(t, tree_get(t, quick, "lists"), "lists", &s->quick_lists, &s->quick_list_count) ||
        load_ids(t, quick, "rows", s, is_row, &s->quick_rows))
        return -1;
    return load_ids(t, quick, "grids", s, is_grid, &s->quick_grids);
}

static int load_study(const struct tree *t, struct study *s)
{
    const yaml_node_t *root = tree_root(t);
    unsigned whole = 0;
    if (tree_check(t, root, "the file",
                   "title preset cycles alone set kernels lists rows grids plots doubling quick") ||
        tree_get_text(t, root, "title", &s->title) || tree_get_text(t, root, "preset", &s->common.preset) ||
        study_sets_load(t, root, &s->common) || tree_get_number(t, root, "cycles", &s->cycles) ||
        tree_get_choice(t, root, "alone", "same whole", &whole) ||
        lists_load_named(t, tree_get(t, root, "kernels"), "kernels", &s->kernels, &s->kernel_count) ||
        lists_load_named(t, tree_get(t, root, "lists"), "lists", &s->lists, &s->list_count))
        return -1;
    s->alone_whole = whole;
    if (!s->title || !s->common.preset || !s->cycles)
        return tree_fail(t, root, "title, preset and cycles are needed");
    return load_rows(t, s) || study_grids_load(t, s) || study_plots_load(t, s) || load_quick(t, s) ? -1 : 0;
}

static int open_text(struct study *s, const char *file, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = file, .err = err};
    if (tree_parse(&t, text, length))
        return -1;
    hash_text(text, length, s->sha256);
    s->document = t.doc;
    return load_study(&t, s);
}

static int open_file(struct study *s, const char *file, struct mh_error *err)
{
    size_t length;
    char *text = read_file(file, &length, err);
    int status = text ? open_text(s, file, text, length, err) : -1;
    free(text);
    return status;
}

int study_open(struct study *s, const char *name, const char *file, struct mh_error *err)
{
    const struct builtin *b = find_builtin(name);
    memset(s, 0, sizeof *s);
    if (!b)
        return mh_fail(err, "there is no study '%.40s'%s; there are: %s", name, nearest_word(name, study_names()).text,
                       study_names());
    s->name = name;
    int status = file ? open_file(s, file, err) : open_text(s, name, b->text, (size_t)(b->end - b->text), err);
    if (status)
        study_close(s);
    return status;
}

void study_close(struct study *s)
{
    for (unsigned i = 0; i < s->row_count; i++)
        expr_free(s->rows[i].measure.expr);
    study_plots_free(s);
    study_grids_free(s);
    free(s->rows);
    lists_free(s->lists, s->list_count);
    lists_free(s->kernels, s->kernel_count);
    lists_free(s->quick_lists, s->quick_list_count);
    free(s->doubling.items);
    free(s->quick_rows.items);
    free(s->quick_grids.items);
    tree_free(s->document);
    memset(s, 0, sizeof *s);
}

int study_sets_add(const struct tree *t, const yaml_node_t *list, struct variant *v)
{
    if (list->type != YAML_SEQUENCE_NODE || v->set_count + tree_count(list) > VARIANT_SETS)
        return tree_fail(t, list, "set takes a list of key=value, at most %d with those of the study", VARIANT_SETS);
    for (unsigned i = 0; i < tree_count(list); i++)
        if (tree_text(t, tree_item(t, list, i), &v->sets[v->set_count++]))
            return -1;
    return 0;
}

int study_sets_load(const struct tree *t, const yaml_node_t *map, struct variant *v)
{
    const yaml_node_t *list = tree_get(t, map, "set");
    return list ? study_sets_add(t, list, v) : 0;
}

static int load_partitions(const struct tree *t, const yaml_node_t *map, struct variant *v)
{
    yaml_node_t *list;
    if (!tree_get(t, map, "partitions"))
        return 0;
    if (tree_need_list(t, map, "partitions", VARIANT_PARTITIONS, &list))
        return -1;
    for (uint64_t sms = 0; v->partition_count < tree_count(list); v->partitions[v->partition_count++] = (unsigned)sms) {
        const uint64_t least = sms + 1; /* each once: what is tried twice is a slip */
        if (tree_number(t, tree_item(t, list, v->partition_count),
                        "partitions, SMs of the first tenant in ascending order,",
                        (const uint64_t[]){least, MH_MAX_SMS - 1}, &sms))
            return -1;
    }
    return 0;
}

static int load_oracle(const struct tree *t, const yaml_node_t *map, struct variant *v)
{
    const yaml_node_t *oracle = tree_get(t, map, "oracle");
    if (!oracle)
        return 0;
    if (tree_check(t, oracle, "an oracle", "file metric") || tree_need_text(t, oracle, "file", &v->oracle) ||
        tree_need_text(t, oracle, "metric", &v->oracle_metric))
        return -1;
    return v->partition_count ? tree_fail(t, oracle, "an oracle has partitions of its own: shared SMs or equal parts")
                              : 0;
}

#define VARIANT_KEYS "image preset design set machine partitions oracle"

int study_variant_load(const struct tree *t, const yaml_node_t *n, struct variant *v)
{
    unsigned machine = v->machine;
    if (n->type == YAML_SCALAR_NODE)
        return tree_text(t, n, &v->image);
    if (tree_check(t, n, "a run", VARIANT_KEYS) || tree_get_text(t, n, "image", &v->image) ||
        tree_get_text(t, n, "preset", &v->preset) || tree_get_text(t, n, "design", &v->design) ||
        study_sets_load(t, n, v) || load_partitions(t, n, v) || load_oracle(t, n, v) ||
        tree_get_choice(t, n, "machine", "any twin qemu", &machine))
        return -1;
    v->machine = (enum machine)machine;
    return v->image ? 0 : tree_fail(t, n, "a run needs an image");
}

static int load_lists_of(const struct tree *t, const yaml_node_t *n, struct measure *m)
{
    if (n->type == YAML_SCALAR_NODE) {
        m->list_count = 1;
        return tree_text(t, n, &m->lists[0]);
    }
    if (n->type != YAML_SEQUENCE_NODE || !tree_count(n) || tree_count(n) > MEASURE_LISTS)
        return tree_fail(t, n, "workloads takes a list's name, or 1..%d of them", MEASURE_LISTS);
    for (unsigned i = 0; i < tree_count(n); i++)
        if (tree_text(t, tree_item(t, n, i), &m->lists[m->list_count++]))
            return -1;
    return 0;
}

static int parse_metric(const struct tree *t, const yaml_node_t *map, struct measure *m)
{
    struct mh_error why;
    if (!m->metric)
        return tree_fail(t, map, "a metric is missing");
    m->expr = expr_parse(m->metric, &why);
    return m->expr ? 0 : tree_fail(t, tree_get(t, map, "metric"), "%s", why.text);
}

/* Partitions are the row's: the run that chooses among them has none of its own. */
static int load_under(const struct tree *t, const yaml_node_t *map, struct measure *m)
{
    const yaml_node_t *under = tree_get(t, map, "under");
    if (load_partitions(t, map, &m->common))
        return -1;
    if (!under)
        return 0;
    if (!m->common.partition_count)
        return tree_fail(t, under,
                         "under is the run for which a partition is the best: partitions: [SMs, ...] is missing");
    if (study_variant_load(t, under, &m->under))
        return -1;
    return m->under.partition_count ? tree_fail(t, under, "under has no partitions of its own") : 0;
}

enum { ALONE_BOTH = 2 };

int study_measure_load(const struct tree *t, const yaml_node_t *map, const struct study *s, bool level,
                       struct measure *m)
{
    const yaml_node_t *against = tree_get(t, map, "against"), *workloads = tree_get(t, map, "workloads");
    unsigned relation = !against ? RELATION_LEVEL : level ? RELATION_RATIO : RELATION_GAIN, whole = s->alone_whole;
    m->cycles = s->cycles;
    m->common = s->common;
    if (!workloads)
        return tree_fail(t, map, "workloads are missing");
    if (tree_get_text(t, map, "metric", &m->metric) || parse_metric(t, map, m) || load_lists_of(t, workloads, m) ||
        (against && study_variant_load(t, against, &m->against)) || study_sets_load(t, map, &m->common) ||
        load_under(t, map, m) || tree_get_text(t, map, "preset", &m->common.preset) ||
        tree_get_text(t, map, "design", &m->common.design) || tree_get_number(t, map, "cycles", &m->cycles) ||
        tree_get_choice(t, map, "alone", "same whole both", &whole) ||
        tree_get_choice(t, map, "relation", "level gain ratio difference", &relation))
        return -1;
    m->relation = (enum relation)relation;
    m->alone_both = whole == ALONE_BOTH;
    m->alone_whole = m->alone_both ? s->alone_whole : whole;
    return !against == (m->relation == RELATION_LEVEL)
               ? 0
               : tree_fail(t, map, "a relation other than level has against, level has not");
}
