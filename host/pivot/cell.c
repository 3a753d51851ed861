#include "pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/memory.h"

/* --- Kinds of means. */

static const struct {
    const char *name, *words;
} kinds[] = {
    [MEAN_DEFAULT] = {"", "mean"},
    [MEAN_GEOMETRIC] = {"geometric", "geometric mean"},
    [MEAN_ARITHMETIC] = {"arithmetic", "arithmetic mean"},
    [MEAN_MEDIAN] = {"median", "median"},
    [MEAN_LEAST] = {"min", "least"},
    [MEAN_MOST] = {"max", "most"},
};

enum mean_kind mean_named(const char *name)
{
    for (unsigned k = MEAN_GEOMETRIC; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, name))
            return (enum mean_kind)k;
    return MEAN_DEFAULT;
}

const char *mean_words(enum mean_kind kind)
{
    return kinds[kind].words;
}

/* Of `count` values, which may be sorted; NaN of none. A geometric mean of a value of 0 or less is NaN, too. */
static double mean_of(enum mean_kind kind, double *values, unsigned count)
{
    if (!count)
        return (double)NAN;
    switch (kind) {
    case MEAN_GEOMETRIC:
        return mean_least(values, count) > 0 ? mean_geometric(values, count, 0) : (double)NAN;
    case MEAN_MEDIAN:
        return mean_median(values, count);
    case MEAN_LEAST:
        return mean_least(values, count);
    case MEAN_MOST:
        return mean_most(values, count);
    default:
        return mean_arithmetic(values, count);
    }
}

/* --- A cell. */

enum { ALL = -1 };

/** Which of the samples count. */
struct part {
    const struct sample *samples;
    unsigned count;
    int without, only; /* movers; ALL */
};

static bool counts(const struct part *p, unsigned i)
{
    const int mover = p->samples[i].mover;
    return mover != p->without && (p->only == ALL || mover == p->only);
}

/* The mean of each seed, into `means`; seeds without a sample are left out. */
static unsigned over_seeds(const struct part *p, enum mean_kind kind, double *values, double *means)
{
    unsigned seeds = 0;
    for (unsigned i = 0; i < p->count;) {
        const int seed = p->samples[i].seed;
        unsigned n = 0;
        for (; i < p->count && p->samples[i].seed == seed; i++)
            if (counts(p, i))
                values[n++] = p->samples[i].value;
        if (n)
            means[seeds++] = mean_of(kind, values, n);
    }
    return seeds;
}

static struct interval mean_of_part(const struct part *p, enum mean_kind kind)
{
    double *values = must_have(2 * (size_t)p->count, sizeof *values);
    const unsigned seeds = over_seeds(p, kind, values, values + p->count);
    const struct interval i = interval_of(values + p->count, seeds);
    free(values);
    return i;
}

void cell_of(const struct sample *samples, unsigned count, enum mean_kind kind, struct cell *out)
{
    const struct part all = {samples, count, ALL, ALL};
    const struct interval i = mean_of_part(&all, kind);
    out->value = i.mean;
    out->half = i.half;
    out->refused = 0;
    for (unsigned k = 0; k < count && kind == MEAN_GEOMETRIC; k++)
        out->refused += !(samples[k].value > 0);
}

/* --- Spread. */

/* -1, 0, 1. */
static int effect(double mean, double half, double neutral)
{
    const double size = mean - neutral, width = isnan(half) ? 0 : half;
    return (size > width) - (size < -width);
}

/* How far a mean is from the whole cell's. */
static double moved(const struct cell *c, double mean)
{
    return fabs(mean - c->value);
}

static void leave_out(const struct part *all, int mover, enum mean_kind kind, double neutral, struct cell *out)
{
    struct cell_spread *s = &out->spread;
    const struct part rest = {all->samples, all->count, mover, ALL};
    const struct interval i = mean_of_part(&rest, kind);
    const int now = effect(i.mean, i.half, neutral), whole = effect(out->value, out->half, neutral);
    if (isnan(i.mean))
        return;
    if (s->moves_most < 0 || moved(out, i.mean) > moved(out, s->without)) {
        s->moves_most = mover;
        s->without = i.mean;
    }
    if (whole && now != whole && (s->decides < 0 || s->moves_most == mover))
        s->decides = mover;
}

static int by_number(const void *a, const void *b)
{
    const int v = *(const int *)a, w = *(const int *)b;
    return (v > w) - (v < w);
}

/* The different ones, ascending. The caller frees them. */
static int *movers_of(const struct sample *samples, unsigned count, unsigned *movers)
{
    int *list = must_have(count, sizeof *list);
    for (unsigned i = 0; i < count; i++)
        list[i] = samples[i].mover;
    qsort(list, count, sizeof *list, by_number);
    *movers = 0;
    for (unsigned i = 0; i < count; i++)
        if (!*movers || list[*movers - 1] != list[i])
            list[(*movers)++] = list[i];
    return list;
}

void cell_spread_of(const struct sample *samples, unsigned count, enum mean_kind kind, double neutral, struct cell *out)
{
    unsigned movers;
    int *list = movers_of(samples, count, &movers);
    double *own = must_have(movers, sizeof *own);
    const struct part all = {samples, count, ALL, ALL};
    out->spread = (struct cell_spread){.moves_most = -1, .decides = -1, .without = NAN};
    for (unsigned m = 0; m < movers; m++) {
        const struct part one = {samples, count, ALL, list[m]};
        own[m] = mean_of_part(&one, kind).mean;
    }
    out->spread.known = !isnan(out->value) && quartiles_of(own, movers, &out->spread.quartiles);
    for (unsigned m = 0; m < movers && out->spread.known; m++)
        leave_out(&all, list[m], kind, neutral, out);
    free(own);
    free(list);
}

/* --- Reasons. */

void reasons_add(struct reasons *r, const char *text, unsigned values)
{
    unsigned i = 0;
    while (i < r->count && strcmp(r->of[i].text, text) != 0)
        i++;
    if (i == REASONS_MOST) {
        r->others += values;
        return;
    }
    if (i == r->count)
        r->of[r->count++].text = must(strdup(text));
    r->of[i].count += values;
}

void reasons_free(struct reasons *r)
{
    for (unsigned i = 0; i < r->count; i++)
        free(r->of[i].text);
    *r = (struct reasons){.count = 0};
}
