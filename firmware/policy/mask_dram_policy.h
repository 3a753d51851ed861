/*
 * Makes a policy out of the decision of MASK's DRAM scheduler. The policy's file defines MASK_DRAM_POLICY, its name,
 * includes this, and then says what ConPTW and WarpsStalled are: _restart sets its state at boot, _measure is called at
 * the end of an epoch and fills in all tenants of `caps`.
 */
#include "mask_dram_decide.h"
#include "policy.h"
#include "policy_name.h"

#define MASK_DRAM(what) POLICY_NAME(MASK_DRAM_POLICY, what)

POLICY_OWNS(DRAM_QUEUES);
POLICY_OWNS(SILVER_THRESH);

static void MASK_DRAM(_restart)(void);
static void MASK_DRAM(_measure)(const struct gpu_caps *caps, struct mask_dram_counters *now);

static uint32_t MASK_DRAM(_thresh)[GPU_MAX_TENANTS];

static void MASK_DRAM(_set)(uint32_t tenants, const struct mask_dram_counters *now)
{
    mask_dram_decide(now, tenants, MASK_DRAM(_thresh));
    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        gpu_set_knob(SILVER_THRESH, tenant, MASK_DRAM(_thresh)[tenant]);
}

/* For tenants of which nothing has been measured. */
static void MASK_DRAM(_set_equal)(const struct gpu_caps *caps)
{
    static const struct mask_dram_counters nothing[GPU_MAX_TENANTS];

    MASK_DRAM(_set)(caps->tenants, nothing);
}

/*
 * Three queues also for a workload of one tenant: sec. 5.4 excepts none, and golden is there for its walks. It can lose
 * by it. KMeans alone on preset simt, mask-golden over walk-fcfs: -4.5 %. A normal queue as large as the one queue:
 * -4.3 %. No walks: -3.3 %. Both: 0.0 % (`memhelm reproduce causes`, rows alone-*).
 * mask_adaptive tries one queue from time to time.
 */
static enum policy_status MASK_DRAM(_init)(const struct gpu_caps *caps)
{
    MASK_DRAM(_restart)();
    if (!(caps->features & MH_FEATURE_DRAM_QUEUES))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(DRAM_QUEUES, 0, 1);
    MASK_DRAM(_set_equal)(caps);
    return POLICY_OK;
}

static void MASK_DRAM(_on_epoch)(const struct gpu_caps *caps)
{
    struct mask_dram_counters now[GPU_MAX_TENANTS] = {{0, 0}};

    MASK_DRAM(_measure)(caps, now);
    MASK_DRAM(_set)(caps->tenants, now);
}

/* One that has left needs nothing: without requests its turn passes at once, and the others keep their proportion. */
static void MASK_DRAM(_on_event)(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED)
        MASK_DRAM(_set_equal)(caps);
}

const struct policy POLICY_NAME(policy_, MASK_DRAM_POLICY) = {
    .name = POLICY_TEXT(MASK_DRAM_POLICY),
    .init = MASK_DRAM(_init),
    .on_epoch = MASK_DRAM(_on_epoch),
    .on_event = MASK_DRAM(_on_event),
};
