/*
 * Why warps do not issue (sm.stall_reasons; CCBP fig. 11d): STALL_RAW_LONG, STALL_LSU_FULL, STALL_OTHER.
 *
 * In each cycle a resident warp issues (an instruction takes sm.issue_cycles) or is stalled. The reason is what its
 * next instruction, or its end, waits for when the cycle's events have run:
 *
 *   RAW_LONG  data, a load slot or, its end, all loads; and a line of one of the loads that it waits for has missed
 *             the L1D, or has merged with one that has
 *   LSU_FULL  nothing of its own, but it is a memory instruction and the LSU holds sm.lsu_queue of them
 *   OTHER     loads of which every line has hit, waits for its translation or has not been looked up; a barrier; a
 *             throttle, whatever else it waits for; nothing: another warp was chosen, or the LSU takes one of another
 *             port in this cycle
 *
 * Nothing is done in each cycle, and nothing at instructions between two waits. The first two are added when a warp's
 * reason changes; cycles of a full LSU are the growth of one sum that all warps of a tenant read. OTHER is what is left
 * of the cycles in which warps were there (mh_stalls_read()). In preset `ccbp` that is 1 to 12 % of the
 * model's instructions.
 *
 * For issue and LSU alone. But for mh_stalls_init() nothing here may be called without sm->count_stalls.
 */
#ifndef MEMHELM_SM_STALLS_H
#define MEMHELM_SM_STALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/sm.h"

/** 0, or -1 when memory ran out. Nothing is allocated without sm.stall_reasons. */
int mh_stalls_init(struct mh_sm *sm, const struct mh_config *cfg);

/** A warp starts in the slot, or leaves it. */
void mh_stalls_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot);
void mh_stalls_leave(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot);

/** What the warp waits for has changed, or may have. If it issues now, its port knows until when. */
void mh_stalls_update(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot);

/** An issue event has ended: updates those that have issued, and looks whether the LSU has room. */
void mh_stalls_issued(struct mh_gpu *g, struct mh_sm *sm);

/** The port's burst has been cut. */
void mh_stalls_cut(struct mh_sm *sm, uint32_t port);

/** A line of the load has missed the L1D. */
void mh_stalls_missed(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use);

/** All of the load has come. */
void mh_stalls_loaded(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot, uint32_t load);

/** Whose memory instructions find room in the LSU has changed, or may have. */
void mh_stalls_lsu(struct mh_gpu *g, struct mh_sm *sm);

/** Adds what has passed up to this cycle: before throttles change, and before counters are read. */
void mh_stalls_settle(struct mh_gpu *g, struct mh_sm *sm);

/** Completes STALL_OTHER in out[], in which all else is complete. After mh_stalls_settle(). */
void mh_stalls_read(const struct mh_gpu *g, struct mh_counters *out);

#endif
