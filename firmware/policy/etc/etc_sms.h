/*
 * Which SMs ETC throttles, in which order, and whose they are (sec. 4.3). Masks have a bit per SM: s % 32 of word
 * s / 32.
 */
#ifndef FIRMWARE_ETC_SMS_H
#define FIRMWARE_ETC_SMS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"

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
