/*
 * The experiment: each image on mcus of several clocks and bus latencies, in no time, and not at all, on a few
 * workloads. What came out is in losses.h.
 */
#ifndef HOST_LATENCY_LATENCY_H
#define HOST_LATENCY_LATENCY_H

#include "plan/plan.h"
#include "set.h"

enum {
    LATENCY_IMAGES = 127,
    LATENCY_SETS = 16,
    LATENCY_SEEDS = 5 /**< unless the request says otherwise */
};

/** Pointers are into argv. NULL, 0 or false = not given. */
struct latency_request {
    const char *images[LATENCY_IMAGES]; /**< none: those of the set that are built */
    unsigned image_count;
    bool all; /**< variants, too */
    const char *preset, *core, *reference;
    const char *workloads[SET_WORKLOADS];
    unsigned workload_count;
    const char *sets[LATENCY_SETS];
    unsigned set_count;
    uint64_t cycles;
    unsigned seed_first, seeds; /**< all points are run with `seeds` of them, at most SEEDS_MOST */
    unsigned jobs;
    const char *results;
};

/** An image with its runs. */
struct latency_image {
    const char *what; /**< a name, or the path of an ELF file */
    struct set_preset how;
    const char *workloads[SET_WORKLOADS];
    unsigned workload_count;
    struct point *cells;   /**< [point][workload][seed]: see latency_cell() */
    struct point *guarded; /**< [point][workload]: the same with the watchdog on; empty: it cannot bite */
    const char *core;      /**< that its firmware ran on */
};

struct latency {
    const struct latency_request *request;
    struct latency_set set;
    struct latency_image images[LATENCY_IMAGES];
    unsigned image_count;
    struct plan *plan;
    bool guessed; /**< the cost of a workload was not measured */
};

/** Decides what is run and checks it. NULL and `err`: bad input, nothing was run. */
struct latency *latency_open(const struct latency_request *request, struct mh_error *err);

/** Runs what the store does not have. 0, or the number of the signal that ended it early; -1 and `err`. */
int latency_run(struct latency *l, struct mh_error *err);

void latency_close(struct latency *l);

/** The run of `seed` (from 0). */
struct point *latency_cell(const struct latency *l, const struct latency_image *image, unsigned point,
                           unsigned workload, unsigned seed);

/** Name of the image, without path and suffix. */
const char *latency_image_name(const struct latency_image *image);

/** "MM+GUP": the kernels of a workload without their sizes. */
void latency_workload_name(const struct latency *l, const struct latency_image *image, unsigned workload, char *text,
                           size_t size);

#endif
