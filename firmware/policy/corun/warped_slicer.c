/* Warped-Slicer (CCBP's "WS"): CTAs by how kernels scale. One miss queue, no issue rates. */
#include "warped_slicer.h"

#include <string.h>

#include "../ccbp/ccbp.h"
#include "corun.h"

static bool take(struct ccbp_sm *left, const struct ccbp_sm *cta, uint32_t ctas)
{
    if (left->slots < ctas)
        return false;
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        if ((uint64_t)cta->amount[r] * ctas > left->amount[r])
            return false;
    left->slots -= ctas;
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        left->amount[r] -= cta->amount[r] * ctas;
    return true;
}

static uint32_t performance(const struct ws_kernel *kernel, uint32_t ctas)
{
    return ctas ? kernel->performance[ctas - 1] : 0;
}

static uint32_t best(const struct ws_kernel *kernel)
{
    uint32_t most = 0;

    for (uint32_t c = 1; c <= kernel->most; c++)
        most = performance(kernel, c) > most ? performance(kernel, c) : most;
    return most;
}

/* More CTAs, the fewest with which it performs better; 0: it does not, with any number. */
static uint32_t step(const struct ws_kernel *kernel, uint32_t ctas)
{
    for (uint32_t c = ctas + 1; c <= kernel->most; c++)
        if (performance(kernel, c) > performance(kernel, ctas))
            return c - ctas;
    return 0;
}

/* Of the unfinished the one with the lowest part of its best performance; of equals the first. `count`: none. */
static uint32_t lowest(const struct ws_slicing *s)
{
    uint32_t found = s->count, its = 0;

    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t has;

        if (!(s->unfinished >> k & 1))
            continue;
        has = performance(&s->kernels[k], s->ctas[k]);
        if (found == s->count || (uint64_t)has * s->best[found] < (uint64_t)its * s->best[k]) {
            found = k;
            its = has;
        }
    }
    return found;
}

void ws_slice_begin(struct ws_slicing *s, const struct ccbp_sm *sm, const struct ws_kernel *kernels, uint32_t count)
{
    s->kernels = kernels;
    s->count = count;
    s->left = *sm;
    s->unfinished = (1u << count) - 1;
    for (uint32_t k = 0; k < count; k++) {
        s->best[k] = best(&kernels[k]);
        s->ctas[k] = take(&s->left, &kernels[k].cta, 1);
    }
}

bool ws_slice_some(struct ws_slicing *s, uint32_t iterations)
{
    for (; iterations > 0 && s->unfinished; iterations--) {
        uint32_t k = lowest(s), more = step(&s->kernels[k], s->ctas[k]);

        if (more && take(&s->left, &s->kernels[k].cta, more))
            s->ctas[k] = (uint8_t)(s->ctas[k] + more);
        else
            s->unfinished &= ~(1u << k);
    }
    return s->unfinished != 0;
}

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

/* ---- on the GPU */

POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(TIMER_2_CTRL);
POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(SM_CTA_LIMIT_0);

static struct ws_plan warped_slicer_state;
static uint32_t warped_slicer_sms; /* of the GPU */

bool corun_plan_configure(const struct gpu_caps *caps)
{
    const uint32_t needs = MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE;

    memset(&warped_slicer_state, 0, sizeof warped_slicer_state);
    warped_slicer_sms = caps->sms;
    corun_read_sm(caps, &warped_slicer_state.sm);
    return (caps->features & needs) == needs && ws_plan_possible(&warped_slicer_state) &&
           corun_splits(caps->sms, caps->tenants);
}

void corun_plan_begin(uint32_t count, const struct ccbp_sm *ctas)
{
    ws_plan_begin(&warped_slicer_state, count, ctas);
}

void corun_plan_begin_again(const struct ccbp_sm *ctas)
{
    ws_plan_begin_again(&warped_slicer_state, ctas);
}

enum corun_does corun_plan_does(void)
{
    return ws_plan_does(&warped_slicer_state);
}

bool corun_plan_renewable(void)
{
    return ws_plan_renewable(&warped_slicer_state);
}

bool corun_plan_asks(uint32_t k)
{
    return ws_plan_asks(&warped_slicer_state, k);
}

void corun_plan_learn(uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    ws_plan_learn(&warped_slicer_state, k, window, instructions);
}

struct corun_length corun_plan_length(void)
{
    return ws_plan_length(&warped_slicer_state);
}

void corun_plan_next(const uint8_t *tenants)
{
    (void)tenants;
    ws_plan_next(&warped_slicer_state);
}

bool corun_plan_work(void)
{
    return ws_plan_work(&warped_slicer_state);
}

/* No kernel starves: one that got no CTA has one. */
uint32_t corun_plan_set(uint32_t k, uint32_t tenant)
{
    const struct ws_plan *plan = &warped_slicer_state;
    uint32_t ctas = ws_plan_ctas(plan, k), limit = ctas ? ctas : 1;

    gpu_set_knob(CTA_LIMIT, tenant, limit);
    gpu_set_knob(CTA_THROTTLE, tenant, plan->active ? plan->active : plan->sm.slots);
    return limit;
}

/* Parts as windows begin, all of them for the slices. */
uint32_t corun_plan_sms(void)
{
    return warped_slicer_state.active <= 1 ? warped_slicer_sms : 0;
}

void corun_plan_set_sm(uint32_t k, uint32_t tenant, uint32_t sm)
{
    const struct ws_plan *plan = &warped_slicer_state;
    bool may = !plan->active || corun_owns(k, sm, warped_slicer_sms, plan->count);

    gpu_limit_sm_ctas(tenant, sm, may ? plan->sm.slots : 0);
}

bool corun_plan_split(void)
{
    return warped_slicer_state.active > 0;
}

const struct policy policy_warped_slicer = {
    .name = "warped_slicer",
    .init = corun_init,
    .on_event = corun_on_event,
    .on_timer_2 = corun_on_timer_2,
};
