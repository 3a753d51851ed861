/* Images on one workload, with the alone runs that their speedups need, for one seed or for several. */
#ifndef HOST_PLAN_EXPERIMENT_H
#define HOST_PLAN_EXPERIMENT_H

#include "metrics.h"
#include "plan.h"
#include "run/boot.h"
#include "run/options.h"

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
