/* How far a row moves when one assumption has another value, and which workload carries that. */
#ifndef HOST_SENSITIVITY_SHIFT_H
#define HOST_SENSITIVITY_SHIFT_H

#include "sensitivity.h"

/** Above this part of the paper's number a row depends on the assumption; without a number, when its verdict changes.
 */
#define SHIFT_HANGS 0.25

/** A workload's own value changes by this factor or more: it may have two states. [ours] */
#define SHIFT_FLIPS 1.5

/** Of one row with one other value. Names belong to the row. */
struct shift {
    struct outcome with; /**< the row as it comes out with the value */
    double shift, half;  /**< value less that of the preset, over paired seeds, and its 95 % interval (NaN: one seed) */
    double part;         /**< the shift's size as a part of the paper's number; NaN: it has none */
    const char *moves_most; /**< without this workload the shift is the furthest from what it is; NULL: one workload */
    double without;         /**< the shift without it */
    bool depends; /**< beyond its interval, and `part` over SHIFT_HANGS; without a part: the verdict is another */
};

/** `plain`, `with`: the row as the preset has it, and with the other value. A row that was not run has NaN everywhere.
 */
void shift_of(const struct reproduce_row *plain, const struct reproduce_row *with, struct shift *out);

/**
 * By what factor workload `w` changes, over its seeds: of a gain the ratio that it is made of. NaN where a difference
 * is measured, or there is no value.
 */
double shift_factor(const struct reproduce_row *plain, const struct reproduce_row *with, unsigned w);

/** Is a factor at least SHIFT_FLIPS, up or down? */
bool shift_is_flip(double factor);

/** What one assumption does to one row: its two ends. */
struct swing {
    const struct mh_assumption *of;
    const struct variation *furthest; /**< the value that moves the row most, of equals the first; NULL: none was run */
    struct shift shift;               /**< with that value */
    const struct variation *low, *high; /**< where the row is least and most; NULL: with the preset's own value */
    double least, most;
    bool depends; /**< with one of its values, which need not be the furthest */
};

/**
 * The swings of row `row`, those that move it most first, of equals as in config.def; keys without other values
 * are left out. `*count` of them, which the caller frees.
 */
struct swing *swings_of(const struct sensitivity *a, unsigned row, unsigned *count);

/** The value at an end of the swing: `at` is `low` or `high`. Brief or as it stands behind the bar. */
const char *swing_value(const struct swing *s, const struct variation *at, bool brief);

/* What each row depends on, in one table: the answer, before the tables that show how far everything moves it. */

/**
 * The row's keys that have a value on which it depends, those that move it most first, and what is said of them
 * where `why` is set: "noc.latency (no source), sm.lsu_queue (no paper says)". "nothing": none of them. The caller
 * frees it.
 */
char *summary_words(const struct sensitivity *a, unsigned row, bool why);

/** How many these are; `*of`: of how many with values that could be run. */
unsigned summary_count(const struct sensitivity *a, unsigned row, unsigned *of);

void summary_show(const struct sensitivity *a, bool markdown, FILE *out);

#endif
