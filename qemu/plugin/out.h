/*
 * Writes core.json: what was counted. Integers only, in a fixed order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   {"schema": "memhelm-core-1", "core": NAME, "instructions": N,
 *    "faulted": N, "executed": N, "extra": CYCLES,
 *    "traps": N, "resyncs": N, "unknown": N, "lost_spans": N,
 *    "stack_low": ADDRESS,
 *    "at": [[pc, count, taken, mmio, stack_low]..],
 *    "nodes": [[id, parent, function, calls, instructions, cycles, mmio]..],
 *    "spans": [{"kind": "source"|"hook", "id": N, "stack_low": ADDRESS,
 *               "samples": [[instructions, cycles, stalls]..],
 *               "worst": [[node, instructions, cycles]..]}..]}
 *
 * 'at' has the addresses that were executed, in their order; a stack_low of 0
 * is none. 'executed' is the machine's own count: instructions without those
 * whose access faulted. Code that the table does not list is 'unknown' and has
 * no address. Node 0 is the root, function -1.
 */
#ifndef MEMHELM_CORE_OUT_H
#define MEMHELM_CORE_OUT_H

#include "table.h"

struct mh_run_counts {
    uint64_t instructions, faulted, executed, extra;
    uint32_t stack_low; /* UINT32_MAX: none */
};

/* 0, or an errno. */
int mh_core_write(const char *path, const struct mh_table *t,
                  const struct mh_run_counts *run);

#endif
