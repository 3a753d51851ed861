/*
 * L1 data cache of an SM: write through, no write allocate, sectored, with MSHRs that merge, a miss queue (the SM's
 * port into the crossbar) and a store buffer. For the LSU alone.
 */
#ifndef MEMHELM_SM_L1D_H
#define MEMHELM_SM_L1D_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/sm.h"

/** A free entry, and place, for a line that has to wait; there must be one. */
static inline uint32_t mh_pending_take(struct mh_sm *sm)
{
    uint32_t id = sm->free_pending;

    sm->free_pending = sm->pending[id].next;
    sm->places--;
    return id;
}

/** The entry that is given back is the next one to be taken; until then only its `next` has changed. */
static inline void mh_pending_give(struct mh_sm *sm, uint32_t id)
{
    sm->pending[id].next = sm->free_pending;
    sm->free_pending = id;
    sm->places++;
}

/**
 * One physical line. False: it cannot be taken now, nothing has changed, and the LSU stops until something has
 * (mh_lsu_kick()).
 */
bool mh_l1d_access(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use);

/** A line of a load will not come, as its tenant has left: the load goes on as if it had. */
void mh_l1d_give_up(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use);

#endif
