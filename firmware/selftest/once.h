/*
 * For images that go wrong once: in the third epoch, unless the mcu has been reset, and with a knob of each tenant
 * changed but not committed. Whatever comes, it must not come into force.
 */
#ifndef FIRMWARE_SELFTEST_ONCE_H
#define FIRMWARE_SELFTEST_ONCE_H

#include <stdbool.h>

#include "../platform/mcu.h"
#include "../policy/policy.h"

POLICY_OWNS(CTA_LIMIT);

static uint32_t once_epochs;

static enum policy_status once_init(const struct gpu_caps *caps)
{
    (void)caps;
    once_epochs = 0;
    return POLICY_OK;
}

/** Called once per epoch: is it time to go wrong? */
static inline bool once(const struct gpu_caps *caps)
{
    if (++once_epochs != 3 || mcu_resets() != 0)
        return false;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(CTA_LIMIT, tenant, 1);
    return true;
}

#endif
