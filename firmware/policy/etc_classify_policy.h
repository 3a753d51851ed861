/*
 * Makes a policy out of ETC's classification. The policy's file may define ETC_CLASSIFY_POLICY, its name, and what is
 * below, and includes this.
 */
#include <string.h>

#include "etc.h"
#include "etc_classify.h"
#include "policy.h"
#include "policy_name.h"

#ifndef ETC_CLASSIFY_LINES
#define ETC_CLASSIFY_LINES 10 /* lines (sec. 6.3) */
#endif
/*
 * Fewest memory instructions in a sample. The paper samples 50 000 cycles (sec. 6.3), one epoch here, and names no
 * minimum: the first epoch with a memory instruction decides. ATAX of 16 MB issues 40 in it.
 */
#ifndef ETC_CLASSIFY_LEAST
#define ETC_CLASSIFY_LEAST 1
#endif

#define ETC_CLASSIFY(what) POLICY_NAME(ETC_CLASSIFY_POLICY, what)

ETC_TELLS(CLASS);

static const struct etc_classify_config ETC_CLASSIFY(_config) = {ETC_CLASSIFY_LINES, ETC_CLASSIFY_LEAST};
static struct etc_classify_state ETC_CLASSIFY(_states)[GPU_MAX_TENANTS];

static enum policy_status ETC_CLASSIFY(_init)(const struct gpu_caps *caps)
{
    (void)caps;
    memset(ETC_CLASSIFY(_states), 0, sizeof ETC_CLASSIFY(_states));
    memset(etc.techniques, 0, sizeof etc.techniques);
    return POLICY_OK;
}

static void ETC_CLASSIFY(_on_epoch)(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct etc_classify_counters now;
        enum etc_class class;

        now.lines = gpu_count(tenant, MH_COUNTER_MEM_LINES);
        now.instructions = gpu_count(tenant, MH_COUNTER_MEM_INSTR);
        class = etc_classify_decide(&ETC_CLASSIFY(_config), &ETC_CLASSIFY(_states)[tenant], &now);
        etc.techniques[tenant] = (uint8_t)etc_classify_techniques(class, gpu_count(tenant, MH_COUNTER_UVM_SHARED) != 0);
    }
}

/* Another one than was there before: its class is not known. */
static void ETC_CLASSIFY(_on_event)(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED || event->tenant >= caps->tenants)
        return;
    ETC_CLASSIFY(_states)[event->tenant].class = ETC_UNKNOWN;
    etc.techniques[event->tenant] = 0;
}

const struct policy POLICY_NAME(policy_, ETC_CLASSIFY_POLICY) = {
    .name = POLICY_TEXT(ETC_CLASSIFY_POLICY),
    .init = ETC_CLASSIFY(_init),
    .on_epoch = ETC_CLASSIFY(_on_epoch),
    .on_event = ETC_CLASSIFY(_on_event),
};
