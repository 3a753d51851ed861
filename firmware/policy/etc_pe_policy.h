/*
 * Proactive eviction of ETC (sec. 4.2): units leave while a fault is handled, not when the fault finds memory full. The
 * hardware looks at what is free (EVICT_FREE); here it is decided for whom, and how much at a time. The policy's file
 * defines ETC_PE_POLICY, its name, and ETC_PE_BYTES, and includes this.
 */
#include <string.h>

#include "etc.h"
#include "policy.h"
#include "policy_name.h"

#define ETC_PE_NAME(what) POLICY_NAME(ETC_PE_POLICY, what)

POLICY_OWNS(EVICT_AHEAD);

enum { ETC_PE_MOST = 32 /* of EVICT_AHEAD */ };

static uint8_t ETC_PE_NAME(_shadow)[GPU_MAX_TENANTS];
static uint32_t ETC_PE_NAME(_units); /* that leave at a time, 1..32 */

/* A division takes 37 mcu cycles: once, not in each epoch. */
static uint32_t ETC_PE_NAME(_units_of)(uint32_t unit)
{
    uint32_t units = unit > 0 ? ETC_PE_BYTES / unit : 0;

    return units < 1 ? 1 : units > ETC_PE_MOST ? ETC_PE_MOST : units;
}

/* EVICT_AHEAD is 0 at reset. */
static enum policy_status ETC_PE_NAME(_init)(const struct gpu_caps *caps)
{
    ETC_PE_NAME(_units) = ETC_PE_NAME(_units_of)(caps->uvm_unit);
    memset(ETC_PE_NAME(_shadow), 0, sizeof ETC_PE_NAME(_shadow));
    return POLICY_OK;
}

static void ETC_PE_NAME(_on_epoch)(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t units = etc_wants(tenant, ETC_PE) ? ETC_PE_NAME(_units) : 0;

        if (units == ETC_PE_NAME(_shadow)[tenant])
            continue;
        ETC_PE_NAME(_shadow)[tenant] = (uint8_t)units;
        gpu_set_knob(EVICT_AHEAD, tenant, units);
    }
}

const struct policy POLICY_NAME(policy_, ETC_PE_POLICY) = {
    .name = POLICY_TEXT(ETC_PE_POLICY),
    .init = ETC_PE_NAME(_init),
    .on_epoch = ETC_PE_NAME(_on_epoch),
};
