/* The decision of CTA throttling, the weaker alternative to ETC's throttling of SMs (sec. 4.3). */
#ifndef FIRMWARE_ETC_CTA_THROTTLE_H
#define FIRMWARE_ETC_CTA_THROTTLE_H

#include <stdint.h>

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

#endif
