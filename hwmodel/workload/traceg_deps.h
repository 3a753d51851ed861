/*
 * Which instruction waits for loads, by register numbers. A load's destination is outstanding from the load on; the
 * first instruction that reads or overwrites one makes the next op wait, for all loads: struct mh_op has one bit. The
 * copies of LDGSTS have no register; DEPBAR waits for their groups.
 */
#ifndef MEMHELM_WORKLOAD_TRACEG_DEPS_H
#define MEMHELM_WORKLOAD_TRACEG_DEPS_H

#include "workload/traceg_line.h"
#include "workload/traceg_opcode.h"

/** Of one warp; all zeroes at its start. */
struct mh_traceg_deps {
    uint64_t outstanding[4]; /**< registers R0 to R254 */
    bool wait;               /**< the op that comes next has to wait */
    uint32_t open, groups;   /**< asynchronous copies since the last LDGDEPBAR; groups that it closed */
};

/** An instruction is issued: does it need loaded data? */
void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes);

/** Whether the op that is issued now waits; asking answers for it. */
bool mh_traceg_wait(struct mh_traceg_deps *d);

/** A global load or atomic was issued: its destinations are outstanding. */
void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes);

#endif
