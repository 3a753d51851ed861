#include "knee.h"

#include <math.h>

/* Gains are ratios of sums of ratios: what is equal on paper differs in the last bits. */
#define ROUNDING 1e-9

enum gain_verdict gain_judge(const struct interval *gain)
{
    if (isnan(gain->mean))
        return GAIN_UNKNOWN;
    if (gain->count < 2)
        return GAIN_ONE_SEED;
    if (!interval_is_effect(gain))
        return GAIN_NONE;
    return gain->mean > 0 ? GAIN_REAL : GAIN_LOSS;
}

enum keep keep_judge(const struct interval *gain, const struct interval *loss)
{
    if (isnan(loss->mean))
        return KEEP_UNKNOWN;
    bool small = loss->mean <= KNEE_LOSS * gain->mean + ROUNDING;
    if (!small && interval_is_effect(loss))
        return KEEP_LOST;
    if (loss->half >= gain->mean)
        return KEEP_UNCLEAR;
    return small ? KEEP_KEPT : KEEP_UNSHOWN;
}

bool loss_is_cost(const struct interval *loss)
{
    return loss->mean > 0 && interval_is_effect(loss);
}

static int count_to(const enum keep *points, unsigned count, enum keep worst)
{
    unsigned n = 0;
    while (n < count && points[n] != KEEP_UNKNOWN && points[n] <= worst)
        n++;
    return n < count && points[n] == KEEP_UNKNOWN ? -1 : (int)n;
}

struct knee knee_find(const enum keep *points, unsigned count)
{
    return (struct knee){count_to(points, count, KEEP_UNSHOWN), count_to(points, count, KEEP_KEPT)};
}
