/* Statistics of a whole workload, generated or recorded: every op of every warp is looked at. */
#ifndef MEMHELM_WORKLOAD_TRACE_STATS_H
#define MEMHELM_WORKLOAD_TRACE_STATS_H

#include "workload/op_stats.h"

/** Of one static memory instruction. */
struct mh_pc_stats {
    uint32_t pc;
    uint8_t kind, bytes; /**< of its first op */
    struct mh_op_sums sums;
};

struct mh_workload_stats {
    uint64_t ctas, warps;
    uint64_t kinds[MH_OP_EXIT]; /**< ops by enum mh_op_kind: loads, stores, atomics, barriers */
    struct mh_op_sums sums;     /**< all memory ops; `gap` includes that before barriers and ends */
    uint64_t last_gap;          /**< the part of sums.gap between a warp's last op and its end */
    uint64_t waits;             /**< ops, ends included, that wait for loads */
    uint64_t lines, pages;      /**< distinct ones touched: MH_LINE_BYTES, 4 KiB */
    struct mh_pc_stats *pcs;    /**< memory instructions, by pc */
    uint32_t pc_count;
};

/** Zeroed by the callee. -1 and `err` when memory is short. Release with mh_workload_stats_free(), also then. */
int mh_workload_stats(const struct mh_workload *w, uint32_t lanes, struct mh_workload_stats *s, struct mh_error *err);
void mh_workload_stats_free(struct mh_workload_stats *s);

#endif
