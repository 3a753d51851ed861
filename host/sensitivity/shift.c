#include "sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/table.h"

/* Paired by seed: row `with` less row `plain`, without one workload. */
static struct interval difference(const struct reproduce_row *plain, const struct reproduce_row *with, int without)
{
    const unsigned seeds = plain->once.seeds;
    double *was = must_have(seeds, sizeof *was), *is = must_have(seeds, sizeof *is);
    outcome_of_seeds(plain, without, was);
    outcome_of_seeds(with, without, is);
    for (unsigned s = 0; s < seeds; s++)
        is[s] -= was[s];
    const struct interval out = interval_of(is, seeds);
    free(was);
    free(is);
    return out;
}

static void ask_workloads(const struct reproduce_row *plain, const struct reproduce_row *with, struct shift *out)
{
    for (unsigned w = 0; w < plain->once.workload_count && plain->once.workload_count > 1; w++) {
        double rest = difference(plain, with, (int)w).mean;
        if (isnan(rest) || (out->moves_most && fabs(rest - out->shift) <= fabs(out->without - out->shift)))
            continue;
        out->moves_most = plain->once.workloads[w].name;
        out->without = rest;
    }
}

/* Of a direction or a bound there is no part: it depends on what makes its verdict another. */
static bool depends(const struct reproduce_row *plain, const struct shift *s)
{
    struct outcome own;
    if (fabs(s->shift) <= s->half)
        return false;
    if (!isnan(s->part))
        return s->part > SHIFT_HANGS;
    outcome_of(plain, &own);
    return own.verdict != s->with.verdict;
}

void shift_of(const struct reproduce_row *plain, const struct reproduce_row *with, struct shift *out)
{
    *out = (struct shift){.shift = NAN, .half = NAN, .part = NAN, .without = NAN};
    outcome_of(with, &out->with);
    if (out->with.verdict == VERDICT_NOT_RUN)
        return;
    const struct interval i = difference(plain, with, SERIES_ALL);
    out->shift = i.mean;
    out->half = i.half;
    out->part = fabs(claim_ratio(&plain->row->claim, i.mean));
    out->depends = depends(plain, out);
    ask_workloads(plain, with, out);
}

double shift_factor(const struct reproduce_row *plain, const struct reproduce_row *with, unsigned w)
{
    const enum relation relation = plain->row->measure.relation;
    const double gain = relation == RELATION_GAIN;
    if (relation == RELATION_DIFFERENCE || plain->row->missing)
        return (double)NAN;
    return (series_cell_mean(&with->once, w) + gain) / (series_cell_mean(&plain->once, w) + gain);
}

bool shift_is_flip(double factor)
{
    return factor >= SHIFT_FLIPS || factor <= 1 / SHIFT_FLIPS;
}

/* --- Swings. */

static void take(struct swing *s, const struct variation *v, const struct shift *shift)
{
    const double value = shift->with.summary.value;
    if (isnan(shift->shift))
        return;
    s->depends |= shift->depends;
    if (value < s->least) {
        s->low = v;
        s->least = value;
    }
    if (value > s->most) {
        s->high = v;
        s->most = value;
    }
    if (!s->furthest || fabs(shift->shift) > fabs(s->shift.shift)) {
        s->furthest = v;
        s->shift = *shift;
    }
}

/* Those that were not run come last. */
static int by_size(const void *a, const void *b)
{
    const struct swing *s = a, *t = b;
    const double v = s->furthest ? fabs(s->shift.shift) : -1, w = t->furthest ? fabs(t->shift.shift) : -1;
    if (v != w)
        return v > w ? -1 : 1;
    return (s->of > t->of) - (s->of < t->of);
}

struct swing *swings_of(const struct sensitivity *a, unsigned row, unsigned *count)
{
    const struct reproduce_row *plain = &a->reproduction.rows[row];
    struct swing *all = must_have(a->assumed_count, sizeof *all);
    struct outcome own;
    struct shift shift;
    outcome_of(plain, &own);
    *count = 0;
    for (unsigned i = 0; i < a->variation_count; i++) {
        const struct variation *v = &a->variations[i];
        if (!*count || all[*count - 1].of != v->of)
            all[(*count)++] = (struct swing){.of = v->of, .least = own.summary.value, .most = own.summary.value};
        shift_of(plain, &v->rows[row], &shift);
        take(&all[*count - 1], v, &shift);
    }
    qsort(all, *count, sizeof *all, by_size);
    return all;
}

const char *swing_value(const struct swing *s, const struct variation *at, bool brief)
{
    if (!at)
        return s->of->value;
    return brief ? at->brief : at->value;
}

static void say_why(const struct mh_assumption *of, FILE *out)
{
    if (of->why_length)
        fprintf(out, " (%.*s)", of->why_length, of->why);
    else
        fputs(" (no source)", out);
}

/*
 * The row's keys that have a value on which it depends, those that move it most first, and what is said of them
 * where `why` is set: "noc.latency (no source), sm.lsu_queue (no paper says)". "nothing": none of them. The caller
 * frees it.
 */
static char *summary_words(const struct sensitivity *a, unsigned row, bool why)
{
    unsigned count, n = 0;
    struct swing *s = swings_of(a, row, &count);
    struct draft d;
    draft_open(&d);
    for (unsigned i = 0; i < count; i++) {
        if (!s[i].depends)
            continue;
        fprintf(d.out, "%s%s", n++ ? ", " : "", s[i].of->key);
        if (why)
            say_why(s[i].of, d.out);
    }
    fputs(n ? "" : "nothing", d.out);
    free(s);
    return draft_text(&d);
}

unsigned summary_count(const struct sensitivity *a, unsigned row, unsigned *of)
{
    unsigned count, n = 0;
    struct swing *s = swings_of(a, row, &count);
    *of = 0;
    for (unsigned i = 0; i < count; i++) {
        *of += s[i].furthest != NULL;
        n += s[i].depends;
    }
    free(s);
    return n;
}

static void line(const struct sensitivity *a, unsigned row, bool markdown, struct table *t)
{
    const struct reproduce_row *r = &a->reproduction.rows[row];
    char text[64];
    struct outcome own;
    unsigned of;
    outcome_of(r, &own);
    if (own.verdict == VERDICT_NOT_RUN)
        return;
    const unsigned n = summary_count(a, row, &of);
    char *words = summary_words(a, row, markdown);
    claim_format_interval(&r->row->claim, own.summary.value, own.summary.half, text, sizeof text);
    table_row(t);
    table_text(t, "%s", r->row->id);
    table_text(t, "%s", r->row->paper);
    table_text(t, "%s", text);
    table_text(t, "%u of %u", n, of);
    table_kind(t, MARKDOWN_PROSE, words);
    free(words);
}

void summary_show(const struct sensitivity *a, bool markdown, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "row|paper|ours|depends on");
    table_left(t, markdown ? "these, and what the preset says of them" : "these");
    for (unsigned r = 0; r < a->reproduction.row_count; r++)
        line(a, r, markdown, t);
    fputc('\n', out);
    (markdown ? table_markdown : table_print)(t, out);
    table_free(t);
}
