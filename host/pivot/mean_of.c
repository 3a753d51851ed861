#include "mean_of.h"

#include <math.h>
#include <string.h>

#include "base/mean.h"

static const struct {
    const char *name, *words;
} kinds[] = {
    [MEAN_DEFAULT] = {"", "mean"},
    [MEAN_GEOMETRIC] = {"geometric", "geometric mean"},
    [MEAN_ARITHMETIC] = {"arithmetic", "arithmetic mean"},
    [MEAN_MEDIAN] = {"median", "median"},
    [MEAN_LEAST] = {"min", "least"},
    [MEAN_MOST] = {"max", "most"},
};

enum mean_kind mean_named(const char *name)
{
    for (unsigned k = MEAN_GEOMETRIC; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, name))
            return (enum mean_kind)k;
    return MEAN_DEFAULT;
}

const char *mean_words(enum mean_kind kind)
{
    return kinds[kind].words;
}

double mean_of(enum mean_kind kind, double *values, unsigned count)
{
    if (!count)
        return (double)NAN;
    switch (kind) {
    case MEAN_GEOMETRIC:
        return mean_least(values, count) > 0 ? mean_geometric(values, count, 0) : (double)NAN;
    case MEAN_MEDIAN:
        return mean_median(values, count);
    case MEAN_LEAST:
        return mean_least(values, count);
    case MEAN_MOST:
        return mean_most(values, count);
    default:
        return mean_arithmetic(values, count);
    }
}
