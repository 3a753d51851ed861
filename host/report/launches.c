#include "report.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "plan/metrics.h"
#include "run/setup.h"

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
