/* Warped-Slicer: CTAs by how kernels scale. One miss queue, no issue rates. */
#include "corun.h"
#include "corun_split.h"
#include "policy.h"
#include "ws_plan.h"

POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(SM_CTA_LIMIT_0);

static uint32_t warped_slicer_sms; /* of the GPU */

static bool ws_plan_configure(struct ws_plan *plan, const struct gpu_caps *caps)
{
    warped_slicer_sms = caps->sms;
    corun_read_sm(caps, &plan->sm);
    return ws_plan_possible(plan) && corun_splits(caps->sms, caps->tenants);
}

/* Nobody starves: who got no CTA has one. */
static uint32_t warped_slicer_set(const struct ws_plan *plan, uint32_t k, uint32_t tenant)
{
    uint32_t ctas = ws_plan_ctas(plan, k), limit = ctas ? ctas : 1;

    gpu_set_knob(CTA_LIMIT, tenant, limit);
    gpu_set_knob(CTA_THROTTLE, tenant, plan->active ? plan->active : plan->sm.slots);
    return limit;
}

/* Parts as windows begin, all of them for the slices. */
static uint32_t warped_slicer_sms_to_set(const struct ws_plan *plan)
{
    return plan->active <= 1 ? warped_slicer_sms : 0;
}

static void warped_slicer_set_sm(const struct ws_plan *plan, uint32_t k, uint32_t tenant, uint32_t sm)
{
    bool may = !plan->active || corun_owns(k, sm, warped_slicer_sms, plan->count);

    gpu_limit_sm_ctas(tenant, sm, may ? plan->sm.slots : 0);
}

#define CORUN_POLICY      warped_slicer
#define CORUN_PLAN        ws_plan
#define CORUN_SET         warped_slicer_set
#define CORUN_SET_SM      warped_slicer_set_sm
#define CORUN_SMS         warped_slicer_sms_to_set
#define CORUN_SPLIT(plan) ((plan)->active > 0)
#define CORUN_NEEDS       MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE
#include "corun_policy.h"
