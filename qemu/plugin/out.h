/*
 * Writes core.json: what was counted. Integers only, in a fixed order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   {"schema": "memhelm-core-2", "core": NAME, "instructions": N,
 *    "faulted": N, "executed": N, "extra": CYCLES,
 *    "traps": N, "resyncs": N, "unknown": N, "lost_spans": N,
 *    "stack_low": ADDRESS, "mix": MIX,
 *    "at": [[pc, count, taken, mmio, stack_low]..],
 *    "nodes": [[id, parent, function, calls, instructions, cycles, mmio]..],
 *    "spans": [{"kind": "source"|"hook", "id": N, "stack_low": ADDRESS,
 *               "samples": [[instructions, cycles, stalls]..],
 *               "worst": [[node, instructions, cycles]..],
 *               "mix": MIX, "worst_mix": MIX}..]}
 *
 * MIX: {"classes": [instructions..], "taken": BRANCHES, "mmio": ACCESSES,
 *       "traps": N}
 * 'classes' are those of the table's lines k, and last those outside of its
 * functions; they add up to all instructions. 'taken' are branches, not jumps. When
 * a trap comes between a branch and its target, the branch is taken, and its
 * cycles are spent, when the trap has returned.
 *
 * 'at' has the addresses that were executed, in their order; a stack_low of 0
 * is none. 'executed' is the machine's own count: instructions without those
 * whose access faulted. 'unknown' were executed outside of the table's
 * functions: their cycles are those of their encoding, as of all. Node 0 is the
 * root, function -1.
 */
#ifndef MEMHELM_OUT_H
#define MEMHELM_OUT_H

#include "spans.h"

struct mh_run_counts {
    uint64_t instructions, faulted, executed, extra;
    uint32_t stack_low; /* UINT32_MAX: none */
    const struct mh_mix *mix;
};

/* 0, or an errno. */
int mh_out_write(const char *path, const struct mh_table *t,
                 const struct mh_run_counts *run);

#endif
