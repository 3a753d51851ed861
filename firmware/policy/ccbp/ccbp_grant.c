/* What kernels are granted: the allocation, and issue rates by it. */
#include "ccbp_plan.h"

/*
 * Iterations of the allocation at a time (ours): some 240 mcu cycles each on ibex with four kernels. Sums that are
 * close end a tick; what the longest takes is measured (firmware/selftest/allocation.c, and of eight
 * allocation-eight.c).
 */
enum { ITERATIONS = 3 };

bool ccbp_has_climb(const struct ccbp_plan *plan)
{
    uint32_t sensitive = 0;

    for (uint32_t k = 0; k < plan->count; k++)
        sensitive += ccbp_is_latency_sensitive(&plan->known[k]);
    return plan->adjust && sensitive && sensitive < plan->count;
}

void ccbp_begin_allocation(struct ccbp_plan *plan)
{
    plan->stage = CCBP_ALLOCATE;
    plan->allocating = false;
    plan->kernel = 0;
}

/* The first part of its work. */
static void allocate_first(struct ccbp_plan *plan)
{
    plan->allocating = true;
    plan->allocation.config = &plan->config;
    plan->allocation.sm = &plan->sm;
    plan->allocation.kernels = plan->kernels;
    plan->allocation.count = plan->count;
    ccbp_allocate_begin(&plan->allocation, plan->climb.prior);
}

/* True: the same as before. */
static bool remember(struct ccbp_plan *plan)
{
    bool same = true;

    for (uint32_t k = 0; k < plan->count; k++) {
        const struct ccbp_grant *grant = &plan->allocation.grants[k];

        same &= plan->ctas_before[k] == grant->ctas && plan->units_before[k] == grant->units;
        plan->ctas_before[k] = (uint8_t)grant->ctas;
        plan->units_before[k] = (uint8_t)grant->units;
    }
    return same;
}

static void after_allocation(struct ccbp_plan *plan)
{
    bool same = remember(plan);

    if (!ccbp_has_climb(plan) || plan->climb.done) {
        plan->stage = CCBP_WATCH;
        return;
    }
    plan->stage = CCBP_RUN;
    if (same) {
        (void)ccbp_adjust_same(&plan->climb);
        ccbp_begin_allocation(plan);
    }
}

/*
 * An equal part of the ungranted bandwidth for each bandwidth-intensive kernel (ours). A quota of the
 * bandwidth that is not its own follows from what a request cost when it was profiled; one that costs more afterwards,
 * as others take its lines of the L2, would be held ever lower while bandwidth stays unused. The fractions of the
 * grants are left out of the sum.
 */
static uint32_t spare(const struct ccbp_plan *plan, uint32_t bandwidth)
{
    uint32_t room = plan->allocation.room[bandwidth], kernels = 0;

    for (uint32_t k = 0; k < plan->count; k++)
        kernels += !ccbp_is_latency_sensitive(&plan->known[k]);
    return !plan->unshared && kernels && room > plan->count ? (room - plan->count) / kernels : 0;
}

/*
 * A latency-sensitive kernel's quota is its use in the demand window, so the cost of the same window converts it. With
 * the cost of later windows LavaMD, whose lines HISTO1024 evicts from the L2, falls to the minimum rate.
 */
static const struct ccbp_cost *cost_of(const struct ccbp_plan *plan, const struct ccbp_known *known)
{
    return plan->once || ccbp_is_latency_sensitive(known) ? &known->detected : &known->cost;
}

static void set_rate(struct ccbp_plan *plan, uint32_t k)
{
    const struct ccbp_grant *grant = &plan->allocation.grants[k];
    uint32_t quota[CCBP_BANDWIDTHS];

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        quota[b] = grant->use[b].whole + (ccbp_is_latency_sensitive(&plan->known[k]) ? 0 : spare(plan, b));
    plan->known[k].rate = ccbp_issue_rate(&plan->config, cost_of(plan, &plan->known[k]), quota);
}

/* A kernel's rate at a time: it divides. */
bool ccbp_plan_work(struct ccbp_plan *plan)
{
    if (plan->stage == CCBP_ALLOCATE && !plan->allocating) {
        allocate_first(plan);
        return false;
    }
    if (plan->stage == CCBP_ALLOCATE && ccbp_allocate_some(&plan->allocation, ITERATIONS))
        return false;
    if (plan->kernel < plan->count) {
        set_rate(plan, plan->kernel++);
        return false;
    }
    if (plan->stage == CCBP_RENEW)
        plan->stage = CCBP_WATCH;
    else
        after_allocation(plan);
    return plan->stage != CCBP_ALLOCATE;
}
