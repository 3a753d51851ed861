/*
 * What the policies of ETC (Li et al., ASPLOS 2019) share: which tenants are oversubscribed, and what their class
 * calls for. Each of the two is told by one policy of an image, before those that ask: etc_memory or etc_share,
 * which clears all; etc_classify or some of etc_always_*.
 */
#ifndef FIRMWARE_ETC_H
#define FIRMWARE_ETC_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "../policy.h"

/** Techniques, bits. */
enum etc_technique {
    ETC_PE = 1, /**< proactive eviction */
    ETC_MT = 2, /**< memory-aware throttling */
    ETC_CC = 4, /**< capacity compression */
};

/** Of each tenant, since the end of the last epoch. */
struct etc_state {
    bool oversubscribed[GPU_MAX_TENANTS]; /**< it has more than memory holds for it */
    uint8_t techniques[GPU_MAX_TENANTS];  /**< what its class calls for then; 0: not known yet */
};
extern struct etc_state etc;

/** At file scope: this policy tells MEMORY or CLASS. An image with two that do does not link. */
#define ETC_TELLS(what)                                                                                                \
    extern const char etc_tells_##what;                                                                                \
    const char etc_tells_##what = 1

static inline bool etc_wants(uint32_t tenant, enum etc_technique technique)
{
    return etc.oversubscribed[tenant] && (etc.techniques[tenant] & technique);
}

/** Units of the tenants' buffers at the last SNAPSHOT, of those that are there; returns their sum. */
uint32_t etc_allocated(uint32_t tenants, uint32_t allocated[]);

/* Hooks of ETC's policies, which helm_paging calls. */

enum policy_status etc_share_init(const struct gpu_caps *caps);
void etc_share_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_classify_init(const struct gpu_caps *caps);
void etc_classify_on_epoch(const struct gpu_caps *caps);
void etc_classify_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

enum policy_status etc_pe_init(const struct gpu_caps *caps);
void etc_pe_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_cc_init(const struct gpu_caps *caps);
void etc_cc_on_epoch(const struct gpu_caps *caps);

enum policy_status etc_throttle_begin(const struct gpu_caps *caps);
void etc_throttle_on_epoch(const struct gpu_caps *caps);
void etc_throttle_on_event(const struct gpu_caps *caps, const struct gpu_event *event);
void etc_throttle_on_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault);
void etc_throttle_on_timer(const struct gpu_caps *caps);

/*
 * The decision of ETC's application classification (sec. 4.1): by the lines that a warp's memory instruction touches.
 * Regular applications coalesce, irregular ones do not.
 *
 * The paper classifies the application on each SM by that SM's counter. Here an application has one class, from the
 * sum over its SMs (ours): compression and eviction, which the class controls, are not per SM.
 */

struct etc_classify_config {
    uint32_t lines; /**< a mean of more lines than this is irregular (sec. 6.3: 10) */
    uint32_t least; /**< memory instructions of warps in a sample, at least 1 */
};

enum etc_class { ETC_UNKNOWN, ETC_REGULAR, ETC_IRREGULAR };

/** Low words of cumulative counters of one tenant: an epoch has less than 2^32. */
struct etc_classify_counters {
    uint32_t lines;
    uint32_t instructions; /**< of warps, to global memory */
};

/** What the decision remembers of one tenant. All zero before the first epoch. */
struct etc_classify_state {
    struct etc_classify_counters last; /**< at the beginning of the sample */
    enum etc_class class;              /**< of the first sample; held */
    uint32_t late_changes;             /**< later samples that gave the other class */
};

/**
 * At the end of an epoch: the class of the tenant. A sample ends with the first epoch at whose end it has enough
 * instructions. The first one decides and is held: a second launch that coalesces does not change what the first one
 * has in memory.
 */
enum etc_class etc_classify_decide(const struct etc_classify_config *config, struct etc_classify_state *state,
                                   const struct etc_classify_counters *now);

/** What a class calls for (sec. 4.5), bits of enum etc_technique. `shares`: its kernels share data. */
uint32_t etc_classify_techniques(enum etc_class class, bool shares);

/* The decision of etc_share: how GPU memory is divided. */

/**
 * Shares of `capacity` units for `tenants` tenants, 1..GPU_MAX_TENANTS, that have allocated so many. If all of that
 * fits everybody gets what it has allocated. Else `spare` units, at most capacity, are kept back, and the rest is
 * divided max-min fair: who has allocated no more than an equal part of what the others leave gets just that, the
 * others equal parts of the rest; of units that are left over each of the first gets one. Who has allocated nothing
 * gets nothing.
 */
void etc_share_decide(uint32_t capacity, uint32_t spare, uint32_t tenants, const uint32_t allocated[],
                      uint32_t share[]);

/* The decision of CTA throttling, the weaker alternative to ETC's throttling of SMs (sec. 4.3). */

/** What a detection epoch found. */
enum etc_detected {
    ETC_NO_FAULT,
    ETC_FAULT,            /**< nothing was evicted */
    ETC_FAULT_AND_EVICTED /**< since the epoch began */
};

/**
 * CTAs of a tenant that are active on an SM from now on, 1..slots, when it was `active`: one more without a fault, one
 * less if there was an eviction, too.
 */
uint32_t etc_cta_throttle_decide(uint32_t slots, uint32_t active, enum etc_detected detected);

/*
 * The epochs of ETC's throttling (sec. 4.3, figure 7): a detection epoch, which ends with a page fault or when its time
 * is over, an adjustment, an execution epoch, and again. All but etc_epochs_begin() is pure: the policy that calls it
 * hears of the faults.
 *
 * Tenants share one timer: all begin a detection epoch together, each ends its own with its own first fault, and the
 * execution epoch begins when all have, or with the time-out (ours; with one tenant it is the paper's).
 */

enum etc_phase {
    ETC_IDLE, /**< no tenant is throttled */
    ETC_DETECTION,
    ETC_EXECUTION,
};

struct etc_epochs {
    enum etc_phase phase;
    uint32_t tenants; /**< bit t: tenant t takes part */
    uint32_t watched; /**< bit t: no fault of tenant t yet in this detection epoch */
};

/** These tenants take part, bits. True: the phase has changed; a detection epoch begins, or no tenant is left. */
bool etc_epochs_join(struct etc_epochs *epochs, uint32_t tenants);

/**
 * The time of the phase is over; the next one begins, but after ETC_IDLE, which has no time: an expiry that is heard of
 * late means nothing. Returns the tenants for which a detection epoch ended without a fault, bits.
 */
uint32_t etc_epochs_expire(struct etc_epochs *epochs);

/** A fault of a tenant was raised. True: it ends the tenant's detection epoch. The execution epoch may have begun. */
bool etc_epochs_fault(struct etc_epochs *epochs, uint32_t tenant);

/** The phase begins: the policies' timer and the latch of evictions follow it. The policy that calls it owns
 * TIMER_CTRL. */
void etc_epochs_begin(const struct etc_epochs *epochs, uint32_t tenants);

/*
 * Which SMs ETC throttles, in which order, and whose they are (sec. 4.3). Masks have a bit per SM: s % 32 of word
 * s / 32.
 */

/** All zero: none is throttled. */
struct etc_sms {
    uint32_t throttled[GPU_SM_WORDS];
    uint8_t sm[GPU_MAX_SMS], tenant[GPU_MAX_SMS]; /**< those that are, and for whom; the last one last */
    uint32_t count;
};

/**
 * Half of the tenant's `holders`, rounded up, are active from now on. Too many are: those with the highest numbers are
 * throttled (ours). Too few: those throttled last are released.
 */
void etc_sms_halve(struct etc_sms *sms, uint32_t tenant, const uint32_t holders[GPU_SM_WORDS]);

/**
 * Throttles `degree` SMs: `sm`, and those in `holders` that follow it, round (ours). One of the tenant's `holders`
 * stays active. Nothing if `sm` is none of them, or is throttled already (ours).
 */
void etc_sms_throttle(struct etc_sms *sms, uint32_t tenant, uint32_t sm, uint32_t degree,
                      const uint32_t holders[GPU_SM_WORDS]);

/** Releases up to `degree` SMs that are throttled for the tenant, the last one first. */
void etc_sms_release(struct etc_sms *sms, uint32_t tenant, uint32_t degree);

/** Which SMs a tenant may have: those with its root, and those that tenants share. */
struct etc_owners {
    uint32_t own[GPU_MAX_TENANTS][GPU_SM_WORDS];
    bool known;
};

/** Reads the root of every SM: only after tenants have come or gone. The only tenant has them all. */
void etc_find_owners(const struct gpu_caps *caps, struct etc_owners *owners);

/** The tenant's SMs that hold CTAs now. */
void etc_holders(const struct gpu_caps *caps, const struct etc_owners *owners, uint32_t tenant,
                 uint32_t holders[GPU_SM_WORDS]);

/** Writes what differs from `shadow`. The policy that calls it owns SM_THROTTLE_0. */
void etc_show_throttled(const struct gpu_caps *caps, const struct etc_sms *sms, uint32_t shadow[GPU_SM_WORDS]);

#endif
