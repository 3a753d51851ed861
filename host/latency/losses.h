/* What runs measured, and what that comes to: gains, what each point loses of them, how slow the mcu may be. */
#ifndef HOST_LATENCY_LOSSES_H
#define HOST_LATENCY_LOSSES_H

#include "latency.h"
#include "base/mean.h"

/** One point of an image, over its workloads, seeds and event sources. NaN where a run has no result. */
struct latency_row {
    double fairness;                     /**< of the workloads: geometric mean; mean over the seeds */
    double answer_mean;                  /**< GPU cycles from question to answer, all sources and workloads */
    uint64_t answer_max, raised, missed; /**< questions, those answered too late or never; all runs together */
    double awake;                        /**< share of time without boot, mean of the runs; NaN in no time */
    bool bites;                          /**< the watchdog would */
};

void latency_row(const struct latency *l, const struct latency_image *image, unsigned point, struct latency_row *row);

/** Weighted speedup of one run; NaN when it or an alone run has no result. */
double latency_speedup(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed);

/*
 * What of a gain is kept, and down to where: pure functions over paired values. A gain is weighted speedup over that of
 * no policy with the same seed, less 1. A loss is the gain in no time less the gain at a point, with the same seed.
 */

#define KNEE_LOSS 0.05 /**< part of the gain in no time that may be missing where it counts as kept */

/** What there is to keep. */
enum gain_verdict {
    GAIN_UNKNOWN,  /**< a run is missing */
    GAIN_ONE_SEED, /**< one value has no interval */
    GAIN_REAL,     /**< above 0 by more than the interval */
    GAIN_NONE,     /**< within it: nothing to gain */
    GAIN_LOSS      /**< below 0 by more */
};

enum gain_verdict gain_judge(const struct interval *gain);

/** What a point does to a gain that is real. */
enum keep {
    KEEP_UNKNOWN, /**< a run is missing */
    KEEP_KEPT,    /**< the mean loss is at most KNEE_LOSS of the gain, and known better than to the gain itself */
    KEEP_UNSHOWN, /**< it is more, but not beyond its interval: no loss shown */
    KEEP_UNCLEAR, /**< no loss beyond an interval so wide that it would not show the loss of the whole gain */
    KEEP_LOST     /**< it is more, and beyond its interval */
};

/**
 * `gain` is that in no time, above 0. A loss is unclear where a gain is barely one, or where a workload has two states
 * and the seed decides between them.
 */
enum keep keep_judge(const struct interval *gain, const struct interval *loss);

/** Does the mcu cost something, whatever there is to gain: is the loss above 0 by more than its interval? */
bool loss_is_cost(const struct interval *loss);

/**
 * How many points, from the first (the fastest mcu, the shortest bus) on, keep: the last of them is the knee. 0: not
 * even the first. -1: a run is missing before the first that does not.
 */
struct knee {
    int knee; /**< where no loss shown counts as kept; what is unclear never does */
    int kept; /**< where it does not */
};

struct knee knee_find(const enum keep *points, unsigned count);

/** A workload of an image. Each value is of one seed, against runs with the same seed. */
struct latency_losses {
    struct interval gain[POINTS]; /**< over no policy; the first: in no time */
    struct interval loss[POINTS]; /**< gain in no time less that of the point */
    enum gain_verdict verdict;    /**< of the gain in no time */
    enum keep keep[POINTS];       /**< of firmware's points, where the verdict is GAIN_REAL */
    struct knee clock, bus;       /**< the same */
};

void latency_losses(const struct latency *l, const struct latency_image *image, unsigned workload,
                    struct latency_losses *losses);

/** Part of the gain in no time that a point keeps: 1 = all, below 0 = it loses more than there was. */
double latency_kept(const struct latency_losses *losses, unsigned point);

/** An image as a whole. */
struct latency_summary {
    struct latency_losses workloads[SET_WORKLOADS];
    enum gain_verdict verdict; /**< real: of one workload; else loss: of one; unknown, one seed: of any */
    /* Of a real verdict: */
    unsigned worst; /**< the workload with the fastest knee; of several, that with the least kept at POINTS_HZ */
    struct knee clock, bus; /**< the worst of all workloads with something to gain */
    bool lost;              /**< a gain is lost at POINTS_HZ */
};

void latency_summarise(const struct latency *l, const struct latency_image *image, struct latency_summary *s);

#endif
