/* What runs of the experiment measured: speedups, fairness, answers. What they come to is in losses.h. */
#ifndef HOST_LATENCY_MEASURED_H
#define HOST_LATENCY_MEASURED_H

#include "latency.h"

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

#endif
