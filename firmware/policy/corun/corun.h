/* Policies for kernels that share SMs: how SMs are divided, what a policy defines, what kernels do in a window. */
#ifndef FIRMWARE_CORUN_H
#define FIRMWARE_CORUN_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "../ccbp/ccbp.h"
#include "../policy.h"

/* SMs divided among kernels, as evenly as can be. */

/** Each kernel has an SM, whichever tenants are present. */
static inline bool corun_splits(uint32_t sms, uint32_t tenants)
{
    return tenants <= sms;
}

/** SM `sm` is kernel `k`'s, sm * count / sms: the first kernels have the first SMs. `count`: of kernels. */
static inline bool corun_owns(uint32_t k, uint32_t sm, uint32_t sms, uint32_t count)
{
    return sm * count - k * sms < sms; /* modulo 2^32 */
}

/*
 * A policy for kernels that share SMs is a plan: which window to measure next, with which CTAs and rates. The policy's
 * file defines the functions corun_plan_*(), owns LAUNCH_EVENTS, TIMER_2_CTRL and its knobs, and has the three hooks
 * below. An image has one such policy: two do not link.
 */

enum corun_does {
    CORUN_WINDOW, /**< measures */
    CORUN_WORK,   /**< decides, in parts */
    CORUN_REST,   /**< nothing, until kernels come, go or change */
};

/** Of a window, GPU cycles. */
struct corun_length {
    uint32_t skip, measure;
};

/** Hooks of the policy. */
enum policy_status corun_init(const struct gpu_caps *caps);
void corun_on_event(const struct gpu_caps *caps, const struct gpu_event *event);
void corun_on_timer_2(const struct gpu_caps *caps);

/** At boot: sets all of the plan's state. False: this GPU lacks what the policy steers. */
bool corun_plan_configure(const struct gpu_caps *caps);

/** Kernels have come or gone. `ctas`, [count]: what a CTA of each takes. */
void corun_plan_begin(uint32_t count, const struct ccbp_sm *ctas);

/** The kernels are the same; what a CTA takes has changed. */
void corun_plan_begin_again(const struct ccbp_sm *ctas);

enum corun_does corun_plan_does(void);

/** The plan may begin again now, for launches whose CTAs take something else. */
bool corun_plan_renewable(void);

/** Length of the next window. */
struct corun_length corun_plan_length(void);

/** The plan asks for kernel `k`'s window. */
bool corun_plan_asks(uint32_t k);

/** Kernel `k`'s window, and its warp instructions there. */
void corun_plan_learn(uint32_t k, const struct ccbp_window *window, uint32_t instructions);

/** All windows were learnt. `tenants`, [count]: the tenant of each kernel. */
void corun_plan_next(const uint8_t *tenants);

/** A part of the work. True: it is done, and so is what corun_plan_next() does. */
bool corun_plan_work(void);

/** Sets the kernel's knobs; returns its CTAs on each SM. */
uint32_t corun_plan_set(uint32_t k, uint32_t tenant);

/** SMs with knobs of their own that are to be set now: 0, or all. */
uint32_t corun_plan_sms(void);

/** Sets an SM's knobs of the kernel. */
void corun_plan_set_sm(uint32_t k, uint32_t tenant, uint32_t sm);

/** Each kernel has its part of the SMs, and no CTAs on others. */
bool corun_plan_split(void);

/*
 * Kernels that share SMs, as policies of co-runs see them: which are there, what their CTAs take, what they did in a
 * window. A kernel is a tenant; kernels are numbered in the order of tenants, those that are not there left out.
 */

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
    bool split; /**< the limits are those of SMs that are the kernel's, of others it has none */
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
