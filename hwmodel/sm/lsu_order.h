/*
 * sm.lsu_order per-kernel: tenants of an SM do not stop each other in the LSU.
 *
 * In order, a line that cannot be taken stops all that came later, whosever it is: a tenant whose sub-queue is full
 * would stop the others, and the sub-queues would be for show (ours; the paper does not describe the LSU).
 *
 * Each step takes one line, as in order: the first that can be taken of the lines that wait to be replayed, in their
 * order, and of the next lines of instructions, in the order of issue. A tenant of which one could not be taken,
 * whatever it lacked, is passed over from there on, until something has changed (mh_lsu_kick()): of one tenant nothing
 * overtakes anything. Trying costs no cycle. After a change all are tried again, the oldest first: so the one
 * that has waited longest gets what has become free.
 *
 * The LSU's places: while no more of them are free than there are tenants with warps on the SM and no instruction in
 * the LSU, only these may put one in. So a tenant that is stopped does not fill the LSU.
 */
#ifndef MEMHELM_SM_LSU_ORDER_H
#define MEMHELM_SM_LSU_ORDER_H

#include <stdint.h>

#include "memhelm/config.h"

struct mh_gpu;
struct mh_sm;

/** Whose instruction it is stands with its place: those that are passed over are not looked at. */
struct mh_lsu_place {
    uint16_t at;
    uint8_t tenant; /**< undefined while it is free */
};

struct mh_lsu_order {
    uint64_t closed;               /**< positions of warps whose memory instructions find no place in the LSU */
    uint32_t stopped;              /**< tenants that are passed over, bit each */
    uint32_t held[MH_MAX_TENANTS]; /**< instructions in the LSU */
    struct mh_lsu_place place[];   /**< [lsu_size] those of the instructions, in the order of issue, then free ones */
};

/** For per-kernel order. 0, or -1 when memory ran out. */
int mh_lsu_order_init(struct mh_sm *sm, const struct mh_config *cfg);

/* All of what follows is for SMs with lsu_apart. */

/** The newest of lsu_count instructions is the tenant's: all are tried in the next step. */
void mh_lsu_order_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant);

/** Updates which warps may add to the LSU, after a change of warps, positions or occupancy. */
void mh_lsu_order_close(struct mh_sm *sm);

/** A step of the LSU, which has something to do. */
void mh_lsu_order_step(struct mh_gpu *g, struct mh_sm *sm);

#endif
