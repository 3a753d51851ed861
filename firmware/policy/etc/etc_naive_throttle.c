/*
 * The naive throttling that ETC is compared with (figures 13 and 14, NT): half of the SMs that hold CTAs, for ever, for
 * those tenants whose class calls for throttling.
 *
 * It is half of those that hold some now (ours): when the active ones have none left, half of the others have their
 * turn. Else a launch whose last CTAs are on throttled SMs would never end.
 */
#include <string.h>

#include "etc.h"
#include "../policy.h"

POLICY_OWNS(SM_THROTTLE_0);

static struct {
    struct etc_sms sms;
    struct etc_owners owners;
    uint32_t shadow[GPU_SM_WORDS];
    uint32_t tenants; /* bit t: tenant t is throttled */
} etc_naive_throttle_state;

static enum policy_status etc_naive_throttle_init(const struct gpu_caps *caps)
{
    memset(&etc_naive_throttle_state, 0, sizeof etc_naive_throttle_state);
    return caps->features & MH_FEATURE_SM_THROTTLE ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void etc_naive_throttle_release(uint32_t tenant)
{
    etc_sms_release(&etc_naive_throttle_state.sms, tenant, GPU_MAX_SMS);
    etc_naive_throttle_state.tenants &= ~(1u << tenant);
}

static void etc_naive_throttle_halve(const struct gpu_caps *caps, uint32_t tenant)
{
    uint32_t holders[GPU_SM_WORDS];

    etc_find_owners(caps, &etc_naive_throttle_state.owners);
    etc_holders(caps, &etc_naive_throttle_state.owners, tenant, holders);
    etc_sms_halve(&etc_naive_throttle_state.sms, tenant, holders);
    etc_naive_throttle_state.tenants |= 1u << tenant;
}

static void etc_naive_throttle_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (etc_wants(tenant, ETC_MT))
            etc_naive_throttle_halve(caps, tenant);
        else if (etc_naive_throttle_state.tenants >> tenant & 1)
            etc_naive_throttle_release(tenant);
    etc_show_throttled(caps, &etc_naive_throttle_state.sms, etc_naive_throttle_state.shadow);
}

static void etc_naive_throttle_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    etc_naive_throttle_state.owners.known = false;
    if (event->kind != MH_EVENT_TENANT_LEFT || event->tenant >= caps->tenants)
        return;
    etc_naive_throttle_release(event->tenant);
    etc_show_throttled(caps, &etc_naive_throttle_state.sms, etc_naive_throttle_state.shadow);
}

const struct policy policy_etc_naive_throttle = {
    .name = "etc_naive_throttle",
    .init = etc_naive_throttle_init,
    .on_epoch = etc_naive_throttle_on_epoch,
    .on_event = etc_naive_throttle_on_event,
};
