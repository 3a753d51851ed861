/*
 * A policy for kernels that share SMs is a plan: which window to measure next, with which CTAs and rates. The policy's
 * file defines the functions corun_plan_*(), owns LAUNCH_EVENTS, TIMER_2_CTRL and its knobs, and has the three hooks
 * below. An image has one such policy: two do not link.
 */
#ifndef FIRMWARE_CORUN_PLAN_H
#define FIRMWARE_CORUN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../ccbp/ccbp_detect.h"
#include "../policy.h"

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

/** Each kernel has its part of the SMs (corun_split.h), and no CTAs on others. */
bool corun_plan_split(void);

#endif
