/*
 * CTA throttling (ETC, sec. 4.3): a fraction of the CTAs on each SM, not of the SMs. The paper tried it and "found that
 * TB throttling introduces an overly long adjustment period". As ETC's throttling otherwise: half of the places first,
 * then one at a time, by the same epochs. An SM may have fewer CTAs than places; then the first steps change nothing.
 */
#include "etc.h"

#include <string.h>

#include "../policy.h"

POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(TIMER_CTRL);
POLICY_OWNS(FAULT_EVENTS);

uint32_t etc_cta_throttle_decide(uint32_t slots, uint32_t active, enum etc_detected detected)
{
    switch (detected) {
    case ETC_NO_FAULT:
        return active < slots ? active + 1 : slots;
    case ETC_FAULT_AND_EVICTED:
        return active > 1 ? active - 1 : 1;
    default:
        return active;
    }
}

static struct {
    struct etc_epochs epochs;
    uint32_t active[GPU_MAX_TENANTS]; /* CTA_THROTTLE */
} etc_cta_throttle_state;

static enum policy_status etc_cta_throttle_init(const struct gpu_caps *caps)
{
    memset(&etc_cta_throttle_state, 0, sizeof etc_cta_throttle_state);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        etc_cta_throttle_state.active[tenant] = caps->cta_slots;
    return caps->features & MH_FEATURE_CTA_THROTTLE ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void etc_cta_throttle_set(uint32_t tenant, uint32_t active)
{
    if (active == etc_cta_throttle_state.active[tenant])
        return;
    etc_cta_throttle_state.active[tenant] = active;
    gpu_set_knob(CTA_THROTTLE, tenant, active);
}

static void etc_cta_throttle_begin(const struct gpu_caps *caps)
{
    etc_epochs_begin(&etc_cta_throttle_state.epochs, caps->tenants);
    gpu_set_knob(FAULT_EVENTS, 0, etc_cta_throttle_state.epochs.phase == ETC_DETECTION ? MH_FAULT_RAISED : 0);
}

/* `tenants`, bits, shall be throttled, and no others. */
static void etc_cta_throttle_join(const struct gpu_caps *caps, uint32_t tenants)
{
    uint32_t changed = tenants ^ etc_cta_throttle_state.epochs.tenants;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (changed >> tenant & 1)
            etc_cta_throttle_set(tenant, tenants >> tenant & 1 ? (caps->cta_slots + 1) / 2 : caps->cta_slots);
    if (etc_epochs_join(&etc_cta_throttle_state.epochs, tenants))
        etc_cta_throttle_begin(caps);
}

static void etc_cta_throttle_on_epoch(const struct gpu_caps *caps)
{
    uint32_t tenants = 0;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        tenants |= (uint32_t)etc_wants(tenant, ETC_MT) << tenant;
    if (tenants != etc_cta_throttle_state.epochs.tenants)
        etc_cta_throttle_join(caps, tenants);
}

static void etc_cta_throttle_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_LEFT && event->tenant < caps->tenants)
        etc_cta_throttle_join(caps, etc_cta_throttle_state.epochs.tenants & ~(1u << event->tenant));
}

static void etc_cta_throttle_detected(const struct gpu_caps *caps, uint32_t tenant, enum etc_detected detected)
{
    etc_cta_throttle_set(tenant,
                         etc_cta_throttle_decide(caps->cta_slots, etc_cta_throttle_state.active[tenant], detected));
}

static void etc_cta_throttle_on_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (fault->come || fault->tenant >= caps->tenants ||
        !etc_epochs_fault(&etc_cta_throttle_state.epochs, fault->tenant))
        return;
    etc_cta_throttle_detected(caps, fault->tenant, fault->evicted ? ETC_FAULT_AND_EVICTED : ETC_FAULT);
    if (etc_cta_throttle_state.epochs.phase == ETC_EXECUTION)
        etc_cta_throttle_begin(caps);
}

static void etc_cta_throttle_on_timer(const struct gpu_caps *caps)
{
    uint32_t quiet = etc_epochs_expire(&etc_cta_throttle_state.epochs);

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (quiet >> tenant & 1)
            etc_cta_throttle_detected(caps, tenant, ETC_NO_FAULT);
    etc_cta_throttle_begin(caps);
}

const struct policy policy_etc_cta_throttle = {
    .name = "etc_cta_throttle",
    .init = etc_cta_throttle_init,
    .on_epoch = etc_cta_throttle_on_epoch,
    .on_event = etc_cta_throttle_on_event,
    .on_page_fault = etc_cta_throttle_on_page_fault,
    .on_timer = etc_cta_throttle_on_timer,
};
