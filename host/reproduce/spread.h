/* How the workloads behind a mean differ: a mean that one of them makes is no effect. */
#ifndef HOST_REPRODUCE_SPREAD_H
#define HOST_REPRODUCE_SPREAD_H

#include "series.h"

enum { SPREAD_LEAST = 3 /**< fewer workloads have no quartiles */ };

struct quartiles {
    double first, median, third; /**< between two values they are interpolated */
};

/** Of `count` values, which are sorted; false, and nothing set, when there are fewer than SPREAD_LEAST. */
bool quartiles_of(double *values, unsigned count, struct quartiles *out);

/** Of a column of a grid. */
struct spread {
    struct quartiles quartiles; /**< of the workloads' own means over the seeds */
    unsigned moves_most;        /**< the workload without which the mean is the furthest from what it is */
    double without;             /**< the mean without it */
};

/** False when fewer than SPREAD_LEAST workloads have a value. */
bool spread_of(const struct series *s, enum aggregate over, struct spread *out);

#endif
