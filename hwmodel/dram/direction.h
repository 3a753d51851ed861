/*
 * Reads or writes: which of them a channel serves. Private to dram/.
 *
 * Writes go while no read waits, or in a drain from write_high waiting ones down to write_low. A drain lets golden
 * requests go first; silver waits for it, else a stream of silver would keep the writes until the queue is full.
 *
 * dram.opened_first: before the bus turns, each row that was opened for the old direction serves the request that
 * opened it. Else the next request closes it, and it is opened twice. Meanwhile row commands are the new direction's.
 * Ramulator has such requests in a queue of their own that goes first (src/Controller.h, actq), as Ramulator 2 has
 * (m_active_buffer). Where queues are apart or tenants ranked (tiers.h) the bus turns at once.
 */
#ifndef MEMHELM_DRAM_DIRECTION_H
#define MEMHELM_DRAM_DIRECTION_H

#include "dram/channel.h"

/** Serves reads (0) or writes (1) from now on or, if rows are owed a request, as soon as these are served. */
void mh_direction_set(struct mh_dram *d, uint32_t writing);

/** Chooses after the numbers of waiting requests, or rows that are owed one, have changed. */
static inline void mh_direction_choose(struct mh_dram *d)
{
    uint32_t writes = d->waiting[1];

    d->draining = (d->draining || writes >= d->write_high) && writes > d->write_low;
    uint32_t writing = writes && (d->draining ? !d->golden : !d->waiting[0]);

    if (__builtin_expect((writing != d->writing) | d->turning, 0))
        mh_direction_set(d, writing);
}

/** The bank's candidate while the direction is turning. */
void mh_direction_candidate(struct mh_dram *d, uint32_t bank);

/** True if an open row owes the present direction a request: for checks. */
bool mh_direction_owes(const struct mh_dram *d);

#endif
