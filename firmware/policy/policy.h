/*
 * The interface of a policy. One policy is one file with one `const struct policy policy_<name>`; an image lists it,
 * and only what is listed is linked.
 *
 * Keep two things apart in that file:
 *   - the decision: a pure function from counters and caller-owned state to knobs. No register, no clock; it is what
 *     the unit test drives.
 *   - the glue below: reads the counters, calls the decision for each tenant, sets the knobs that change.
 *
 * Static functions carry the policy's name too (mask_tokens_on_epoch): profiles, backtraces and breakpoints show it.
 *
 * All functions run to completion, one at a time. No allocation after init, no floating point.
 */
#ifndef FIRMWARE_POLICY_H
#define FIRMWARE_POLICY_H

#include "../platform/gpu.h"

/** The interval timers that policies may use; timer 0 makes epochs. */
#define FW_TIMER   1
#define FW_TIMER_2 2

/** Stands for timer 2 in POLICY_OWNS: the offset of its TIMER_CTRL. */
#define MH_REG_TIMER_2_CTRL (MH_REG_TIMER_CTRL + FW_TIMER_2 * MH_REG_TIMER_CTRL_STRIDE)

/**
 * Says, at file scope and above its use, that this policy sets knob NAME: `POLICY_OWNS(TOKENS);`. An image with two
 * policies that own one knob does not link. Any register may be owned: a policy that takes from the queue of
 * arrivals owns it, and one that uses a policy timer owns TIMER_CTRL (timer 1) or TIMER_2_CTRL.
 * The symbol is there for the linker to find it twice; nothing refers to it, so it takes no room.
 */
#define POLICY_OWNS(NAME)                                                                                              \
    extern const char policy_owns_##NAME;                                                                              \
    const char policy_owns_##NAME = MH_REG_##NAME != 0

/** Refuses to compile in a policy that does not own the knob. */
#define POLICY_MUST_OWN(NAME) (void)sizeof(policy_owns_##NAME)

/** Says that this file sets knob NAME for the policy that calls it, which owns NAME. */
#define POLICY_USES(NAME) extern const char policy_owns_##NAME

/**
 * Sets the shadow of a knob of this policy's own: gpu_set_knob(TOKENS, tenant, value). It takes effect at the COMMIT
 * that follows all policies.
 */
#define gpu_set_knob(NAME, copy, value) (POLICY_MUST_OWN(NAME), reg_write(GPU_KNOB(NAME, copy), (value)))

/** Sets a word of the shadow mask of throttled SMs, bit s % 32 of word s / 32; SM_THROTTLE_0 stands for the mask. */
#define gpu_throttle_sms(word, sms)                                                                                    \
    (POLICY_MUST_OWN(SM_THROTTLE_0), reg_write(MH_REG_SM_THROTTLE_0 + 4 * (word), (sms)))

/**
 * Sets the shadow of SM_CTA_LIMIT: CTAs of the tenant that may be resident on SM `sm`, 0..CAP_CTA_SLOTS, with
 * CTA_LIMIT. SM_CTA_LIMIT_0 stands for the limits of all tenants.
 */
#define gpu_limit_sm_ctas(tenant, sm, ctas)                                                                            \
    (POLICY_MUST_OWN(SM_CTA_LIMIT_0),                                                                                  \
     reg_write(MH_REG_SM_CTA_LIMIT_0 + MH_TENANT_SM_STRIDE * (tenant) + MH_REG_SM_CTA_LIMIT_0_STRIDE * (sm), (ctas)))

/**
 * The policies' timer: on_timer is called when `cycles` GPU cycles have passed, 100..0x7fffffff, and not for an
 * interval that was set before. One policy of an image has it, for all tenants.
 */
#define gpu_set_timer(cycles)                                                                                          \
    (POLICY_MUST_OWN(TIMER_CTRL), (void)gpu_timer_start(FW_TIMER, (cycles), GPU_TIMER_ONE_SHOT))

/** Stops it. */
#define gpu_stop_timer() (POLICY_MUST_OWN(TIMER_CTRL), gpu_timer_stop(FW_TIMER))

/** gpu_set_timer() for the second timer, whose hook is on_timer_2: another policy of the image may have it. */
#define gpu_set_timer_2(cycles)                                                                                        \
    (POLICY_MUST_OWN(TIMER_2_CTRL), (void)gpu_timer_start(FW_TIMER_2, (cycles), GPU_TIMER_ONE_SHOT))
#define gpu_stop_timer_2() (POLICY_MUST_OWN(TIMER_2_CTRL), gpu_timer_stop(FW_TIMER_2))

/** Status of init. */
enum policy_status {
    POLICY_OK = 0,
    POLICY_UNSUPPORTED = -1, /**< the GPU lacks what the policy steers: the image refuses to run */
};

/** Operations of a policy; any but `name` may be NULL. `caps` outlives every call. */
struct policy {
    const char *name;

    /**
     * Called once at boot, before the first interrupt. Must set all of the policy's state (an image may be started
     * again without a reset of memory) and may set knobs: one COMMIT follows when all policies are initialised.
     */
    enum policy_status (*init)(const struct gpu_caps *caps);

    /**
     * Called at the end of each epoch, in the order of the image's list. The counters are latched: gpu_counter() of
     * all policies reads the same cycle. Knobs set with gpu_set_knob() are applied by one COMMIT after the last policy.
     * Gauges that restart (WALKS_PEAK, STALLED_PEAK, WARPS_ACTIVE, MEM_PEAK) have the maximum since the epoch before:
     * SNAPSHOTs of other hooks do not restart them.
     */
    void (*on_epoch)(const struct gpu_caps *caps);

    /**
     * Called at the end of each walk epoch (knob WALK_EPOCH), before anything else that is pending: the next one may be
     * a few thousand GPU cycles away. No SNAPSHOT is taken; one COMMIT follows the last policy.
     */
    void (*on_walk_epoch)(const struct gpu_caps *caps);

    /**
     * Called when a walk arrival was queued; must empty the FIFO, because the interrupt comes with the next arrival
     * only. No SNAPSHOT and no COMMIT: it writes commands, not knobs.
     */
    void (*on_arrival)(const struct gpu_caps *caps);

    /** Called for each event of a tenant (MH_EVENT_TENANT_*); one COMMIT follows when an event was handled. */
    void (*on_event)(const struct gpu_caps *caps, const struct gpu_event *event);

    /**
     * Called for each page fault that knob FAULT_EVENTS asks for; one COMMIT follows when all that were queued have
     * been handled. No SNAPSHOT is taken.
     */
    void (*on_page_fault)(const struct gpu_caps *caps, const struct gpu_page_fault *fault);

    /**
     * Called when the policies' timer has expired (gpu_set_timer). No SNAPSHOT is taken; one COMMIT follows. A policy
     * that reads counters takes its own with gpu_snapshot_window(), and divides by differences of gpu_snap_cycle(): the
     * hook comes later than the expiry, by as much as the mcu was busy.
     */
    void (*on_timer)(const struct gpu_caps *caps);

    /** on_timer for the second timer (gpu_set_timer_2). */
    void (*on_timer_2)(const struct gpu_caps *caps);
};

#endif
