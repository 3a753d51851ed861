/*
 * L1 data cache of an SM: write through, no write allocate, sectored, with MSHRs that merge, a miss queue (the SM's
 * port into the crossbar) and a store buffer. For the LSU alone.
 */
#ifndef MEMHELM_SM_L1D_H
#define MEMHELM_SM_L1D_H

#include <stdbool.h>
#include <stdint.h>

struct mh_gpu;
struct mh_pending;
struct mh_sm;

/** Takes a free entry for a line that has to wait; there must be one. */
uint32_t mh_pending_take(struct mh_sm *sm, const struct mh_pending *from);

/**
 * One line whose translation is known. `id`: the pending entry the line already has, or MH_NONE. False: it cannot be
 * taken now; the LSU stops until something has changed (mh_lsu_kick()).
 */
bool mh_l1d_access(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t id);

#endif
