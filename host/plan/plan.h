/*
 * The runs that the rows of a study need: each simulation once, however many rows want it, with the alone runs that
 * speedups need.
 */
#ifndef HOST_PLAN_PLAN_H
#define HOST_PLAN_PLAN_H

#include "run/kept.h"
#include "measure.h"

/** Processor time of a million GPU cycles, for estimates: the mean of ten pairs in preset `ccbp`, idle machine [ours].
 */
#define PLAN_SECONDS_PER_MCYCLE 1.4

/** One workload under one variant. */
struct point {
    struct kept_sim *run;
    struct kept_sim *alone[MH_MAX_TENANTS]; /**< NULL: not needed */
    char reason[400];                       /**< why there is no run; empty: there is one */
};

/** What the command line says about all runs. */
struct plan_options {
    bool twin;               /**< unless a variant says otherwise */
    const char *const *sets; /**< key=value, after the variants' own */
    unsigned set_count;
    uint64_t seed, times; /**< window = times x the measure's cycles, and so many times run.completions */
    unsigned first_sms;   /**< SMs of the first of two tenants, the second has the others; 0: equal parts */
    bool alone;           /**< alone runs even where the metric does not look at them */
};

struct plan;

/** `base`: the directory under which each run gets its own. NULL when out of memory. */
struct plan *plan_new(const char *base);
void plan_free(struct plan *p);

/**
 * Adds what one cell needs; a partition is that of the alone runs, too. One that cannot be run (no such image, design,
 * key or counter) gets a `reason`.
 */
void plan_point(struct plan *p, const struct measure *m, const struct variant *v, const char *workload,
                const struct plan_options *o, struct point *out);

/**
 * The point `like`, which has a run, once more with a CTA limit for each tenant (tenants[].cta_limit, in range). Its
 * alone runs are the same.
 */
void plan_limits(struct plan *p, const struct point *like, const uint32_t *limits, struct point *out);

unsigned plan_count(const struct plan *p);

/** Its runs: plan_count() of them, in the order in which they were asked for; valid until the next plan_point(). */
struct kept_sim *const *plan_sims(const struct plan *p);

#endif
