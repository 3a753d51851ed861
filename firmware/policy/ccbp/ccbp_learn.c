/* What windows say of kernels. */
#include "ccbp_plan.h"

enum { SEEN_REQUESTS = 256 /* fewer in a window say nothing of what one costs (ours) */ };

uint32_t ccbp_alone_ipc(uint32_t ipc, uint32_t half_ipc, uint32_t even, uint32_t most)
{
    uint32_t half = even / 2, linear_most;
    uint64_t top, bottom, linear = (uint64_t)ipc * most / even;

    linear_most = linear > UINT32_MAX ? UINT32_MAX : (uint32_t)linear;
    if (most <= even || half == 0)
        return most <= even ? ipc : linear_most;
    if (ipc <= half_ipc)
        return ipc;
    /* 1 / IPC = 1 / ipc - (1 / half_ipc - 1 / ipc) half (most - even) / (most (even - half)). */
    top = (uint64_t)half_ipc * (most * (even - half));
    if (top <= (uint64_t)(ipc - half_ipc) * (half * (most - even)))
        return linear_most;
    bottom = top - (uint64_t)(ipc - half_ipc) * (half * (most - even));
    /* To 32 bits, so that the product has 64. */
    while (top >> 32) {
        top >>= 1;
        bottom >>= 1;
    }
    if (bottom == 0 || (uint64_t)ipc * top / bottom > linear_most)
        return linear_most;
    return (uint32_t)((uint64_t)ipc * top / bottom);
}

/* As caches warm up a request costs less than in the first window. */
static void learn_cost(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    if (window->requests >= SEEN_REQUESTS && !plan->once)
        known->cost = ccbp_detect_cost(&plan->config, window);
}

/* Quota and cost of a latency-sensitive kernel are of this window, however few requests it has. */
static void detect_cost(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    known->detected = window->requests ? ccbp_detect_cost(&plan->config, window) : known->cost;
}

/*
 * More than twice as much, or less than half. Less than a 16th of a line of each request is taken as that: a kernel
 * that all but always hits the L2 may miss twice as often, and is the same.
 */
static bool is_new_phase(const struct ccbp_config *c, const struct ccbp_cost *now, const struct ccbp_cost *settled)
{
    bool other = false;

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        uint32_t least = c->units * c->sms * c->bytes[b] * (256 / 16);
        uint32_t cost = now->of[b] > least ? now->of[b] : least;
        uint32_t before = settled->of[b] > least ? settled->of[b] : least;

        other |= cost / 2 > before || before / 2 > cost;
    }
    return other;
}

/* A kernel that was taken for latency-sensitive, and has no rate since, demands an even share of bandwidth or more. */
static bool is_other_type(const struct ccbp_plan *plan, const struct ccbp_known *known,
                          const struct ccbp_window *window)
{
    return ccbp_is_latency_sensitive(known) &&
           ccbp_detect_type(&plan->config, window, window, plan->count) != CCBP_LATENCY_SENSITIVE;
}

static void learn_drift(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window)
{
    learn_cost(plan, known, window);
    if (plan->watched == 0)
        known->settled = known->cost;
    else if (plan->watched >= plan->patience)
        plan->phase |= is_new_phase(&plan->config, &known->cost, &known->settled);
    if (plan->watched * CCBP_FIRST_PATIENCE >= plan->patience)
        plan->phase |= is_other_type(plan, known, window);
}

/* Nothing tells saturation from a kernel that asks for no more: what was not seen stays as it was. */
static void learn_bandwidth(struct ccbp_plan *plan, const struct ccbp_window *window)
{
    for (uint32_t b = 0; plan->calibrate && b < CCBP_BANDWIDTHS; b++)
        plan->seen[b] += ccbp_bandwidth(&plan->config, window, b);
}

void ccbp_calibrate(struct ccbp_plan *plan)
{
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++) {
        if (plan->seen[b] > plan->config.sustainable[b] && (uint64_t)plan->config.units * plan->seen[b] < UINT32_MAX)
            plan->config.sustainable[b] = plan->seen[b];
        plan->seen[b] = 0;
    }
}

/* Assumes that the kernel's loss to co-runners has not changed. */
static void scale_alone_ipc(struct ccbp_known *known, uint32_t even_ipc)
{
    if (known->alone_ipc && known->even_ipc) {
        uint64_t alone_ipc = (uint64_t)known->alone_ipc * even_ipc / known->even_ipc;

        known->alone_ipc = alone_ipc > UINT32_MAX ? UINT32_MAX : (uint32_t)alone_ipc;
    }
    known->even_ipc = even_ipc;
}

static void learn_factors(struct ccbp_plan *plan, struct ccbp_known *known, const struct ccbp_window *window,
                          uint32_t ipc)
{
    scale_alone_ipc(known, ipc);
    known->factors = *window;
    known->cost = ccbp_detect_cost(&plan->config, window);
    known->even_rate = ccbp_even_rate(&plan->config, &known->cost, plan->count);
}

static void learn_demand(struct ccbp_plan *plan, uint32_t k, const struct ccbp_window *window)
{
    struct ccbp_known *known = &plan->known[k];
    struct ccbp_kernel *kernel = &plan->kernels[k];

    detect_cost(plan, known, window);
    known->type = kernel->type = ccbp_detect_type(&plan->config, &known->factors, window, plan->count);
    if (!ccbp_is_latency_sensitive(known)) {
        learn_cost(plan, known, window);
        return;
    }
    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        known->use[b] = ccbp_linear(plan->config.units, ccbp_bandwidth(&plan->config, window, b), known->even);
    kernel->use = known->use;
    kernel->most = known->most;
}

static void learn_point(struct ccbp_plan *plan, const struct ccbp_window *window)
{
    struct ccbp_kernel *kernel = &plan->kernels[plan->kernel];
    enum ccbp_bandwidth own = kernel->type == CCBP_NOC_INTENSIVE ? CCBP_NOC : CCBP_DRAM;
    enum ccbp_bandwidth other = own == CCBP_NOC ? CCBP_DRAM : CCBP_NOC;

    if (plan->ctas == 1)
        kernel->points = &plan->points[plan->points_used];
    plan->points[plan->points_used++] =
        ccbp_point_of(plan->config.units, plan->config.sustainable[own], ccbp_bandwidth(&plan->config, window, own),
                      ccbp_bandwidth(&plan->config, window, other));
    kernel->most = plan->ctas;
    learn_cost(plan, &plan->known[plan->kernel], window);
}

static void learn_alone(struct ccbp_plan *plan, uint32_t ipc)
{
    struct ccbp_known *known = &plan->known[plan->kernel];
    bool whole = plan->ctas == known->even;

    known->ipc[!whole] = ipc;
    known->alone_ipc = ccbp_alone_ipc(known->ipc[0], known->ipc[1], known->even, known->most);
}

void ccbp_plan_learn(struct ccbp_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    switch (plan->stage) {
    case CCBP_FIND_FACTORS:
        learn_factors(plan, &plan->known[k], window, ccbp_ipc(instructions, window->cycles));
        learn_bandwidth(plan, window);
        break;
    case CCBP_FIND_DEMAND:
        learn_demand(plan, k, window);
        break;
    case CCBP_RUN_ALONE:
        learn_alone(plan, ccbp_ipc(instructions, window->cycles));
        learn_bandwidth(plan, window);
        break;
    case CCBP_PROFILE:
        learn_point(plan, window);
        break;
    case CCBP_RUN:
        plan->known[k].shared_ipc = ccbp_ipc(instructions, window->cycles);
        learn_cost(plan, &plan->known[k], window);
        break;
    case CCBP_WATCH:
        learn_drift(plan, &plan->known[k], window);
        break;
    default:
        break;
    }
}
