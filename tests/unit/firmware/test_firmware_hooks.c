/* The hooks of walk epochs, walk arrivals, page faults and the policies' timers: which are called when, in which order,
 * with which COMMITs. */
#include "unit/test.h"

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

static uint32_t expires_in_init; /* bits of IRQ_PENDING */

static enum policy_status a_init(const struct gpu_caps *caps)
{
    (void)caps;
    fake.reg[MH_REG_IRQ_PENDING / 4] |= expires_in_init;
    return POLICY_OK;
}
HOOK(a_walk_epoch)
HOOK(b_walk_epoch)
HOOK(b_arrival)

static bool sets_timer; /* b_page_fault sets the timer anew */

static void a_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    called(fault->come ? "a_come" : "a_raised", caps);
    assert_int_equal(fault->tenant, 1);
    assert_int_equal(fault->sm, 29);
    assert_int_equal(fault->evicted, fault->come);
}

POLICY_OWNS(TIMER_CTRL);

static void b_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    called(fault->come ? "b_come" : "b_raised", caps);
    if (sets_timer)
        gpu_set_timer(5000);
}
HOOK(a_timer)
HOOK(b_timer)
HOOK(b_timer_2)

POLICY_OWNS(TIMER_2_CTRL);

/* A window of its own, and the next one. */
static void a_timer_2(const struct gpu_caps *caps)
{
    called("a_timer_2", caps);
    gpu_snapshot_window();
    gpu_set_timer_2(7000);
}

/* What comes up while an event is handled. */
static uint32_t meanwhile;

static void b_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    (void)event;
    called("b_event", caps);
    fake.reg[MH_REG_IRQ_PENDING / 4] |= meanwhile;
    meanwhile = 0;
}

const struct policy policy_a = {.name = "a",
                                .init = a_init,
                                .on_epoch = a_epoch,
                                .on_walk_epoch = a_walk_epoch,
                                .on_page_fault = a_page_fault,
                                .on_timer = a_timer,
                                .on_timer_2 = a_timer_2};
const struct policy policy_b = {.name = "b",
                                .on_walk_epoch = b_walk_epoch,
                                .on_arrival = b_arrival,
                                .on_event = b_event,
                                .on_page_fault = b_page_fault,
                                .on_timer = b_timer,
                                .on_timer_2 = b_timer_2};

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(a) POLICY(b)
#include "image/common/image.h"

static void boot(void)
{
    fake_reset(2);
    fake_boot();
    memset(calls, 0, sizeof calls);
    fake.logged = 0;
}

TEST(interrupts_are_let_through)
{
    boot();
    assert_int_equal(fake_get(MH_REG_IRQ_ENABLE), MH_IRQ_TIMER0 | MH_IRQ_TIMER1 | MH_IRQ_EVENT | MH_IRQ_WALK_EPOCH |
                                                      MH_IRQ_WALK_ARRIVAL | MH_IRQ_PAGE_FAULT | MH_IRQ_TIMER2);
}

/* In the order of the list, one COMMIT after the last, and no SNAPSHOT: nothing else but the two of IRQ_PENDING. */
TEST(walk_epoch)
{
    boot();
    assert_int_equal(fake_irq(MH_IRQ_WALK_EPOCH), 0);
    assert_string_equal(calls, "a_walk_epoch/0 b_walk_epoch/0");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
    assert_int_equal(fake_count(false, MH_REG_COMMIT_STATUS), 1);
    assert_int_equal(fake.logged, 4);
}

TEST(walk_arrival)
{
    boot();
    assert_int_equal(fake_irq(MH_IRQ_WALK_ARRIVAL), 0);
    assert_string_equal(calls, "b_arrival/0");
    assert_int_equal(fake.logged, 2);
}

/* One COMMIT for all that wait; the FIFO is empty behind it. */
TEST(page_faults)
{
    boot();
    fake_fault(false, false, 1, 29);
    fake_fault(true, true, 1, 29);
    assert_int_equal(fake_irq(MH_IRQ_PAGE_FAULT), 0);
    assert_string_equal(calls, "a_raised/0 b_raised/0 a_come/0 b_come/0");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
    assert_int_equal(fake_count(true, MH_REG_SNAPSHOT), 0);
    assert_int_equal(fake_count(false, MH_REG_PAGE_FAULT), 3);
}

/* More than the FIFO holds come while they are served: the rest waits, and everybody else has a turn. */
TEST(page_faults_without_end)
{
    boot();
    for (uint32_t i = 0; i < MH_PAGE_FAULT_FIFO + 10; i++)
        fake_fault(false, false, 1, 29);
    fake_event(MH_EVENT_TENANT_DONE, 0, 1);
    assert_int_equal(fake_irq(MH_IRQ_PAGE_FAULT), 0);
    assert_int_equal(fake.faults_out, MH_PAGE_FAULT_FIFO);
    assert_int_equal(fake.events_out, 1);
}

TEST(timer)
{
    boot();
    assert_int_equal(fake_timer(), 0);
    assert_string_equal(calls, "a_timer/0 b_timer/0");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
}

/* Its SNAPSHOT is not the epoch's: it leaves gauges, and the open epoch, to on_epoch. */
TEST(timer_2)
{
    boot();
    assert_int_equal(fake_timer_2(), 0);
    assert_string_equal(calls, "a_timer_2/0 b_timer_2/0");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
    assert_int_equal(fake_get(MH_REG_SNAPSHOT), 2);
    assert_int_equal(fake_get(MH_REG_TIMER_INTERVAL + 2 * MH_REG_TIMER_INTERVAL_STRIDE), 7000);
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_ONE_SHOT);
    assert_int_equal(fake_count(true, MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE), 0);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_SNAPSHOT), 1);
}

/* Set anew since it expired: its hook waits for the new expiry. Timer 1 runs, and says nothing of timer 2. */
TEST(void_expiry_of_timer_2)
{
    boot();
    fake_set(MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE, GPU_TIMER_ONE_SHOT);
    assert_int_equal(fake_timer_2(), 0);
    assert_string_equal(calls, "a_timer_2/0 b_timer_2/0");
    memset(calls, 0, sizeof calls);
    assert_int_equal(fake_irq(MH_IRQ_TIMER2), 0);
    assert_string_equal(calls, "");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 2);
    gpu_stop_timer_2();
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
}

/* A fault that came first has made the expiry void: no hook is called, and a COMMIT answers it. */
TEST(void_expiry)
{
    boot();
    sets_timer = true;
    fake_fault(false, false, 1, 29);
    fake_set(MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE, 0);
    assert_int_equal(fake_irq(MH_IRQ_PAGE_FAULT | MH_IRQ_TIMER1), 0);
    sets_timer = false;
    assert_string_equal(calls, "a_raised/0 b_raised/0");
    assert_int_equal(fake_knob(TIMER_INTERVAL, 1), 5000);
    assert_int_equal(fake_knob(TIMER_CTRL, 1), GPU_TIMER_ONE_SHOT);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 2);
}

/* From before a reset of the mcu; one that init has set, and that expires during the boot, is served. */
TEST(boot_stops_the_timers)
{
    fake_reset(2);
    for (uint32_t timer = 1; timer < MH_TIMERS; timer++)
        fake_set(MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE, GPU_TIMER_ONE_SHOT);
    fake_set(MH_REG_IRQ_PENDING, MH_IRQ_TIMER2);
    expires_in_init = MH_IRQ_TIMER1;
    fake_boot();
    expires_in_init = 0;
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), MH_IRQ_TIMER1);
    for (uint32_t timer = 1; timer < MH_TIMERS; timer++)
        assert_int_equal(fake_get(MH_REG_TIMER_CTRL + timer * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
}

/* All at once: walk epoch, arrival, page fault, timers, epoch, event; each decision is committed before the next one
 * starts. */
TEST(tightest_deadline_first)
{
    boot();
    fake_event(MH_EVENT_TENANT_DONE, 0, 1);
    fake_fault(false, false, 1, 29);
    assert_int_equal(fake_irq(127), 0);
    assert_string_equal(calls, "a_walk_epoch/0 b_walk_epoch/0 b_arrival/1 a_raised/1 b_raised/1 a_timer/2 b_timer/2 "
                               "a_timer_2/3 b_timer_2/3 a_epoch/4 b_event/5");
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 6);
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), 0);
}

/* Tenants' events may take longer than a walk epoch: what comes up during one goes before the next. */
TEST(deadlines_between_events)
{
    boot();
    fake_event(MH_EVENT_TENANT_ARRIVED, 0, 1);
    fake_event(MH_EVENT_TENANT_ARRIVED, 1, 1);
    meanwhile = MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH;
    assert_int_equal(mh_twin_irq(), 0);
    assert_string_equal(calls, "b_event/0 a_walk_epoch/1 b_walk_epoch/1 a_epoch/2 b_event/3");
    assert_int_equal(fake_get(MH_REG_IRQ_PENDING), 0);
}

TEST(rejected_walk_epoch_ends_the_run)
{
    boot();
    fake.reject_offset = MH_REG_TOKENS;
    assert_int_equal(fake_irq(MH_IRQ_WALK_EPOCH), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_COMMIT);
}
