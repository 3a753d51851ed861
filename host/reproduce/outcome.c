#include "outcome.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cells of a row and, where the row is less that, of the same without `set`. */
struct scored {
    const struct reproduce_row *row;
    double *once, *plain;
};

static void open_cells(struct scored *x, const struct reproduce_row *row)
{
    x->row = row;
    x->once = series_cells(&row->once);
    x->plain = row->row->less_plain ? series_cells(&row->plain) : NULL;
}

static void close_cells(struct scored *x)
{
    free(x->once);
    free(x->plain);
}

/* Paired: both are of the same workloads and seed. */
static double value_of(const struct scored *x, unsigned seed, int without)
{
    const struct row *r = x->row->row;
    const size_t first = (size_t)seed * x->row->once.workload_count;
    double v = series_average(&x->row->once, x->once + first, without, r->over, r->above);
    return x->plain ? v - series_average(&x->row->plain, x->plain + first, without, r->over, r->above) : v;
}

static void summarise(const struct scored *x, int without, struct summary *out)
{
    const unsigned seeds = x->row->once.seeds;
    double *values = must_have(seeds, sizeof *values);
    for (unsigned seed = 0; seed < seeds; seed++)
        values[seed] = value_of(x, seed, without);
    summary_over_seeds(out, values, seeds);
    free(values);
}

void outcome_of_seeds(const struct reproduce_row *row, int without, double *values)
{
    struct scored x;
    open_cells(&x, row);
    for (unsigned seed = 0; seed < row->once.seeds; seed++)
        values[seed] = value_of(&x, seed, without);
    close_cells(&x);
}

static enum verdict score(const struct row *row, const struct summary *s)
{
    return claim_score(&row->claim, row->kind == ROW_LEVEL, s->value, s->half);
}

/* --- What the workloads say. */

/* The mean over the seeds that have a value; NaN when none has. */
static double workload_value(const struct scored *x, unsigned workload)
{
    const struct series *s = &x->row->once;
    unsigned count = 0;
    double sum = 0;
    for (size_t at = workload; at < (size_t)s->seeds * s->workload_count; at += s->workload_count) {
        double v = x->plain ? x->once[at] - x->plain[at] : x->once[at];
        sum += isnan(v) ? 0 : v;
        count += !isnan(v);
    }
    return count ? sum / count : (double)NAN;
}

/* False when too few have a value. */
static bool take_quantiles(const struct scored *x, struct over_workloads *o)
{
    const unsigned workloads = x->row->once.workload_count;
    unsigned count = 0;
    double *values = must_have(workloads, sizeof *values);
    for (unsigned w = 0; w < workloads; w++) {
        double v = workload_value(x, w);
        if (!isnan(v))
            values[count++] = v;
    }
    const bool known = quartiles_of(values, count, &o->quartiles);
    free(values);
    return known;
}

/* How far a verdict is for the paper. */
static int agreement(enum verdict v)
{
    return v == VERDICT_QUARTER ? 2 : v == VERDICT_SIGN ? 1 : 0;
}

/* Before others those without which less agrees; then those that move the mean more. */
static void take_without(const struct outcome *out, const struct summary *rest, enum verdict v, const char *name,
                         struct over_workloads *o)
{
    const double mean = out->summary.value, moved = fabs(rest->value - mean);
    if (!o->moves_most || moved > fabs(o->without_most - mean)) {
        o->moves_most = name;
        o->without_most = rest->value;
    }
    if (v == out->verdict)
        return;
    bool less = agreement(v) < agreement(out->verdict);
    bool already = o->decides && agreement(o->verdict) < agreement(out->verdict);
    if (o->decides && (already > less || (already == less && moved <= fabs(o->without - mean))))
        return;
    o->decides = name;
    o->without = rest->value;
    o->verdict = v;
}

static void ask_workloads(const struct scored *x, struct outcome *out)
{
    const struct series *s = &x->row->once;
    const enum aggregate over = x->row->row->over;
    struct over_workloads *o = &out->over;
    if ((over != OVER_GEOMEAN && over != OVER_MEAN) || !take_quantiles(x, o))
        return;
    for (unsigned w = 0; w < s->workload_count; w++) {
        struct summary rest;
        summarise(x, (int)w, &rest);
        enum verdict v = score(x->row->row, &rest);
        if (!isnan(workload_value(x, w)) && v != VERDICT_NOT_RUN)
            take_without(out, &rest, v, s->workloads[w].name, o);
    }
    o->known = o->moves_most;
}

/* --- The row. */

static void score_row(const struct reproduce_row *row, struct outcome *out)
{
    struct summary *s = &out->summary;
    struct scored x;
    open_cells(&x, row);
    summarise(&x, SERIES_ALL, s);
    summary_add_missing(s, &row->once);
    if (x.plain)
        summary_add_missing(s, &row->plain);
    if (!s->missing)
        out->verdict = score(row->row, s);
    if (out->verdict != VERDICT_NOT_RUN)
        ask_workloads(&x, out);
    else if (!s->missing)
        snprintf(s->reason, sizeof s->reason, "no value: every workload divides by 0, or a mean of ratios below 0");
    close_cells(&x);
}

void outcome_of(const struct reproduce_row *row, struct outcome *out)
{
    const struct row *w = row->row;
    struct summary other, twice;
    memset(out, 0, sizeof *out);
    out->twice = out->other = (double)NAN;
    out->summary = (struct summary){.value = NAN, .half = NAN, .low = NAN, .high = NAN};
    out->verdict = VERDICT_NOT_RUN;
    out->reason = w->missing;
    if (w->missing)
        return;
    score_row(row, out);
    if (out->verdict == VERDICT_NOT_RUN)
        out->reason = out->summary.reason;
    if (row->other.workloads) {
        series_summarise(&row->other, w->over, w->above, &other);
        out->other = other.value;
    }
    if (row->twice.workloads) {
        series_summarise(&row->twice, w->over, w->above, &twice);
        out->twice = twice.value;
    }
}

enum verdict outcome_counts_as(const struct outcome *o)
{
    return o->over.decides && agreement(o->over.verdict) < agreement(o->verdict) ? o->over.verdict : o->verdict;
}

const char *outcome_word(const struct row *row, enum verdict v)
{
    static const char *const words[] = {
        [VERDICT_SIGN] = "sign agrees",
        [VERDICT_MISS] = "miss",
        [VERDICT_NONE] = "none",
        [VERDICT_NOT_RUN] = "not run",
    };
    if (v != VERDICT_QUARTER)
        return words[v];
    if (row->claim.form != CLAIM_RANGE)
        return "holds";
    return row->kind == ROW_LEVEL ? "level within a quarter" : "within a quarter";
}

void outcome_words(const struct row *row, const struct outcome *o, char *text, size_t size)
{
    const char *words = outcome_word(row, o->verdict), *name = o->over.decides;
    if (!name)
        snprintf(text, size, "%s", words);
    else
        snprintf(text, size, "%s (one %s: %s)", words, strchr(name, '+') ? "pair" : "workload", name);
}

static bool agrees(enum verdict v)
{
    return v == VERDICT_SIGN || v == VERDICT_QUARTER;
}

void outcome_tally(const struct reproduction *r, struct tally *t)
{
    struct outcome o;
    *t = (struct tally){.rows = r->row_count};
    for (unsigned i = 0; i < r->row_count; i++) {
        outcome_of(&r->rows[i], &o);
        enum verdict v = outcome_counts_as(&o);
        t->sign += agrees(v);
        t->hang += agrees(o.verdict) && !agrees(v);
        t->quarter += v == VERDICT_QUARTER;
        t->nearer += o.verdict == VERDICT_QUARTER && v != VERDICT_QUARTER;
        t->none += o.verdict == VERDICT_NONE;
        t->not_run += v == VERDICT_NOT_RUN;
        t->failed += v == VERDICT_NOT_RUN && !r->rows[i].row->missing;
    }
}

/* Over the seeds. */
static double mean_without(const struct series *s, const double *cells, int without, enum aggregate over)
{
    double sum = 0;
    for (unsigned seed = 0; seed < s->seeds; seed++)
        sum += series_average(s, cells + (size_t)seed * s->workload_count, without, over, 0);
    return sum / s->seeds;
}

static void take_most_moved(const struct series *s, const double *cells, enum aggregate over, struct spread *out)
{
    const double mean = mean_without(s, cells, SERIES_ALL, over);
    double most = -1;
    for (unsigned w = 0; w < s->workload_count; w++) {
        double rest = mean_without(s, cells, (int)w, over), moved = fabs(rest - mean);
        if (isnan(series_cell_mean(s, w)) || !(moved > most))
            continue;
        most = moved;
        out->moves_most = w;
        out->without = rest;
    }
}

bool spread_of(const struct series *s, enum aggregate over, struct spread *out)
{
    unsigned count = 0;
    double *values = must_have(s->workload_count, sizeof *values), *cells = series_cells(s);
    for (unsigned w = 0; w < s->workload_count; w++) {
        double v = series_cell_mean(s, w);
        if (!isnan(v))
            values[count++] = v;
    }
    const bool known = quartiles_of(values, count, &out->quartiles);
    if (known)
        take_most_moved(s, cells, over, out);
    free(values);
    free(cells);
    return known;
}
