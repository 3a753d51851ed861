#include "set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "base/file.h"
#include "base/yaml_tree.h"

#define MHZ 1000000

/* [ours] 25 MHz .. 2 GHz in steps of about two; bus latencies around the presets'. */
const struct latency_point latency_points[POINTS] = {
    {POINT_NO_TIME, POINTS_HZ, POINTS_BUS},
    {POINT_CLOCK, 2000ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 1000ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 500ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 200ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 100ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 50ull * MHZ, POINTS_BUS},
    {POINT_CLOCK, 25ull * MHZ, POINTS_BUS},
    {POINT_BUS, POINTS_HZ, 5},
    {POINT_BUS, POINTS_HZ, 20},
    {POINT_BUS, POINTS_HZ, 100},
    {POINT_BUS, POINTS_HZ, 500},
    {POINT_NO_POLICY, POINTS_HZ, POINTS_BUS},
};

void point_name(unsigned point, char *text, size_t size)
{
    const struct latency_point *p = &latency_points[point];
    switch (p->kind) {
    case POINT_NO_TIME:
        snprintf(text, size, "no time");
        break;
    case POINT_CLOCK:
        snprintf(text, size, "%u MHz", (unsigned)(p->hz / MHZ));
        break;
    case POINT_BUS:
        snprintf(text, size, "bus %u", p->bus);
        break;
    default:
        snprintf(text, size, "no policy");
    }
}

extern const char latency_set_text[], latency_set_end[];
__asm__(".pushsection .rodata\n"
        ".global latency_set_text, latency_set_end\n"
        "latency_set_text: .incbin \"host/latency/set.yaml\"\n"
        "latency_set_end: .byte 0\n"
        ".popsection\n");

/* A list of texts. */
static int load_texts(const struct tree *t, const yaml_node_t *map, const char *key, unsigned most, const char **texts,
                      unsigned *count)
{
    yaml_node_t *list;
    if (tree_need_list(t, map, key, most, &list))
        return -1;
    for (; *count < tree_count(list); ++*count)
        if (tree_text(t, tree_item(t, list, *count), &texts[*count]))
            return -1;
    return 0;
}

static int load_preset(const struct tree *t, const yaml_node_t *map, struct set_preset *p)
{
    unsigned whole = 0;
    if (tree_check(t, map, "a preset", "preset cycles alone cost set") ||
        tree_need_text(t, map, "preset", &p->preset) || tree_get_number(t, map, "cycles", &p->cycles) ||
        tree_get_number(t, map, "cost", &p->cost) || tree_get_choice(t, map, "alone", "same whole", &whole) ||
        (tree_get(t, map, "set") && load_texts(t, map, "set", SET_KEYS, p->sets, &p->set_count)))
        return -1;
    p->alone_whole = whole;
    return p->cycles && p->cost ? 0 : tree_fail(t, map, "preset %s needs cycles and cost", p->preset);
}

/* The row of that name; NULL: there is none. */
static const struct set_preset *preset_row(const struct latency_set *s, const char *preset)
{
    for (unsigned i = 0; i < s->preset_count; i++)
        if (!strcmp(s->presets[i].preset, preset))
            return &s->presets[i];
    return NULL;
}

static int load_images(const struct tree *t, const yaml_node_t *map, const struct latency_set *s, struct set_images *i)
{
    unsigned variant = 0;
    if (tree_check(t, map, "images", "images preset workloads variant") ||
        tree_need_text(t, map, "images", &i->images) || tree_need_text(t, map, "preset", &i->preset) ||
        tree_get_choice(t, map, "variant", "no yes", &variant) ||
        load_texts(t, map, "workloads", SET_WORKLOADS, i->workloads, &i->workload_count))
        return -1;
    i->variant = variant;
    return preset_row(s, i->preset) ? 0 : tree_fail(t, map, "preset %s has no row under presets", i->preset);
}

static int load(const struct tree *t, struct latency_set *s)
{
    const yaml_node_t *root = tree_root(t);
    yaml_node_t *presets, *images;
    if (tree_check(t, root, "the reference set", "presets images") ||
        tree_need_list(t, root, "presets", SET_PRESETS, &presets) ||
        tree_need_list(t, root, "images", SET_IMAGES, &images))
        return -1;
    for (; s->preset_count < tree_count(presets); s->preset_count++)
        if (load_preset(t, tree_item(t, presets, s->preset_count), &s->presets[s->preset_count]))
            return -1;
    for (; s->image_count < tree_count(images); s->image_count++)
        if (load_images(t, tree_item(t, images, s->image_count), s, &s->images[s->image_count]))
            return -1;
    return 0;
}

int latency_set_load(struct latency_set *s, const char *name, const char *text, size_t length, struct mh_error *err)
{
    struct tree t = {.name = name, .err = err};
    memset(s, 0, sizeof *s);
    if (tree_parse(&t, text, length))
        return -1;
    s->doc = t.doc;
    hash_text(text, length, s->sha256);
    if (!load(&t, s))
        return 0;
    latency_set_close(s);
    return -1;
}

int latency_set_open(struct latency_set *s, const char *path, struct mh_error *err)
{
    size_t length;
    if (!path)
        return latency_set_load(s, "set.yaml", latency_set_text,
                                (uintptr_t)latency_set_end - (uintptr_t)latency_set_text, err);
    memset(s, 0, sizeof *s);
    char *text = read_file(path, &length, err);
    int status = text ? latency_set_load(s, path, text, length, err) : -1;
    free(text);
    return status;
}

void latency_set_close(struct latency_set *s)
{
    tree_free(s->doc);
    memset(s, 0, sizeof *s);
}

const struct set_images *latency_set_images(const struct latency_set *s, const char *image)
{
    for (unsigned i = 0; i < s->image_count; i++)
        if (patterns_fit(s->images[i].images, image))
            return &s->images[i];
    return NULL;
}

double latency_set_cost(const char *preset, const char *workload, uint64_t cycles)
{
    static const struct {
        const char *preset, *workload;
        double cost, ends;
    } costs[] = {
#define COST(preset, workload, cost, ends) {preset, workload, cost, ends},
#include "costs.def"
    };
    const double window = (double)cycles * 1e-6;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (!strcmp(costs[i].preset, preset) && !strcmp(costs[i].workload, workload))
            return costs[i].cost * 1e-3 * (costs[i].ends && costs[i].ends < window ? costs[i].ends : window);
    return 0;
}

struct set_preset latency_set_preset(const struct latency_set *s, const char *preset)
{
    const struct set_preset *row = preset_row(s, preset);

    return row ? *row : (struct set_preset){.preset = preset, .cycles = 1000000, .cost = 2500};
}
