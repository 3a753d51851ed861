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

#endif
