/* How the workloads behind a mean differ: a mean that one of them makes is no effect. */
#ifndef HOST_REPRODUCE_SPREAD_H
#define HOST_REPRODUCE_SPREAD_H

#include "base/mean.h"
#include "series.h"

/** Of a column of a grid. */
struct spread {
    struct quartiles quartiles; /**< of the workloads' own means over the seeds */
    unsigned moves_most;        /**< the workload without which the mean is the furthest from what it is */
    double without;             /**< the mean without it */
};

/** False when fewer than QUARTILES_LEAST workloads have a value. */
bool spread_of(const struct series *s, enum aggregate over, struct spread *out);

#endif
