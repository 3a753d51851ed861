/*
 * What the register table promises, computed from a configuration and not by the code under test.
 */
#ifndef MEMHELM_QTEST_EXPECTED_H
#define MEMHELM_QTEST_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/registers.h"

enum access { RO, RW, KNOB, SNAP, CMD, W1C, POP };

/** One register of the window, one of its copies. Offsets in bytes; `mask` has the bits that it has. */
struct reg {
    const char *name;
    uint32_t offset, mask, reset, min, max;
    enum access access;
};

/** All of them, `reg_count` of them filled by expected_build(). */
extern struct reg regs[];
extern unsigned reg_count;

/** What the capability registers must read. */
extern struct caps {
    uint32_t sms, tenants, warps, lanes, cta_slots, sm_registers, sm_shared, walkers, levels, l2tlb_entries,
        bypass_entries, channels, l1d_ways, dram_banks;
    uint32_t features, epoch, gpu_khz, mcu_khz, walk_queue, walk_queues, present, sm_root[MH_STEERED_SMS];
    uint32_t cta_limit[MH_STEERED_SMS]; /* 0: no tenant of these runs has one at reset */
    uint32_t alone_ipc[MH_STEERED_SMS]; /* 0: not measured */
    uint32_t uvm, uvm_unit;             /* 0: pages are all there in these runs */
    uint32_t rate_interval, issue_patience, reply_bytes, line_bytes, noc_peak, dram_peak;
} caps;

/** Fills `caps` and `regs` from a resolved configuration. */
void expected_build(const struct mh_config *cfg);

#endif
