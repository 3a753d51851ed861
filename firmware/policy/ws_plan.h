/*
 * Warped-Slicer's plan (Xu et al., ISCA 2016): how each kernel's IPC grows with its CTAs, then ws_slice.h.
 *
 * The paper measures all numbers of CTAs at once, each on an SM of its own, and makes up for the bandwidth that SMs
 * with many take from those with few. Here each kernel has its part of the SMs, all of which have as many CTAs active,
 * for one window after the other (ours): nothing is to be made up for, and no counters of single SMs are needed. Its
 * choice of whole SMs for kernels that lose too much is left out.
 */
#ifndef FIRMWARE_WS_PLAN_H
#define FIRMWARE_WS_PLAN_H

#include <stdbool.h>

#include "ccbp_detect.h"
#include "corun_plan.h"
#include "ws_slice.h"

struct ws_plan {
    struct ccbp_sm sm; /**< an input */
    uint32_t count;    /**< of kernels */
    uint32_t active;   /**< CTAs that are measured; 0: it slices, or has sliced */
    struct ws_kernel kernels[CCBP_MAX_KERNELS];
    struct ws_slicing slicing;
};

/** `sm` is set. False: it has more than 32 CTA slots. */
bool ws_plan_possible(const struct ws_plan *plan);

void ws_plan_begin(struct ws_plan *plan, uint32_t count, const struct ccbp_sm *ctas);

static inline void ws_plan_begin_again(struct ws_plan *plan, const struct ccbp_sm *ctas)
{
    ws_plan_begin(plan, plan->count, ctas);
}

static inline enum corun_does ws_plan_does(const struct ws_plan *plan)
{
    if (plan->active)
        return CORUN_WINDOW;
    return plan->slicing.unfinished ? CORUN_WORK : CORUN_REST;
}

static inline bool ws_plan_renewable(const struct ws_plan *plan)
{
    return ws_plan_does(plan) == CORUN_REST;
}

/** The first after 20 000 cycles, each of 5000 after 5000 (ours). */
static inline struct corun_length ws_plan_length(const struct ws_plan *plan)
{
    return (struct corun_length){plan->active == 1 ? 20000 : 5000, 5000};
}

/** Kernel `k` has so many CTAs. */
static inline bool ws_plan_asks(const struct ws_plan *plan, uint32_t k)
{
    return plan->active <= plan->kernels[k].most;
}

void ws_plan_learn(struct ws_plan *plan, uint32_t k, const struct ccbp_window *window, uint32_t instructions);
void ws_plan_next(struct ws_plan *plan);

/** Slices, in parts. True: it is done. */
bool ws_plan_work(struct ws_plan *plan);

/** CTAs of the kernel on each SM, or on each of its SMs. */
static inline uint32_t ws_plan_ctas(const struct ws_plan *plan, uint32_t k)
{
    return plan->active ? plan->kernels[k].most : plan->slicing.ctas[k];
}

#endif
