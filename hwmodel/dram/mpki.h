/*
 * Which tenant goes first at DRAM by its misses per thousand instructions (Jog et al., Anatomy of GPU Memory System for
 * Multi-Application Execution, MEMSYS 2015).
 *
 * A tenant's IPC is what it attains of the bandwidth, in reads, over the reads of an instruction: the next read is
 * worth the most instructions to the tenant with the fewest reads per instruction. That much is in the paper's
 * abstract: its model has performance follow from bandwidth and MPKI, and its schedulers decide by both. The rest is
 * ours: reads of data and page tables count as misses, per thread instruction, of the last MH_MPKI_CYCLES; before the
 * first such interval all tenants are equal. How a channel uses the order: priority.h.
 */
#ifndef MEMHELM_DRAM_MPKI_H
#define MEMHELM_DRAM_MPKI_H

#include <stdint.h>

#include "memhelm/config.h"

/** GPU cycles between two decisions (ours). */
enum { MH_MPKI_CYCLES = 10000 };

struct mh_mpki_counts {
    uint64_t reads[MH_MAX_TENANTS]; /**< lines read from DRAM, data and page tables: misses of the L2 */
    uint64_t instr[MH_MAX_TENANTS]; /**< thread instructions */
};

struct mh_mpki {
    struct mh_mpki_counts before; /**< at the decision before */
};

/**
 * priority[t] = how many tenants have fewer reads per instruction than t; equal ones are equal. A tenant that read
 * nothing is among the first; one that read and issued nothing, behind those that issued. Counts below 2^32 each.
 */
void mh_mpki_order(const struct mh_mpki_counts *counts, uint8_t priority[MH_MAX_TENANTS]);

/** As mh_mpki_order(), of what has been counted since the last call. */
void mh_mpki_interval(struct mh_mpki *m, const struct mh_mpki_counts *so_far, uint8_t priority[MH_MAX_TENANTS]);

#endif
