/*
 * Spatial multitasking (Adriaens et al., HPCA 2012): each kernel has SMs of its own, as many as the others. The plan
 * is idle: settings follow from the tenants present.
 */
#include "corun.h"

POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(TIMER_2_CTRL);
POLICY_OWNS(SM_CTA_LIMIT_0);

static struct {
    uint32_t sms;   /* of the GPU */
    uint32_t slots; /* CTAs of an SM */
    uint32_t count; /* of kernels */
} spatial_state;

bool corun_plan_configure(const struct gpu_caps *caps)
{
    spatial_state.sms = caps->sms;
    spatial_state.slots = caps->cta_slots;
    spatial_state.count = 0;
    return (caps->features & MH_FEATURE_CTA_LIMIT) != 0 && corun_splits(caps->sms, caps->tenants);
}

void corun_plan_begin(uint32_t count, const struct ccbp_sm *ctas)
{
    (void)ctas;
    spatial_state.count = count;
}

enum corun_does corun_plan_does(void)
{
    return CORUN_REST;
}

bool corun_plan_renewable(void)
{
    return false;
}

uint32_t corun_plan_set(uint32_t k, uint32_t tenant)
{
    (void)k, (void)tenant;
    return spatial_state.slots;
}

uint32_t corun_plan_sms(void)
{
    return spatial_state.sms;
}

void corun_plan_set_sm(uint32_t k, uint32_t tenant, uint32_t sm)
{
    gpu_limit_sm_ctas(tenant, sm, corun_owns(k, sm, spatial_state.sms, spatial_state.count) ? spatial_state.slots : 0);
}

bool corun_plan_split(void)
{
    return false;
}

/* A plan that rests is asked for none of these. */

void corun_plan_begin_again(const struct ccbp_sm *ctas)
{
    (void)ctas;
}

struct corun_length corun_plan_length(void)
{
    return (struct corun_length){0, 0};
}

bool corun_plan_asks(uint32_t k)
{
    (void)k;
    return false;
}

void corun_plan_learn(uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    (void)k, (void)window, (void)instructions;
}

void corun_plan_next(const uint8_t *tenants)
{
    (void)tenants;
}

bool corun_plan_work(void)
{
    return true;
}

const struct policy policy_spatial = {
    .name = "spatial",
    .init = corun_init,
    .on_event = corun_on_event,
    .on_timer_2 = corun_on_timer_2,
};
