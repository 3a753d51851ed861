/* Spatial multitasking (Adriaens et al., HPCA 2012): each kernel has SMs of its own, as many as the others. */
#include "corun.h"
#include "corun_split.h"
#include "policy.h"
#include "rest_plan.h"

POLICY_OWNS(SM_CTA_LIMIT_0);

static uint32_t spatial_sms; /* of the GPU */

static bool rest_plan_configure(struct rest_plan *plan, const struct gpu_caps *caps)
{
    spatial_sms = caps->sms;
    plan->slots = caps->cta_slots;
    return corun_splits(caps->sms, caps->tenants);
}

static uint32_t spatial_set(const struct rest_plan *plan, uint32_t k, uint32_t tenant)
{
    (void)k, (void)tenant;
    return plan->slots;
}

static void spatial_set_sm(const struct rest_plan *plan, uint32_t k, uint32_t tenant, uint32_t sm)
{
    gpu_limit_sm_ctas(tenant, sm, corun_owns(k, sm, spatial_sms, plan->count) ? plan->slots : 0);
}

#define CORUN_POLICY    spatial
#define CORUN_PLAN      rest_plan
#define CORUN_SET       spatial_set
#define CORUN_SET_SM    spatial_set_sm
#define CORUN_SMS(plan) spatial_sms
#define CORUN_NEEDS     MH_FEATURE_CTA_LIMIT
#include "corun_policy.h"
