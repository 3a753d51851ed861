/*
 * Warped-Slicer's plan (Xu et al., ISCA 2016): how each kernel's IPC grows with its CTAs, then slices.
 *
 * The paper measures all numbers of CTAs at once, each on an SM of its own, and makes up for the bandwidth that SMs
 * with many take from those with few. Here each kernel has its part of the SMs, all of which have as many CTAs active,
 * for one window after the other (ours): nothing is to be made up for, and no counters of single SMs are needed. Its
 * choice of whole SMs for kernels that lose too much is left out.
 *
 * Slices: CTAs of kernels that share SMs, from how each scales with its
 * CTAs. The decision: numbers in, CTAs out.
 *
 * Each kernel has one CTA. Then, while there is room, the kernel that is furthest below its best performance gets as
 * many more as it takes to perform better (its "water filling"). What a CTA takes of an SM is all that limits.
 */
#ifndef FIRMWARE_WARPED_SLICER_H
#define FIRMWARE_WARPED_SLICER_H

#include <stdbool.h>

#include "../ccbp/ccbp.h"
#include "corun.h"

enum { WS_MAX_CTAS = 32 };

struct ws_kernel {
    struct ccbp_sm cta;                /**< what one takes */
    uint32_t most;                     /**< CTAs that were measured, 0..32 */
    uint32_t performance[WS_MAX_CTAS]; /**< IPC with 1, 2 .. `most` */
};

/** A slicing under way. `ctas` is the result. */
struct ws_slicing {
    const struct ws_kernel *kernels;
    uint32_t count;      /**< of kernels, 0..8 */
    struct ccbp_sm left; /**< of an SM */
    uint32_t unfinished; /**< kernels, bits */
    uint32_t best[CCBP_MAX_KERNELS];
    uint8_t ctas[CCBP_MAX_KERNELS]; /**< on every SM; of a kernel for which there is no room: 0 */
};

/** Begins: each has one. `kernels` is not changed, and to be there, during the slicing. */
void ws_slice_begin(struct ws_slicing *slicing, const struct ccbp_sm *sm, const struct ws_kernel *kernels,
                    uint32_t count);

/**
 * Up to so many iterations. Each gives the unfinished kernel with the lowest part of its best performance, of several
 * the first, some CTAs, or finishes it. False: all are finished. There are at most one for each of the SM's slots and
 * one for each kernel.
 */
bool ws_slice_some(struct ws_slicing *slicing, uint32_t iterations);

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
