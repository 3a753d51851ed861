#include "ws_plan.h"

#include "ccbp_adjust.h"
#include "ccbp_allocate.h"

/* Iterations of the slicing at a time: some 300 mcu cycles each on ibex with four kernels (ours). */
enum { ITERATIONS = 5 };

bool ws_plan_possible(const struct ws_plan *plan)
{
    return plan->sm.slots <= WS_MAX_CTAS;
}

void ws_plan_begin(struct ws_plan *plan, uint32_t count, const struct ccbp_sm *ctas)
{
    plan->count = count;
    plan->active = count > 1;
    for (uint32_t k = 0; k < count; k++) {
        plan->kernels[k].cta = ctas[k];
        plan->kernels[k].most = ccbp_most_ctas(&plan->sm, &ctas[k]);
        plan->slicing.ctas[k] = (uint8_t)plan->sm.slots; /* of one that is alone */
    }
    plan->slicing.unfinished = 0;
}

void ws_plan_learn(struct ws_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    plan->kernels[k].performance[plan->active - 1] = ccbp_ipc(instructions, window->cycles);
}

void ws_plan_next(struct ws_plan *plan)
{
    bool more = false;

    plan->active++;
    for (uint32_t k = 0; k < plan->count; k++)
        more |= ws_plan_asks(plan, k);
    if (more)
        return;
    plan->active = 0;
    ws_slice_begin(&plan->slicing, &plan->sm, plan->kernels, plan->count);
}

bool ws_plan_work(struct ws_plan *plan)
{
    return !ws_slice_some(&plan->slicing, ITERATIONS);
}
