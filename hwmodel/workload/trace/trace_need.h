/*
 * Which loads an op needs, and from which instruction of its gap on: found while a trace is read, said in struct mh_op.
 * Loads of a warp are numbered from 1, in the order in which they issue.
 *
 * An op says one point: the first use of the newest load that it and its gap need. What an older load holds up before
 * that point is left out; it was issued earlier, and the point comes after its uses. More than MH_WAIT_MAX - 1 newer
 * loads count as so many: an op may wait for too much, never for too little.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_NEED_H
#define MEMHELM_WORKLOAD_TRACE_NEED_H

#include "workload/workload.h"

/** Of one warp; all zeroes at its start. */
struct mh_trace_need {
    uint64_t issued;  /**< loads so far */
    uint64_t arrived; /**< loads 1..arrived were waited for */
    uint64_t load;    /**< newest that the next op needs; 0 = none */
    uint32_t ahead;   /**< instructions of its gap before the first use of that load */
};

/** An instruction needs load number `load` (0: none); `ahead` instructions of the gap come before it. */
static inline void mh_need_load(struct mh_trace_need *n, uint64_t load, uint32_t ahead)
{
    if (load <= n->arrived || load <= n->load)
        return;
    n->load = load;
    n->ahead = ahead;
}

/** The op, whose gap is known, issues: sets its `wait` and `ahead`. */
static inline void mh_need_take(struct mh_trace_need *n, struct mh_op *op)
{
    uint64_t newer = n->issued - n->load;

    op->wait = 0;
    op->ahead = 0;
    if (!n->load)
        return;
    newer = newer < MH_WAIT_MAX ? newer : MH_WAIT_MAX - 1;
    op->wait = (uint8_t)(newer + 1);
    op->ahead = (uint16_t)(n->ahead < op->gap ? n->ahead : op->gap);
    if (n->ahead > UINT16_MAX)
        op->ahead = UINT16_MAX;
    n->arrived = n->issued - newer;
    n->load = 0;
}

#endif
