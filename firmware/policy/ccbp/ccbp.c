/*
 * CCBP (Lin et al., coordinated CTA combination and bandwidth partitioning): its parameters, and what its plan
 * (ccbp_plan.h) sets. Without parameters it is the paper's default, with an adjusted priority of latency-sensitive
 * kernels (CCBP_DRF+adj), but for what is ours below.
 */
#include <string.h>

#include "../../platform/console.h"
#include "../corun/corun.h"
#include "../param.h"
#include "ccbp_plan.h"

POLICY_PARAM(ccbp_adjust, 1, 0, 1, "1: priorLSK is adjusted (CCBP sec. 5.5: CCBP_DRF+adj); 0: it stays 1.0 (CCBP_DRF)");
POLICY_PARAM(ccbp_weighted, 0, 0, 1, "goal of the climb (CCBP sec. 5.5): 1 weighted speedup, 0 harmonic");
/*
 * Section 5 to the letter holds latency-sensitive kernels to their rates. But a quota is what a kernel used on average,
 * and what an interval leaves over is lost: a kernel that asks in bursts loses most. By their type they use less than
 * an even share.
 */
POLICY_PARAM(ccbp_held, 0, 0, 1,
             "1: issue rates for latency-sensitive kernels, too (CCBP sec. 5); 0: priority alone (ours)");
POLICY_PARAM(ccbp_unshared, 0, 0, 1,
             "1: what algorithm 1 grants nobody stays unused (CCBP); 0: others share it (ours)");
POLICY_PARAM(ccbp_once, 0, 0, 1,
             "1: a request's cost is learnt with the type (CCBP sec. 5.3); 0: again and again (ours)");
POLICY_PARAM(ccbp_strict, 0, 0, 1, "1: priority has no bound (CCBP sec. 6.2); 0: the GPU bounds it (ours)");
/* Both need the sub-queues, which stay. What is measured is measured as ever, and CTAs are granted by it. */
POLICY_PARAM(ccbp_priority, 1, 0, 1, "1: latency-sensitive kernels go first (CCBP sec. 6.2); 0: all take turns (ours)");
POLICY_PARAM(ccbp_rates, 1, 0, 1, "1: kernels have issue rates (CCBP sec. 6.1); 0: nobody has (ours)");
POLICY_PARAM(ccbp_calibrated, 0, 0, 1,
             "1: sustainable bandwidths grow to what is seen (ours); 0: they are constants (CCBP)");
POLICY_PARAM(ccbp_told, 0, 0, 1, "1: IPCs alone are those that the host tells (--tell-alone); 0: estimates (ours)");
/* Algorithm 1 does not fill, but iteration 16 of table 3 as printed does (ccbp_allocate_fill). */
POLICY_PARAM(ccbp_fill, 0, 0, 1,
             "1: latency-sensitive kernels get the CTAs that are left (CCBP table 3); 0: not (alg. 1)");
POLICY_PARAM(ccbp_units, 20, 1, 255, "units of a bandwidth: M (CCBP sec. 5.2)");
POLICY_PARAM(ccbp_scale, 1, 1, 100, "windows: so many times as long (CCBP sec. 5.4: 10 is CCBP_offline)");
POLICY_PARAM(ccbp_noc_percent, 60, 1, 100, "% of the NoC's peak: sustainable (CCBP sec. 5.4)");
POLICY_PARAM(ccbp_dram_percent, 70, 1, 100, "% of DRAM's peak: sustainable (CCBP sec. 5.4)");

POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(TIMER_2_CTRL);
POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(CTA_THROTTLE);
POLICY_OWNS(ISSUE_RATE);
POLICY_OWNS(ISSUE_FIRST);
POLICY_OWNS(ISSUE_PATIENCE);
POLICY_OWNS(MISS_QUEUES);

enum {
    CCBP_LEAST_RATE = 64,     /* a request in four intervals (ours) */
    CCBP_GRACE_INTERVALS = 2, /* ccbp_detect_type() (ours) */
    CCBP_FILLS = 8,           /* CTAs in a tick */
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
    console_printf(
        "memhelm: refused policy=ccbp %u CTA slots, %u SMs, %u and %u bytes a request, %u and %u sustainable "
        "in 65536 cycles, an interval of %u/256, M %u; allowed: 32 slots, %u bytes, an interval above 0, "
        "M x SMs x bytes below 2^23, M x sustainable below 2^32\n",
        (unsigned)plan->sm.slots, (unsigned)c->sms, (unsigned)c->bytes[CCBP_NOC], (unsigned)c->bytes[CCBP_DRAM],
        (unsigned)c->sustainable[CCBP_NOC], (unsigned)c->sustainable[CCBP_DRAM], (unsigned)c->interval,
        (unsigned)c->units, CCBP_MAX_BYTES);
    return false;
}

/* No kernel gets less than the least rate, so all kernels together must be able to have it. */
static bool ccbp_least_fits(const struct ccbp_config *config, uint32_t kernels, enum ccbp_bandwidth bandwidth)
{
    uint32_t least = ccbp_least_bandwidth(config, kernels, bandwidth);

    if (least <= config->sustainable[bandwidth])
        return true;
    console_printf("memhelm: refused policy=ccbp %u kernels at the least ISSUE_RATE, %u, take %u bytes of %s in 65536 "
                   "cycles, of which %u are sustainable\n",
                   (unsigned)kernels, (unsigned)config->least, (unsigned)least, bandwidth == CCBP_NOC ? "NoC" : "DRAM",
                   (unsigned)config->sustainable[bandwidth]);
    return false;
}

static struct ccbp_plan ccbp_state;

static void ccbp_read_params(struct ccbp_plan *plan)
{
    plan->config.units = ccbp_units;
    plan->adjust = ccbp_adjust;
    plan->held = ccbp_held;
    plan->unshared = ccbp_unshared;
    plan->once = ccbp_once;
    plan->priority = ccbp_priority;
    plan->rates = ccbp_rates;
    plan->calibrate = ccbp_calibrated;
    plan->weighted = ccbp_weighted;
}

bool corun_plan_configure(const struct gpu_caps *caps)
{
    const uint32_t needs = MH_FEATURE_MISS_QUEUES | MH_FEATURE_CTA_LIMIT | MH_FEATURE_CTA_THROTTLE;
    struct ccbp_plan *plan = &ccbp_state;
    uint32_t interval = gpu_cap(RATE_INTERVAL);

    memset(plan, 0, sizeof *plan);
    if ((caps->features & needs) != needs)
        return false;
    plan->config = (struct ccbp_config){
        .sustainable = {ccbp_sustainable(gpu_cap(NOC_PEAK), ccbp_noc_percent),
                        ccbp_sustainable(gpu_cap(DRAM_PEAK), ccbp_dram_percent)},
        .bytes = {gpu_cap(REPLY_BYTES), gpu_cap(LINE_BYTES)},
        .sms = caps->sms,
        .interval = interval,
        .least = CCBP_LEAST_RATE,
        .grace = CCBP_GRACE_INTERVALS * interval >> 8,
    };
    ccbp_read_params(plan);
    corun_read_sm(caps, &plan->sm);
    gpu_set_knob(MISS_QUEUES, 0, 1);
    if (ccbp_strict)
        gpu_set_knob(ISSUE_PATIENCE, 0, 0);
    return ccbp_countable(plan) && ccbp_least_fits(&plan->config, caps->tenants, CCBP_NOC) &&
           ccbp_least_fits(&plan->config, caps->tenants, CCBP_DRAM);
}

void corun_plan_begin(uint32_t count, const struct ccbp_sm *ctas)
{
    ccbp_plan_begin(&ccbp_state, count, ctas);
}

void corun_plan_begin_again(const struct ccbp_sm *ctas)
{
    ccbp_plan_begin_again(&ccbp_state, ctas);
}

enum corun_does corun_plan_does(void)
{
    return ccbp_plan_does(&ccbp_state);
}

bool corun_plan_renewable(void)
{
    return ccbp_plan_renewable(&ccbp_state);
}

bool corun_plan_asks(uint32_t k)
{
    return ccbp_plan_asks(&ccbp_state, k);
}

void corun_plan_learn(uint32_t k, const struct ccbp_window *window, uint32_t instructions)
{
    ccbp_plan_learn(&ccbp_state, k, window, instructions);
}

struct corun_length corun_plan_length(void)
{
    struct corun_length length = ccbp_plan_length(&ccbp_state);

    return (struct corun_length){length.skip * ccbp_scale, length.measure * ccbp_scale};
}

/* In each stage: the plan takes a new phase's for another share of what it had. */
static void ccbp_tell(const uint8_t *tenants)
{
    for (uint32_t k = 0; k < ccbp_state.count; k++) {
        uint32_t told = gpu_alone_ipc(tenants[k]);

        if (told)
            ccbp_state.known[k].alone_ipc = told;
    }
}

void corun_plan_next(const uint8_t *tenants)
{
    if (ccbp_told)
        ccbp_tell(tenants);
    ccbp_plan_next(&ccbp_state);
}

/* After the last part CTAs are filled. Issue rates were renewed: nothing is left to fill. */
bool corun_plan_work(void)
{
    if (!ccbp_fill)
        return ccbp_plan_work(&ccbp_state);
    if (ccbp_plan_does(&ccbp_state) != CORUN_WORK)
        return !ccbp_allocate_fill(&ccbp_state.allocation, CCBP_FILLS);
    (void)ccbp_plan_work(&ccbp_state);
    return false;
}

uint32_t corun_plan_set(uint32_t k, uint32_t tenant)
{
    struct ccbp_setting setting = ccbp_plan_setting(&ccbp_state, k);

    gpu_set_knob(CTA_LIMIT, tenant, setting.limit);
    gpu_set_knob(CTA_THROTTLE, tenant, setting.throttle);
    gpu_set_knob(ISSUE_RATE, tenant, setting.rate);
    gpu_set_knob(ISSUE_FIRST, tenant, setting.first);
    return setting.limit;
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

const struct policy policy_ccbp = {
    .name = "ccbp",
    .init = corun_init,
    .on_event = corun_on_event,
    .on_timer_2 = corun_on_timer_2,
};
