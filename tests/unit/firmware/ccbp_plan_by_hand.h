/*
 * CCBP's plan by hand: an SM of ten places, kernels that are linear in their active CTAs, and windows as they would be.
 * A window has 2^16 cycles and a request's bytes are 1: counts are bandwidths. An interval has 256 cycles: so are issue
 * rates, of a kernel whose requests cause one of each; instructions are IPCs. cmocka.h comes first.
 */
#ifndef TESTS_CCBP_PLAN_BY_HAND_H
#define TESTS_CCBP_PLAN_BY_HAND_H

#include "policy/ccbp/ccbp_plan.h"

enum { BY_HAND_SLOTS = 32, BY_HAND_CYCLES = 1 << 16 };

/* Of a CTA. */
struct by_hand {
    uint32_t requests, reads, dram, ipc;
    struct ccbp_sm cta;
};

/* Ten CTAs fit. The even share of two is 5; of 1000 bytes it is 500, which are 100 of a CTA. */
#define ONE_PLACE                                                                                                      \
    {                                                                                                                  \
        {1, 1, 1}, 1                                                                                                   \
    }
static const struct by_hand sensitive = {20, 20, 10, 3000, ONE_PLACE};
static const struct by_hand noc_intensive = {120, 120, 30, 1000, ONE_PLACE};
static const struct by_hand dram_intensive = {110, 55, 110, 1000, ONE_PLACE};

static struct ccbp_plan plan;
static struct by_hand kernels[CCBP_MAX_KERNELS];

static inline void begin_by_hand(void)
{
    struct ccbp_sm ctas[CCBP_MAX_KERNELS];

    for (uint32_t k = 0; k < plan.count; k++)
        ctas[k] = kernels[k].cta;
    ccbp_plan_begin(&plan, plan.count, ctas);
}

static inline void set_up(void)
{
    plan = (struct ccbp_plan){
        .config = {.sustainable = {1000, 1000}, .bytes = {1, 1}, .units = 20, .sms = 1, .interval = 65536, .least = 8},
        .sm = {.amount = {10, 10, 10}, .slots = BY_HAND_SLOTS},
        .adjust = true,
        .priority = true,
        .rates = true};
    assert_true(ccbp_plan_possible(&plan));
}

/* Begins with 1 to 3 kernels; NULL: none. */
static inline void begin_with(const struct by_hand *a, const struct by_hand *b, const struct by_hand *c)
{
    const struct by_hand *all[] = {a, b, c};

    for (plan.count = 0; plan.count < 3 && all[plan.count]; plan.count++)
        kernels[plan.count] = *all[plan.count];
    begin_by_hand();
}

/* CTAs of the kernel that issue in this stage. */
static inline uint32_t active(uint32_t k)
{
    struct ccbp_setting s = ccbp_plan_setting(&plan, k);

    return s.limit < s.throttle ? s.limit : s.throttle;
}

/* The kernels' windows; what the plan asks for it learns. */
static inline void learn_all(void)
{
    for (uint32_t k = 0; k < plan.count; k++) {
        const struct by_hand *one = &kernels[k];
        uint32_t ctas = active(k);
        struct ccbp_window window = {.cycles = BY_HAND_CYCLES,
                                     .requests = one->requests * ctas,
                                     .caused = {one->reads * ctas, one->dram * ctas},
                                     .demand = one->requests * ctas};

        if (ccbp_plan_asks(&plan, k))
            ccbp_plan_learn(&plan, k, &window, one->ipc * ctas);
    }
    ccbp_plan_next(&plan);
}

static inline void work(void)
{
    uint32_t parts = 0;

    while (ccbp_plan_does(&plan) == CORUN_WORK) {
        bool done = ccbp_plan_work(&plan);

        assert_int_equal(done, ccbp_plan_does(&plan) != CORUN_WORK);
        assert_true(++parts < 1000);
    }
}

/* The stage's window, and the work behind it, if there is. */
static inline void pass(void)
{
    assert_int_equal(ccbp_plan_does(&plan), CORUN_WINDOW);
    learn_all();
    work();
}

/* Up to this stage. */
static inline void pass_until(enum ccbp_stage stage)
{
    for (uint32_t windows = 0; plan.stage != stage; windows++) {
        assert_true(windows < 1000);
        pass();
    }
}

static inline void expect_setting(uint32_t k, uint32_t limit, uint32_t throttle, uint32_t rate, bool first)
{
    struct ccbp_setting s = ccbp_plan_setting(&plan, k);

    assert_int_equal(s.limit, limit);
    assert_int_equal(s.throttle, throttle);
    assert_int_equal(s.rate, rate);
    assert_int_equal(s.first, first);
}

#endif
