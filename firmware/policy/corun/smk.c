/* SMK (Wang et al.): CTAs by fairness of dominant static resources, warp quotas by IPC alone. */
#include "smk.h"

#include <string.h>

#include "../ccbp/ccbp_plan.h"
#include "corun.h"

void smk_quotas(uint32_t kernels, const uint32_t *alone, uint32_t round, uint32_t *quota)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < kernels; k++)
        sum += alone[k];
    for (uint32_t k = 0; k < kernels; k++) {
        /* Below 2^48; the sum is not 0 if alone[k] is not. */
        uint64_t part = alone[k] ? (uint64_t)round * alone[k] / sum : 0;

        quota[k] = alone[k] && !part ? 1 : (uint32_t)part;
    }
}

enum {
    ITERATIONS = 3, /* of the allocation at a time, as for CCBP */
    PRIOR = 10,
    ROUND = 4096, /* warp instructions of all kernels on an SM (ours) */
};

/* Kernels that use no bandwidth: what is left of CCBP's allocation is fairness of static resources. */
void smk_plan_begin(struct smk_plan *plan, uint32_t count, const struct ccbp_sm *ctas)
{
    plan->count = count;
    plan->stage = count > 1 ? SMK_SHARE : SMK_REST;
    plan->config = (struct ccbp_config){.sustainable = {1, 1}, .units = 1};
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        plan->nothing[b] = ccbp_linear(1, 0, 1);
    for (uint32_t k = 0; k < count; k++)
        plan->kernels[k] = (struct ccbp_kernel){.type = CCBP_LATENCY_SENSITIVE,
                                                .most = ccbp_most_ctas(&plan->sm, &ctas[k]),
                                                .cta = ctas[k],
                                                .use = plan->nothing};
    for (uint32_t k = 0; k < count; k++)
        plan->quota[k] = 0;
    plan->active = 0;
}

/* The first part: the allocation begins. */
static void begin_allocation(struct smk_plan *plan)
{
    plan->allocation.config = &plan->config;
    plan->allocation.sm = &plan->sm;
    plan->allocation.kernels = plan->kernels;
    plan->allocation.count = plan->count;
    ccbp_allocate_begin(&plan->allocation, PRIOR);
    plan->active = 1;
}

bool smk_plan_work(struct smk_plan *plan)
{
    if (!plan->active) {
        begin_allocation(plan);
        return false;
    }
    if (ccbp_allocate_some(&plan->allocation, ITERATIONS))
        return false;
    plan->stage = SMK_ALONE;
    plan->kernel = 0;
    plan->active = smk_plan_ctas(plan, 0);
    return true;
}

void smk_plan_learn(struct smk_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    uint32_t ctas = smk_plan_ctas(plan, k);

    plan->ipc[k][plan->active != ctas] = ccbp_ipc(instructions, window->cycles);
    plan->alone[k] = ccbp_alone_ipc(plan->ipc[k][0], plan->ipc[k][1], ctas, plan->kernels[k].most);
}

void smk_plan_next(struct smk_plan *plan)
{
    uint32_t ctas = smk_plan_ctas(plan, plan->kernel);

    if (plan->active == ctas && ctas > 1) {
        plan->active = ctas / 2;
    } else if (++plan->kernel < plan->count) {
        plan->active = smk_plan_ctas(plan, plan->kernel);
    } else {
        plan->stage = SMK_REST;
        smk_quotas(plan->count, plan->alone, ROUND, plan->quota);
    }
}

/* ---- on the GPU */

POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(TIMER_2_CTRL);
POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(WARP_QUOTA);

static struct smk_plan smk_state;

bool corun_plan_configure(const struct gpu_caps *caps)
{
    const uint32_t needs = MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE | MH_FEATURE_QUOTAS;

    memset(&smk_state, 0, sizeof smk_state);
    corun_read_sm(caps, &smk_state.sm);
    return (caps->features & needs) == needs;
}

void corun_plan_begin(uint32_t count, const struct ccbp_sm *ctas)
{
    smk_plan_begin(&smk_state, count, ctas);
}

void corun_plan_begin_again(const struct ccbp_sm *ctas)
{
    smk_plan_begin_again(&smk_state, ctas);
}

enum corun_does corun_plan_does(void)
{
    return smk_plan_does(&smk_state);
}

bool corun_plan_renewable(void)
{
    return smk_plan_renewable(&smk_state);
}

bool corun_plan_asks(uint32_t k)
{
    return smk_plan_asks(&smk_state, k);
}

void corun_plan_learn(uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    smk_plan_learn(&smk_state, k, window, instructions);
}

struct corun_length corun_plan_length(void)
{
    return smk_plan_length(&smk_state);
}

void corun_plan_next(const uint8_t *tenants)
{
    (void)tenants;
    smk_plan_next(&smk_state);
}

bool corun_plan_work(void)
{
    return smk_plan_work(&smk_state);
}

uint32_t corun_plan_set(uint32_t k, uint32_t tenant)
{
    gpu_set_knob(CTA_LIMIT, tenant, smk_plan_ctas(&smk_state, k));
    gpu_set_knob(CTA_THROTTLE, tenant, smk_plan_throttle(&smk_state, k));
    gpu_set_knob(WARP_QUOTA, tenant, smk_state.quota[k]);
    return smk_plan_ctas(&smk_state, k);
}

uint32_t corun_plan_sms(void)
{
    return 0;
}

void corun_plan_set_sm(uint32_t k, uint32_t tenant, uint32_t sm)
{
    (void)k, (void)tenant, (void)sm;
}

bool corun_plan_split(void)
{
    return false;
}

const struct policy policy_smk = {
    .name = "smk",
    .init = corun_init,
    .on_event = corun_on_event,
    .on_timer_2 = corun_on_timer_2,
};
