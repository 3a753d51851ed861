#include "mean.h"

#include <math.h>
#include <stdlib.h>

double mean_arithmetic(const double *values, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

double mean_geometric(const double *values, unsigned count, double shift)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += log(values[i] + shift);
    return exp(sum / count) - shift;
}

double mean_least(const double *values, unsigned count)
{
    double v = count ? values[0] : (double)NAN;
    for (unsigned i = 1; i < count; i++)
        v = fmin(v, values[i]);
    return v;
}

double mean_most(const double *values, unsigned count)
{
    double v = count ? values[0] : (double)NAN;
    for (unsigned i = 1; i < count; i++)
        v = fmax(v, values[i]);
    return v;
}

static int by_value(const void *a, const void *b)
{
    double v = *(const double *)a, w = *(const double *)b;
    return (v > w) - (v < w);
}

/* Of sorted values: at `part` of the way from the first to the last. */
static double quantile(const double *sorted, unsigned count, double part)
{
    double place = part * (count - 1);
    unsigned below = (unsigned)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

double mean_median(double *values, unsigned count)
{
    if (!count)
        return (double)NAN;
    qsort(values, count, sizeof *values, by_value);
    return quantile(values, count, 0.5);
}

bool quartiles_of(double *values, unsigned count, struct quartiles *out)
{
    if (count < QUARTILES_LEAST)
        return false;
    qsort(values, count, sizeof *values, by_value);
    *out =
        (struct quartiles){quantile(values, count, 0.25), quantile(values, count, 0.5), quantile(values, count, 0.75)};
    return true;
}
