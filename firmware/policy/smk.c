/* SMK (Wang et al.): CTAs by fairness of dominant static resources, warp quotas by IPC alone. */
#include "corun.h"
#include "policy.h"
#include "smk_plan.h"

POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(WARP_QUOTA);

static bool smk_plan_configure(struct smk_plan *plan, const struct gpu_caps *caps)
{
    corun_read_sm(caps, &plan->sm);
    return true;
}

static uint32_t smk_set(const struct smk_plan *plan, uint32_t k, uint32_t tenant)
{
    gpu_set_knob(CTA_LIMIT, tenant, smk_plan_ctas(plan, k));
    gpu_set_knob(CTA_THROTTLE, tenant, smk_plan_throttle(plan, k));
    gpu_set_knob(WARP_QUOTA, tenant, plan->quota[k]);
    return smk_plan_ctas(plan, k);
}

#define CORUN_POLICY smk
#define CORUN_PLAN   smk_plan
#define CORUN_SET    smk_set
#define CORUN_NEEDS  MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_QUOTAS
#include "corun_policy.h"
