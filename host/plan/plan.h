/*
 * The runs that the rows of a study need: each simulation once, however many rows want it, with the alone runs that
 * speedups need.
 */
#ifndef HOST_PLAN_PLAN_H
#define HOST_PLAN_PLAN_H

#include "metrics.h"
#include "run/machine.h"
#include "run/setup.h"
#include "run/store.h"

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

/** A plan whose runs get directories under `base`, which stays the caller's. */
struct plan *plan_new(const char *base);

/** A plan with a directory of its own: `keep`, or one under $TMPDIR that goes with it. NULL and `err` on failure. */
struct plan *plan_open(const char *keep, struct mh_error *err);
void plan_free(struct plan *p);

/** Makes the directory of a plan that was opened without one: as plan_open(). */
int plan_directory(struct plan *p, const char *keep, struct mh_error *err);

/** Opens the store of plan_load() and plan_run(): `results`, or the user's (NULL). */
int plan_store(struct plan *p, const char *results, struct mh_error *err);

/**
 * Takes over a run that a study has configured itself, with its image, and returns it, or the equal one that is already
 * there. `folder` is its directory's name. NULL and `err` on failure; `s` is then freed.
 */
struct kept_sim *plan_add(struct plan *p, struct kept_sim *s, const char *folder, struct mh_error *err);

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

/** An image that stays open as long as the plan, by its word (mcu/image.h). NULL and `err` on failure. */
const struct image *plan_image(struct plan *p, const char *word, bool twin, struct mh_error *err);

unsigned plan_count(const struct plan *p);

/** Its runs: plan_count() of them, in the order in which they were asked for; valid until the next plan_point(). */
struct kept_sim *const *plan_sims(const struct plan *p);

/** Metrics of a run with the alone runs of `yardstick`. False: one of them did not pass. */
bool point_metrics(const struct point *p, const struct point *yardstick, struct metrics *m);

/** Takes results from the store, unless directories are kept, for which everything runs. Returns how many. */
unsigned plan_load(struct plan *p);

/** Runs what waits and keeps it. 0, or the number of the signal that ended it early. */
int plan_run(struct plan *p, unsigned jobs);

/** Says on standard error what did not pass; true if all did. Of interrupted runs only fleeting ones are named. */
bool plan_report_failures(const struct plan *p);

/* Images on one workload, with the alone runs that their speedups need, for one seed or for several. */

/** Of one seed. Those of all seeds are an array, with one plan. */
struct experiment {
    const struct options *options;
    unsigned seeds;            /**< length of the array */
    struct mh_config cfg;      /**< resolved, shared runs */
    struct mh_config identity; /**< as results show it: traces by hash, logs off */
    struct plan *plan;
    const struct image *images[MAX_IMAGES];
    const struct image *swapped[MH_SWAPS]; /**< options->swap_count of them */
    struct kept_sim *runs[MAX_IMAGES];     /**< options->image_count of them; they run at each call */
    struct boot boot;                      /**< of the runs, if options->verify */
    bool with_alone;
    struct kept_sim *alone[MH_MAX_TENANTS]; /**< cfg.tenants_count of them, if with_alone; from the store if there */
};

/**
 * Checks everything that can be checked before anything runs. Returns an experiment for each seed of
 * options->seed_first..seed_last, or one for run.seed. NULL and `err` on failure.
 */
struct experiment *experiment_open(const struct options *o, struct mh_error *err);

/** Runs what the store does not have, of all seeds. 0, or the number of the signal that ended it early. */
int experiment_run(struct experiment *x);

/** Metrics of one image's run; false unless that run passed. */
bool experiment_metrics(const struct experiment *x, unsigned image, struct metrics *m);

/** Removes the runs' directory (unless it is to be kept) and frees all. */
void experiment_close(struct experiment *x);

#endif
