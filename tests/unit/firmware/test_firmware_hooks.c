/* The hooks of walk epochs and walk arrivals: who is called when, in which order, with which COMMITs. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fake_window.h"

#include "image/common/fw.h"

/* Calls in order, a word each: the policy's letter and the hook. */
static char calls[256];

static void called(const char *what, const struct gpu_caps *caps)
{
    size_t used = strlen(calls);

    assert_int_equal(caps->tenants, 2);
    snprintf(calls + used, sizeof calls - used, "%s%s/%u", used ? " " : "", what, fake_count(true, MH_REG_COMMIT));
}

#define HOOK(name)                                                                                                     \
    static void name(const struct gpu_caps *caps)                                                                      \
    {                                                                                                                  \
        called(#name, caps);                                                                                           \
    }
HOOK(a_epoch)
HOOK(a_walk_epoch)
HOOK(b_walk_epoch)
HOOK(b_arrival)

/* What comes up while an event is handled. */
static uint32_t meanwhile;

static void b_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)event;
    called("b_event", caps);
    fake.reg[MH_REG_IRQ_PENDING / 4] |= meanwhile;
    meanwhile = 0;
}

const struct policy policy_a = {.name = "a", .on_epoch = a_epoch, .on_walk_epoch = a_walk_epoch};
const struct policy policy_b = {
    .name = "b", .on_walk_epoch = b_walk_epoch, .on_arrival = b_arrival, .on_event = b_event};

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(a) POLICY(b)
#include "image/common/image.h"

static void boot(void)
{
    fake_reset(2);
    assert_int_equal(mh_twin_init(&fake_host), 0);
    memset(calls, 0, sizeof calls);
    fake.logged = 0;
}

static void interrupts_are_let_through(void **state)
{
    (void)state;
    boot();
    assert_int_equal(fake_get(MH_REG_IRQ_ENABLE),
                     MH_IRQ_TIMER0 | MH_IRQ_EVENT | MH_IRQ_WALK_EPOCH | MH_IRQ_WALK_ARRIVAL);
}

/* In the order of the list, one COMMIT after the last, and no SNAPSHOT: nothing else but the two of IRQ_PENDING. */
static void walk_epoch(void **state)
{
    (void)state;
    boot();
    assert_int_equal(fake_irq(MH_IRQ_WALK_EPOCH), 0);
    assert_string_equal(calls, "a_walk_epoch/0 b_walk_epoch/0");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
    assert_int_equal(fake_count(false, MH_REG_COMMIT_STATUS), 1);
    assert_int_equal(fake.logged, 4);
}

static void walk_arrival(void **state)
{
    (void)state;
    boot();
    assert_int_equal(fake_irq(MH_IRQ_WALK_ARRIVAL), 0);
    assert_string_equal(calls, "b_arrival/0");
    assert_int_equal(fake.logged, 2);
}

/* All at once: walk epoch, arrival, epoch, event; each decision is committed before the next one starts. */
static void tightest_deadline_first(void **state)
{
    (void)state;
    boot();
    fake_event(MH_EVENT_TENANT_DONE, 0, 1);
    assert_int_equal(fake_irq(MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH | MH_IRQ_WALK_ARRIVAL), 0);
    assert_string_equal(calls, "a_walk_epoch/0 b_walk_epoch/0 b_arrival/1 a_epoch/1 b_event/2");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 3);
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), 0);
}

/* Tenants' events may take longer than a walk epoch: what comes up during one goes before the next. */
static void deadlines_between_events(void **state)
{
    (void)state;
    boot();
    fake_event(MH_EVENT_TENANT_ARRIVED, 0, 1);
    fake_event(MH_EVENT_TENANT_ARRIVED, 1, 1);
    meanwhile = MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH;
    assert_int_equal(mh_twin_irq(), 0);
    assert_string_equal(calls, "b_event/0 a_walk_epoch/1 b_walk_epoch/1 a_epoch/2 b_event/3");
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), 0);
}

static void rejected_walk_epoch_fails_at_the_end(void **state)
{
    (void)state;
    boot();
    fake.reject_offset = MH_REG_TOKENS;
    assert_int_equal(fake_irq(MH_IRQ_WALK_EPOCH), 0);
    fake.reject_offset = 0;
    fake_event(MH_EVENT_HOST_STOP, 0, 0);
    assert_int_equal(mh_twin_irq(), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_COMMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupts_are_let_through),
        cmocka_unit_test(walk_epoch),
        cmocka_unit_test(walk_arrival),
        cmocka_unit_test(tightest_deadline_first),
        cmocka_unit_test(deadlines_between_events),
        cmocka_unit_test(rejected_walk_epoch_fails_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
