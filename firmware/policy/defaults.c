/*
 * No policy: every knob where hardware restricts nobody. First in every image's list, because a reset of the core
 * alone keeps the knobs of the image that ran before.
 */
#include "policy.h"

static enum policy_status defaults_init(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        gpu_set_knob(TOKENS, tenant, caps->warps);
        gpu_set_knob(CTA_LIMIT, tenant, caps->cta_slots);
        gpu_set_knob(CTA_THROTTLE, tenant, caps->cta_slots);
    }
    for (uint32_t word = 0; word < (caps->sms + 31) / 32; word++)
        gpu_throttle_sms(word, 0);
    return POLICY_OK;
}

const struct policy policy_defaults = {
    .name = "defaults",
    .init = defaults_init,
};
