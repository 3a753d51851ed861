/*
 * The experiment: every CTA combination of each workload on the native twin of image `baseline`, whose CTA limits stand
 * from the start (tenants[].cta_limit), and the alone runs that speedups need. Which one is the best.
 */
#ifndef HOST_SEARCH_SEARCH_H
#define HOST_SEARCH_SEARCH_H

#include <jansson.h>

#include "base/number.h"
#include "base/table.h"
#include "combinations.h"
#include "plan/metrics.h"
#include "plan/oracle.h"
#include "plan/plan.h"

enum { SEARCH_WORKLOADS = 128, SEARCH_SETS = VARIANT_SETS - 1, SEARCH_NAME = 96, SEARCH_FINALISTS = 32 };

/** Pointers are into argv. NULL, 0 or false = not given. */
struct search_request {
    const char *preset;
    const char *workloads[SEARCH_WORKLOADS];
    const char *groups[SEARCH_WORKLOADS]; /**< name of the group that the workload is one of; NULL: none */
    unsigned workload_count;
    const char *sets[SEARCH_SETS];
    unsigned set_count;
    uint64_t cycles;
    unsigned seed_first, seeds;
    bool spatial;    /**< SMs are split evenly, each kernel has its own; else all are on all SMs */
    unsigned metric; /**< enum search_metric: whose surface is shown */
    unsigned jobs;
    const char *results;
    const char *from;   /**< file of another search, whose best combinations alone are searched */
    unsigned finalists; /**< so many by each metric, 1..SEARCH_FINALISTS */
};

struct search_workload {
    const char *spec, *group;
    char name[SEARCH_NAME]; /**< its kernels without sizes: "BP+CFD" */
    unsigned tenants;
    struct cta_kernel kernels[MH_MAX_TENANTS]; /**< of struct search */
    unsigned most[MH_MAX_TENANTS];             /**< highest limit that makes a difference */
    struct combinations all;
    struct point *free;        /**< [seed] without limits */
    struct point *points;      /**< [combination][seed] */
    struct mh_workload **made; /**< [seed][tenant]: what all runs have in common, of struct search */
};

struct search {
    const struct search_request *request;
    struct search_workload workloads[SEARCH_WORKLOADS];
    struct search_kernel *kernels; /**< those of all workloads, once each */
    unsigned kernel_count;
    struct plan *plan;
    unsigned kept;                     /**< runs that were there from before */
    struct oracles *first;             /**< with request->from */
    struct oracle_search first_search; /**< what it was */
};

/** Counts the combinations and looks up which are kept. NULL and `err`: bad input, nothing was run. */
struct search *search_open(const struct search_request *request, struct mh_error *err);

/** Runs what the store does not have. 0, or the number of the signal that ended it early. */
int search_run(struct search *s);

void search_close(struct search *s);

/** The resolved configuration of a workload, without limits. */
const struct mh_config *search_config(const struct search_workload *w);

/** Points of combination `i`, one for each seed; -1: those without limits. */
const struct point *search_points(const struct search *s, const struct search_workload *w, int i);

/** Of all workloads. */
unsigned search_combinations(const struct search *s);

/** Wall seconds that these will take if as many processors as jobs are free: an estimate. */
double search_seconds(const struct search *s);

/* --- In words and tables: on the terminal the best of each metric, in Markdown surfaces, too, of up to 12. */

/** The combinations, and how long those will take that are not kept: for --list, nothing is run. */
void search_list(const struct search *s, FILE *out);

void search_report(const struct search *s, const struct doc *d);

/* A search as JSON: every combination with every seed, and what made them. */

/** Combination `i` with a seed, from 0, as the surface has it: CTAs, seed, IPCs, metrics. A new reference. */
json_t *search_row_json(const struct search *s, const struct search_workload *w, unsigned i, unsigned seed);

int search_write_json(const struct search *s, const char *path, struct mh_error *err);

/* The surface of two kernels as a heat map: SVG and PNG. */

/** DIR/search-WORKLOAD.svg for each workload of two kernels (search-spatial-.. with SMs split), others are named on
 * standard error. */
int search_plot(const struct search *s, const char *dir, struct mh_error *err);

/* What a combination is worth by each metric, and which one is the best. */

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
 * Keeps of the workload's combinations the best request->finalists by each metric that has finals, and
 * number `even`, -1: none. -1 and `err`: the first round has not this workload, or is of another GPU.
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
