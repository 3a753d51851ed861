/* CCBP's plan in numbers: the IPC alone and issue rates, at random against exact arithmetic. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/ccbp/ccbp_plan.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults)
#include "image/common/image.h"

typedef unsigned __int128 u128;

/* --- The IPC alone. */

TEST(alone_by_hand)
{
    static const struct {
        const char *name;
        uint32_t ipc, half, even, most, alone;
    } cases[] = {
        {"linear", 4000, 2000, 4, 8, 8000},
        {"linear, odd", 5000, 2000, 5, 11, 11000},
        {"saturated", 4000, 4000, 4, 8, 4000},
        {"slower with more", 4000, 5000, 4, 8, 4000},
        {"1 / IPC = 1 + 4 / CTAs: 1/2 with 4, 1/3 with 2, 2/3 with 8", 30000, 20000, 4, 8, 40000},
        {"the same with 16: 4/5", 30000, 20000, 4, 16, 48000},
        {"better than linear is taken as linear", 5000, 2000, 4, 8, 10000},
        {"much better", 60000, 1, 4, 32, 480000},
        {"half stands still", 5000, 0, 4, 8, 10000},
        {"stands still", 0, 0, 4, 8, 0},
        {"one CTA has no half", 5000, 0, 1, 3, 15000},
        {"one CTA has no half, whatever it was", 5000, 5000, 1, 3, 15000},
        {"no more than the even share", 5000, 2000, 4, 4, 5000},
        {"does not fit at all", 5000, 0, 1, 0, 5000},
        {"the most", UINT32_MAX, UINT32_MAX / 2, 16, 32, UINT32_MAX},
        {"the most, saturated", UINT32_MAX, UINT32_MAX, 16, 32, UINT32_MAX},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (ccbp_alone_ipc(cases[i].ipc, cases[i].half, cases[i].even, cases[i].most) != cases[i].alone)
            fail_msg("%s: %u", cases[i].name,
                     ccbp_alone_ipc(cases[i].ipc, cases[i].half, cases[i].even, cases[i].most));
}

/*
 * 1 / IPC(c) = a + b / c through (even, ipc) and (half, half_ipc): b = (1 / half_ipc - 1 / ipc) half even / (even -
 * half), and 1 / IPC(most) = 1 / ipc - b (1 / even - 1 / most). Over ipc half_ipc most (even - half): *of.
 */
static u128 exact_alone(uint64_t ipc, uint64_t half_ipc, uint64_t even, uint64_t most, u128 *of)
{
    uint64_t half = even / 2;
    u128 over = (u128)ipc * half_ipc * most * (even - half);
    u128 first = (u128)half_ipc * most * (even - half), second = (u128)(ipc - half_ipc) * half * (most - even);

    *of = even;
    if (first <= second || over * even >= (first - second) * ((u128)ipc * most))
        return (u128)ipc * most; /* linear */
    *of = first - second;
    return over;
}

TEST(alone_at_random)
{
    uint64_t random = 1;

    for (uint32_t i = 0; i < 300000; i++) {
        uint32_t most = pick(&random, 3, 32), even = pick(&random, 2, most - 1);
        uint32_t ipc = pick(&random, 0, UINT32_MAX - 1) >> pick(&random, 0, 31), half_ipc = pick(&random, 0, ipc),
                 alone;
        u128 of, exact;

        if (pick(&random, 0, 1)) /* next to linear, where the formula ends */
            half_ipc = (uint32_t)((uint64_t)ipc * (even / 2) / even) + pick(&random, 0, 2);
        half_ipc = half_ipc < ipc ? half_ipc : ipc;
        alone = ccbp_alone_ipc(ipc, half_ipc, even, most);
        exact = exact_alone(ipc, half_ipc, even, most, &of);
        assert_true(alone >= ipc);
        if (exact / of >= UINT32_MAX) {
            assert_true(alone >= UINT32_MAX - 128);
            continue;
        }
        /* Less than 1, and a part in 2^25, off. */
        assert_true((u128)alone * of < exact + of + (exact >> 25));
        assert_true(((u128)alone + 1) * of + (exact >> 25) > exact);
        assert_true(alone <= (uint64_t)ipc * most / even);
    }
}

/* --- Rates. */

static struct ccbp_plan plan;

struct rational {
    u128 part, of;
};

static u128 times(u128 a, u128 b)
{
    u128 product;

    assert_false(__builtin_mul_overflow(a, b, &product));
    return product;
}

static void add(struct rational *sum, u128 part, u128 of)
{
    u128 a = of, b;

    sum->part = times(sum->part, of) + times(part, sum->of);
    sum->of = times(sum->of, of);
    for (a = sum->part, b = sum->of; b != 0;) {
        u128 rest = a % b;

        a = b;
        b = rest;
    }
    sum->part /= a;
    sum->of /= a;
}

/* Any GPU, as many numbers as the sums' 128 bits have room for. */
static void random_plan(uint64_t *random)
{
    struct ccbp_sm ctas[CCBP_MAX_KERNELS];
    uint32_t count = pick(random, 2, 4);

    plan = (struct ccbp_plan){.config = {.sustainable = {pick(random, 1000, 1 << 20), pick(random, 1000, 1 << 20)},
                                         .bytes = {pick(random, 1, 160), pick(random, 1, 160)},
                                         .units = pick(random, 2, 40),
                                         .sms = pick(random, 1, 30),
                                         .interval = 1 << pick(random, 13, 17),
                                         .least = 1},
                              .sm = {.amount = {100, 100, 100}, .slots = pick(random, 1, 32)},
                              .held = pick(random, 0, 1),
                              .unshared = pick(random, 0, 1),
                              .adjust = pick(random, 0, 1),
                              .priority = true,
                              .rates = true};
    for (uint32_t k = 0; k < count; k++)
        ctas[k] = (struct ccbp_sm){.amount = {pick(random, 1, 60), pick(random, 1, 60), 1}, .slots = 1};
    assert_true(ccbp_plan_possible(&plan));
    ccbp_plan_begin(&plan, count, ctas);
}

/* Of a kernel that asks for up to twice the even share. */
static struct ccbp_window random_window(uint64_t *random)
{
    uint64_t most = 2 * (uint64_t)plan.config.sustainable[0] / plan.config.bytes[0] / plan.count;
    uint32_t requests = pick(random, 1, 4095);

    return (struct ccbp_window){.cycles = 1 << 16,
                                .requests = requests,
                                .caused = {pick(random, 0, requests), pick(random, 0, 2 * requests)},
                                .demand = pick(random, 0, (uint32_t)most)};
}

/* The last window of each kernel that says what a request costs. */
static struct ccbp_window last[CCBP_MAX_KERNELS];

static bool says_what_it_costs(uint32_t k, const struct ccbp_window *window)
{
    bool latency_sensitive = plan.known[k].type == CCBP_LATENCY_SENSITIVE;

    if (plan.stage == CCBP_FIND_FACTORS || (plan.stage == CCBP_FIND_DEMAND && latency_sensitive))
        return true;
    return plan.stage != CCBP_RUN_ALONE && !latency_sensitive && window->requests >= 256;
}

static void random_stage(uint64_t *random)
{
    for (uint32_t k = 0; k < plan.count; k++)
        if (ccbp_plan_asks(&plan, k)) {
            struct ccbp_window window = random_window(random);

            ccbp_plan_learn(&plan, k, &window, pick(random, 0, 1 << 20));
            if (says_what_it_costs(k, &window))
                last[k] = window;
        }
    ccbp_plan_next(&plan);
    while (ccbp_plan_does(&plan) == CORUN_WORK)
        (void)ccbp_plan_work(&plan);
}

/*
 * What rates let through of a bandwidth, and what latency-sensitive kernels without a rate were granted, against what
 * can be sustained. Exact. A rate of 1 is the least: of it nothing is said.
 */
static void expect_bandwidth(uint32_t b)
{
    const struct ccbp_config *c = &plan.config;
    struct rational sum = {0, 1};

    for (uint32_t k = 0; k < plan.count; k++) {
        uint32_t rate = ccbp_plan_setting(&plan, k).rate;
        const struct ccbp_use *use = &plan.allocation.grants[k].use[b];

        if (plan.known[k].type == CCBP_LATENCY_SENSITIVE && !plan.held) {
            assert_int_equal(rate, CCBP_RATE_MAX);
            add(&sum, (u128)use->whole * use->over + use->rest, (u128)use->over * c->units);
        } else if (rate > c->least) {
            add(&sum, times((u128)rate * c->sms * c->bytes[b] * last[k].caused[b], 65536),
                (u128)c->interval * last[k].requests);
        }
    }
    assert_true(sum.part <= times(c->sustainable[b], sum.of));
}

TEST(rates_fit)
{
    uint64_t random = 1;
    uint32_t held = 0;

    for (uint32_t i = 0; i < 20000; i++) {
        random_plan(&random);
        for (uint32_t windows = 0; windows < 60 && plan.stage != CCBP_RUN && plan.stage != CCBP_WATCH; windows++)
            random_stage(&random);
        for (uint32_t windows = 0; windows < 4 && (plan.stage == CCBP_RUN || plan.stage == CCBP_WATCH); windows++) {
            for (uint32_t b = 0; b < CCBP_BANDWIDTHS; b++)
                expect_bandwidth(b);
            for (uint32_t k = 0; k < plan.count; k++)
                held += ccbp_plan_setting(&plan, k).rate < CCBP_RATE_MAX && ccbp_plan_setting(&plan, k).rate > 1;
            random_stage(&random);
        }
    }
    assert_true(held > 20000);
}
