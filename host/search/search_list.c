#include <inttypes.h>

#include "base/table.h"
#include "base/wall.h"
#include "best.h"
#include "run/setup.h"
#include "search_report.h"

/* What the CTAs of each kernel need: a row for each kind of launch. */
static void kernels_table(const struct search_workload *w, FILE *out)
{
    struct table *t = table_new();
    static const char *const heads[] = {"kernel", "CTAs", "warps", "registers", "shared bytes", "most on an SM"};
    table_row(t);
    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        table_text(t, "%s", heads[i]);
    for (unsigned k = 0; k < w->tenants; k++)
        for (unsigned i = 0; i < w->kernels[k].count; i++) {
            const struct cta_launch *l = &w->kernels[k].launch[i];
            table_row(t);
            table_text(t, "%s", i ? "" : setup_kernel_name(&search_config(w)->tenants[k]));
            table_text(t, "%u", l->ctas);
            table_text(t, "%" PRIu64, l->needs.warps);
            table_text(t, "%" PRIu64, l->needs.registers);
            table_text(t, "%" PRIu64, l->needs.shared_bytes);
            if (!i)
                table_text(t, "%u", w->most[k]);
        }
    table_print(t, out);
    table_free(t);
}

/* What fits with n CTAs of the last kernel fits with fewer: combinations that differ only in it share a line. */
static void ranges(const struct search_workload *w, FILE *out)
{
    unsigned last = w->tenants - 1;
    for (unsigned i = 0; i < w->all.count; i++) {
        const uint8_t *ctas = w->all.ctas[i];
        if (i + 1 < w->all.count && w->all.ctas[i + 1][last] > ctas[last])
            continue;
        fputs("  ", out);
        for (unsigned k = 0; k < last; k++)
            fprintf(out, "%u + ", ctas[k]);
        fprintf(out, ctas[last] > 1 ? "1..%u\n" : "%u\n", ctas[last]);
    }
}

static void one(const struct search_workload *w, FILE *out)
{
    fprintf(out, "%s: %u CTA combination%s\n", w->name, w->all.count, w->all.count == 1 ? "" : "s");
    kernels_table(w, out);
    ranges(w, out);
    fputc('\n', out);
}

static void add_row(struct table *t, const char *what, const char *group, unsigned combinations)
{
    table_row(t);
    table_text(t, "%s", what);
    table_text(t, "%s", group ? group : "");
    table_text(t, "%u", combinations);
}

static void add_sum(struct table *t, const struct search *s, const char *group)
{
    char what[40];
    unsigned workloads, combinations;
    groups_count(s, group, &workloads, &combinations);
    snprintf(what, sizeof what, "%u workloads", workloads);
    add_row(t, what, group ? group : "ALL", combinations);
}

static void sums(const struct search *s, FILE *out)
{
    struct table *t = table_new();
    const char *group;
    table_row(t);
    table_text(t, "workload");
    table_text(t, "class");
    table_text(t, "combinations");
    for (unsigned i = 0; i < s->request->workload_count; i++)
        add_row(t, s->workloads[i].name, s->workloads[i].group, s->workloads[i].all.count);
    for (unsigned g = 0; (group = groups_name(s, g)); g++)
        add_sum(t, s, group);
    add_sum(t, s, NULL);
    table_print(t, out);
    fputc('\n', out);
    table_free(t);
}

void search_list(const struct search *s, FILE *out)
{
    const struct search_request *r = s->request;
    for (unsigned i = 0; i < r->workload_count; i++)
        one(&s->workloads[i], out);
    if (r->workload_count > 1)
        sums(s, out);
    fprintf(out,
            "%u runs of %" PRIu64 " GPU cycles: each combination with %u seed%s, each workload without limits, each "
            "kernel alone.\n%u are kept from before. The others take ",
            plan_count(s->plan), r->cycles, r->seeds, r->seeds > 1 ? "s" : "", s->kept);
    wall_say(search_seconds(s), r->jobs, out);
}
