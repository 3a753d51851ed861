/*
 * CCBP's allocation at its worst: four kernels, 32 CTAs, sums of fractions that meet capacities or miss them by next to
 * nothing. Of two million random instances on ibex those with the longest ticks, the most cycles, the most sums.
 * Each part of the work is a decision for timer 2, as in an image; each epoch prints a line about one instance.
 */
#include <string.h>

#include "../platform/console.h"
#include "../platform/mcu.h"
#include "../policy/ccbp_plan_parts.h"
#include "../policy/policy.h"

POLICY_OWNS(TIMER_2_CTRL);

enum { ALLOCATION_KERNELS = 4, ALLOCATION_CTAS = 8, ALLOCATION_TICK = 200 };

#define LS  CCBP_LATENCY_SENSITIVE
#define NBI CCBP_NOC_INTENSIVE
#define DBI CCBP_DRAM_INTENSIVE

/* Use: what `ctas` CTAs use of both bandwidths; n times as much n times as many. Units: of ccbp_point. */
struct allocation_kernel {
    enum ccbp_type type;
    uint32_t most, cta[CCBP_STATICS], use[CCBP_BANDWIDTHS], ctas;
    uint8_t units[ALLOCATION_CTAS];
};

static const struct allocation_instance {
    const char *name;
    uint32_t units, sustainable[CCBP_BANDWIDTHS];
    struct allocation_kernel kernels[ALLOCATION_KERNELS];
} allocation_instances[] = {
    {"mixed",
     28,
     {1, 1},
     {
         {LS, 32, {3, 3, 3}, {1, 1}, 36, {0}},
         {DBI, 5, {2, 0, 3}, {111693027, 356502249}, 1, {2, 5, 6, 5, 5}},
         {NBI, 8, {0, 3, 3}, {482571890, 389044718}, 1, {2, 5, 6, 6, 4, 1, 0, 2}},
         {NBI, 6, {0, 2, 1}, {326800744, 181486589}, 1, {5, 4, 4, 1, 5, 6}},
     }},
    {"dram",
     29,
     {1, 2},
     {
         {DBI, 8, {0, 2, 1}, {91738686, 352610356}, 1, {6, 2, 0, 5, 6, 4, 5, 0}},
         {DBI, 6, {2, 2, 2}, {372048563, 372505589}, 1, {0, 2, 4, 6, 4, 1}},
         {DBI, 5, {0, 1, 2}, {133937440, 422171099}, 1, {0, 0, 3, 4, 0}},
         {DBI, 8, {1, 2, 2}, {87760106, 338210472}, 1, {5, 3, 0, 2, 3, 4, 2, 2}},
     }},
    {"both",
     20,
     {1, 1},
     {
         {NBI, 7, {3, 0, 2}, {5101019, 1}, 1, {4, 6, 4, 1, 5, 2, 3}},
         {DBI, 4, {3, 0, 2}, {7282250, 13897377}, 1, {5, 0, 1, 2}},
         {DBI, 6, {2, 2, 2}, {1, 239115}, 1, {2, 1, 0, 0, 6, 2}},
         {NBI, 5, {3, 3, 1}, {2068645, 1457346}, 1, {4, 4, 5, 4, 1}},
     }},
    {"latency",
     14,
     {2, 2},
     {
         {LS, 32, {1, 2, 3}, {2, 2}, 13, {0}},
         {LS, 32, {2, 1, 3}, {2, 1}, 33, {0}},
         {LS, 32, {2, 0, 2}, {1, 2}, 37, {0}},
         {LS, 32, {0, 2, 1}, {2, 2}, 32, {0}},
     }},
    {"total",
     7,
     {1, 2},
     {
         {DBI, 5, {0, 2, 3}, {143132564, 273898379}, 1, {7, 7, 7, 7, 7}},
         {LS, 32, {1, 0, 2}, {1, 1}, 215, {0}},
         {DBI, 4, {0, 3, 3}, {165441466, 295589554}, 1, {6, 3, 0, 6}},
         {DBI, 6, {2, 2, 2}, {113510560, 387055286}, 1, {7, 7, 7, 7, 7, 7}},
     }},
    {"sums",
     5,
     {1, 1},
     {
         {DBI, 5, {0, 0, 1}, {1, 15740477}, 1, {5, 3, 5, 2, 6}},
         {LS, 32, {1, 0, 1}, {1, 1}, 217, {0}},
         {LS, 32, {3, 1, 1}, {1, 1}, 35, {0}},
         {LS, 32, {1, 0, 2}, {1, 1}, 2, {0}},
     }},
};

enum { ALLOCATION_INSTANCES = sizeof allocation_instances / sizeof allocation_instances[0] };

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

#define IMAGE_NAME             "selftest/allocation"
#define IMAGE_POLICIES(POLICY) POLICY(allocation)
#include "../image/common/image.h"
