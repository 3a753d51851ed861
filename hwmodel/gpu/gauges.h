/*
 * Gauges that count since the last SNAPSHOT: what MASK's counters, reset every epoch, tell (sec. 5.4, 7.4). A count of
 * what is outstanding is never reset, only its maximum, or walks that began before would be taken off twice.
 */
#ifndef MEMHELM_GPU_GAUGES_H
#define MEMHELM_GPU_GAUGES_H

#include "memhelm/hwmodel.h"

struct mh_gpu;

/** MASK's counters have 6 bits. */
enum { MH_GAUGE_MOST = 63 };

/** Completes out[], copies of the tenants' counts, as they read at this cycle. Changes nothing else. */
void mh_gauges_read(const struct mh_gpu *g, struct mh_counters *out);

/** A SNAPSHOT has latched them: maxima start anew from what there is. */
void mh_gauges_restart(struct mh_gpu *g);

#endif
