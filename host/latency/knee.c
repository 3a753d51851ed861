#include "knee.h"

#include <math.h>

/* Gains are ratios of sums of ratios: what is equal on paper differs in the last bits. */
#define ROUNDING 1e-9

enum gain_verdict gain_judge(double gain, double noise)
{
    if (isnan(gain) || isnan(noise))
        return GAIN_UNKNOWN;
    if (gain > noise)
        return GAIN_REAL;
    return gain < -noise ? GAIN_LOSS : GAIN_NOISE;
}

double knee_kept(double gain, double full)
{
    return full > 0 ? gain / full : (double)NAN;
}

double knee_floor(double full)
{
    return KNEE_KEEPS * full;
}

double knee_floor_noise(double full, double noise)
{
    return fmin(knee_floor(full), full - noise);
}

int knee_find(const double *gains, unsigned count, double floor)
{
    unsigned kept = 0;
    while (kept < count && gains[kept] >= floor - ROUNDING)
        kept++;
    return kept < count && isnan(gains[kept]) ? -1 : (int)kept;
}
