/* What happened in the middle of a run: images that took over, and launches. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"
#include "plan/metrics.h"
#include "report.h"
#include "run/setup.h"

static double ipc(const struct mh_swap_span *s)
{
    return metrics_ratio((double)s->lane_instr, (double)s->cycles);
}

static void row(struct table *t, const struct mh_swap *s)
{
    table_row(t);
    table_left(t, s->image);
    table_number(t, s->began ? (double)s->began : NAN, 0);
    table_number(t, s->committed ? (double)(s->committed - s->began) : NAN, 0);
    table_number(t, ipc(&s->before), 2);
    table_number(t, ipc(&s->during), 2);
    table_number(t, ipc(&s->after), 2);
}

/* What the table does not say. */
static void line(const struct mh_swap *s, const struct image *before, FILE *out)
{
    if (s->refused)
        fprintf(out, "at GPU cycle %" PRIu64 " %s was to take over, and %s goes on: %s\n", s->asked, s->image,
                before->name, mh_boot_texts[s->refused]);
    else if (s->rolled_back)
        fprintf(out, "%s failed, and at GPU cycle %" PRIu64 " the mcu booted %s again\n", s->image, s->rolled_back,
                before->name);
    else if (!s->confirmed)
        fprintf(out, "%s %s\n", s->image,
                s->committed ? "had its probation not behind it at the end" : "did not come to its first COMMIT");
}

void report_swaps(const struct sim *s, FILE *out)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    if (!all->count)
        return;
    struct table *t = table_new();
    table_heading(t, "<took over|at GPU cycle|no policy [cycles]|IPC an epoch before|meanwhile|an epoch after");
    for (uint32_t i = 0; i < all->count; i++)
        row(t, &all->list[i]);
    table_print(t, out);
    table_free(t);
    for (uint32_t i = 0; i < all->count; i++)
        line(&all->list[i], sim_image_at(s, all->list[i].asked - 1), out);
}

json_t *result_swaps(const struct sim *s)
{
    const struct mh_swaps *all = &s->result.mcu.swaps;
    json_t *list = json_array();
    for (uint32_t i = 0; i < all->count; i++) {
        const struct mh_swap *one = &all->list[i];
        json_t *none = one->committed ? json_integer((json_int_t)(one->committed - one->began)) : json_null();
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:o, s:o, s:o, s:o}", "image", one->image, "cycle", (json_int_t)one->began,
                            "no_policy", none, "ipc_before", json_number(ipc(&one->before)), "ipc_during",
                            json_number(ipc(&one->during)), "ipc_after", json_number(ipc(&one->after))));
    }
    return list;
}

/* NULL: it cannot be read. */
static json_t *read_timeline(const struct sim *s)
{
    char path[HOST_PATH];

    return path_join(path, s->dir, "timeline.json", NULL) ? NULL : json_load_file(path, 0, NULL);
}

static double real(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* Launches are the slices that have such a number (hwmodel/record/trace_events.c). */
static json_t *launches_of(const json_t *timeline)
{
    json_t *list = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(json_object_get(timeline, "traceEvents"), i, e)
    {
        const json_t *args = json_object_get(e, "args");
        if (!json_object_get(args, "launch"))
            continue;
        json_t *o = json_copy((json_t *)args);
        json_put(o, "kernel", json_copy(json_object_get(e, "name")));
        json_put_real(o, "ipc", metrics_ratio(real(args, "lane_instr"), real(args, "cycles")));
        json_array_append_new(list, o);
    }
    return list;
}

json_t *result_launches(const struct sim *s)
{
    json_t *timeline = read_timeline(s), *list = launches_of(timeline);

    json_decref(timeline);
    return list;
}

static void put_row(struct table *t, const json_t *launch)
{
    char kernel[64];

    snprintf(kernel, sizeof kernel, "%.60s", json_string_value(json_object_get(launch, "kernel")));
    table_row(t);
    table_exact(t, real(launch, "launch"));
    table_left(t, kernel);
    table_exact(t, real(launch, "cycle"));
    table_exact(t, real(launch, "cycles"));
    table_exact(t, real(launch, "lane_instr"));
    table_number(t, metrics_ratio(real(launch, "lane_instr"), real(launch, "cycles")), 2);
    table_text(t, "%s", json_is_true(json_object_get(launch, "finished")) ? "" : "cut off");
}

static void put_tenant(const struct sim *s, uint32_t tenant, const json_t *launches, FILE *out)
{
    struct table *t = table_new();
    const json_t *launch;
    size_t i;

    table_heading(t, "launch|<kernel|from cycle|cycles|instructions|IPC|");
    json_array_foreach(launches, i, launch)
    {
        if (real(launch, "tenant") == tenant)
            put_row(t, launch);
    }
    fprintf(out, "launches of tenant %u %s\n", tenant, setup_kernel_name(&s->cfg.tenants[tenant]));
    table_print(t, out);
    table_free(t);
}

void report_launches(const struct sim *s, FILE *out)
{
    json_t *timeline = read_timeline(s), *launches = launches_of(timeline);
    const char *kept = json_string_value(json_object_get(json_object_get(timeline, "otherData"), "launches"));
    uint64_t some, all;

    for (uint32_t t = 0; t < s->cfg.tenants_count; t++)
        put_tenant(s, t, launches, out);
    if (kept && sscanf(kept, "%" SCNu64 " of %" SCNu64, &some, &all) == 2 && some < all)
        fprintf(out, "%s launches are shown, spread over the run\n", kept);
    json_decref(launches);
    json_decref(timeline);
}
