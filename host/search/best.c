#include "search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

const struct search_metric_row search_metrics[SEARCH_METRICS] = {
    [SEARCH_HARMONIC] = {"harmonic", "harmonic_speedup", "harmonic speedup", false, true},
    [SEARCH_WEIGHTED] = {"weighted", "weighted_speedup", "weighted speedup", false, true},
    [SEARCH_SLOWDOWN] = {"max-slowdown", "max_slowdown", "maximum slowdown", true, false},
    [SEARCH_FAIRNESS] = {"fairness", "fairness", "fairness", false, false},
};

unsigned search_metric_named(const char *option)
{
    unsigned m = 0;
    while (m < SEARCH_METRICS && strcmp(search_metrics[m].option, option) != 0)
        m++;
    return m;
}

double search_metric_of(const struct metrics *m, unsigned metric)
{
    const double values[SEARCH_METRICS] = {[SEARCH_HARMONIC] = m->harmonic_speedup,
                                           [SEARCH_WEIGHTED] = m->weighted_speedup,
                                           [SEARCH_SLOWDOWN] = m->maximum_slowdown,
                                           [SEARCH_FAIRNESS] = m->fairness};
    return values[metric];
}

struct interval search_value(const struct search *s, const struct search_workload *w, int i, unsigned metric)
{
    const struct point *points = search_points(s, w, i);
    double values[SEEDS_MOST];
    struct metrics m;
    for (unsigned seed = 0; seed < s->request->seeds; seed++)
        values[seed] = point_metrics(&points[seed], &points[seed], &m) ? search_metric_of(&m, metric) : (double)NAN;
    return interval_of(values, s->request->seeds);
}

double search_speedup(const struct search *s, const struct search_workload *w, int i, unsigned t)
{
    const struct point *points = search_points(s, w, i);
    struct metrics m;
    double sum = 0;
    for (unsigned seed = 0; seed < s->request->seeds; seed++)
        sum += point_metrics(&points[seed], &points[seed], &m) ? m.tenant[t].speedup : (double)NAN;
    return sum / s->request->seeds;
}

int search_best(const struct search *s, const struct search_workload *w, unsigned metric)
{
    int best = -1;
    double at = 0;
    if (s->request->from && !search_metrics[metric].finals)
        return -1;
    for (unsigned i = 0; i < w->all.count; i++) {
        double v = search_value(s, w, (int)i, metric).mean;
        if (isnan(v) || (best >= 0 && (search_metrics[metric].least ? v >= at : v <= at)))
            continue;
        best = (int)i;
        at = v;
    }
    return best;
}

unsigned search_missing(const struct search *s, const struct search_workload *w)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < w->all.count; i++)
        missing += isnan(search_value(s, w, (int)i, SEARCH_WEIGHTED).mean);
    return missing;
}

int search_even(const struct search *s, const struct search_workload *w)
{
    uint8_t ctas[MH_MAX_TENANTS];
    for (unsigned t = 0; t < w->tenants; t++) {
        unsigned share = w->most[t] / w->tenants;
        ctas[t] = (uint8_t)(share ? share : 1);
    }
    return s->request->spatial ? -1 : combinations_find(&w->all, ctas);
}

static int keep(bool *kept, const struct search_request *r, const struct search_workload *w,
                const struct oracle_choice *c, struct mh_error *err)
{
    uint8_t ctas[MH_MAX_TENANTS];
    for (unsigned k = 0; k < w->tenants; k++)
        ctas[k] = (uint8_t)c->ctas[k];
    int at = c->kernels == w->tenants ? combinations_find(&w->all, ctas) : -1;
    if (at < 0)
        return mh_fail(err, "%s, workload %.200s: a combination that does not fit this GPU: it was searched on another",
                       r->from, w->spec);
    kept[at] = true;
    return 0;
}

static int keep_best(bool *kept, struct oracles *first, const struct search_request *r, const struct search_workload *w,
                     unsigned metric, struct mh_error *err)
{
    const struct oracle_query q = {.file = r->from,
                                   .metric = search_metrics[metric].name,
                                   .preset = r->preset,
                                   .workload = w->spec,
                                   .sets = r->sets,
                                   .set_count = r->set_count};
    struct oracle_choice best[SEARCH_FINALISTS];
    int count = oracles_rank(first, &q, r->finalists, best, err);
    for (int i = 0; i < count; i++)
        if (keep(kept, r, w, &best[i], err))
            return -1;
    return count < 0 ? -1 : 0;
}

int finalists_keep(struct oracles *first, const struct search_request *r, struct search_workload *w, int even,
                   struct mh_error *err)
{
    bool *kept = must_have(w->all.count, sizeof *kept);
    int status = 0;
    for (unsigned m = 0; m < SEARCH_METRICS && !status; m++)
        if (search_metrics[m].finals)
            status = keep_best(kept, first, r, w, m, err);
    if (!status && even >= 0)
        kept[even] = true;
    if (!status)
        combinations_keep(&w->all, kept);
    free(kept);
    return status;
}

static bool same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* The first workload of a group stands for it. */
static bool begins(const struct search *s, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (same(s->workloads[k].group, s->workloads[i].group))
            return false;
    return s->workloads[i].group != NULL;
}

const char *groups_name(const struct search *s, unsigned i)
{
    for (unsigned w = 0; w < s->request->workload_count; w++)
        if (begins(s, w) && !i--)
            return s->workloads[w].group;
    return NULL;
}

static bool is_in(const struct search_workload *w, const char *group)
{
    return !group || same(w->group, group);
}

void groups_count(const struct search *s, const char *group, unsigned *workloads, unsigned *combinations)
{
    *workloads = *combinations = 0;
    for (unsigned i = 0; i < s->request->workload_count; i++)
        if (is_in(&s->workloads[i], group)) {
            ++*workloads;
            *combinations += s->workloads[i].all.count;
        }
}

double groups_mean(const struct search *s, const char *group, unsigned metric)
{
    double sum = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        if (!is_in(w, group))
            continue;
        int best = search_best(s, w, metric);
        sum += best < 0 ? (double)NAN : log(search_value(s, w, best, metric).mean);
        count++;
    }
    return exp(sum / count);
}
