/*
 * Kernels that share SMs, as policies of co-runs see them: which are there, what their CTAs take, what they did in a
 * window. A kernel is a tenant; kernels are numbered in the order of tenants, those that are not there left out.
 */
#ifndef FIRMWARE_CORUN_H
#define FIRMWARE_CORUN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "corun_plan.h"

/** SMs that corun_drained() looks at in a call: a read for four tenants, and its stall. */
enum { CORUN_SMS_AT_ONCE = 8 };

/** SMs whose limits are set in a tick: some 40 mcu cycles each on ibex, and the GPU may have 128. */
enum { CORUN_SMS_SET_AT_ONCE = 32 };

/** Counters of a kernel at a SNAPSHOT. */
struct corun_counts {
    uint32_t instructions, requests, reads, dram, demand;
};

struct corun {
    uint32_t count;
    uint8_t tenant[GPU_MAX_TENANTS];             /**< [count] */
    uint32_t cycle;                              /**< of the last SNAPSHOT */
    uint32_t cycles;                             /**< of the last window */
    struct corun_counts before[GPU_MAX_TENANTS]; /**< [count] at the last SNAPSHOT */
    struct corun_counts window[GPU_MAX_TENANTS]; /**< [count] differences of the last two */
    uint32_t drained;                            /**< SMs that obey the limits */
    bool split; /**< the limits are those of SMs that are the kernel's, of others it has none (corun_split.h) */
};

/** Capacities of an SM, from CAP registers. */
void corun_read_sm(const struct gpu_caps *caps, struct ccbp_sm *sm);

/** What a CTA of the tenant takes: whole warps. */
void corun_read_cta(const struct gpu_caps *caps, uint32_t tenant, struct ccbp_sm *cta);

/** How many tenants are there: bits of MH_REG_TENANTS. */
static inline uint32_t corun_count(const struct gpu_caps *caps, uint32_t there)
{
    uint32_t count = 0;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        count += there >> tenant & 1;
    return count;
}

/** Finds the kernels that are there. `ctas`, [8]: what one CTA of each takes; true: not what they held before. */
bool corun_find(struct corun *corun, const struct gpu_caps *caps, struct ccbp_sm *ctas);

/** SNAPSHOT; the counts since the one before are the window. */
void corun_snapshot(struct corun *corun);

/** The window of kernel `k` for CCBP's detection. */
struct ccbp_window corun_window(const struct corun *corun, uint32_t k);

/** Limits have changed: corun_drained() looks at all SMs again. */
static inline void corun_drain(struct corun *corun, bool split)
{
    corun->split = split;
    corun->drained = 0;
}

/** No SM holds more CTAs of a kernel than `limits`, [count]. Looks at some SMs in a call, first at the lowest. */
bool corun_drained(struct corun *corun, const struct gpu_caps *caps, const uint8_t *limits);

#endif
