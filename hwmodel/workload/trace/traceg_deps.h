/*
 * Which loads an instruction needs, by register numbers. A load's destination is outstanding from the load on; an
 * instruction that reads or overwrites it needs the load. Reads cover both registers of a 64-bit address (.E), all of
 * stored data, pairs of D.. operands and four of ..MMA; of other wide operands only the first. The copies of LDGSTS
 * have no register: LDGDEPBAR closes a group of them, DEPBAR N needs all groups but the newest N. What an atomic
 * returns counts as arrived with the load before it.
 */
#ifndef MEMHELM_WORKLOAD_TRACEG_DEPS_H
#define MEMHELM_WORKLOAD_TRACEG_DEPS_H

#include "workload/trace/trace_need.h"
#include "workload/trace/traceg_line.h"
#include "workload/trace/traceg_opcode.h"

enum { MH_TRACEG_GROUPS = 8 /**< asynchronous groups that are remembered, the newest */ };

/** Of one warp; all zeroes at its start. */
struct mh_traceg_deps {
    struct mh_trace_need need;                /**< of the op that comes next */
    uint64_t loaded_by[MH_TRACEG_ZERO];       /**< registers R0 to R254: number of the load that wrote it last */
    uint64_t last_of_group[MH_TRACEG_GROUPS]; /**< by number of the group: its last load */
    uint64_t groups;                          /**< closed by LDGDEPBAR */
    uint64_t open;                            /**< last asynchronous copy since then; 0 = none */
};

/** An instruction is issued, `ahead` instructions of the gap after the last op: what does it need? */
void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes,
                   uint32_t ahead);

/** A global load or atomic was issued: its destinations are outstanding. */
void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes);

#endif
