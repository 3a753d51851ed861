#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/words.h"
#include "run/setup.h"

enum { WORDS = 64 };

static const char *kernel_name(const struct search_workload *w, unsigned t)
{
    return setup_kernel_name(&search_config(w)->tenants[t]);
}

/* "7+4"; "-" for none. */
static void ctas_words(const struct search_workload *w, int i, char text[WORDS])
{
    snprintf(text, WORDS, "%s", i < 0 ? "-" : "");
    for (unsigned t = 0; i >= 0 && t < w->tenants; t++)
        text_add(text, WORDS, "+", "%u", w->all.ctas[i][t]);
}

/* --- One workload. */

static void say_head(const struct search *s, const struct search_workload *w, const struct doc *d)
{
    const struct search_request *r = s->request;
    const unsigned missing = search_missing(s, w);
    char seeds[SEEDS_TEXT];
    struct draft head;

    draft_open(&head);
    seeds_words(r->seed_first, r->seeds, seeds);
    fprintf(head.out, "%s on %s, %s: %u CTA combination%s, %" PRIu64 " GPU cycles, %s", w->name, r->preset,
            r->spatial ? "SMs split evenly" : "all SMs shared", w->all.count, w->all.count == 1 ? "" : "s", r->cycles,
            seeds);
    if (r->from)
        fprintf(head.out, "; the %u best of a search in %" PRIu64 " cycles", r->finalists, s->first_search.cycles);
    if (missing)
        fprintf(head.out, "; %u have no result yet, the best may be one of them", missing);
    char *text = draft_text(&head);
    doc_heading(d, 2, text);
    free(text);
}

static void heading(struct table *t, const struct search_workload *w)
{
    table_heading(t, "chosen by|CTAs");
    for (unsigned m = 0; m < SEARCH_METRICS; m++)
        table_text(t, "%s", search_metrics[m].title);
    for (unsigned k = 0; k < w->tenants; k++)
        table_text(t, "speedup %s", kernel_name(w, k));
}

static void value_cell(struct table *t, const struct interval *v)
{
    if (isnan(v->half))
        table_number(t, v->mean, 3);
    else
        table_text(t, "%.3f +- %.3f", v->mean, v->half);
}

/* `none`: in the place of a combination. */
static void row(struct table *t, const struct search *s, const struct search_workload *w, const char *by, int i,
                const char *none)
{
    char ctas[WORDS];
    ctas_words(w, i, ctas);
    table_row(t);
    table_text(t, "%s", by);
    table_text(t, "%s", i < 0 ? none : ctas);
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        struct interval v = search_value(s, w, i, m);
        value_cell(t, &v);
    }
    for (unsigned k = 0; k < w->tenants; k++)
        table_number(t, search_speedup(s, w, i, k), 3);
}

static void best_table(const struct search *s, const struct search_workload *w, const struct doc *d)
{
    struct table *t = table_new();
    int even = search_even(s, w);
    heading(t, w);
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        int best = search_best(s, w, m);
        if (best >= 0)
            row(t, s, w, search_metrics[m].title, best, "");
    }
    if (even >= 0)
        row(t, s, w, "(even)", even, "");
    row(t, s, w, "(no limits)", -1, "-");
    doc_table(d, t);
}

/* --- The surface of a workload, in Markdown. */

static void surface_cell(struct table *t, double v, bool best)
{
    char text[32];

    snprintf(text, sizeof text, isnan(v) ? "?" : "%.3f", v);
    table_kind(t, best ? MARKDOWN_STRONG : MARKDOWN_TEXT, text);
}

/* Two kernels: a row for each number of the first, a column for each of the second. */
static void matrix(const struct search *s, const struct search_workload *w, const struct doc *d)
{
    const unsigned metric = s->request->metric;
    const int best = search_best(s, w, metric);
    struct table *t = table_new();

    doc_paragraph(d, "The %s by CTAs of %s (down) and %s (across):", search_metrics[metric].title, kernel_name(w, 0),
                  kernel_name(w, 1));
    table_heading(t, "CTAs");
    for (unsigned second = 1; second <= combinations_highest(&w->all, 1); second++)
        table_text(t, "%u", second);
    for (unsigned first = 1; first <= combinations_highest(&w->all, 0); first++) {
        table_row(t);
        table_text(t, "%u", first);
        for (unsigned second = 1; second <= combinations_highest(&w->all, 1); second++) {
            const int i = combinations_find(&w->all, (const uint8_t[]){(uint8_t)first, (uint8_t)second});
            if (i < 0)
                table_text(t, "%s", "");
            else
                surface_cell(t, search_value(s, w, i, metric).mean, i == best);
        }
    }
    doc_table(d, t);
}

static void list_all(const struct search *s, const struct search_workload *w, const struct doc *d)
{
    const unsigned metric = s->request->metric;
    struct table *t = table_new();
    char ctas[WORDS];

    table_heading(t, "CTAs");
    table_text(t, "%s", search_metrics[metric].title);
    for (unsigned i = 0; i < w->all.count; i++) {
        ctas_words(w, (int)i, ctas);
        table_row(t);
        table_text(t, "%s", ctas);
        surface_cell(t, search_value(s, w, (int)i, metric).mean, false);
    }
    doc_table(d, t);
}

/* --- All workloads. */

static void all_row(struct table *t, const struct search *s, const struct search_workload *w)
{
    char ctas[WORDS];
    table_row(t);
    table_text(t, "%s", w->name);
    table_text(t, "%s", w->group ? w->group : "");
    table_text(t, "%u", w->all.count);
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        int best = search_best(s, w, m);
        ctas_words(w, best, ctas);
        table_text(t, "%s", ctas);
        table_number(t, best < 0 ? (double)NAN : search_value(s, w, best, m).mean, 3);
    }
}

static void mean_row(struct table *t, const struct search *s, const char *group)
{
    unsigned workloads, combinations;
    groups_count(s, group, &workloads, &combinations);
    table_row(t);
    table_text(t, "geometric mean of %u", workloads);
    table_text(t, "%s", group ? group : "ALL");
    table_text(t, "%u", combinations);
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        table_text(t, "%s", "");
        table_number(t, groups_mean(s, group, m), 3);
    }
}

static void all_table(const struct search *s, const struct doc *d)
{
    struct table *t = table_new();
    const char *group;

    table_heading(t, "workload|class|combinations");
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        table_text(t, "CTAs");
        table_text(t, "%s", search_metrics[m].title);
    }
    for (unsigned i = 0; i < s->request->workload_count; i++)
        all_row(t, s, &s->workloads[i]);
    for (unsigned g = 0; (group = groups_name(s, g)); g++)
        mean_row(t, s, group);
    mean_row(t, s, NULL);
    doc_heading(d, 2, "All workloads: the best of each metric");
    doc_table(d, t);
}

/* More of them make a page of 100 KiB that nobody reads; JSON has them, and a search for one workload runs nothing
 * anew. */
enum { MOST_SURFACES = 12 };

void search_report(const struct search *s, const struct doc *d)
{
    const bool many = s->request->workload_count > 1, file = d->form == DOC_MARKDOWN;
    const bool surfaces = file && s->request->workload_count <= MOST_SURFACES;

    if (file)
        provenance_say(d->out);
    if (file && many)
        all_table(s, d);
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        say_head(s, w, d);
        best_table(s, w, d);
        if (surfaces)
            (w->tenants == 2 ? matrix : list_all)(s, w, d);
    }
    if (!file && many)
        all_table(s, d);
}

/* --- The combinations, and what they would take. */

/* What the CTAs of each kernel need: a row for each kind of launch. */
static void kernels_table(const struct search_workload *w, FILE *out)
{
    struct table *t = table_new();

    table_heading(t, "kernel|CTAs|warps|registers|shared bytes|most on an SM");
    for (unsigned k = 0; k < w->tenants; k++)
        for (unsigned i = 0; i < w->kernels[k].count; i++) {
            const struct cta_launch *l = &w->kernels[k].launch[i];
            table_row(t);
            table_text(t, "%s", i ? "" : kernel_name(w, k));
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

/* Whoever fits with n CTAs of the last kernel fits with fewer: a line for all that have the others in common. */
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
    table_heading(t, "workload|class|combinations");
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
