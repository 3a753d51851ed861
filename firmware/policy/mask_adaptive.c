/* MASK whose parts are switched off while they do not help (mask_adaptive.h). Each part decides as it does in MASK. */
#define MASK_TOKENS_POLICY  mask_adaptive_tokens
#define MASK_TOKENS_INITIAL 80
#define MASK_TOKENS_STEP    10
#define MASK_CACHE_POLICY   mask_adaptive_cache
#define MASK_DRAM_POLICY    mask_adaptive_dram
#include "mask_adaptive.h"
#include "mask_cache_policy.h"
#include "mask_dram_mean.h"
#include "mask_tokens_policy.h"

static struct mask_adaptive_state mask_adaptive_state;
static uint32_t mask_adaptive_in_force;

static bool mask_adaptive_has(uint32_t parts, enum mask_adaptive_part part)
{
    return parts >> part & 1;
}

/* Turns of the silver queue are for fairness between tenants. Alone a tenant has all of them, and smaller queues. */
static uint32_t mask_adaptive_for(uint32_t tenants)
{
    return tenants > 1 ? MASK_ADAPTIVE_ALL : MASK_ADAPTIVE_ALL & ~(1u << MASK_ADAPTIVE_DRAM);
}

/* Tokens of fewer warps than the tenant has; 0 before its first decision. */
static bool mask_adaptive_restricts(uint32_t tenant)
{
    const struct mask_tokens_state *s = &mask_adaptive_tokens_states[tenant];

    return s->tokens > 0 && s->tokens < s->warps;
}

static uint32_t mask_adaptive_useful(const struct gpu_caps *caps)
{
    uint32_t useful = mask_adaptive_for(caps->tenants) & 1u << MASK_ADAPTIVE_DRAM;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (mask_adaptive_restricts(tenant))
            useful |= 1u << MASK_ADAPTIVE_TOKENS;
    return mask_adaptive_cache_state.mask ? useful | 1u << MASK_ADAPTIVE_CACHE : useful;
}

/* Over what the parts have set. Tokens that are in force still were set when they changed. */
static void mask_adaptive_set(const struct gpu_caps *caps, uint32_t parts)
{
    bool tokens = mask_adaptive_has(parts, MASK_ADAPTIVE_TOKENS);

    if (tokens != mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_TOKENS))
        for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
            uint32_t held = mask_adaptive_tokens_states[tenant].tokens;

            gpu_set_knob(TOKENS, tenant, tokens && held ? held : caps->warps);
        }
    if (!mask_adaptive_has(parts, MASK_ADAPTIVE_CACHE))
        gpu_set_knob(L2_BYPASS, 0, 0);
    else if (!mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_CACHE))
        gpu_set_knob(L2_BYPASS, 0, mask_adaptive_cache_state.mask);
    if ((parts ^ mask_adaptive_in_force) >> MASK_ADAPTIVE_DRAM & 1)
        gpu_set_knob(DRAM_QUEUES, 0, mask_adaptive_has(parts, MASK_ADAPTIVE_DRAM));
    mask_adaptive_in_force = parts;
}

static enum policy_status mask_adaptive_init(const struct gpu_caps *caps)
{
    memset(&mask_adaptive_state, 0, sizeof mask_adaptive_state);
    mask_adaptive_restart(&mask_adaptive_state, mask_adaptive_for(caps->tenants));
    mask_adaptive_in_force = MASK_ADAPTIVE_ALL;
    if (mask_adaptive_tokens_init(caps) || mask_adaptive_cache_init(caps) || mask_adaptive_dram_init(caps))
        return POLICY_UNSUPPORTED;
    mask_adaptive_set(caps, mask_adaptive_for(caps->tenants));
    return POLICY_OK;
}

/* Tokens learn from epochs in which they hold. Hit rates and walks are those of the GPU, whatever is in force. */
static void mask_adaptive_on_epoch(const struct gpu_caps *caps)
{
    uint32_t instructions[GPU_MAX_TENANTS];

    if (mask_adaptive_has(mask_adaptive_in_force, MASK_ADAPTIVE_TOKENS))
        mask_adaptive_tokens_on_epoch(caps);
    mask_adaptive_cache_on_epoch(caps);
    mask_adaptive_dram_on_epoch(caps);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        instructions[tenant] = gpu_count(tenant, MH_COUNTER_WARP_INSTR);
    mask_adaptive_set(caps, mask_adaptive_decide(&mask_adaptive_state, caps->tenants, gpu_snap_cycle_low(),
                                                 instructions, mask_adaptive_useful(caps)));
}

/* What was measured beside other tenants says nothing of these. */
static void mask_adaptive_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED && event->kind != MH_EVENT_TENANT_LEFT)
        return;
    mask_adaptive_tokens_on_event(caps, event);
    mask_adaptive_dram_on_event(caps, event);
    mask_adaptive_restart(&mask_adaptive_state, mask_adaptive_for(caps->tenants));
    mask_adaptive_set(caps, mask_adaptive_for(caps->tenants));
}

const struct policy policy_mask_adaptive = {
    .name = "mask_adaptive",
    .init = mask_adaptive_init,
    .on_epoch = mask_adaptive_on_epoch,
    .on_event = mask_adaptive_on_event,
};
