/* A plan that measures nothing: settings follow from who is there. See corun_policy.h. */
#ifndef FIRMWARE_REST_PLAN_H
#define FIRMWARE_REST_PLAN_H

#include <stdbool.h>

#include "ccbp_detect.h"
#include "corun_plan.h"

struct rest_plan {
    uint32_t slots; /**< an input: CTAs of an SM */
    uint32_t count; /**< of kernels */
};

static inline void rest_plan_begin(struct rest_plan *plan, uint32_t count, const struct ccbp_sm *ctas)
{
    (void)ctas;
    plan->count = count;
}

static inline enum corun_does rest_plan_does(const struct rest_plan *plan)
{
    (void)plan;
    return CORUN_REST;
}

/** A launch that is another changes nothing. */
static inline bool rest_plan_renewable(const struct rest_plan *plan)
{
    (void)plan;
    return false;
}

/* None of these is called: launches, windows and work are nothing to it. */

static inline void rest_plan_begin_again(struct rest_plan *plan, const struct ccbp_sm *ctas)
{
    (void)plan, (void)ctas;
}

static inline struct corun_length rest_plan_length(const struct rest_plan *plan)
{
    (void)plan;
    return (struct corun_length){0, 0};
}

static inline bool rest_plan_asks(const struct rest_plan *plan, uint32_t k)
{
    (void)plan, (void)k;
    return false;
}

static inline void rest_plan_learn(struct rest_plan *plan, uint32_t k, const struct ccbp_window *window,
                                   uint32_t instructions)
{
    (void)plan, (void)k, (void)window, (void)instructions;
}

static inline void rest_plan_next(struct rest_plan *plan)
{
    (void)plan;
}

static inline bool rest_plan_work(struct rest_plan *plan)
{
    (void)plan;
    return true;
}

#endif
