/*
 * Makes a policy out of DWS++'s decision. The policy's file defines DWSPP_POLICY, its name, and DWSPP_TABLE, one of
 * dwspp_decide.h's, and includes this; it owns all knobs of DWS++ but who owns the walkers (walk_partition).
 */
#include "dwspp_decide.h"
#include "policy.h"
#include "policy_name.h"

#define DWSPP_NAME(what) POLICY_NAME(DWSPP_POLICY, what)

enum { DWSPP_EPOCH = 200 }; /* walks (sec. VI-A, default) */

POLICY_OWNS(WALK_STEAL);
POLICY_OWNS(QUEUE_THRES);
POLICY_OWNS(DIFF_THRES);
POLICY_OWNS(WALK_EPOCH);

/* In the shadow registers: what does not change is not written again. */
static uint16_t DWSPP_NAME(_shadow)[GPU_MAX_TENANTS];

/* No stealing by thresholds before the first epoch has ended ([DWS] pagewalk.cc:45: a threshold of 1.0, not above). */
static enum policy_status DWSPP_NAME(_init)(const struct gpu_caps *caps)
{
    if ((caps->features & MH_FEATURE_WALK_QUEUES) == 0)
        return POLICY_UNSUPPORTED;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        DWSPP_NAME(_shadow)[tenant] = MH_DIFF_NEVER;
        gpu_set_knob(DIFF_THRES, tenant, MH_DIFF_NEVER);
    }
    gpu_set_knob(WALK_STEAL, 0, MH_STEAL_DWSPP);
    gpu_set_knob(QUEUE_THRES, 0, dwspp_queue_thres(&DWSPP_TABLE, caps->walk_queue / caps->walkers));
    gpu_set_knob(WALK_EPOCH, 0, DWSPP_EPOCH);
    return POLICY_OK;
}

static void DWSPP_NAME(_on_walk_epoch)(const struct gpu_caps *caps)
{
    uint32_t enq[GPU_MAX_TENANTS];
    uint16_t diff_thres[GPU_MAX_TENANTS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        enq[tenant] = gpu_walk_enq(tenant);
    dwspp_decide(&DWSPP_TABLE, caps->tenants, enq, diff_thres);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (diff_thres[tenant] != DWSPP_NAME(_shadow)[tenant]) {
            DWSPP_NAME(_shadow)[tenant] = diff_thres[tenant];
            gpu_set_knob(DIFF_THRES, tenant, diff_thres[tenant]);
        }
}

const struct policy POLICY_NAME(policy_, DWSPP_POLICY) = {
    .name = POLICY_TEXT(DWSPP_POLICY),
    .init = DWSPP_NAME(_init),
    .on_walk_epoch = DWSPP_NAME(_on_walk_epoch),
};
