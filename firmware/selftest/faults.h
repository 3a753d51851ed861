/*
 * For images of faults, each of which is a switch: `--param fault.store=1`.
 */
#ifndef FIRMWARE_SELFTEST_FAULTS_H
#define FIRMWARE_SELFTEST_FAULTS_H

#include <stdbool.h>

#include "../platform/mcu.h"
#include "../policy/param.h"
#include "../policy/policy.h"

POLICY_OWNS(CTA_LIMIT);

/** A function that goes wrong. It is not inlined, so that a report names it. */
#define FAULT static void __attribute__((noinline, noclone))

static uint32_t fault_epochs;

/**
 * Called once per epoch: is it time to go wrong? In the first epoch and in each later one; or, once, in the third,
 * unless the mcu has been reset, and with a knob of each tenant changed but not committed. What is half written must
 * not come into force.
 */
static inline bool fault_due(const struct gpu_caps *caps, bool once)
{
    if (!once)
        return true;
    if (++fault_epochs != 3 || mcu_resets() != 0)
        return false;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(CTA_LIMIT, tenant, 1);
    return true;
}

#endif
