/*
 * What a paper printed, and whether ours agrees. A claim is written as
 *
 *     +57.8 %   3.8x   12.4   2..3 x      a number or a range; an effect, or a level
 *     about 0 %                           nothing beyond noise, which is 2 % here [ours]
 *     within 0.8 %                        nothing beyond that
 *     < 1 %   > 20                        a bound
 *     higher   lower                      a direction without a size: > 0, < 0; of a gain, beyond that noise
 *
 * A bound or a direction is met or missed as a whole.
 */
#ifndef HOST_REPRODUCE_CLAIM_H
#define HOST_REPRODUCE_CLAIM_H

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
    bool gain; /**< it speaks of run / reference - 1 */
};

enum verdict { VERDICT_QUARTER, VERDICT_SIGN, VERDICT_MISS, VERDICT_NOT_RUN };

/** Parses `text`; -1 and what is allowed in `err`. */
int claim_parse(struct claim *c, const char *text, bool gain, struct mh_error *err);

/**
 * An effect agrees when its sign is the paper's (a gain within noise has none, unless the paper's is as small), and
 * within a quarter when it is no further from the paper's number
 * (or range) than a quarter of that. A level has no sign: it agrees within a quarter, or not. NaN is not run.
 */
enum verdict claim_score(const struct claim *c, bool level, double ours);

/** A gain in percent with its sign, none when it is 0.0. */
void claim_format_gain(double gain, char *text, size_t size);

/** The value in the claim's unit; a plain number with three digits. */
void claim_format(const struct claim *c, double value, char *text, size_t size);

/** Ours as a part of the paper's number (or of the middle of its range); NaN for bounds and for 0. */
double claim_ratio(const struct claim *c, double ours);

#endif
