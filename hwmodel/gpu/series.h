/*
 * A series over time (run.log_series): every so many GPU cycles what a few counters of each tenant have grown by, as
 * CCBP draws in figures 3, 4 and 12. It only looks: nothing is brought up to date for it, so a run with it is the run.
 */
#ifndef MEMHELM_GPU_SERIES_H
#define MEMHELM_GPU_SERIES_H

#include <stdint.h>

#include "memhelm/hwmodel.h"

struct mh_series {
    struct mh_observer obs;
    uint64_t every; /**< GPU cycles */
    uint64_t next;  /**< cycle of the next rows; UINT64_MAX: there are none */
    uint64_t last[MH_MAX_TENANTS][MH_SERIES_COLUMNS];
};

void mh_series_init(struct mh_series *s, const struct mh_config *cfg);

/** `obs` is copied. */
static inline void mh_series_observe(struct mh_series *s, const struct mh_observer *obs)
{
    s->obs = *obs;
}

/** A row for each tenant; `next` is this cycle. */
void mh_series_take(struct mh_gpu *g);

#endif
