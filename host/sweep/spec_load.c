#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/yaml_tree.h"
#include "spec.h"

#define KEYS "preset design image workload lists seeds cycles set vary sample points metrics alone why twin"

enum { MOST_SAMPLES = 1000000, MOST_POINTS = 100000 };

static int add(const struct tree *t, const yaml_node_t *n, struct words *words)
{
    const char *text;
    if (tree_text(t, n, &text))
        return -1;
    words_add(words, text);
    return 0;
}

/* A scalar is a list of one. */
static int add_all(const struct tree *t, const yaml_node_t *n, struct words *words)
{
    if (n->type == YAML_SCALAR_NODE)
        return add(t, n, words);
    if (n->type != YAML_SEQUENCE_NODE || !tree_count(n))
        return tree_fail(t, n, "expected a text or a list of texts");
    for (unsigned i = 0; i < tree_count(n); i++)
        if (add(t, tree_item(t, n, i), words))
            return -1;
    return 0;
}

static int load_words(const struct tree *t, const char *key, struct words *words)
{
    const yaml_node_t *n = tree_get(t, tree_root(t), key);
    return n ? add_all(t, n, words) : 0;
}

static int load_lists(const struct tree *t, struct sweep_spec *s)
{
    const yaml_node_t *map = tree_get(t, tree_root(t), "lists");
    if (!map)
        return 0;
    if (tree_check(t, map, "lists", NULL))
        return -1;
    if (tree_count(map) > SPEC_LISTS)
        return tree_fail(t, map, "more than %d lists", SPEC_LISTS);
    for (unsigned i = 0; i < tree_count(map); i++) {
        struct spec_list *l = &s->lists[s->list_count++];
        l->name = must(strdup(tree_key(t, map, i)));
        if (add_all(t, tree_value(t, map, i), &l->workloads))
            return -1;
    }
    return 0;
}

static int load_sets(const struct tree *t, struct sweep_spec *s)
{
    const yaml_node_t *n = tree_get(t, tree_root(t), "set");
    struct mh_error why;
    if (!n || add_all(t, n, &s->sets))
        return n ? -1 : 0;
    if (s->sets.count > SPEC_SETS)
        return tree_fail(t, n, "more than %d assignments", SPEC_SETS);
    for (unsigned i = 0; i < s->sets.count; i++)
        if (spec_check_set(s->sets.text[i], &why))
            return tree_fail(t, n->type == YAML_SCALAR_NODE ? n : tree_item(t, n, i), "%s", why.text);
    return 0;
}

/* The values of a list are joined: each may be a range. */
static int load_axis(const struct tree *t, const char *key, const yaml_node_t *n, struct sweep_spec *s)
{
    struct words values = {0};
    struct mh_error why;
    struct draft d;
    int status = add_all(t, n, &values);

    draft_open(&d);
    for (unsigned i = 0; i < values.count; i++)
        fprintf(d.out, "%s%s%s", i ? "" : key, i ? "," : "=", values.text[i]);
    char *text = draft_text(&d);
    if (!status && spec_vary(s, text, &why))
        status = tree_fail(t, n, "vary: %s", why.text);
    free(text);
    words_free(&values);
    return status;
}

static int load_vary(const struct tree *t, struct sweep_spec *s)
{
    const yaml_node_t *map = tree_get(t, tree_root(t), "vary");
    if (!map)
        return 0;
    if (tree_check(t, map, "vary", NULL))
        return -1;
    for (unsigned i = 0; i < tree_count(map); i++)
        if (load_axis(t, tree_key(t, map, i), tree_value(t, map, i), s))
            return -1;
    return 0;
}

static int load_sample(const struct tree *t, struct sweep_spec *s)
{
    static const uint64_t range[] = {1, MOST_SAMPLES}, any[] = {0, UINT64_MAX};
    const yaml_node_t *map = tree_get(t, tree_root(t), "sample");
    uint64_t samples = 0;
    if (!map)
        return 0;
    if (tree_check(t, map, "sample", "random latin seed") || tree_get_range(t, map, "random", range, &samples) ||
        tree_get_range(t, map, "latin", range, &samples) || tree_get_range(t, map, "seed", any, &s->sample_seed))
        return -1;
    if (!tree_get(t, map, "random") == !tree_get(t, map, "latin"))
        return tree_fail(t, map, "sample: one of random: N and latin: N");
    s->sampling = tree_get(t, map, "random") ? SPEC_RANDOM : SPEC_LATIN;
    s->samples = (unsigned)samples;
    return 0;
}

/* --- `points`: the n-th values of all axes are one. */

static int check_point(const struct tree *t, const yaml_node_t *map, struct sweep_spec *s)
{
    if (tree_check(t, map, "a point", NULL))
        return -1;
    for (unsigned i = 0; i < tree_count(map); i++) {
        const char *value, *key = tree_key(t, map, i);
        struct mh_error why;
        if (tree_text(t, tree_value(t, map, i), &value))
            return -1;
        if (!spec_axis_of(s, key))
            return mh_fail(t->err, "%s: points: more than %d keys", t->name, SPEC_AXES);
        if (spec_check_value(key, value, &why))
            return tree_fail(t, tree_value(t, map, i), "%s", why.text);
    }
    return 0;
}

static int add_point(const struct tree *t, const yaml_node_t *map, struct sweep_spec *s)
{
    for (unsigned a = 0; a < s->axis_count; a++) {
        const char *value = "";
        if (tree_get_text(t, map, s->axes[a].key, &value))
            return -1;
        words_add(&s->axes[a].values, value);
    }
    return 0;
}

static int load_points(const struct tree *t, struct sweep_spec *s)
{
    yaml_node_t *list = NULL;
    if (!tree_get(t, tree_root(t), "points"))
        return 0;
    if (tree_need_list(t, tree_root(t), "points", MOST_POINTS, &list))
        return -1;
    if (tree_get(t, tree_root(t), "vary") || tree_get(t, tree_root(t), "sample"))
        return tree_fail(t, list, "points stand in the place of vary and sample");
    s->sampling = SPEC_ZIP;
    for (unsigned i = 0; i < tree_count(list); i++)
        if (check_point(t, tree_item(t, list, i), s))
            return -1;
    if (!s->axis_count)
        return tree_fail(t, tree_item(t, list, 0), "points: no key in any; write them such as {l2tlb.entries: 128}");
    for (unsigned i = 0; i < tree_count(list); i++)
        if (add_point(t, tree_item(t, list, i), s))
            return -1;
    return 0;
}

/* --- The rest. */

static int load_metric(const struct tree *t, const yaml_node_t *n, const char *name, struct sweep_spec *s)
{
    const char *text;
    if (tree_text(t, n, &text))
        return -1;
    name = name ? name : text;
    words_add(&s->metric_names, name);
    words_add(&s->metrics, text);
    return 0;
}

static int load_metrics(const struct tree *t, struct sweep_spec *s)
{
    const yaml_node_t *n = tree_get(t, tree_root(t), "metrics");
    if (!n || n->type == YAML_SCALAR_NODE)
        return n ? load_metric(t, n, NULL, s) : 0;
    if (n->type == YAML_MAPPING_NODE && tree_check(t, n, "metrics", NULL))
        return -1;
    if (!tree_count(n))
        return tree_fail(t, n, "metrics: none is there; name one, or leave the key out");
    for (unsigned i = 0; i < tree_count(n); i++)
        if (n->type == YAML_MAPPING_NODE ? load_metric(t, tree_value(t, n, i), tree_key(t, n, i), s)
                                         : load_metric(t, tree_item(t, n, i), NULL, s))
            return -1;
    return 0;
}

static int load_choices(const struct tree *t, struct sweep_spec *s)
{
    unsigned whole = 0, twin = 0, reasons = 0;
    const char *seeds = NULL, *cycles = NULL;
    struct mh_error why;
    const yaml_node_t *root = tree_root(t);
    if (tree_get_choice(t, root, "alone", "same whole", &whole) ||
        tree_get_choice(t, root, "twin", "false true", &twin) ||
        tree_get_choice(t, root, "why", "false true", &reasons) || tree_get_text(t, root, "seeds", &seeds) ||
        tree_get_text(t, root, "cycles", &cycles))
        return -1;
    s->alone_whole = whole;
    s->twin = twin;
    s->why = reasons;
    if (seeds && spec_seeds(s, seeds, &why))
        return tree_fail(t, tree_get(t, root, "seeds"), "%s", why.text);
    if (cycles && (!number_scaled(cycles, &s->cycles) || !s->cycles))
        return tree_fail(t, tree_get(t, root, "cycles"), "cycles: '%.40s'; write a number such as 500000 or 2M",
                         cycles);
    return 0;
}

static int load_all(const struct tree *t, struct sweep_spec *s)
{
    if (tree_check(t, tree_root(t), "a sweep", KEYS))
        return -1;
    return load_words(t, "preset", &s->presets) || load_words(t, "design", &s->designs) ||
                   load_words(t, "image", &s->images) || load_words(t, "workload", &s->workloads) || load_lists(t, s) ||
                   load_sets(t, s) || load_vary(t, s) || load_sample(t, s) || load_points(t, s) || load_metrics(t, s) ||
                   load_choices(t, s)
               ? -1
               : 0;
}

int spec_parse(struct sweep_spec *s, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = name, .err = err};
    if (tree_parse(&t, text, length))
        return -1;
    const int status = load_all(&t, s);
    free(s->name);
    s->name = must(strdup(name));
    file_stem(name, s->name, strlen(name) + 1);
    tree_free(t.doc);
    return status;
}

int spec_load(struct sweep_spec *s, const char *path, struct mh_error *err)
{
    size_t length;
    char *text = read_file(path, &length, err);
    int status = text ? spec_parse(s, path, text, length, err) : -1;
    free(text);
    return status;
}
