/*
 * CCBP's plan: what has been learnt of the kernels that run together, which window comes next, and what they get.
 * Pure: ccbp.c reads counters and sets knobs.
 *
 * A window has a setting, some cycles that are skipped, and some in which counters count. The plan goes:
 *
 * - factors: even CTAs, no issue rates: what a request costs (sec. 5.4: skip 50 K cycles, measure 20 K).
 * - demand: even issue rates as well: types, and what latency-sensitive kernels use (ours: a window of its own, since
 *   demand is judged against the even rate). Their quotas are converted by what a request costs in it.
 * - alone: only before a climb, or to calibrate, for each kernel whose stand-alone IPC is unknown. It issues by itself,
 *   with its even CTAs, then with half of them. The two IPCs give an estimate of its IPC alone on the GPU (ours: the
 *   paper does not say how it is known). After an arrival or a departure the running kernels are not stopped: each
 *   keeps one CTA that issues.
 * - profile: for each bandwidth-intensive kernel and each number of CTAs up to its even share, no issue rate of its
 *   own: its bandwidths (sec. 5.4: skip 10 K, measure 10 K).
 * - allocate: no window: algorithm 1.
 * - run: 100 K cycles with what was allocated, for the climb of priorLSK (sec. 5.5).
 * - watch: 100 K cycles after the other: what a request costs now, and issue rates of bandwidth-intensive kernels by
 *   that (ours; section 6 has rf and df monitored). A new phase starts the plan again (ours). Stand-alone IPCs are then
 *   scaled by the change of the first window's IPC, so no kernel is stopped (ours). Three events begin a phase (ours):
 *   a request's cost more than doubles or halves, costs under a 16th of a line counting as that; a latency-sensitive
 *   kernel demands an even share of bandwidth, checked after a fifth of `patience`; a launch's CTAs need other
 *   resources.
 *
 * With input `once` the costs of window `demand` stay (sec. 5.3), and in place of `watch` the plan rests until kernels
 * come or go.
 */
#ifndef FIRMWARE_CCBP_PLAN_H
#define FIRMWARE_CCBP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../corun/corun.h"
#include "ccbp.h"

enum ccbp_stage {
    CCBP_HOLD, /**< one kernel: there is nothing to do */
    CCBP_FIND_FACTORS,
    CCBP_FIND_DEMAND,
    CCBP_RUN_ALONE,
    CCBP_PROFILE,
    CCBP_ALLOCATE,
    CCBP_RUN,
    CCBP_WATCH,
    CCBP_RENEW, /**< issue rates, between two of those */
};

/**
 * Numbers of CTAs at which kernels are profiled, of all together: even shares of an SM's 32 CTA slots at most. Each of
 * n kernels has max(1, most / n) of them, most is 32 or less, and n is: n max(1, 32 / n) is no more than 32.
 */
enum { CCBP_POINTS = 32 };
_Static_assert((int)CCBP_MAX_KERNELS <= CCBP_POINTS, "each kernel is profiled with one CTA");

/** What a kernel may do from now on. */
struct ccbp_setting {
    uint32_t limit;    /**< CTAs on each SM */
    uint32_t throttle; /**< of those, that issue */
    uint32_t rate;     /**< issue rate; CCBP_RATE_MAX: no limit */
    bool first;        /**< its requests go first */
};

/** What is known of a kernel. */
struct ccbp_known {
    struct ccbp_window factors;           /**< of the first window */
    struct ccbp_cost cost;                /**< of the last window */
    struct ccbp_cost detected;            /**< of the window of the demand */
    struct ccbp_cost settled;             /**< of the window after the allocation */
    struct ccbp_use use[CCBP_BANDWIDTHS]; /**< latency-sensitive: of a CTA */
    enum ccbp_type type;
    uint32_t even_rate, rate; /**< issue rates */
    uint32_t ipc[2];          /**< alone, with its even CTAs and with half of them; 1/2^16 */
    uint32_t alone_ipc;       /**< 0: not known */
    uint32_t even_ipc;        /**< with the others, in the first window */
    uint32_t shared_ipc;      /**< with the others, in a window of the climb */
    uint8_t even, most;       /**< CTAs: even share, 1 or more; alone on the GPU */
};

struct ccbp_plan {
    struct ccbp_config config; /**< an input */
    struct ccbp_sm sm;         /**< an input */
    bool adjust;               /**< an input: climb; else priorLSK stays 1.0 */
    bool held;                 /**< an input: latency-sensitive kernels are held to their quotas, too */
    bool unshared;             /**< an input: bandwidth that was not granted stays unused */
    bool once;      /**< an input: quotas are converted once, as detected; only arrivals and departures begin anew */
    bool priority;  /**< an input: what was granted has latency-sensitive kernels go first; else all take turns */
    bool rates;     /**< an input: what was granted has issue rates; else no kernel is limited */
    bool calibrate; /**< an input: a bandwidth that is seen above the sustainable one takes its place */
    bool weighted;  /**< an input: the climb's goal is weighted speedup; else harmonic */
    enum ccbp_stage stage;
    uint32_t count;       /**< of kernels, 1..8 */
    uint32_t kernel;      /**< the one that the stage is about */
    uint32_t ctas;        /**< that it has active in the stage */
    uint32_t points_used; /**< of `points` */
    struct ccbp_known known[CCBP_MAX_KERNELS];
    struct ccbp_kernel kernels[CCBP_MAX_KERNELS];
    struct ccbp_point points[CCBP_POINTS];
    struct ccbp_allocation allocation;
    struct ccbp_adjust climb;
    uint32_t seen[CCBP_BANDWIDTHS]; /**< bandwidths of all kernels in the window */
    uint32_t patience;              /**< windows of 100 K cycles before a new phase counts; each phase doubles it */
    uint32_t watched;               /**< of those, since the allocation */
    bool allocating;                /**< CCBP_ALLOCATE: the allocation has begun */
    bool phase;                     /**< a new one */
    bool began;                     /**< with some kernel, at some time */
    bool runs;                      /**< some ran before all began anew: no kernel is stopped any more */
    uint8_t ctas_before[CCBP_MAX_KERNELS], units_before[CCBP_MAX_KERNELS]; /**< of the allocation before */
};

/** The inputs fit what ccbp.h can count with, and an SM has no more than 32 CTA slots. */
bool ccbp_plan_possible(const struct ccbp_plan *plan);

/** Begins anew with the first stage, with `count` kernels of which a CTA takes `ctas[]`. One kernel: nothing to do. */
void ccbp_plan_begin(struct ccbp_plan *plan, uint32_t count, const struct ccbp_sm *ctas);

/** Begins a new phase, as a CTA takes other resources. The wait for the next phase is twice as long. */
void ccbp_plan_begin_again(struct ccbp_plan *plan, const struct ccbp_sm *ctas);

/** Length of this stage's window. */
struct corun_length ccbp_plan_length(const struct ccbp_plan *plan);

/** What kernel `k` may do in this stage. */
struct ccbp_setting ccbp_plan_setting(const struct ccbp_plan *plan, uint32_t k);

/** What the stage does. */
static inline enum corun_does ccbp_plan_does(const struct ccbp_plan *plan)
{
    if (plan->stage == CCBP_HOLD || (plan->stage == CCBP_WATCH && plan->once))
        return CORUN_REST;
    return plan->stage == CCBP_ALLOCATE || plan->stage == CCBP_RENEW ? CORUN_WORK : CORUN_WINDOW;
}

/**
 * Before a stage: it may begin again for launches. As often as for any new phase; and with the first stage, in which
 * nothing is lost.
 */
static inline bool ccbp_plan_renewable(const struct ccbp_plan *plan)
{
    return plan->stage == CCBP_FIND_FACTORS ||
           (plan->stage == CCBP_WATCH && !plan->once && plan->watched >= plan->patience);
}

/** The stage looks at this kernel's window. */
static inline bool ccbp_plan_asks(const struct ccbp_plan *plan, uint32_t k)
{
    return (plan->stage != CCBP_RUN_ALONE && plan->stage != CCBP_PROFILE) || k == plan->kernel;
}

/** The window of a kernel that the stage asks for, and its instructions there. */
void ccbp_plan_learn(struct ccbp_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions);

/** Every kernel that it asks for was learnt: the next stage. */
void ccbp_plan_next(struct ccbp_plan *plan);

/** Stages CCBP_ALLOCATE and CCBP_RENEW: a part of the work. True: it is done, and so is ccbp_plan_next(). */
bool ccbp_plan_work(struct ccbp_plan *plan);

/**
 * IPC alone with `most` CTAs, from those with `even` and with even / 2 of them: 1 / IPC is taken as a + b / CTAs, which
 * fits a kernel that scales and one that is saturated; never more than linear, never less than measured (ours).
 */
uint32_t ccbp_alone_ipc(uint32_t ipc, uint32_t half_ipc, uint32_t even, uint32_t most);

/*
 * What the parts of CCBP's plan have in common: ccbp_plan.c, stages; ccbp_learn.c, windows; ccbp_grant.c, allocation.
 */

/** Windows of 100 K cycles before the first new phase counts (ours). */
enum { CCBP_FIRST_PATIENCE = 5 };

static inline bool ccbp_is_latency_sensitive(const struct ccbp_known *known)
{
    return known->type == CCBP_LATENCY_SENSITIVE;
}

/** Bandwidths of a window that were more than the sustainable ones take their place; the next window begins. */
void ccbp_calibrate(struct ccbp_plan *plan);

/**
 * priorLSK is to be adjusted. One that changes nothing is not tried: without latency-sensitive kernels, or with no
 * others, none does.
 */
bool ccbp_has_climb(const struct ccbp_plan *plan);

/** The next stage is CCBP_ALLOCATE. */
void ccbp_begin_allocation(struct ccbp_plan *plan);

#endif
