/*
 * What policies for kernels that share SMs have in common: it sets what the plan asks for, waits until the SMs hold no
 * more CTAs than they may, or for a time, measures a window, and asks the plan what comes next (corun.h). All work
 * is done in ticks of a timer, none of which takes long: decisions of others go on meanwhile.
 */
#include <string.h>

#include "corun.h"

POLICY_USES(LAUNCH_EVENTS);
POLICY_USES(TIMER_2_CTRL);

/* GPU cycles (ours). */
enum {
    CORUN_TICK = 200,        /* between two parts of the work */
    CORUN_DRAIN_TICK = 2500, /* between two looks at SMs whose CTAs finish */
    CORUN_DRAIN_TICKS = 80,  /* looks, after which the window begins anyhow: 200 000 cycles */
};

enum corun_step {
    CORUN_FINDS,
    CORUN_BEGINS,
    CORUN_FINDS_AGAIN,
    CORUN_BEGINS_AGAIN,
    CORUN_SETS,
    CORUN_DRAINS,
    CORUN_SKIPS,
    CORUN_MEASURES,
    CORUN_LEARNS,
    CORUN_WORKS,
    CORUN_RESTS
};

static struct {
    struct corun corun;
    enum corun_step step;
    uint32_t ticks;  /* left for CTAs to finish */
    uint32_t kernel; /* the next to set, or to learn of */
    uint32_t sm;     /* the next to set of that kernel */
    uint32_t count;  /* kernels of the plan */
    bool launched;   /* another launch has come */
    uint8_t limits[GPU_MAX_TENANTS];
    struct ccbp_sm ctas[GPU_MAX_TENANTS]; /* what one takes of each kernel that was found */
} corun_state;

static void corun_run_wait(uint32_t cycles, enum corun_step step)
{
    corun_state.step = step;
    gpu_set_timer_2(cycles);
}

/* Of the kernel. True: of all. */
static bool corun_run_set_sms(void)
{
    uint32_t k = corun_state.kernel, tenant = corun_state.corun.tenant[k];
    uint32_t sms = corun_plan_sms(), sm = corun_state.sm, end = sm + CORUN_SMS_SET_AT_ONCE;

    for (; sm < sms && sm < end; sm++)
        corun_plan_set_sm(k, tenant, sm);
    corun_state.sm = sm;
    return sm >= sms;
}

/* The kernel's knobs, as the plan asks for them. */
static void corun_run_set_kernel(void)
{
    uint32_t k = corun_state.kernel, tenant = corun_state.corun.tenant[k];
    uint8_t limit = (uint8_t)corun_plan_set(k, tenant);

    /* A kernel that has waited for these limits does not wait for them again. */
    if (limit != corun_state.limits[k])
        corun_state.ticks = CORUN_DRAIN_TICKS;
    corun_state.limits[k] = limit;
}

/* The next kernel, or the next of its SMs. */
static void corun_run_set_next(void)
{
    if (corun_state.sm == 0)
        corun_run_set_kernel();
    if (corun_run_set_sms()) {
        corun_state.kernel++;
        corun_state.sm = 0;
    }
}

/* All are set. A window comes when the CTAs are no more than that. */
static void corun_run_begin_stage(void)
{
    enum corun_does does = corun_plan_does();

    corun_drain(&corun_state.corun, corun_plan_split());
    if (does == CORUN_REST)
        corun_state.step = CORUN_RESTS;
    else
        corun_run_wait(CORUN_TICK, does == CORUN_WORK ? CORUN_WORKS : CORUN_DRAINS);
}

/* One kernel in a tick, or a part of its SMs. */
static void corun_run_set_some(void)
{
    if (corun_state.kernel < corun_state.corun.count)
        corun_run_set_next();
    if (corun_state.kernel < corun_state.corun.count)
        corun_run_wait(CORUN_TICK, CORUN_SETS);
    else
        corun_run_begin_stage();
}

static void corun_run_set_all(void)
{
    corun_state.kernel = corun_state.sm = 0;
    corun_run_wait(CORUN_TICK, CORUN_SETS);
}

/* Launches that have come begin all anew, if their CTAs are others than the plan's. */
static bool corun_run_finds_again(void)
{
    if (!corun_state.launched || !corun_plan_renewable())
        return false;
    corun_run_wait(CORUN_TICK, CORUN_FINDS_AGAIN);
    return true;
}

/* Another stage: its settings. */
static void corun_run_change(void)
{
    if (!corun_run_finds_again())
        corun_run_set_all();
}

static void corun_run_find(const struct gpu_caps *caps)
{
    corun_state.launched = false;
    (void)corun_find(&corun_state.corun, caps, corun_state.ctas);
    corun_run_wait(CORUN_TICK, CORUN_BEGINS);
}

/* Of launches that take turns the last may be the one that was planned for. */
static void corun_run_find_again(const struct gpu_caps *caps)
{
    corun_state.launched = false;
    if (corun_find(&corun_state.corun, caps, corun_state.ctas))
        corun_run_wait(CORUN_TICK, CORUN_BEGINS_AGAIN);
    else
        corun_run_set_all();
}

static void corun_run_begin(void)
{
    corun_state.count = corun_state.corun.count;
    corun_plan_begin(corun_state.count, corun_state.ctas);
}

enum policy_status corun_init(const struct gpu_caps *caps)
{
    memset(&corun_state, 0, sizeof corun_state);
    if (!corun_plan_configure(caps))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(LAUNCH_EVENTS, 0, 1);
    (void)corun_find(&corun_state.corun, caps, corun_state.ctas);
    corun_run_begin();
    while (corun_state.kernel < corun_state.corun.count)
        corun_run_set_next();
    corun_run_begin_stage();
    return POLICY_OK;
}

/*
 * Kernels come and go: all begins anew, in ticks, once for several that come at once. A launch that takes something
 * else waits until the plan may be renewed: a program of short launches would never get there. The others go on.
 */
void corun_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)caps;
    corun_state.launched |= event->kind == MH_EVENT_TENANT_LAUNCH;
    if (event->kind == MH_EVENT_TENANT_ARRIVED || event->kind == MH_EVENT_TENANT_LEFT)
        corun_run_wait(CORUN_TICK, CORUN_FINDS);
    else if (corun_state.step == CORUN_RESTS)
        (void)corun_run_finds_again();
}

static void corun_run_drain(const struct gpu_caps *caps)
{
    uint32_t end = corun_state.corun.drained + CORUN_SMS_AT_ONCE;

    if (corun_drained(&corun_state.corun, caps, corun_state.limits) || !corun_state.ticks)
        corun_run_wait(corun_plan_length().skip + CORUN_TICK, CORUN_SKIPS);
    else if (corun_state.corun.drained == end)
        corun_run_wait(CORUN_TICK, CORUN_DRAINS);
    else {
        corun_state.ticks--;
        corun_run_wait(CORUN_DRAIN_TICK, CORUN_DRAINS);
    }
}

/* One kernel in a tick. */
static void corun_run_learn(void)
{
    uint32_t k = corun_state.kernel;

    while (k < corun_state.count && !corun_plan_asks(k))
        k++;
    if (k < corun_state.count) {
        struct ccbp_window window = corun_window(&corun_state.corun, k);

        corun_plan_learn(k, &window, corun_state.corun.window[k].instructions);
        corun_state.kernel = k + 1;
        corun_run_wait(CORUN_TICK, CORUN_LEARNS);
        return;
    }
    corun_plan_next(corun_state.corun.tenant);
    if (corun_plan_does() == CORUN_WORK)
        corun_run_wait(CORUN_TICK, CORUN_WORKS);
    else
        corun_run_change();
}

void corun_on_timer_2(const struct gpu_caps *caps)
{
    switch (corun_state.step) {
    case CORUN_FINDS:
        corun_run_find(caps);
        break;
    case CORUN_BEGINS:
        corun_run_begin();
        corun_run_change();
        break;
    case CORUN_FINDS_AGAIN:
        corun_run_find_again(caps);
        break;
    case CORUN_BEGINS_AGAIN:
        corun_plan_begin_again(corun_state.ctas);
        corun_run_change();
        break;
    case CORUN_SETS:
        corun_run_set_some();
        break;
    case CORUN_DRAINS:
        corun_run_drain(caps);
        break;
    case CORUN_SKIPS:
        corun_snapshot(&corun_state.corun);
        corun_run_wait(corun_plan_length().measure, CORUN_MEASURES);
        break;
    case CORUN_MEASURES:
        corun_snapshot(&corun_state.corun);
        corun_state.kernel = 0;
        corun_run_wait(CORUN_TICK, CORUN_LEARNS);
        break;
    case CORUN_LEARNS:
        corun_run_learn();
        break;
    case CORUN_WORKS:
        if (corun_plan_work())
            corun_run_change();
        else
            corun_run_wait(CORUN_TICK, CORUN_WORKS);
        break;
    default:
        break;
    }
}
