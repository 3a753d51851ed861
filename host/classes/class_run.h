/* The simulations behind `memhelm classes`: each kernel alone on its paper's GPU, and what they say of its class. */
#ifndef HOST_CLASSES_CLASS_RUN_H
#define HOST_CLASSES_CLASS_RUN_H

#include <stdio.h>

#include "classes.h"
#include "run/options.h"
#include "plan/plan.h"

enum { CLASS_ROWS = 128 };

struct class_case {
    const struct class_row *row;
    struct kept_sim *whole; /**< all resources of the SMs */
    struct kept_sim *half;  /**< half of them, so half of the CTAs; NULL but for CCBP */
};

struct class_run {
    const struct options *options;
    struct plan *plan; /**< its image is the native twin of baseline: it decides nothing and costs no time */
    struct class_case cases[CLASS_ROWS];
    unsigned count;
};

/** What a case came to. */
struct class_outcome {
    struct class_values whole, half; /**< NaN where nothing was measured */
    uint64_t cycles;                 /**< GPU cycles of the execution, or of the window if that ended before */
    bool cut;                        /**< the latter */
    const char *class;               /**< measured; NULL: no result */
    bool right;                      /**< as in the paper */
};

/**
 * Chooses the rows of `paper` (NULL: of all) with `kernel` (NULL: all; any of its names) and makes their
 * configurations: preset of the paper, the row's size, then the assignments in `o`. NULL and `err` on failure. `o`
 * stays the caller's.
 */
struct class_run *class_run_open(const struct options *o, const char *paper, const char *kernel, struct mh_error *err);

/** Runs all that were not run before. 0, or the number of the signal that ended it early; what was finished counts. */
int class_run_all(struct class_run *r);

void class_run_outcome(const struct class_case *c, struct class_outcome *out);

/** Removes the runs' directory (unless it is to be kept) and frees `r`. */
void class_run_close(struct class_run *r);

/* --- What `memhelm classes` found, for people and as JSON. */

/** A table per paper, then what is known of each miss; the last line counts. True: 9 of 10 are right. */
bool class_report(const struct class_run *r, FILE *out);

/** `memhelm-classes-1`. */
int class_report_json(const struct class_run *r, const char *path, struct mh_error *err);

#endif
