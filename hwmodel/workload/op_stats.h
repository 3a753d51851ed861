/*
 * What one warp instruction costs the memory system: active lanes, and how many sectors, lines and pages they touch.
 * Used by tests and by whatever describes a trace; the model's coalescer does its own counting.
 */
#ifndef MEMHELM_WORKLOAD_OP_STATS_H
#define MEMHELM_WORKLOAD_OP_STATS_H

#include "memhelm/trace.h"
#include "workload/workload.h"

/** Distinct blocks touched by one op; all 0 for barriers and exits. */
struct mh_op_footprint {
    uint32_t lanes;
    uint32_t sectors; /**< 32 bytes */
    uint32_t lines;   /**< MH_LINE_BYTES */
    uint32_t pages;   /**< 4 KiB */
};

static inline bool mh_op_is_memory(const struct mh_op *op)
{
    return op->kind <= MH_OP_ATOMIC;
}

/** Address of an active lane. `addr` is what next() filled in. */
static inline uint64_t mh_op_address(const struct mh_op *op, const uint64_t *addr, unsigned lane)
{
    if (op->list)
        return addr[lane];
    if (op->row)
        return op->base + (uint64_t)op->stride * (lane % op->row) + (uint64_t)op->pitch * (lane / op->row);
    return op->base + (uint64_t)op->stride * lane;
}

void mh_op_footprint(const struct mh_op *op, const uint64_t *addr, struct mh_op_footprint *f);

/** Adds one op; a barrier or exit counts in `gap` only. */
void mh_op_sums_add(struct mh_op_sums *s, const struct mh_op *op, const uint64_t *addr);

/*
 * Which buffers the kernels of a workload use, from their streams. A program's kernel is a function; a workload may
 * launch it often. ETC's compiler marks kernels "that contain the same pointer as shared" (ASPLOS 2019, sec. 4.1).
 */
/**
 * Do launches of two kernels use one buffer? Looks at the first, the middle and the last CTA of each kernel's first
 * launch, at no more than a million ops of it (ours). Launches of one name are one kernel. 1: yes, 0: no, -1: out of
 * memory.
 */
int mh_workload_shares(const struct mh_workload *w, uint32_t lanes);

#endif
