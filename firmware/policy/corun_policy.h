/*
 * Makes a policy for kernels that share SMs out of a plan: what to measure next, with which CTAs and rates. The
 * policy's file includes what declares the plan, owns its knobs, defines the following, and includes this.
 *
 * - CORUN_POLICY: its name.
 * - CORUN_NEEDS: features.
 * - CORUN_SET(plan, k, tenant): sets the kernel's knobs; returns its CTAs on each SM.
 * - CORUN_SMS(plan), CORUN_SET_SM(plan, k, tenant, sm): optional; how many SMs have knobs of their own, and sets them.
 * - CORUN_TELL(plan, k, tenant): optional; what the plan is told of the kernel before _next().
 * - CORUN_PART_OF_WORK(plan): optional; in place of _work(plan), which it calls.
 * - CORUN_PLAN: the plan's type, struct CORUN_PLAN, with `count`, and what its functions begin with:
 *   - _configure(plan, caps), at boot; false: this GPU cannot
 *   - _begin(plan, count, ctas): kernels have come, gone or changed; ctas[count]: what a CTA takes
 *   - _begin_again(plan, ctas): the same kernels; what a CTA takes has changed
 *   - _does(plan): enum corun_does
 *   - _renewable(plan): it may begin again for that, now
 *   - _length(plan): of the window, struct corun_length
 *   - _asks(plan, k): kernel k is looked at
 *   - _learn(plan, k, window, instructions): its window
 *   - _next(plan): all were looked at
 *   - _work(plan): a part of it; true: it is done, and so is _next()
 *
 * A window begins when the SMs hold no more CTAs than they may, or after a time. All work is done in ticks of a timer,
 * none of which takes long: decisions of others go on meanwhile.
 */
#include <string.h>

#include "corun.h"
#include "policy.h"
#include "policy_name.h"

/* Each kernel has its part of the SMs (corun_split.h), and no CTAs on others. */
#ifndef CORUN_SPLIT
#define CORUN_SPLIT(plan) false
#endif
#ifndef CORUN_SMS
#define CORUN_SMS(plan)                   ((void)(plan), 0)
#define CORUN_SET_SM(plan, k, tenant, sm) ((void)(k), (void)(tenant), (void)(sm))
#endif
#ifndef CORUN_TELL
#define CORUN_TELL(plan, k, tenant) ((void)(plan), (void)(k), (void)(tenant))
#endif
#ifndef CORUN_PART_OF_WORK
#define CORUN_PART_OF_WORK(plan) CORUN_PLAN_(_work)(plan)
#endif
/* Windows are so many times as long. */
#ifndef CORUN_SCALE
#define CORUN_SCALE 1
#endif

POLICY_OWNS(LAUNCH_EVENTS);
POLICY_OWNS(TIMER_2_CTRL);

#define CORUN(what)       POLICY_NAME(CORUN_POLICY, what)
#define CORUN_PLAN_(what) POLICY_NAME(CORUN_PLAN, what)

/* GPU cycles (ours). */
enum {
    CORUN_TICK = 200,        /* between two parts of the work */
    CORUN_DRAIN_TICK = 2500, /* between two looks at SMs whose CTAs finish */
    CORUN_DRAIN_TICKS = 80,  /* looks, after which the window begins anyhow: 200 000 cycles */
};

enum CORUN(_step) {
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
    struct CORUN_PLAN plan;
    enum CORUN(_step) step;
    uint32_t ticks;  /* left for CTAs to finish */
    uint32_t kernel; /* the next to set, or to learn of */
    uint32_t sm;     /* the next to set of that kernel */
    bool launched;   /* another launch has come */
    uint8_t limits[GPU_MAX_TENANTS];
    struct ccbp_sm ctas[GPU_MAX_TENANTS]; /* what one takes of each kernel that was found */
} CORUN(_state);

static void CORUN(_wait)(uint32_t cycles, enum CORUN(_step) step)
{
    CORUN(_state).step = step;
    gpu_set_timer_2(cycles);
}

/* Of the kernel. True: of all. */
static bool CORUN(_set_sms)(void)
{
    const struct CORUN_PLAN *plan = &CORUN(_state).plan;
    uint32_t k = CORUN(_state).kernel, tenant = CORUN(_state).corun.tenant[k];
    uint32_t sms = CORUN_SMS(plan), sm = CORUN(_state).sm, end = sm + CORUN_SMS_SET_AT_ONCE;

    for (; sm < sms && sm < end; sm++)
        CORUN_SET_SM(plan, k, tenant, sm);
    CORUN(_state).sm = sm;
    return sm >= sms;
}

/* The kernel's knobs, as the plan asks for them. */
static void CORUN(_set_kernel)(void)
{
    uint32_t k = CORUN(_state).kernel, tenant = CORUN(_state).corun.tenant[k];
    uint8_t limit = (uint8_t)CORUN_SET(&CORUN(_state).plan, k, tenant);

    /* Who has waited for these limits before does not wait for them again. */
    if (limit != CORUN(_state).limits[k])
        CORUN(_state).ticks = CORUN_DRAIN_TICKS;
    CORUN(_state).limits[k] = limit;
}

/* The next kernel, or the next of its SMs. */
static void CORUN(_set_next)(void)
{
    if (CORUN(_state).sm == 0)
        CORUN(_set_kernel)();
    if (CORUN(_set_sms)()) {
        CORUN(_state).kernel++;
        CORUN(_state).sm = 0;
    }
}

/* All are set. A window comes when the CTAs are no more than that. */
static void CORUN(_begin_stage)(void)
{
    const struct CORUN_PLAN *plan = &CORUN(_state).plan;
    enum corun_does does = CORUN_PLAN_(_does)(plan);

    corun_drain(&CORUN(_state).corun, CORUN_SPLIT(plan));
    if (does == CORUN_REST)
        CORUN(_state).step = CORUN_RESTS;
    else
        CORUN(_wait)(CORUN_TICK, does == CORUN_WORK ? CORUN_WORKS : CORUN_DRAINS);
}

/* One kernel in a tick, or a part of its SMs. */
static void CORUN(_set_some)(void)
{
    if (CORUN(_state).kernel < CORUN(_state).corun.count)
        CORUN(_set_next)();
    if (CORUN(_state).kernel < CORUN(_state).corun.count)
        CORUN(_wait)(CORUN_TICK, CORUN_SETS);
    else
        CORUN(_begin_stage)();
}

static void CORUN(_set_all)(void)
{
    CORUN(_state).kernel = CORUN(_state).sm = 0;
    CORUN(_wait)(CORUN_TICK, CORUN_SETS);
}

/* Launches that have come begin all anew, if their CTAs are others than the plan's. */
static bool CORUN(_finds_again)(void)
{
    if (!CORUN(_state).launched || !CORUN_PLAN_(_renewable)(&CORUN(_state).plan))
        return false;
    CORUN(_wait)(CORUN_TICK, CORUN_FINDS_AGAIN);
    return true;
}

/* Another stage: its settings. */
static void CORUN(_change)(void)
{
    if (!CORUN(_finds_again)())
        CORUN(_set_all)();
}

static void CORUN(_find)(const struct gpu_caps *caps)
{
    CORUN(_state).launched = false;
    (void)corun_find(&CORUN(_state).corun, caps, CORUN(_state).ctas);
    CORUN(_wait)(CORUN_TICK, CORUN_BEGINS);
}

/* Of launches that take turns the last may be the one that was planned for. */
static void CORUN(_find_again)(const struct gpu_caps *caps)
{
    CORUN(_state).launched = false;
    if (corun_find(&CORUN(_state).corun, caps, CORUN(_state).ctas))
        CORUN(_wait)(CORUN_TICK, CORUN_BEGINS_AGAIN);
    else
        CORUN(_set_all)();
}

static void CORUN(_begin)(void)
{
    CORUN_PLAN_(_begin)(&CORUN(_state).plan, CORUN(_state).corun.count, CORUN(_state).ctas);
}

static enum policy_status CORUN(_init)(const struct gpu_caps *caps)
{
    memset(&CORUN(_state), 0, sizeof CORUN(_state));
    if ((caps->features & (CORUN_NEEDS)) != (CORUN_NEEDS) || !CORUN_PLAN_(_configure)(&CORUN(_state).plan, caps))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(LAUNCH_EVENTS, 0, 1);
    (void)corun_find(&CORUN(_state).corun, caps, CORUN(_state).ctas);
    CORUN(_begin)();
    while (CORUN(_state).kernel < CORUN(_state).corun.count)
        CORUN(_set_next)();
    CORUN(_begin_stage)();
    return POLICY_OK;
}

/*
 * Kernels come and go: all begins anew, in ticks, once for several that come at once. A launch that takes something
 * else waits until the plan may be renewed: a program of short launches would never get there. The others go on.
 */
static void CORUN(_on_event)(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)caps;
    CORUN(_state).launched |= event->kind == MH_EVENT_TENANT_LAUNCH;
    if (event->kind == MH_EVENT_TENANT_ARRIVED || event->kind == MH_EVENT_TENANT_LEFT)
        CORUN(_wait)(CORUN_TICK, CORUN_FINDS);
    else if (CORUN(_state).step == CORUN_RESTS)
        (void)CORUN(_finds_again)();
}

static void CORUN(_drain)(const struct gpu_caps *caps)
{
    uint32_t end = CORUN(_state).corun.drained + CORUN_SMS_AT_ONCE;

    if (corun_drained(&CORUN(_state).corun, caps, CORUN(_state).limits) || !CORUN(_state).ticks)
        CORUN(_wait)(CORUN_PLAN_(_length)(&CORUN(_state).plan).skip * CORUN_SCALE + CORUN_TICK, CORUN_SKIPS);
    else if (CORUN(_state).corun.drained == end)
        CORUN(_wait)(CORUN_TICK, CORUN_DRAINS);
    else {
        CORUN(_state).ticks--;
        CORUN(_wait)(CORUN_DRAIN_TICK, CORUN_DRAINS);
    }
}

static void CORUN(_tell)(struct CORUN_PLAN *plan)
{
    for (uint32_t k = 0; k < plan->count; k++)
        CORUN_TELL(plan, k, CORUN(_state).corun.tenant[k]);
}

/* One kernel in a tick. */
static void CORUN(_learn)(void)
{
    struct CORUN_PLAN *plan = &CORUN(_state).plan;
    uint32_t k = CORUN(_state).kernel;

    while (k < plan->count && !CORUN_PLAN_(_asks)(plan, k))
        k++;
    if (k < plan->count) {
        struct ccbp_window window = corun_window(&CORUN(_state).corun, k);

        CORUN_PLAN_(_learn)(plan, k, &window, CORUN(_state).corun.window[k].instructions);
        CORUN(_state).kernel = k + 1;
        CORUN(_wait)(CORUN_TICK, CORUN_LEARNS);
        return;
    }
    CORUN(_tell)(plan);
    CORUN_PLAN_(_next)(plan);
    if (CORUN_PLAN_(_does)(plan) == CORUN_WORK)
        CORUN(_wait)(CORUN_TICK, CORUN_WORKS);
    else
        CORUN(_change)();
}

static void CORUN(_on_timer_2)(const struct gpu_caps *caps)
{
    switch (CORUN(_state).step) {
    case CORUN_FINDS:
        CORUN(_find)(caps);
        break;
    case CORUN_BEGINS:
        CORUN(_begin)();
        CORUN(_change)();
        break;
    case CORUN_FINDS_AGAIN:
        CORUN(_find_again)(caps);
        break;
    case CORUN_BEGINS_AGAIN:
        CORUN_PLAN_(_begin_again)(&CORUN(_state).plan, CORUN(_state).ctas);
        CORUN(_change)();
        break;
    case CORUN_SETS:
        CORUN(_set_some)();
        break;
    case CORUN_DRAINS:
        CORUN(_drain)(caps);
        break;
    case CORUN_SKIPS:
        corun_snapshot(&CORUN(_state).corun);
        CORUN(_wait)(CORUN_PLAN_(_length)(&CORUN(_state).plan).measure * CORUN_SCALE, CORUN_MEASURES);
        break;
    case CORUN_MEASURES:
        corun_snapshot(&CORUN(_state).corun);
        CORUN(_state).kernel = 0;
        CORUN(_wait)(CORUN_TICK, CORUN_LEARNS);
        break;
    case CORUN_LEARNS:
        CORUN(_learn)();
        break;
    case CORUN_WORKS:
        if (CORUN_PART_OF_WORK(&CORUN(_state).plan))
            CORUN(_change)();
        else
            CORUN(_wait)(CORUN_TICK, CORUN_WORKS);
        break;
    default:
        break;
    }
}

const struct policy POLICY_NAME(policy_, CORUN_POLICY) = {
    .name = POLICY_TEXT(CORUN_POLICY),
    .init = CORUN(_init),
    .on_event = CORUN(_on_event),
    .on_timer_2 = CORUN(_on_timer_2),
};
