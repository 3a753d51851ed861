/*
 * Proactive eviction of ETC (sec. 4.2): units leave while a fault is handled, not when the fault finds memory full. The
 * hardware looks at what is free (EVICT_FREE); here it is decided for whom, and how much at a time.
 */
#include <string.h>

#include "../param.h"
#include "../policy.h"
#include "etc.h"

POLICY_PARAM(pe_bytes, 0x200000, 0x10000, 0x1000000, "bytes: evicted at a time (ETC table 1: the most; ours)");

POLICY_OWNS(EVICT_AHEAD);

enum { ETC_PE_MOST = 32 /* of EVICT_AHEAD */ };

static uint8_t etc_pe_shadow[GPU_MAX_TENANTS];
static uint32_t etc_pe_units; /* that leave at a time, 1..32 */

/* A division takes 37 mcu cycles: once, not in each epoch. */
static uint32_t etc_pe_units_of(uint32_t unit)
{
    uint32_t units = unit > 0 ? pe_bytes / unit : 0;

    return units < 1 ? 1 : units > ETC_PE_MOST ? ETC_PE_MOST : units;
}

/* EVICT_AHEAD is 0 at reset. */
enum policy_status etc_pe_init(const struct gpu_caps *caps)
{
    etc_pe_units = etc_pe_units_of(caps->uvm_unit);
    memset(etc_pe_shadow, 0, sizeof etc_pe_shadow);
    return POLICY_OK;
}

void etc_pe_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t units = etc_wants(tenant, ETC_PE) ? etc_pe_units : 0;

        if (units == etc_pe_shadow[tenant])
            continue;
        etc_pe_shadow[tenant] = (uint8_t)units;
        gpu_set_knob(EVICT_AHEAD, tenant, units);
    }
}

const struct policy policy_etc_pe = {
    .name = "etc_pe",
    .init = etc_pe_init,
    .on_epoch = etc_pe_on_epoch,
};
