/*
 * Makes a policy of CCBP (Lin et al., coordinated CTA combination and bandwidth partitioning). The policy's file
 * defines CORUN_POLICY, its name, may define what is below and CORUN_SCALE, and includes this. ccbp_plan.h says what
 * happens when.
 */
#include "../platform/console.h"
#include "ccbp_plan.h"
#include "corun.h"
#include "policy.h"
#include "policy_name.h"

/* 1: priorLSK is adjusted (CCBP_DRF+adj, sec. 5.5). */
#ifndef CCBP_ADJUST
#define CCBP_ADJUST 1
#endif
/* 1: for weighted speedup; 0: for harmonic. */
#ifndef CCBP_WEIGHTED
#define CCBP_WEIGHTED 0
#endif
/*
 * Section 5 to the letter has both. 1: latency-sensitive kernels, too, are held to the issue rates of their quotas. But
 * a quota is what a kernel used on average, and what an interval leaves over is lost: a kernel that asks in bursts
 * loses most. 0 (ours): they have priority and no rate; by their type they use less than an even share.
 */
#ifndef CCBP_HELD
#define CCBP_HELD 0
#endif
/* 1: what algorithm 1 grants nobody stays unused. 0 (ours): the others share it (ccbp_grant.c). */
#ifndef CCBP_UNSHARED
#define CCBP_UNSHARED 0
#endif
/*
 * 1: what a request costs is learnt once, with the type (sec. 5.3), and detection is not repeated. 0 (ours): issue
 * rates of bandwidth-intensive kernels follow what a request costs now, and a new phase begins all anew (ccbp_plan.h).
 */
#ifndef CCBP_ONCE
#define CCBP_ONCE 0
#endif
/* 1: nothing bounds how long requests of latency-sensitive kernels pass others (sec. 6.2). 0 (ours): the GPU does. */
#ifndef CCBP_STRICT
#define CCBP_STRICT 0
#endif
/*
 * 0: of the bandwidth mechanism, latency-sensitive kernels do not go first; nobody has an issue rate. Both need the
 * sub-queues, which stay. What is measured is measured as ever, and CTAs are granted by it.
 */
#ifndef CCBP_PRIORITY
#define CCBP_PRIORITY 1
#endif
#ifndef CCBP_RATES
#define CCBP_RATES 1
#endif
/* 1: sustainable bandwidths grow to what is seen, from the percentages below on (ours). */
#ifndef CCBP_CALIBRATE
#define CCBP_CALIBRATE 0
#endif
/*
 * 1: the IPC alone that the adjustment compares with is that of ALONE_IPC where the host has told it; such a kernel is
 * not run alone. 0: firmware's own, which is an estimate.
 */
#ifndef CCBP_TOLD
#define CCBP_TOLD 0
#endif
/*
 * 1: latency-sensitive kernels get the CTAs that are left, while quotas stay. Algorithm 1 does not, but iteration 16 of
 * table 3 as printed has it (ccbp_allocate_fill).
 */
#ifndef CCBP_FILL
#define CCBP_FILL 0
#endif
/* M (sec. 5.2). */
#ifndef CCBP_UNITS
#define CCBP_UNITS 20
#endif
/* Sustainable bandwidths, in percent of the peaks (sec. 5.4). */
#ifndef CCBP_NOC_PERCENT
#define CCBP_NOC_PERCENT 60
#endif
#ifndef CCBP_DRAM_PERCENT
#define CCBP_DRAM_PERCENT 70
#endif

POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(ISSUE_RATE);
POLICY_OWNS(ISSUE_FIRST);
POLICY_OWNS(ISSUE_PATIENCE);
POLICY_OWNS(MISS_QUEUES);

enum {
    CCBP_LEAST_RATE = 64,    /* a request in four intervals (ours) */
    CCBP_GRACE_INTERVALS = 2 /* ccbp_detect_type() (ours) */
};

static uint32_t ccbp_sustainable(uint32_t peak, uint32_t percent)
{
    return (uint32_t)((uint64_t)peak * (65536 / 1024) * percent / 100);
}

static bool ccbp_countable(const struct ccbp_plan *plan)
{
    const struct ccbp_config *c = &plan->config;

    if (ccbp_plan_possible(plan))
        return true;
    console_printf("memhelm: refused policy=%s %u CTA slots, %u SMs, %u and %u bytes a request, %u and %u sustainable "
                   "in 65536 cycles, an interval of %u/256, M %u; allowed: 32 slots, %u bytes, an interval above 0, "
                   "M x SMs x bytes below 2^23, M x sustainable below 2^32\n",
                   POLICY_TEXT(CORUN_POLICY), (unsigned)plan->sm.slots, (unsigned)c->sms, (unsigned)c->bytes[CCBP_NOC],
                   (unsigned)c->bytes[CCBP_DRAM], (unsigned)c->sustainable[CCBP_NOC],
                   (unsigned)c->sustainable[CCBP_DRAM], (unsigned)c->interval, (unsigned)c->units, CCBP_MAX_BYTES);
    return false;
}

/* Nobody is put below the least rate: all kernels together must be able to have it. */
static bool ccbp_least_fits(const struct ccbp_config *config, uint32_t kernels, enum ccbp_bandwidth bandwidth)
{
    uint32_t least = ccbp_least_bandwidth(config, kernels, bandwidth);

    if (least <= config->sustainable[bandwidth])
        return true;
    console_printf("memhelm: refused policy=%s %u kernels at the least ISSUE_RATE, %u, take %u bytes of %s in 65536 "
                   "cycles, of which %u are sustainable\n",
                   POLICY_TEXT(CORUN_POLICY), (unsigned)kernels, (unsigned)config->least, (unsigned)least,
                   bandwidth == CCBP_NOC ? "NoC" : "DRAM", (unsigned)config->sustainable[bandwidth]);
    return false;
}

static bool ccbp_plan_configure(struct ccbp_plan *plan, const struct gpu_caps *caps)
{
    uint32_t interval = gpu_cap(RATE_INTERVAL);

    plan->config = (struct ccbp_config){
        .sustainable = {ccbp_sustainable(gpu_cap(NOC_PEAK), CCBP_NOC_PERCENT),
                        ccbp_sustainable(gpu_cap(DRAM_PEAK), CCBP_DRAM_PERCENT)},
        .bytes = {gpu_cap(REPLY_BYTES), gpu_cap(LINE_BYTES)},
        .units = CCBP_UNITS,
        .sms = caps->sms,
        .interval = interval,
        .least = CCBP_LEAST_RATE,
        .grace = CCBP_GRACE_INTERVALS * interval >> 8,
    };
    plan->adjust = CCBP_ADJUST;
    plan->held = CCBP_HELD;
    plan->unshared = CCBP_UNSHARED;
    plan->once = CCBP_ONCE;
    plan->priority = CCBP_PRIORITY;
    plan->rates = CCBP_RATES;
    plan->calibrate = CCBP_CALIBRATE;
    plan->weighted = CCBP_WEIGHTED;
    corun_read_sm(caps, &plan->sm);
    gpu_set_knob(MISS_QUEUES, 0, 1);
#if CCBP_STRICT
    gpu_set_knob(ISSUE_PATIENCE, 0, 0);
#endif
    return ccbp_countable(plan) && ccbp_least_fits(&plan->config, caps->tenants, CCBP_NOC) &&
           ccbp_least_fits(&plan->config, caps->tenants, CCBP_DRAM);
}

static uint32_t ccbp_set(const struct ccbp_plan *plan, uint32_t k, uint32_t tenant)
{
    struct ccbp_setting setting = ccbp_plan_setting(plan, k);

    gpu_set_knob(CTA_LIMIT, tenant, setting.limit);
    gpu_set_knob(CTA_THROTTLE, tenant, setting.throttle);
    gpu_set_knob(ISSUE_RATE, tenant, setting.rate);
    gpu_set_knob(ISSUE_FIRST, tenant, setting.first);
    return setting.limit;
}

#if CCBP_TOLD
/* In each stage: the plan takes a new phase's for another share of what it had. */
static void ccbp_tell(struct ccbp_plan *plan, uint32_t k, uint32_t tenant)
{
    uint32_t told = gpu_alone_ipc(tenant);

    if (told)
        plan->known[k].alone_ipc = told;
}
#define CORUN_TELL(plan, k, tenant) ccbp_tell(plan, k, tenant)
#endif

#if CCBP_FILL
enum { CCBP_FILLS = 8 /* CTAs in a tick */ };

/* When all else is done. Issue rates were renewed: nothing is left to fill. */
static bool ccbp_fill(struct ccbp_plan *plan)
{
    if (ccbp_plan_does(plan) != CORUN_WORK)
        return !ccbp_allocate_fill(&plan->allocation, CCBP_FILLS);
    (void)ccbp_plan_work(plan);
    return false;
}
#define CORUN_PART_OF_WORK(plan) ccbp_fill(plan)
#endif

#define CORUN_PLAN                 ccbp_plan
#define CORUN_SET(plan, k, tenant) ccbp_set(plan, k, tenant)
#define CORUN_NEEDS                MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE
#include "corun_policy.h"
