/* What a combination is worth by each metric, and which one is the best. */
#ifndef HOST_SEARCH_BEST_H
#define HOST_SEARCH_BEST_H

#include "base/number.h"
#include "plan/metrics.h"
#include "search.h"
#include "plan/oracle.h"

/** CCBP section 3.3 has the first two. An oracle is chosen for each of them (section 7.1). */
/** Names of the metrics, in their order. */
#define SEARCH_METRIC_NAMES "harmonic weighted max-slowdown fairness"

enum search_metric { SEARCH_HARMONIC, SEARCH_WEIGHTED, SEARCH_SLOWDOWN, SEARCH_FAIRNESS, SEARCH_METRICS };

struct search_metric_row {
    const char *option; /**< of --metric */
    const char *name;   /**< in JSON; as in rows files (plan/quantity.h) */
    const char *title;  /**< in tables */
    bool least;         /**< the least value is the best one, else the greatest */
    bool finals;        /**< finalists are chosen by it: CCBP's oracles are (section 7.1) */
};

extern const struct search_metric_row search_metrics[SEARCH_METRICS];

/** By its option; SEARCH_METRICS: there is none such. */
unsigned search_metric_named(const char *option);

double search_metric_of(const struct metrics *m, unsigned metric);

/** Of combination `i` (-1: without limits), over the seeds; NaN while one of its runs is missing. */
struct interval search_value(const struct search *s, const struct search_workload *w, int i, unsigned metric);

/** Mean speedup of tenant `t` over the seeds; NaN while a run is missing. */
double search_speedup(const struct search *s, const struct search_workload *w, int i, unsigned t);

/**
 * The best combination of those that have a value, of equals the first; -1: none has, or finalists were not chosen by
 * this metric.
 */
int search_best(const struct search *s, const struct search_workload *w, unsigned metric);

/** Combinations without a value. */
unsigned search_missing(const struct search *s, const struct search_workload *w);

/**
 * The even combination (section 5.4): of each kernel its most CTAs over the number of kernels, at least one. -1: it is
 * none of those searched, or the SMs are split.
 */
int search_even(const struct search *s, const struct search_workload *w);

/*
 * The second round of a search: the combinations that another search, in a shorter window, found the best, once more in
 * a longer one. A surface of thousands of combinations can be had in short windows alone, and there kernels of several
 * launches show their first ones and caches are cold: the best of a short window need not be that of a long one.
 */

/**
 * Keeps of the workload's combinations the best request->finalists by each metric that has finals (best.h), and number
 * `even`, -1: none. -1 and `err`: the first round has not this workload, or is of another GPU.
 */
int finalists_keep(struct oracles *first, const struct search_request *r, struct search_workload *w, int even,
                   struct mh_error *err);

/* Workloads by class, as figure 9 shows them: numbers over those of one group, or over all. */

/** The groups of a search in the order of their workloads; NULL: there are no more. */
const char *groups_name(const struct search *s, unsigned i);

/** Of the workloads in `group`; NULL: of all. */
void groups_count(const struct search *s, const char *group, unsigned *workloads, unsigned *combinations);

/** Geometric mean of the best values of a metric; NaN while a workload has none. */
double groups_mean(const struct search *s, const char *group, unsigned metric);

#endif
