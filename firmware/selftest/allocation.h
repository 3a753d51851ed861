/*
 * An image that measures CCBP's allocation on instances by hand. Each part of the work is a decision for timer 2, as in
 * an image that is used; each epoch prints a line about one instance. Before it includes this a file defines
 * ALLOCATION_IMAGE, the image's name, ALLOCATION_KERNELS of an instance and ALLOCATION_INSTANCES, how many; behind it,
 * allocation_instances[].
 */
#ifndef FIRMWARE_SELFTEST_ALLOCATION_H
#define FIRMWARE_SELFTEST_ALLOCATION_H

#include <string.h>

#include "../platform/console.h"
#include "../platform/mcu.h"
#include "../policy/ccbp/ccbp_plan.h"
#include "../policy/policy.h"

POLICY_OWNS(TIMER_2_CTRL);

enum { ALLOCATION_CTAS = 32 / ALLOCATION_KERNELS, ALLOCATION_TICK = 200 };

#define LS  CCBP_LATENCY_SENSITIVE
#define NBI CCBP_NOC_INTENSIVE
#define DBI CCBP_DRAM_INTENSIVE

/* Use: what `ctas` CTAs use of both bandwidths; n times as much n times as many. Units: of ccbp_point. */
struct allocation_kernel {
    enum ccbp_type type;
    uint32_t most, cta[CCBP_STATICS], use[CCBP_BANDWIDTHS], ctas;
    uint8_t units[ALLOCATION_CTAS];
};

struct allocation_instance {
    const char *name;
    uint32_t units, sustainable[CCBP_BANDWIDTHS];
    struct allocation_kernel kernels[ALLOCATION_KERNELS];
};

static const struct allocation_instance allocation_instances[ALLOCATION_INSTANCES];

/* What was measured of an instance. */
struct allocation_result {
    uint32_t iterations, sums, cycles, longest;
};

static struct {
    struct ccbp_plan plan;
    struct ccbp_use uses[ALLOCATION_INSTANCES][ALLOCATION_KERNELS][CCBP_BANDWIDTHS];
    struct ccbp_point points[ALLOCATION_INSTANCES][ALLOCATION_KERNELS][ALLOCATION_CTAS];
    struct allocation_result results[ALLOCATION_INSTANCES];
    uint32_t instance, printed;
    bool begun;
} allocation;

/* Divides 64 bits, which no tick has time for. */
static void allocation_prepare(uint32_t i, uint32_t k)
{
    const struct allocation_instance *in = &allocation_instances[i];
    const struct allocation_kernel *kernel = &in->kernels[k];
    uint32_t own = kernel->type == DBI ? CCBP_DRAM : CCBP_NOC;

    for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
        allocation.uses[i][k][b] = ccbp_linear(in->units, kernel->use[b], kernel->ctas);
    for (uint32_t c = 1; c <= kernel->most && kernel->type != LS; c++) {
        struct ccbp_point *point = &allocation.points[i][k][c - 1];

        *point = ccbp_point_of(in->units, in->sustainable[own], c * kernel->use[own], c * kernel->use[!own]);
        point->units = kernel->units[c - 1];
    }
}

static enum policy_status allocation_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(&allocation, 0, sizeof allocation);
    for (uint32_t i = 0; i < ALLOCATION_INSTANCES; i++)
        for (uint32_t k = 0; k < ALLOCATION_KERNELS; k++)
            allocation_prepare(i, k);
    gpu_set_timer_2(ALLOCATION_TICK);
    return POLICY_OK;
}

static void allocation_begin_kernel(struct ccbp_plan *plan, uint32_t k)
{
    const struct allocation_kernel *kernel = &allocation_instances[allocation.instance].kernels[k];

    plan->known[k].type = kernel->type;
    plan->kernels[k] = (struct ccbp_kernel){.type = kernel->type,
                                            .most = kernel->most,
                                            .use = allocation.uses[allocation.instance][k],
                                            .points = allocation.points[allocation.instance][k]};
    for (uint32_t r = 0; r < CCBP_STATICS; r++)
        plan->kernels[k].cta.amount[r] = kernel->cta[r];
}

static void allocation_begin(struct ccbp_plan *plan)
{
    const struct allocation_instance *in = &allocation_instances[allocation.instance];

    plan->config = (struct ccbp_config){
        .units = in->units, .sustainable = {in->sustainable[0], in->sustainable[1]}, .interval = 1 << 16, .least = 64};
    plan->sm = (struct ccbp_sm){.amount = {64, 64, 64}, .slots = 32};
    plan->climb.prior = 10;
    plan->count = ALLOCATION_KERNELS;
    for (uint32_t k = 0; k < ALLOCATION_KERNELS; k++)
        allocation_begin_kernel(plan, k);
    ccbp_begin_allocation(plan);
}

/* Each kernel has had an iteration for each CTA, or unit, and the last, in which it was finished. */
static void allocation_end(const struct ccbp_plan *plan, struct allocation_result *result)
{
    for (uint32_t k = 0; k < ALLOCATION_KERNELS; k++) {
        const struct ccbp_grant *grant = &plan->allocation.grants[k];

        result->iterations += (plan->known[k].type == LS ? grant->ctas : grant->units) + 1;
    }
    result->sums = plan->allocation.sums;
    allocation.instance++;
}

static void allocation_tick(struct ccbp_plan *plan, struct allocation_result *result)
{
    struct mcu_time start = mcu_now();
    bool done = ccbp_plan_work(plan);
    uint32_t cycles = mcu_cycles_since(start);

    result->cycles += cycles;
    result->longest = cycles > result->longest ? cycles : result->longest;
    if (done)
        allocation_end(plan, result);
    allocation.begun = !done;
}

static void allocation_on_timer_2(const struct gpu_caps *caps)
{
    (void)caps;
    if (allocation.instance == ALLOCATION_INSTANCES)
        return;
    if (allocation.begun) {
        allocation_tick(&allocation.plan, &allocation.results[allocation.instance]);
    } else {
        allocation_begin(&allocation.plan);
        allocation.begun = true;
    }
    gpu_set_timer_2(ALLOCATION_TICK);
}

static void allocation_on_epoch(const struct gpu_caps *caps)
{
    const struct allocation_result *result = &allocation.results[allocation.printed];

    (void)caps;
    if (allocation.printed == allocation.instance)
        return;
    console_printf("memhelm: allocation %s iterations=%u sums=%u cycles=%u longest=%u\n",
                   allocation_instances[allocation.printed].name, (unsigned)result->iterations, (unsigned)result->sums,
                   (unsigned)result->cycles, (unsigned)result->longest);
    allocation.printed++;
}

const struct policy policy_allocation = {
    .name = "allocation",
    .init = allocation_init,
    .on_epoch = allocation_on_epoch,
    .on_timer_2 = allocation_on_timer_2,
};

#define IMAGE_NAME             ALLOCATION_IMAGE
#define IMAGE_POLICIES(POLICY) POLICY(allocation)
#include "../image/common/image.h"

#endif
