#include "search_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/markdown.h"
#include "base/file.h"
#include "base/provenance.h"
#include "base/table.h"
#include "best.h"
#include "run/setup.h"

enum { WORDS = 64 };

struct output {
    FILE *file;
    bool markdown;
};

static void print_table(const struct output *o, struct table *t)
{
    if (o->markdown)
        table_markdown(t, o->file);
    else
        table_print(t, o->file);
    table_free(t);
}

static const char *kernel_name(const struct search_workload *w, unsigned t)
{
    return setup_kernel_name(&search_config(w)->tenants[t]);
}

/* "7+4"; "-" for none. */
static void ctas_words(const struct search_workload *w, int i, char text[WORDS])
{
    size_t used = 0;
    snprintf(text, WORDS, "-");
    for (unsigned t = 0; i >= 0 && t < w->tenants; t++)
        used += (size_t)snprintf(text + used, WORDS - used, "%s%u", t ? "+" : "", w->all.ctas[i][t]);
}

/* --- One workload. */

static void say_head(const struct search *s, const struct search_workload *w, const struct output *o)
{
    const struct search_request *r = s->request;
    unsigned missing = search_missing(s, w);
    fputs(o->markdown ? "## " : "", o->file);
    markdown_print(o->file, o->markdown, "%s on %s, %s: %u CTA combination%s, %" PRIu64 " GPU cycles, ", w->name,
                   r->preset, r->spatial ? "SMs split evenly" : "all SMs shared", w->all.count,
                   w->all.count == 1 ? "" : "s", r->cycles);
    if (r->seeds > 1)
        fprintf(o->file, "seeds %u-%u", r->seed_first, r->seed_first + r->seeds - 1);
    else
        fprintf(o->file, "seed %u", r->seed_first);
    if (r->from)
        fprintf(o->file, "; the %u best of a search in %" PRIu64 " cycles", r->finalists, s->first_search.cycles);
    if (missing)
        fprintf(o->file, "; %u have no result yet, the best may be one of them", missing);
    fputs(o->markdown ? "\n\n" : "\n", o->file);
}

static void heading(struct table *t, const struct search_workload *w)
{
    table_row(t);
    table_text(t, "chosen by");
    table_text(t, "CTAs");
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

static void best_table(const struct search *s, const struct search_workload *w, const struct output *o)
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
    print_table(o, t);
    fputs("\n", o->file);
}

/* --- The surface of a workload, in Markdown. */

/* Two kernels: a row for each number of the first, a column for each of the second. */
static void matrix_row(const struct search *s, const struct search_workload *w, unsigned first, int best, FILE *out)
{
    fprintf(out, "| %u |", first);
    for (unsigned second = 1; second <= combinations_highest(&w->all, 1); second++) {
        int i = combinations_find(&w->all, (const uint8_t[]){(uint8_t)first, (uint8_t)second});
        double v = i < 0 ? (double)NAN : search_value(s, w, i, s->request->metric).mean;
        if (isnan(v))
            fputs(i < 0 ? " |" : " ? |", out);
        else
            fprintf(out, i == best ? " **%.3f** |" : " %.3f |", v);
    }
    fputc('\n', out);
}

static void matrix(const struct search *s, const struct search_workload *w, FILE *out)
{
    unsigned rows = combinations_highest(&w->all, 0), columns = combinations_highest(&w->all, 1);
    int best = search_best(s, w, s->request->metric);
    markdown_print(out, true, "The %s by CTAs of %s (down) and %s (across):", search_metrics[s->request->metric].title,
                   kernel_name(w, 0), kernel_name(w, 1));
    fputs("\n\n| |", out);
    for (unsigned second = 1; second <= columns; second++)
        fprintf(out, " %u |", second);
    fputs("\n|---:|", out);
    for (unsigned second = 1; second <= columns; second++)
        fputs("---:|", out);
    fputc('\n', out);
    for (unsigned first = 1; first <= rows; first++)
        matrix_row(s, w, first, best, out);
    fputc('\n', out);
}

static void list_all(const struct search *s, const struct search_workload *w, FILE *out)
{
    char ctas[WORDS];
    fprintf(out, "| CTAs | %s |\n|---|---:|\n", search_metrics[s->request->metric].title);
    for (unsigned i = 0; i < w->all.count; i++) {
        double v = search_value(s, w, (int)i, s->request->metric).mean;
        ctas_words(w, (int)i, ctas);
        if (isnan(v))
            fprintf(out, "| %s | ? |\n", ctas);
        else
            fprintf(out, "| %s | %.3f |\n", ctas, v);
    }
    fputc('\n', out);
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

static void all_table(const struct search *s, const struct output *o)
{
    struct table *t = table_new();
    const char *group;
    table_row(t);
    table_text(t, "workload");
    table_text(t, "class");
    table_text(t, "combinations");
    for (unsigned m = 0; m < SEARCH_METRICS; m++) {
        table_text(t, "CTAs");
        table_text(t, "%s", search_metrics[m].title);
    }
    for (unsigned i = 0; i < s->request->workload_count; i++)
        all_row(t, s, &s->workloads[i]);
    for (unsigned g = 0; (group = groups_name(s, g)); g++)
        mean_row(t, s, group);
    mean_row(t, s, NULL);
    fputs(o->markdown ? "## All workloads: the best of each metric\n\n" : "", o->file);
    print_table(o, t);
    fputs("\n", o->file);
}

static void report(const struct search *s, const struct output *o)
{
    if (o->markdown)
        provenance_say(o->file);
    if (o->markdown && s->request->workload_count > 1)
        all_table(s, o);
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        say_head(s, w, o);
        best_table(s, w, o);
        if (o->markdown && w->tenants == 2)
            matrix(s, w, o->file);
        else if (o->markdown)
            list_all(s, w, o->file);
    }
    if (!o->markdown && s->request->workload_count > 1)
        all_table(s, o);
}

void search_report(const struct search *s, FILE *out)
{
    report(s, &(struct output){.file = out});
}

int search_report_markdown(const struct search *s, const char *path, struct mh_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return mh_fail(err, "out of memory");
    report(s, &(struct output){.file = f, .markdown = true});
    fclose(f);
    int status = write_file(path, text, length, err);
    free(text);
    return status;
}
