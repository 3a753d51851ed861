#include "smk_plan.h"

#include "ccbp_plan.h"
#include "smk_quota.h"

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
