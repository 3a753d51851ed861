/* What the experiment measured: numbers of a row of an image's table, and what they come to. */
#ifndef HOST_LATENCY_VALUES_H
#define HOST_LATENCY_VALUES_H

#include "knee.h"
#include "latency.h"

/** One point of an image, over the seeds that all points have. NaN where a run has no result. */
struct latency_row {
    double gains[SET_WORKLOADS + 1];     /**< of each workload, mean over the seeds */
    double weighted_speedup, fairness;   /**< of the gaining workloads: geometric mean; mean over the seeds */
    double gain;                         /**< the same */
    double kept;                         /**< of the gain in no time */
    double answer_mean;                  /**< GPU cycles from question to answer, all sources and workloads */
    uint64_t answer_max, raised, missed; /**< questions, those answered too late or never; all runs together */
    double awake;                        /**< share of time, mean of the runs; NaN in no time */
    bool bites;                          /**< the watchdog would */
};

void latency_row(const struct latency *l, const struct latency_image *image, unsigned point, struct latency_row *row);

/** Weighted speedup of one run; NaN when it or an alone run has no result. */
double latency_speedup(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed);

/** Of an image as a whole. Knees are counts of points that keep: see knee_find(). */
struct latency_summary {
    double gain;  /**< in no time, mean over the seeds of noise */
    double noise; /**< most less least of those seeds */
    enum gain_verdict verdict;
    int clock, bus;             /**< by the numbers */
    int clock_noise, bus_noise; /**< where losses within noise count as none */
};

void latency_summarise(const struct latency *l, const struct latency_image *image, struct latency_summary *s);

/** Says on standard error which runs did not pass; true if all did. */
bool latency_report_failures(const struct latency *l);

#endif
