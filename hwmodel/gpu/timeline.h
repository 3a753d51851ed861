/*
 * Samples for a timeline (run.log_timeline): every so many GPU cycles all counters of all tenants as a SNAPSHOT would
 * read them, and how full the DRAM channels' queues are. It only looks: a run with it is the run.
 */
#ifndef MEMHELM_GPU_TIMELINE_H
#define MEMHELM_GPU_TIMELINE_H

#include <stdint.h>

#include "memhelm/hwmodel.h"

struct mh_timeline {
    struct mh_observer obs;
    uint64_t every; /**< GPU cycles */
    uint64_t next;  /**< cycle of the next sample; UINT64_MAX: there is none */
    struct mh_counters count[MH_MAX_TENANTS];
};

void mh_timeline_init(struct mh_timeline *t, const struct mh_config *cfg);

/** `obs` is copied. */
static inline void mh_timeline_observe(struct mh_timeline *t, const struct mh_observer *obs)
{
    t->obs = *obs;
}

/** A sample; `next` is this cycle. */
void mh_timeline_take(struct mh_gpu *g);

#endif
