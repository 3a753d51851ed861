/* The values of one axis, as people write them. */
#ifndef HOST_SWEEP_AXIS_H
#define HOST_SWEEP_AXIS_H

#include "base/words.h"
#include "memhelm/error.h"

enum { AXIS_VALUES = 10000 };

/**
 * Adds the values of `text`: parts between commas, each a value of its own or a range:
 *
 *     1..8       whole numbers, both ends included
 *     1..64*2    1, 2, 4, .. 64: each times the factor
 *     0..100+25  0, 25, .. 100: each plus the step; 0..1+0.25 has decimals as the step has
 *
 * -1 and `err`: what is wrong, and what is allowed.
 */
int axis_parse(struct words *values, const char *text, struct mh_error *err);

#endif
