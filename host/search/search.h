/*
 * The experiment: every CTA combination of each workload on the native twin of image `baseline`, whose CTA limits stand
 * from the start (tenants[].cta_limit), and the alone runs that speedups need. Which one is the best: best.h.
 */
#ifndef HOST_SEARCH_SEARCH_H
#define HOST_SEARCH_SEARCH_H

#include <jansson.h>

#include "base/table.h"
#include "combinations.h"
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

/** Runs that are not there yet, alone runs included. */
unsigned search_waiting(const struct search *s);

/** Wall seconds that these will take if as many processors as jobs are free: an estimate. */
double search_seconds(const struct search *s);

/* --- In words and tables: on the terminal the best of each metric, in Markdown also the whole surface. */

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

#endif
