#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "explain/explain.h"
#include "run/setup.h"
#include "part.h"

enum { TOGETHER = 64, GROUP_TITLE = 2 * RUN_LABEL + 3 * MH_NAME_MAX };

/* Runs of one configuration. */
struct together {
    const struct run_file *of[TOGETHER];
    unsigned count;
};

static struct together group_of(const struct run_file *runs, unsigned count, unsigned group)
{
    struct together g = {.count = 0};
    for (unsigned i = 0; i < count; i++)
        if (runs[i].group == group && !runs[i].again)
            g.of[g.count++] = &runs[i];
    return g;
}

/* --- Tables. */

/* A value and its change against the first one; `good` the sign of a change for the better, 0: neither is. */
static void put_changed(struct table *t, double v, double first, int digits, int good)
{
    const double change = 100 * (v / first - 1);
    if (isnan(change) || isinf(change) || v == first) {
        table_number(t, v, digits);
        return;
    }
    table_text(t, "%.*f (%+.1f %%)", digits, v, change);
    if (good && fabs(change) >= 0.5)
        table_colour(t, change * good > 0 ? COLOUR_GOOD : COLOUR_BAD);
}

struct column {
    const char *name, *metric;
    int digits, good;
    bool percent;
};

static const struct column before[] = {{"weighted speedup", "weighted_speedup", 3, 1, false},
                                       {"max slowdown", "maximum_slowdown", 3, -1, false}};
static const struct column after[] = {{"L2 TLB hit", "l2tlb_hit_rate", 0, 0, true},
                                      {"walks", "walks", 0, 0, false},
                                      {"walk latency", "walk_latency", 0, 0, false},
                                      {"GB/s", "dram_gbs", 1, 0, false},
                                      {"of peak", "dram_share", 0, 0, true}};

static void put_columns(struct table *t, const struct column *columns, size_t count, const struct run_file *r,
                        const struct run_file *first)
{
    for (size_t c = 0; c < count; c++) {
        const double v = r ? run_file_metric(r, -1, columns[c].metric) : (double)NAN;
        if (!r)
            table_text(t, "%s", columns[c].name);
        else if (columns[c].percent)
            table_percent(t, v);
        else
            put_changed(t, v, run_file_metric(first, -1, columns[c].metric), columns[c].digits, columns[c].good);
    }
}

/* `r` NULL: the heading. */
static void put_run(struct table *t, const struct run_file *r, const struct run_file *first)
{
    table_row(t);
    table_text(t, "%s", r ? r->image : "image");
    if (r && !r->passed) {
        table_text(t, "%s", input_text(json_object_get(r->json, "run"), "end"));
        table_colour(t, COLOUR_BAD);
        return;
    }
    put_columns(t, before, sizeof before / sizeof *before, r, first);
    for (uint32_t i = 0; i < first->cfg.tenants_count; i++)
        if (r)
            put_changed(t, run_file_metric(r, (int)i, "ipc"), run_file_metric(first, (int)i, "ipc"), 2, 1);
        else
            table_text(t, "IPC %u %.60s", i, setup_kernel_name(&first->cfg.tenants[i]));
    put_columns(t, after, sizeof after / sizeof *after, r, first);
}

static const struct run_file *first_passed(const struct together *g)
{
    for (unsigned i = 0; i < g->count; i++)
        if (g->of[i]->passed)
            return g->of[i];
    return g->of[0];
}

static void did(struct part *p, const struct together *g)
{
    struct table *t = table_new();
    const struct run_file *first = first_passed(g);
    put_run(t, NULL, first);
    for (unsigned i = 0; i < g->count; i++)
        put_run(t, g->of[i], first);
    doc_table(&p->doc, t);
}

static void put_firmware(struct table *t, const struct run_file *r)
{
    const json_t *run = json_object_get(r->json, "run"), *control = json_object_get(run, "control");
    const json_t *core = json_object_get(run, "core"), *image = json_object_get(r->json, "image");
    const double decisions = input_number(core, "decisions");
    table_row(t);
    table_text(t, "%s", r->image);
    table_number(t, input_number(control, "latency_count"), 0);
    table_number(t, input_number(control, "missed"), 0);
    table_number(t, decisions > 0 ? input_number(core, "decision_sum") / decisions : (double)NAN, 0);
    table_number(t, decisions > 0 ? input_number(core, "decision_max") : (double)NAN, 0);
    table_number(t, run_file_metric(r, -1, "decision_latency"), 0);
    table_number(t, input_number(image, "code") + input_number(image, "rodata"), 0);
    table_number(t, input_number(image, "data") + input_number(image, "bss"), 0);
    table_number(t, input_number(image, "code") > 0 ? input_number(core, "stack_used") : (double)NAN, 0);
}

static void firmware(struct part *p, const struct together *g)
{
    struct table *t = table_new();
    table_heading(t, "image|decisions|missed|mcu cycles mean|max|latency|code+const|data+bss|stack");
    for (unsigned i = 0; i < g->count; i++)
        put_firmware(t, g->of[i]);
    doc_heading(&p->doc, 1, "Firmware");
    doc_table(&p->doc, t);
    doc_paragraph(&p->doc, "Latency: GPU cycles from an epoch's end to the COMMIT that answers it. Sizes in bytes.");
}

/* --- Why. */

static struct explain_run explained(const struct run_file *r)
{
    return (struct explain_run){r->image, &r->cfg, &r->result.stats};
}

static int draw_stacks(struct part *p, const struct together *g, struct mh_error *err)
{
    char name[PART_TITLE], words[2 * RUN_LABEL];
    struct explain_run runs[TOGETHER];
    unsigned count = 0;
    for (unsigned i = 0; i < g->count; i++)
        if (g->of[i]->passed && g->of[i]->has_waits)
            runs[count++] = explained(g->of[i]);
    if (!count)
        return 0;
    snprintf(words, sizeof words, "%s: where SM cycles went, per warp instruction, of each tenant under each image",
             g->of[0]->workload);
    part_figure_name(p, "waits", name);
    return explain_draw(runs, count, p->figures, name, err) || part_drawn(p, name, words, err) ? -1 : 0;
}

static void ask(struct part *p, const struct run_file *first, const struct run_file *r)
{
    char *options = settings_options(r);
    doc_paragraph(&p->doc,
                  "These runs did not measure what SMs wait for: add --set sm.wait_reasons=1, or ask "
                  "`memhelm explain %s %s%s`.",
                  first->image, r->image, options);
    free(options);
}

static int why(struct part *p, const struct together *g, struct mh_error *err)
{
    const struct run_file *first = first_passed(g);
    char title[2 * RUN_LABEL + 64];
    for (unsigned i = 0; i < g->count; i++) {
        const struct run_file *r = g->of[i];
        if (r == first || !r->passed)
            continue;
        snprintf(title, sizeof title, "Why %s is not %s", r->image, first->image);
        doc_heading(&p->doc, 1, title);
        if (first->has_waits && r->has_waits)
            explain_pair((const struct explain_run[]){explained(first), explained(r)}, &p->doc);
        else
            ask(p, first, r);
    }
    return draw_stacks(p, g, err);
}

/* --- All. */

static void name_group(const struct run_file *r, char title[GROUP_TITLE])
{
    snprintf(title, GROUP_TITLE, "%s on %s%s%s", r->workload, r->cfg.preset, *r->cfg.design ? ", design " : "",
             r->cfg.design);
}

/* With what is otherwise than in the first of the same name. */
static void title_of(const struct run_file *runs, unsigned count, const struct run_file *r, char title[GROUP_TITLE])
{
    char other[GROUP_TITLE], more[GROUP_TITLE / 2];
    name_group(r, title);
    for (unsigned i = 0; i < count && runs[i].group < r->group; i++) {
        name_group(&runs[i], other);
        if (strcmp(other, title) != 0)
            continue;
        settings_beside(r->config, runs[i].config, more, sizeof more);
        if (*more)
            text_add(title, GROUP_TITLE, "", ", %s", more);
        return;
    }
}

static int one(struct part *p, const char *title, const struct together *g, struct mh_error *err)
{
    const struct run_file *r = g->of[0];
    part_begin(p, title);
    doc_paragraph(&p->doc, "%" PRIu64 " GPU cycles, seed %" PRIu64 ".", r->cfg.run.cycles, r->cfg.run.seed);
    did(p, g);
    firmware(p, g);
    const int status = why(p, g, err);
    part_fold(p, "What made it, and its configuration");
    made_by_images(&p->doc, g->of, g->count);
    made_by_settings(&p->doc, r);
    part_fold_end(p);
    part_end(p);
    return status;
}

/* Weighted speedup, or of runs without alone runs the IPC. */
static const char *measure_of(const struct run_file *runs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (runs[i].passed && isnan(run_file_metric(&runs[i], -1, "weighted_speedup")))
            return "ipc";
    return "weighted_speedup";
}

static bool has_image(const struct run_file *runs, unsigned count, const char *image)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(runs[i].image, image))
            return true;
    return false;
}

static void put_group(struct table *t, const struct run_file *runs, unsigned count, const struct together *g)
{
    const char *measure = measure_of(runs, count);
    const struct run_file *first = first_passed(g);
    char title[GROUP_TITLE];
    title_of(runs, count, g->of[0], title);
    table_row(t);
    table_text(t, "%s", title);
    for (unsigned i = 0; i < count; i++) {
        const struct run_file *r = NULL;
        if (has_image(runs, i, runs[i].image))
            continue;
        for (unsigned k = 0; k < g->count; k++)
            r = strcmp(g->of[k]->image, runs[i].image) != 0 ? r : g->of[k];
        if (r)
            put_changed(t, run_file_metric(r, -1, measure), run_file_metric(first, -1, measure), 3, 1);
        else
            table_text(t, "%s", "");
    }
}

/* Several workloads: a row each. */
static void overview(struct part *p, const struct run_file *runs, unsigned count, unsigned groups)
{
    struct table *t = table_new();
    table_heading(t, "workload");
    for (unsigned i = 0; i < count; i++)
        if (!has_image(runs, i, runs[i].image))
            table_text(t, "%s", runs[i].image);
    for (unsigned i = 0; i < groups; i++) {
        const struct together g = group_of(runs, count, i);
        put_group(t, runs, count, &g);
    }
    part_begin(p, "All workloads");
    doc_paragraph(&p->doc, "%s, and its change against the first image.",
                  strcmp(measure_of(runs, count), "ipc") ? "Weighted speedup" : "IPC of all tenants");
    doc_table(&p->doc, t);
    part_end(p);
}

/* As many of each configuration as a table has room for. */
static int check_groups(const struct run_file *runs, unsigned count, struct mh_error *err)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned same = 0;
        for (unsigned k = 0; k < count; k++)
            same += runs[k].group == runs[i].group && !runs[k].again;
        if (same > TOGETHER)
            return mh_fail(err, "%.300s: %u runs of its configuration, at most %d fit a section: make two pages",
                           runs[i].file, same, TOGETHER);
    }
    return 0;
}

int part_runs(struct part *p, const struct input *in, unsigned inputs, struct mh_error *err)
{
    struct run_file *runs;
    unsigned count, groups = 0;
    int status = run_files_read(in, inputs, &runs, &count, err) || check_groups(runs, count, err) ? -1 : 0;
    for (unsigned i = 0; i < count && !status; i++)
        groups = runs[i].group >= groups ? runs[i].group + 1 : groups;
    if (!status && groups > 1)
        overview(p, runs, count, groups);
    for (unsigned i = 0; i < groups && !status; i++) {
        const struct together g = group_of(runs, count, i);
        char title[GROUP_TITLE];
        title_of(runs, count, g.of[0], title);
        status = one(p, title, &g, err);
    }
    run_files_free(runs, count);
    return status;
}
