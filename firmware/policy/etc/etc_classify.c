/* The application classification of ETC (etc.h). */
#include "etc.h"

#include <string.h>

#include "../param.h"
#include "../policy.h"

POLICY_PARAM(classify_lines, 10, 1, 32, "lines of an instruction: a mean above it is irregular (ETC sec. 6.3)");
/*
 * The paper samples 50 000 cycles (sec. 6.3), one epoch here, and names no minimum: the first epoch with a memory
 * instruction decides. ATAX of 16 MB issues 40 in it.
 */
POLICY_PARAM(classify_least, 1, 1, 1000000, "memory instructions: fewest in the sample that decides (ours)");

static enum etc_class class_of(const struct etc_classify_config *config, uint32_t lines, uint32_t instructions)
{
    return lines > (uint64_t)config->lines * instructions ? ETC_IRREGULAR : ETC_REGULAR;
}

enum etc_class etc_classify_decide(const struct etc_classify_config *config, struct etc_classify_state *state,
                                   const struct etc_classify_counters *now)
{
    uint32_t instructions = now->instructions - state->last.instructions;
    enum etc_class class;

    if (instructions < config->least)
        return state->class;
    class = class_of(config, now->lines - state->last.lines, instructions);
    state->last = *now;
    if (state->class == ETC_UNKNOWN)
        state->class = class;
    state->late_changes += class != state->class;
    return state->class;
}

uint32_t etc_classify_techniques(enum etc_class class, bool shares)
{
    switch (class) {
    case ETC_REGULAR:
        return shares ? ETC_PE | ETC_CC : ETC_PE;
    case ETC_IRREGULAR:
        return ETC_MT | ETC_CC;
    default:
        return 0;
    }
}

/* ---- on the GPU */

ETC_TELLS(CLASS);

static struct etc_classify_config etc_classify_config;
static struct etc_classify_state etc_classify_states[GPU_MAX_TENANTS];

enum policy_status etc_classify_init(const struct gpu_caps *caps)
{
    (void)caps;
    etc_classify_config = (struct etc_classify_config){classify_lines, classify_least};
    memset(etc_classify_states, 0, sizeof etc_classify_states);
    return POLICY_OK;
}

void etc_classify_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct etc_classify_counters now;
        enum etc_class class;

        now.lines = gpu_count(tenant, MH_COUNTER_MEM_LINES);
        now.instructions = gpu_count(tenant, MH_COUNTER_MEM_INSTR);
        class = etc_classify_decide(&etc_classify_config, &etc_classify_states[tenant], &now);
        etc.techniques[tenant] = (uint8_t)etc_classify_techniques(class, gpu_count(tenant, MH_COUNTER_UVM_SHARED) != 0);
    }
}

/* Another one than was there before: its class is not known. */
void etc_classify_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED || event->tenant >= caps->tenants)
        return;
    etc_classify_states[event->tenant].class = ETC_UNKNOWN;
    etc.techniques[event->tenant] = 0;
}

const struct policy policy_etc_classify = {
    .name = "etc_classify",
    .init = etc_classify_init,
    .on_epoch = etc_classify_on_epoch,
    .on_event = etc_classify_on_event,
};
