#include "study_measure.h"

#include "memhelm/config.h"

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
