/*
 * helm_memory: while tenants share DRAM and there are few data for a walk, MASK's DRAM queues; and MASK's tokens, while
 * no walk waits for a walker. On the half of study helm that it was designed on, tokens gain where none waits, and cost
 * where walks do: BLK+HS on preset dws, harmonic speedup over seeds 1-3, mask +32 % and mask-dram alone +47 %.
 */
#include <string.h>

#include "../mask/mask.h"
#include "../param.h"
#include "helm.h"

POLICY_PARAM(helm_data, 32, 4, 65535, "reads: DRAM reads of data for a walk up to which walks go first there (ours)");

POLICY_USES(DRAM_QUEUES);
POLICY_USES(TOKENS);

struct helm_signals helm_signals;

static bool helm_memory_queues, helm_memory_tokens; /* in force */

static void helm_memory_set_queues(const struct gpu_caps *caps, bool on)
{
    if (on && helm_memory_queues)
        mask_dram_on_epoch(caps);
    else if (on)
        (void)mask_dram_init(caps);
    else if (helm_memory_queues)
        gpu_set_knob(DRAM_QUEUES, 0, 0);
    helm_memory_queues = on;
}

static void helm_memory_set_tokens(const struct gpu_caps *caps, bool on)
{
    if (on && !helm_memory_tokens)
        (void)mask_tokens_init(caps);
    if (on)
        mask_tokens_on_epoch(caps);
    else if (helm_memory_tokens)
        for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
            gpu_set_knob(TOKENS, tenant, caps->warps);
    helm_memory_tokens = on;
}

static enum policy_status helm_memory_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(&helm_signals, 0, sizeof helm_signals);
    helm_memory_queues = helm_memory_tokens = false;
    return POLICY_OK;
}

/* Of the last SNAPSHOT. Returns whether walks matter to what waits at DRAM. */
static bool helm_memory_look(const struct gpu_caps *caps)
{
    static struct helm_counters now[GPU_MAX_TENANTS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        now[tenant] = (struct helm_counters){
            .walks = gpu_count(tenant, MH_COUNTER_WALKS),
            .area = gpu_count(tenant, MH_COUNTER_WALKS_AREA),
            .data = gpu_count(tenant, MH_COUNTER_DRAM_READ),
        };
    helm_signals_update(&helm_signals, caps->tenants, caps->walkers, helm_data, gpu_snap_cycle_low(), now);
    return helm_signals.few_data && !helm_alone();
}

/* Tokens follow at the end of the epoch. */
void helm_memory_first(const struct gpu_caps *caps)
{
    gpu_snapshot_window();
    helm_memory_set_queues(caps, helm_memory_look(caps) && helm_has(caps, MH_FEATURE_DRAM_QUEUES));
}

static void helm_memory_on_epoch(const struct gpu_caps *caps)
{
    bool matters = helm_memory_look(caps);

    helm_memory_set_queues(caps, matters && helm_has(caps, MH_FEATURE_DRAM_QUEUES));
    helm_memory_set_tokens(caps, matters && !helm_signals.waiting && helm_has(caps, MH_FEATURE_TOKENS));
}

static void helm_memory_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (helm_memory_queues)
        mask_dram_on_event(caps, event);
    if (helm_memory_tokens)
        mask_tokens_on_event(caps, event);
}

const struct policy policy_helm_memory = {
    .name = "helm_memory",
    .init = helm_memory_init,
    .on_epoch = helm_memory_on_epoch,
    .on_event = helm_memory_on_event,
};
