/*
 * Makes a policy out of the decision of MASK's tokens. The policy's file defines MASK_TOKENS_POLICY, its name, and
 * MASK_TOKENS_INITIAL and MASK_TOKENS_STEP, a mask_tokens_config, and includes this.
 */
#include <string.h>

#include "mask_tokens_decide.h"
#include "policy.h"
#include "policy_name.h"

#define MASK_TOKENS(what) POLICY_NAME(MASK_TOKENS_POLICY, what)

POLICY_OWNS(TOKENS);

static const struct mask_tokens_config MASK_TOKENS(_config) = {MASK_TOKENS_INITIAL, MASK_TOKENS_STEP};
static struct mask_tokens_state MASK_TOKENS(_states)[GPU_MAX_TENANTS];

static enum policy_status MASK_TOKENS(_init)(const struct gpu_caps *caps)
{
    memset(MASK_TOKENS(_states), 0, sizeof MASK_TOKENS(_states));
    return caps->features & MH_FEATURE_TOKENS ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void MASK_TOKENS(_on_epoch)(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct mask_tokens_counters now;
        uint32_t before = MASK_TOKENS(_states)[tenant].tokens;
        uint32_t warps = gpu_count(tenant, MH_COUNTER_WARPS_PEAK);

        now.accesses = gpu_count(tenant, MH_COUNTER_L2TLB_ACCESS);
        now.hits = gpu_count(tenant, MH_COUNTER_L2TLB_HIT);
        now.hits += gpu_count(tenant, MH_COUNTER_BYPASS_HIT);
        /* "The total number of all warps in each core" (sec. 5.2): those that the tenant's CTAs really put there. */
        if (mask_tokens_decide(&MASK_TOKENS(_config), &MASK_TOKENS(_states)[tenant], warps, &now) != before)
            gpu_set_knob(TOKENS, tenant, MASK_TOKENS(_states)[tenant].tokens);
    }
}

/* Nothing restricts its first epoch: what is left of this one (ours). */
static void MASK_TOKENS(_on_event)(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED || event->tenant >= caps->tenants)
        return;
    mask_tokens_restart(&MASK_TOKENS(_states)[event->tenant]);
    gpu_set_knob(TOKENS, event->tenant, caps->warps);
}

const struct policy POLICY_NAME(policy_, MASK_TOKENS_POLICY) = {
    .name = POLICY_TEXT(MASK_TOKENS_POLICY),
    .init = MASK_TOKENS(_init),
    .on_epoch = MASK_TOKENS(_on_epoch),
    .on_event = MASK_TOKENS(_on_event),
};
