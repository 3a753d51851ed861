#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mcu/image.h"
#include "memhelm/config_file.h"
#include "plan/quantity.h"
#include "run/setup.h"
#include "spec.h"

enum { NESTED = 8 };

/* --- Workloads: lists in the place of their names. */

static int add_workload(const struct sweep_spec *s, const char *text, spec_lists *lists, unsigned depth,
                        struct words *out, struct mh_error *err);

static int add_list(const struct sweep_spec *s, const char *name, spec_lists *lists, unsigned depth, struct words *out,
                    struct mh_error *err)
{
    if (depth == NESTED)
        return mh_fail(err, "workload @%.60s: lists in lists, more than %d deep: one contains itself", name, NESTED);
    for (unsigned i = 0; i < s->list_count; i++) {
        const struct words *of = &s->lists[i].workloads;
        if (strcmp(s->lists[i].name, name) != 0)
            continue;
        for (unsigned w = 0; w < of->count; w++)
            if (add_workload(s, of->text[w], lists, depth + 1, out, err))
                return -1;
        return 0;
    }
    char *full = strchr(name, ':') ? must_print("%s", name) : must_print("%s:%s", s->presets.text[0], name);
    int status = lists(full, out, err);
    free(full);
    return status;
}

static int add_workload(const struct sweep_spec *s, const char *text, spec_lists *lists, unsigned depth,
                        struct words *out, struct mh_error *err)
{
    if (*text == '@')
        return add_list(s, text + 1, lists, depth, out, err);
    if (!words_have(out, text))
        words_add(out, text);
    return 0;
}

static int find_workloads(struct sweep_spec *s, spec_lists *lists, struct mh_error *err)
{
    struct words all = {0};
    int status = 0;
    if (!s->workloads.count)
        return mh_fail(err, "which workload? --workload A+B, or `workload:` in the file; `memhelm list kernels`");
    for (unsigned i = 0; !status && i < s->workloads.count; i++)
        status = add_workload(s, s->workloads.text[i], lists, 0, &all, err);
    words_free(&s->workloads);
    s->workloads = all;
    return status;
}

/* --- What has a default. */

static void add_default(struct words *w, const char *text)
{
    if (!w->count)
        words_add(w, text);
}

static int add_metrics(struct sweep_spec *s, struct mh_error *err)
{
    static const char *const usual[] = {"weighted_speedup", "max_slowdown", "ipc"};
    if (s->metrics.count)
        return 0;
    for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++)
        if (spec_metric(s, usual[i], err))
            return -1;
    return 0;
}

/* --- What must exist. */

static int check_images(const struct sweep_spec *s, struct mh_error *err)
{
    if (!s->images.count)
        return mh_fail(err, "which image? --image baseline,mask, or `image:` in the file; `memhelm list images`");
    for (unsigned i = 0; i < s->images.count; i++) {
        struct image image;
        if (image_open(&image, s->images.text[i], s->twin, err))
            return -1;
        image_close(&image);
    }
    return 0;
}

static int check_designs(const struct sweep_spec *s, struct mh_error *err)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = 0;
    for (unsigned p = 0; !status && p < s->presets.count; p++)
        for (unsigned d = 0; !status && d < s->designs.count; d++)
            if (preset_load(cfg, preset_is_file(s->presets.text[p]) ? SPEC_PRESET : s->presets.text[p], err) ||
                (strcmp(s->designs.text[d], "none") != 0 && preset_design(cfg, s->designs.text[d], err)))
                status = -1;
    free(cfg);
    return status;
}

static int check_metrics(const struct sweep_spec *s, struct mh_error *err)
{
    for (unsigned i = 0; i < s->metrics.count; i++) {
        struct mh_error why;
        struct expr *e = expr_parse(s->metrics.text[i], &why);
        const int status = !e || values_check(e, &why) ? -1 : 0;
        expr_free(e);
        if (status)
            return mh_fail(err, "metric %.60s: %.800s", s->metrics.text[i], why.text);
    }
    return 0;
}

/* A metric may be of a tenant that only some of the workloads have: the other points have a reason. */
static int check_tenants(const struct sweep_spec *s, unsigned most, struct mh_error *err)
{
    int status = 0;
    for (unsigned i = 0; !status && i < s->metrics.count; i++) {
        struct mh_error why;
        struct expr *e = must(expr_parse(s->metrics.text[i], &why)); /* check_metrics() has parsed it */
        if (values_check_tenants(e, most, &why))
            status = mh_fail(err, "metric %.60s: %.800s", s->metric_names.text[i], why.text);
        expr_free(e);
    }
    return status;
}

/* Whatever is varied: a kernel that is not there is not there at any point. */
static int check_workloads(const struct sweep_spec *s, struct mh_error *err)
{
    unsigned most = 0;
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = 0;
    struct options o;
    options_init(&o);
    for (unsigned i = 0; i < s->sets.count; i++)
        o.sets[o.set_count++] = s->sets.text[i];
    for (unsigned p = 0; p < s->presets.count; p++)
        for (unsigned w = 0; !status && w < s->workloads.count; w++) {
            o.preset = s->presets.text[p];
            o.workload = s->workloads.text[w];
            status = setup_words(&o, cfg, err);
            most = cfg->tenants_count > most ? cfg->tenants_count : most;
        }
    free(cfg);
    return status || check_tenants(s, most, err) ? -1 : 0;
}

/* Names become columns: no two the same. */
static int check_names(const struct sweep_spec *s, struct mh_error *err)
{
    static const char ours[] = "preset design image workload seed run reason why point";
    for (unsigned i = 0; i < s->metric_names.count; i++) {
        const char *own = s->metric_names.text[i];
        for (unsigned j = 0; j < i; j++)
            if (!strcmp(s->metric_names.text[j], own))
                return mh_fail(err, "metric %.60s is asked for twice: give one another name, NAME=EXPRESSION", own);
        if (patterns_fit(ours, own))
            return mh_fail(err, "metric %.60s: a column has that name; choose another one", own);
    }
    return 0;
}

static int check_sampling(const struct sweep_spec *s, struct mh_error *err)
{
    bool sampled = s->sampling == SPEC_RANDOM || s->sampling == SPEC_LATIN;
    if (sampled && !s->axis_count)
        return mh_fail(err, "a sample of what? Nothing is varied: --vary KEY=VALUES, or `vary:` in the file");
    return 0;
}

/* Reasons are counted by the runs, and are of two images. */
static int ask_why(struct sweep_spec *s, struct mh_error *err)
{
    static const char key[] = "sm.wait_reasons=1";
    if (!s->why)
        return 0;
    if (s->images.count < 2)
        return mh_fail(err, "why says what another image changes: it needs two, --image baseline,mask");
    if (!words_have(&s->sets, key))
        words_add(&s->sets, key);
    return 0;
}

/* What is asked for twice is run once. */
static void make_unique(struct sweep_spec *s)
{
    words_unique(&s->presets);
    words_unique(&s->designs);
    words_unique(&s->images);
    for (unsigned a = 0; a < s->axis_count && s->sampling != SPEC_ZIP; a++)
        words_unique(&s->axes[a].values);
}

int spec_complete(struct sweep_spec *s, spec_lists *lists, struct mh_error *err)
{
    make_unique(s);
    s->name = s->name ? s->name : must(strdup("sweep"));
    add_default(&s->presets, SPEC_PRESET);
    add_default(&s->designs, "none");
    return add_metrics(s, err) || ask_why(s, err) || check_images(s, err) || check_designs(s, err) ||
                   check_metrics(s, err) || check_names(s, err) || check_sampling(s, err) ||
                   find_workloads(s, lists, err) || check_workloads(s, err)
               ? -1
               : 0;
}
