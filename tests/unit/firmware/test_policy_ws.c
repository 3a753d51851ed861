/* Warped-Slicer: the slicing by hand and against one that is written again, the plan, and the policy on a fake window.
 */
#include "unit/test.h"

#include "corun_window.h"

#include "policy/corun/warped_slicer.h"
#include "random.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(defaults) POLICY(warped_slicer)
#include "image/common/image.h"

enum { KERNELS = CCBP_MAX_KERNELS };

static struct ws_kernel kernels[KERNELS];
static struct ws_slicing slicing;
static struct ccbp_sm sm;

static void slice(uint32_t count, uint32_t iterations)
{
    uint32_t parts = 0;

    ws_slice_begin(&slicing, &sm, kernels, count);
    while (ws_slice_some(&slicing, iterations))
        assert_true(++parts <= sm.slots + count);
}

/* --- Written again: from the CTAs alone, what is left is counted anew each time. */

static bool fits(const uint32_t *ctas, uint32_t count)
{
    uint64_t amount[3] = {0}, slots = 0;

    for (uint32_t k = 0; k < count; k++) {
        slots += ctas[k];
        for (uint32_t r = 0; r < 3; r++)
            amount[r] += (uint64_t)ctas[k] * kernels[k].cta.amount[r];
    }
    return slots <= sm.slots && amount[0] <= sm.amount[0] && amount[1] <= sm.amount[1] && amount[2] <= sm.amount[2];
}

static uint64_t ipc(uint32_t k, uint32_t ctas)
{
    return ctas > 0 ? kernels[k].performance[ctas - 1] : 0;
}

static uint64_t best_ipc(uint32_t k)
{
    uint64_t best = 0;

    for (uint32_t c = kernels[k].most; c > 0; c--)
        best = ipc(k, c) > best ? ipc(k, c) : best;
    return best;
}

/* k's part of its best is lower than i's. */
static bool is_lower(uint32_t k, uint32_t i, const uint32_t *ctas)
{
    return (unsigned __int128)ipc(k, ctas[k]) * best_ipc(i) < (unsigned __int128)ipc(i, ctas[i]) * best_ipc(k);
}

/* With the fewest CTAs with which it is better; false: it is not, or they do not fit. */
static bool grow(uint32_t k, uint32_t *ctas, uint32_t count)
{
    uint32_t before = ctas[k];

    do {
        if (++ctas[k] > kernels[k].most || !fits(ctas, count)) {
            ctas[k] = before;
            return false;
        }
    } while (ipc(k, ctas[k]) <= ipc(k, before));
    return true;
}

static void again(uint32_t *ctas, uint32_t count)
{
    bool done[KERNELS] = {false};

    for (uint32_t k = 0; k < KERNELS; k++)
        ctas[k] = 0;
    for (uint32_t k = 0; k < count; k++) {
        ctas[k] = 1;
        ctas[k] = fits(ctas, count);
    }
    for (;;) {
        uint32_t k = KERNELS;

        for (uint32_t i = 0; i < count; i++)
            if (!done[i] && (k == KERNELS || is_lower(i, k, ctas)))
                k = i;
        if (k == KERNELS)
            return;
        done[k] = !grow(k, ctas, count);
    }
}

/* A curve of any kind: it grows, bends, falls or jumps. */
static void random_kernel(uint64_t *random, struct ws_kernel *kernel)
{
    uint32_t step = 1u << pick(random, 0, 26), down = pick(random, 0, 3) ? 0 : step / 4, at = 0;

    *kernel = (struct ws_kernel){.most = pick(random, 1, WS_MAX_CTAS)};
    for (uint32_t r = 0; r < 3; r++)
        kernel->cta.amount[r] = pick(random, 0, 30);
    for (uint32_t c = 0; c < kernel->most; c++) {
        at += pick(random, 0, step);
        at = at > down ? at - down : 0;
        kernel->performance[c] = at;
    }
}

TEST(slices_as_written_again)
{
    uint64_t random = 1;
    uint32_t without = 0;

    for (uint32_t i = 0; i < 30000; i++) {
        uint32_t count = pick(&random, 1, KERNELS), ctas[KERNELS], held[KERNELS] = {0};

        sm = (struct ccbp_sm){.amount = {pick(&random, 10, 100), pick(&random, 10, 100), pick(&random, 10, 100)},
                              .slots = pick(&random, 1, WS_MAX_CTAS)};
        for (uint32_t k = 0; k < count; k++)
            random_kernel(&random, &kernels[k]);
        slice(count, pick(&random, 1, 5));
        again(ctas, count);
        for (uint32_t k = 0; k < count; k++) {
            assert_int_equal(slicing.ctas[k], ctas[k]);
            held[k] = slicing.ctas[k];
            without += held[k] == 0;
        }
        assert_true(fits(held, count));
        for (uint32_t k = 0; k < count; k++) /* no kernel has room for more that would help */
            assert_false(grow(k, held, count));
    }
    assert_in_range(without, 1000, 100000);
}

/* --- The plan. */

TEST(sequence_of_windows)
{
    static const uint32_t takes[] = {25, 40, 10};
    struct ws_plan plan = {.sm = {.amount = {100, 100, 100}, .slots = 32}};
    struct ccbp_sm ctas[3];
    struct ccbp_window window = {.cycles = 1 << 16};

    assert_true(ws_plan_possible(&plan));
    for (uint32_t k = 0; k < 3; k++)
        ctas[k] = (struct ccbp_sm){.amount = {takes[k], 1, 1}, .slots = 1};
    ws_plan_begin(&plan, 3, ctas); /* most: 4, 2 and 10 */
    for (uint32_t active = 1; active <= 10; active++) {
        assert_int_equal(ws_plan_does(&plan), CORUN_WINDOW);
        assert_false(ws_plan_renewable(&plan));
        assert_int_equal(plan.active, active);
        assert_int_equal(ws_plan_length(&plan).skip, active == 1 ? 20000 : 5000);
        assert_int_equal(ws_plan_length(&plan).measure, 5000);
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(ws_plan_asks(&plan, k), active * takes[k] <= 100);
            assert_int_equal(ws_plan_ctas(&plan, k), 100 / takes[k]);
            if (ws_plan_asks(&plan, k))
                ws_plan_learn(&plan, k, &window, 1000 * (k + 1) * active);
        }
        ws_plan_next(&plan);
    }
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t c = 1; c * takes[k] <= 100; c++)
            assert_int_equal(plan.kernels[k].performance[c - 1], 1000 * (k + 1) * c);
    assert_int_equal(ws_plan_does(&plan), CORUN_WORK);
    assert_false(ws_plan_renewable(&plan));
    while (!ws_plan_work(&plan))
        assert_int_equal(ws_plan_does(&plan), CORUN_WORK);
    assert_int_equal(ws_plan_does(&plan), CORUN_REST);
    assert_true(ws_plan_renewable(&plan));
    /* 1/4, 1/2, 1/10; the third to 3/10 of its best, then the first would take 25 of the 5 left; 3 are 95. */
    assert_int_equal(ws_plan_ctas(&plan, 0), 1);
    assert_int_equal(ws_plan_ctas(&plan, 1), 1);
    assert_int_equal(ws_plan_ctas(&plan, 2), 3);
}

/* A kernel is left alone while it is sliced: there is nothing to do. */
TEST(rests_in_the_middle)
{
    struct ws_plan plan = {.sm = {.amount = {10, 10, 10}, .slots = 10}};
    struct ccbp_sm ctas[2] = {{.amount = {5, 1, 1}}, {.amount = {5, 1, 1}}};

    ws_plan_begin(&plan, 2, ctas);
    ws_plan_next(&plan);
    ws_plan_next(&plan);
    assert_int_equal(ws_plan_does(&plan), CORUN_WORK);
    ws_plan_begin(&plan, 1, ctas);
    assert_int_equal(ws_plan_does(&plan), CORUN_REST);
    assert_int_equal(ws_plan_ctas(&plan, 0), 10);
}

TEST(refuses_more_slots)
{
    struct ws_plan plan = {.sm = {.slots = 33}};

    assert_false(ws_plan_possible(&plan));
    corun_reset(2);
    fake_set(MH_REG_CAP_CTA_SLOTS, 33);
    fake_assert_refused();
    fake_assert_refused_with(MH_FEATURE_CTA_LIMIT);
    fake_assert_refused_with(MH_FEATURE_CTA_THROTTLE);
}

/* --- The policy: two tenants, of whose CTAs ten and five fit. */

static void expect_limits(uint32_t tenant, uint32_t first, uint32_t last, uint32_t ctas)
{
    for (uint32_t s = 0; s < CORUN_TEST_SMS; s++)
        assert_int_equal(
            fake_get(MH_REG_SM_CTA_LIMIT_0 + MH_TENANT_SM_STRIDE * tenant + MH_REG_SM_CTA_LIMIT_0_STRIDE * s),
            s >= first && s <= last ? ctas : 0);
}

static void expect_knobs(uint32_t tenant, uint32_t limit, uint32_t throttle)
{
    assert_int_equal(fake_knob(CTA_LIMIT, tenant), limit);
    assert_int_equal(fake_knob(CTA_THROTTLE, tenant), throttle);
}

static void boot_two(void)
{
    corun_reset(2);
    corun_cta(1, 2);
    fake_boot();
    expect_limits(0, 0, 14, CORUN_TEST_SLOTS);
    expect_limits(1, 15, 29, CORUN_TEST_SLOTS);
}

/* Their parts hold nothing else; all windows, then the slices for all SMs. */
TEST(measures_and_slices)
{
    uint32_t ticks = 0;

    boot_two();
    for (uint32_t active = 1; active <= 10; active++) {
        for (uint32_t s = 0; s < CORUN_TEST_SMS; s++)
            corun_holds(s, s >= 15, s >= 15 ? 5 : 10);
        corun_drains();
        expect_knobs(0, 10, active);
        expect_knobs(1, 5, active);
        corun_tick((active == 1 ? 20000 : 5000) + CORUN_TEST_TICK);
        corun_count_on(0, 0, 1, active < 3 ? 5000 * active : 15000); /* no better with more than 3 */
        corun_count_on(1, 0, 1, 5000 * active);
        corun_tick(5000);
        corun_tick(CORUN_TEST_TICK);
        if (active <= 5)
            corun_tick(CORUN_TEST_TICK);
        assert_int_equal(corun_knobs_written(), 0);
        corun_tick(CORUN_TEST_TICK);
    }
    while (corun_timer() && ++ticks < 20)
        corun_tick(CORUN_TEST_TICK);
    /* 1/3 and 1/5, of 1 + 2 places; 2/5, 2/3, 3/5, 4/5. */
    expect_knobs(0, 2, 10);
    expect_knobs(1, 4, 10);
    for (uint32_t tenant = 0; tenant < 2; tenant++)
        expect_limits(tenant, 0, 29, CORUN_TEST_SLOTS);
    fake.logged = 0;
    assert_int_equal(fake_epoch(), 0);
    corun_event(MH_EVENT_TENANT_DONE, 0);
    assert_int_equal(corun_knobs_written(), 0);
    assert_int_equal(corun_timer(), 0);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0); /* of the same CTAs as before */
    corun_drains();
    assert_int_equal(corun_timer(), 0);
    expect_knobs(0, 2, 10);
    corun_cta(0, 3);
    corun_event(MH_EVENT_TENANT_LAUNCH, 0);
    assert_int_equal(corun_timer(), CORUN_TEST_TICK);
    corun_drains();
    expect_knobs(0, 3, 1);
    expect_limits(0, 0, 14, CORUN_TEST_SLOTS);
}

/* While it measures: all windows are measured, then all of them again. */
TEST(a_launch_is_not_lost)
{
    uint32_t firsts = 0;

    boot_two();
    corun_cta(1, 3);
    corun_event(MH_EVENT_TENANT_LAUNCH, 1);
    for (uint32_t ticks = 0; corun_timer(); ticks++) {
        assert_true(ticks < 1000);
        if (corun_timer() == 20000 + CORUN_TEST_TICK)
            expect_knobs(1, firsts++ ? 3 : 5, 1);
        corun_tick(corun_timer());
    }
    assert_int_equal(firsts, 2);
}

/* A CTA of the other's on an SM of one's own: the window would not be the kernel's. */
TEST(windows_wait_for_the_others)
{
    for (uint32_t tenant = 0; tenant < 2; tenant++) {
        uint32_t others = tenant ? 3 : 20;

        boot_two();
        corun_holds(others, tenant, 1);
        corun_drains();
        corun_tick(2500);
        corun_tick(2500);
        corun_holds(others, tenant, 0);
        corun_tick(2500);
        corun_drains();
        assert_int_equal(corun_timer(), 20200);
    }
}

/* CTAs of 6 tenths: of two kernels one has room on an SM. The other may have one, too. */
TEST(nobody_starves)
{
    corun_reset(2);
    corun_cta(0, 6);
    corun_cta(1, 6);
    fake_boot();
    for (uint32_t ticks = 0; corun_timer() && ticks < 100; ticks++)
        corun_tick(corun_timer());
    assert_int_equal(corun_timer(), 0);
    expect_knobs(0, 1, CORUN_TEST_SLOTS);
    expect_knobs(1, 1, CORUN_TEST_SLOTS);
}

TEST(refuses_fewer_sms_than_tenants)
{
    corun_reset(3);
    fake_set(MH_REG_CAP_SMS, 3);
    fake_boot();
    corun_reset(3);
    fake_set(MH_REG_CAP_SMS, 2);
    fake_assert_refused();
}

TEST(alone_has_all)
{
    boot_two();
    corun_changes(MH_EVENT_TENANT_LEFT, 0, 2);
    corun_drains();
    expect_knobs(1, CORUN_TEST_SLOTS, CORUN_TEST_SLOTS);
    expect_limits(1, 0, 29, CORUN_TEST_SLOTS);
    assert_int_equal(corun_timer(), 0);
}
