/*
 * Both timers of the policies, and windows of counters between epochs, as policies may use them. Passes if each window
 * is as long as SNAP_CYCLE says, if those of an epoch add up to it, and if on_epoch finds gauges of its whole epoch.
 */
#include <string.h>

#include "../platform/mcu.h"
#include "../policy/policy.h"

enum { TWO_TIMERS_SHORT = 3000, TWO_TIMERS_WINDOW = 7000, TWO_TIMERS_WRONG = 9 };

POLICY_OWNS(TIMER_CTRL);
POLICY_OWNS(TIMER_2_CTRL);

/* Of tenant 0: what the windows of this epoch have seen. */
static struct {
    uint64_t cycle, instructions;             /* at the last SNAPSHOT */
    uint64_t epoch_cycle, epoch_instructions; /* at that of the epoch before */
    uint64_t cycles, sum;                     /* of the windows since then */
    uint32_t peak;                            /* highest STALLED_PEAK among them */
} two_timers;

static void two_timers_must(bool holds)
{
    if (!holds)
        mcu_exit(TWO_TIMERS_WRONG);
}

static enum policy_status two_timers_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(&two_timers, 0, sizeof two_timers);
    gpu_set_timer(TWO_TIMERS_SHORT);
    gpu_set_timer_2(TWO_TIMERS_WINDOW);
    return POLICY_OK;
}

/* A window ends at the last SNAPSHOT of any hook. It may be empty: time stands still when the run has ended. */
static void two_timers_close(void)
{
    uint64_t cycle = gpu_snap_cycle(), instructions = gpu_counter(0, MH_COUNTER_WARP_INSTR);

    two_timers_must(cycle >= two_timers.cycle && instructions >= two_timers.instructions);
    two_timers.cycles += cycle - two_timers.cycle;
    two_timers.sum += instructions - two_timers.instructions;
    two_timers.cycle = cycle;
    two_timers.instructions = instructions;
}

static void two_timers_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    two_timers_close();
    two_timers_must(two_timers.cycles == two_timers.cycle - two_timers.epoch_cycle &&
                    two_timers.sum == two_timers.instructions - two_timers.epoch_instructions &&
                    (two_timers.sum > 0 || two_timers.cycles == 0) &&
                    gpu_count(0, MH_COUNTER_STALLED_PEAK) >= two_timers.peak);
    two_timers.epoch_cycle = two_timers.cycle;
    two_timers.epoch_instructions = two_timers.instructions;
    two_timers.cycles = two_timers.sum = 0;
    two_timers.peak = 0;
}

static void two_timers_on_timer(const struct gpu_caps *caps)
{
    (void)caps;
    gpu_set_timer(TWO_TIMERS_SHORT);
}

static void two_timers_on_timer_2(const struct gpu_caps *caps)
{
    uint32_t peak;

    (void)caps;
    gpu_snapshot_window();
    gpu_set_timer_2(TWO_TIMERS_WINDOW);
    two_timers_close();
    peak = gpu_count(0, MH_COUNTER_STALLED_PEAK);
    two_timers_must(peak >= two_timers.peak);
    two_timers.peak = peak;
}

const struct policy policy_two_timers = {
    .name = "two_timers",
    .init = two_timers_init,
    .on_epoch = two_timers_on_epoch,
    .on_timer = two_timers_on_timer,
    .on_timer_2 = two_timers_on_timer_2,
};

#define IMAGE_NAME             "selftest/two-timers"
#define IMAGE_POLICIES(POLICY) POLICY(two_timers)
#include "../image/common/image.h"
