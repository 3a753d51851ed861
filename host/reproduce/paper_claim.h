/*
 * What a paper printed, and whether ours agrees. A claim is written as
 *
 *     +57.8 %   3.8x   12.4   2..3 x      a number or a range; an effect, or a level
 *     about 0 %                           a bound of 2 % [ours]
 *     within 0.8 %                        a bound: nothing beyond that
 *     < 1 %   > 20                        a bound
 *     higher   lower                      a direction: an effect without a size
 *
 * What is scored is a mean over seeds and its 95 % interval, or one seed's value: then 2 % stand in for the interval of
 * a gain [ours].
 */
#ifndef HOST_REPRODUCE_PAPER_CLAIM_H
#define HOST_REPRODUCE_PAPER_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

#include "memhelm/error.h"

enum claim_form {
    CLAIM_RANGE,  /**< low..high; a number has both equal */
    CLAIM_WITHIN, /**< at most `high` from 0 */
    CLAIM_BELOW,  /**< less than `high` */
    CLAIM_ABOVE   /**< more than `low` */
};

enum claim_unit {
    UNIT_PLAIN,
    UNIT_PERCENT, /**< values are fractions */
    UNIT_TIMES    /**< values are factors; of a gain, gains: 3.8x is 2.8 */
};

struct claim {
    enum claim_form form;
    enum claim_unit unit;
    double low, high;
    bool gain;      /**< it speaks of run / reference - 1 */
    bool direction; /**< `higher`, `lower`: CLAIM_ABOVE or CLAIM_BELOW 0 */
};

enum verdict {
    VERDICT_QUARTER, /**< or a bound or direction holds */
    VERDICT_SIGN,
    VERDICT_MISS,
    VERDICT_NONE, /**< noise: neither for the paper nor against it */
    VERDICT_NOT_RUN
};

/** Parses `text`; -1 and what is allowed in `err`. */
int claim_parse(struct claim *c, const char *text, bool gain, struct mh_error *err);

/**
 * `ours`: the mean over seeds; `half`: half the width of its 95 % interval, NaN of one seed.
 *
 * - A number that is an effect is none unless `ours` is beyond the interval. Then it agrees when its sign is the
 *   paper's, and within a quarter when it is no further from the paper's number (or range) than a quarter of that.
 * - A direction is none in the same way; else it holds or is missed.
 * - A bound holds when the whole interval keeps it, is missed when none of the interval does, else it is none.
 * - A level has no sign: it is within a quarter or not, by `ours` alone.
 *
 * Of one seed a gain, or its direction, within 2 % [ours] is none; all else goes by the value. NaN is not run.
 */
enum verdict claim_score(const struct claim *c, bool level, double ours, double half);

/** The value in the claim's unit; a plain number with three digits. */
void claim_format(const struct claim *c, double value, char *text, size_t size);

/** A mean with its interval: "+2.1 +- 0.4 %"; without a width as claim_format(). */
void claim_format_interval(const struct claim *c, double value, double half, char *text, size_t size);

/** Ours as a part of the paper's number (or of the middle of its range); NaN for bounds and for 0. */
double claim_ratio(const struct claim *c, double ours);

#endif
