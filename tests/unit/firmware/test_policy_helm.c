/* helm: signals and trials by table, at and beside each edge; and its three policies on a fake window. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/helm/helm.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(helm_memory) POLICY(helm_walks) POLICY(helm_paging)
#include "image/common/image.h"

enum {
    WALKERS = 16,
    EPOCH = 100000,
    DATA = 32,
    BUSY = WALKERS * EPOCH,
    FEATURES = MH_FEATURE_TOKENS | MH_FEATURE_DRAM_QUEUES | MH_FEATURE_WALK_ORDER | MH_FEATURE_WALK_QUEUES |
               MH_FEATURE_SM_THROTTLE,
};

/* An epoch of two tenants, half of it of each, after one of which the signals were `before`. */
static const struct {
    const char *name;
    bool waiting_before, few_before;
    uint32_t walks, area, data;
    bool waiting, flooded, few;
} epochs[] = {
    {"nothing", false, false, 0, 0, 0, false, false, false},
    {"as many walks as walkers", false, false, 1000, BUSY, 0, false, false, true},
    {"two more", false, false, 1000, BUSY + 2, 0, true, false, true},
    {"still a quarter", true, false, 1000, BUSY / 4, 0, true, false, true},
    {"less than a quarter", true, false, 1000, BUSY / 4 - 2, 0, false, false, true},
    {"three for each walker", false, false, 1000, 3 * BUSY, 0, true, false, true},
    {"more than three", false, false, 1000, 3 * BUSY + 2, 0, true, true, true},
    {"as many data as may be", false, false, 1000, 0, DATA * 1000, false, false, true},
    {"two more data", false, false, 1000, 0, DATA * 1000 + 2, false, false, false},
    {"a quarter more, few before", false, true, 1000, 0, 40 * 1000, false, false, true},
    {"and two, few before", false, true, 1000, 0, 40 * 1000 + 2, false, false, false},
    {"data and no walk", false, true, 0, 0, 2, false, false, false},
};

/* Differences count, also across a wrap of the counters. */
TEST(signals_by_table)
{
    for (size_t i = 0; i < sizeof epochs / sizeof epochs[0]; i++)
        for (uint32_t last = 0; last < 2; last++) {
            const uint32_t from = last ? UINT32_MAX - 5 : 0;
            struct helm_signals s = {.last = {{from, from, from}, {from, from, from}},
                                     .last_cycle = from,
                                     .waiting = epochs[i].waiting_before,
                                     .few_data = epochs[i].few_before};
            const struct helm_counters half = {from + epochs[i].walks / 2, from + epochs[i].area / 2,
                                               from + epochs[i].data / 2};

            helm_signals_update(&s, 2, WALKERS, DATA, from + EPOCH, (const struct helm_counters[]){half, half});
            if (s.waiting != epochs[i].waiting || s.flooded != epochs[i].flooded || s.few_data != epochs[i].few)
                fail_msg("%s: waiting %d flooded %d few data %d", epochs[i].name, s.waiting, s.flooded, s.few_data);
        }
}

/* 128 bytes a line. What throttles is given up when a quarter of the limit is left, over all that came. */
TEST(thrashing)
{
    struct helm_thrash t = {0};

    helm_thrash_update(&t, 128, 32, 4000, 1001);
    assert_false(t.thrashes);
    helm_thrash_update(&t, 128, 32, 4004, 1001);
    assert_true(t.thrashes);
    helm_thrash_update(&t, 128, 32, 4004, 4 * 1001);
    assert_true(t.thrashes);
    helm_thrash_update(&t, 128, 32, 4004, 4 * 1001 + 1);
    assert_false(t.thrashes);
    helm_thrash_update(&t, 128, 32, 4003, 4 * 1001); /* the low words wrap: both by almost 2^32 */
    assert_true(t.in == 4004ull + UINT32_MAX && t.lines == 4005ull + UINT32_MAX);
}

/* What two tenants make in 16 units of time without the mechanism, and in 8 with it. */
static const struct {
    const char *name;
    struct helm_made without[2], with[2];
    bool starves, gains;
} trials[] = {
    {"as before", {{1600, 160}, {1600, 160}}, {{800, 80}, {800, 80}}, false, false},
    {"all gain", {{1600, 160}, {1600, 160}}, {{900, 90}, {900, 90}}, false, true},
    {"one keeps the floor, rounded down", {{1600, 160}, {1600, 160}}, {{642, 64}, {1600, 160}}, false, true},
    {"one is below it", {{1600, 160}, {1600, 160}}, {{639, 63}, {1600, 160}}, true, true},
    {"makes less, and walks: a phase", {{1600, 160}, {1600, 160}}, {{100, 80}, {2400, 80}}, false, false},
    {"walks less, and makes", {{1600, 160}, {1600, 160}}, {{800, 8}, {1600, 80}}, false, true},
    {"makes nothing any more", {{1600, 160}, {1600, 160}}, {{0, 0}, {16000, 160}}, true, false},
    {"had made nothing", {{0, 0}, {1600, 160}}, {{0, 0}, {900, 90}}, false, true},
    {"the most there can be", {{INT32_MAX, 2}, {INT32_MAX, 2}}, {{INT32_MAX / 2, 1}, {INT32_MAX / 2, 1}}, false, false},
};

TEST(trials_by_table)
{
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        struct helm_trial t = {.cycles = {16000, 8000}};

        memcpy(t.made[0], trials[i].without, sizeof trials[i].without);
        memcpy(t.made[1], trials[i].with, sizeof trials[i].with);
        if (helm_trial_starves(&t, 2, 80) != trials[i].starves || helm_trial_gains(&t, 2, 10) != trials[i].gains)
            fail_msg("%s: starves %d, gains %d", trials[i].name, helm_trial_starves(&t, 2, 80),
                     helm_trial_gains(&t, 2, 10));
    }
}

/* Three stretches; what is made between two of them does not count. Then watches replace what the mechanism made. */
TEST(a_trial)
{
    struct helm_trial t;
    struct helm_made now = {UINT32_MAX - 50, 7};
    uint32_t cycle = UINT32_MAX - 10;

    helm_trial_start(&t);
    for (unsigned i = 0; i < HELM_TRIAL_STRETCHES; i++) {
        assert_int_equal(helm_trial_with(&t), i == 1);
        helm_trial_begin(&t, 1, cycle, &now);
        now.instructions += 100 + i;
        now.walks += 10;
        cycle += 1000;
        assert_int_equal(helm_trial_end(&t, 1, cycle, &now), i == 2);
        now.instructions += 5000;
        cycle += 400;
    }
    assert_int_equal(t.made[0][0].instructions, 202);
    assert_int_equal(t.made[1][0].instructions, 101);
    assert_int_equal(t.made[0][0].walks, 20);
    assert_int_equal(t.cycles[0], 2000);
    assert_int_equal(t.cycles[1], 1000);
    helm_trial_begin(&t, 1, cycle, &now);
    for (unsigned i = 1; i < 3; i++) {
        now.instructions += i;
        helm_trial_watch(&t, 1, cycle += 500, &now);
        assert_int_equal(t.made[1][0].instructions, i);
        assert_int_equal(t.cycles[1], 500);
    }
}

/* ---- on a window */

static struct {
    uint32_t cycle, walks, area, data, instructions[2];
} gpu;

static void boot(uint32_t tenants, uint32_t features)
{
    memset(&gpu, 0, sizeof gpu);
    fake_reset(tenants);
    fake_set(MH_REG_CAP_FEATURES, features);
    fake_set(MH_REG_CAP_LINE_BYTES, 128);
    fake_boot();
}

/* Time passes: each tenant makes so many instructions and walks, and all have `live` walks. */
static void pass(uint32_t cycles, uint32_t live, uint32_t data, uint32_t first, uint32_t second)
{
    gpu.cycle += cycles;
    gpu.walks += cycles / 100;
    gpu.area += live * cycles;
    gpu.data += data * (cycles / 100);
    gpu.instructions[0] += first * (cycles / 1000);
    gpu.instructions[1] += second * (cycles / 1000);
    for (uint32_t t = 0; t < 2; t++) {
        fake_counter(t, MH_COUNTER_WARP_INSTR, gpu.instructions[t]);
        fake_counter(t, MH_COUNTER_WALKS, t ? gpu.walks : gpu.instructions[0] / 10); /* the first walks as it makes */
    }
    fake_counter(1, MH_COUNTER_WALKS_AREA, gpu.area);
    fake_counter(1, MH_COUNTER_DRAM_READ, gpu.data);
    fake_set(MH_REG_SNAP_CYCLE_LO, gpu.cycle);
}

static void epoch(uint32_t live, uint32_t data)
{
    pass(EPOCH, live, data, 100, 100);
    assert_int_equal(fake_epoch(), 0);
}

static void timer_2(uint32_t first, uint32_t second)
{
    pass(fake_get(MH_REG_TIMER_INTERVAL + 2 * MH_REG_TIMER_INTERVAL_STRIDE), 2 * WALKERS, 1, first, second);
    assert_int_equal(fake_timer_2(), 0);
}

/* A trial of DWS, in which the first tenant makes `first` and the second 200 while it is on, else 100. */
static void trial(uint32_t first)
{
    for (unsigned tick = 0; tick < 2 * HELM_TRIAL_STRETCHES; tick++) {
        uint32_t with = fake_get(MH_REG_WALK_QUEUES);

        assert_int_equal(with, tick / 2 == 1);
        timer_2(with ? first : 100, with ? 200 : 100);
    }
}

TEST(alone_has_its_order_of_walks_and_one_queue)
{
    boot(1, FEATURES);
    for (unsigned e = 0; e < 3; e++) {
        assert_int_equal(fake_get(MH_REG_WALK_ORDER), MH_WALK_SIMT);
        assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
        assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 0);
        epoch(10 * WALKERS, 1);
    }
}

TEST(queues_follow_the_data)
{
    boot(2, FEATURES);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
    pass(10000, 1, 1, 1, 1);
    assert_int_equal(fake_timer_2(), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    epoch(1, 100);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
    epoch(1, 1);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
}

TEST(tokens_while_no_walk_waits)
{
    boot(2, FEATURES);
    fake_counter(0, MH_COUNTER_WARPS_PEAK, 64);
    epoch(1, 1);
    assert_int_equal(fake_get(MH_REG_TOKENS), 51); /* 80 % */
    epoch(2 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_TOKENS), 64);
    epoch(2, 1);
    assert_int_equal(fake_get(MH_REG_TOKENS), 51);
}

static void boot_to_the_trial(void)
{
    boot(2, FEATURES);
    assert_int_equal(fake_timer_2(), 0);
    epoch(2 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
    epoch(2 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_ONE_SHOT);
}

TEST(stealing_stays_while_it_starves_nobody)
{
    boot_to_the_trial();
    trial(90);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 1);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), MH_WALK_FCFS);
    epoch(2 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 1);
    pass(EPOCH, 2 * WALKERS, 1, 10, 200); /* slowly */
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 0);
}

TEST(stealing_goes_with_its_cause)
{
    boot_to_the_trial();
    trial(100);
    epoch(WALKERS / 2, 1);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 1);
    epoch(WALKERS / 8, 1);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 0);
}

TEST(a_starving_tenant_refuses_it_for_eight_epochs)
{
    boot_to_the_trial();
    trial(50);
    assert_int_equal(fake_get(MH_REG_WALK_QUEUES), 0);
    for (unsigned e = 0; e < 9; e++) {
        assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
        epoch(2 * WALKERS, 1);
    }
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_ONE_SHOT);
}

TEST(no_trial_where_walks_flood_the_walkers)
{
    boot(2, FEATURES);
    assert_int_equal(fake_timer_2(), 0);
    for (unsigned e = 0; e < 20; e++)
        epoch(4 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
}

/* A tenant that leaves in the middle of a trial ends it. */
TEST(who_stays_alone_has_no_trial)
{
    boot_to_the_trial();
    timer_2(100, 100);
    fake_set(MH_REG_TENANTS, 1);
    fake_event(MH_EVENT_TENANT_LEFT, 1, 0);
    assert_int_equal(fake_irq(MH_IRQ_EVENT), 0);
    assert_int_equal(fake_get(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE), GPU_TIMER_OFF);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), MH_WALK_SIMT);
    epoch(2 * WALKERS, 1);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
}

/* Lines of 128 bytes and an irregular class: 20 lines an instruction. */
static void paged_epoch(uint32_t bytes, uint32_t lines)
{
    fake_counter(0, MH_COUNTER_UVM_IN_BYTES, bytes);
    fake_counter(0, MH_COUNTER_MEM_LINES, lines);
    fake_counter(0, MH_COUNTER_MEM_INSTR, lines / 20);
    epoch(1, 1);
}

TEST(throttles_who_thrashes)
{
    boot(1, FEATURES | MH_FEATURE_UVM);
    fake_set(MH_REG_CAP_UVM, 100);
    fake_set(MH_REG_CAP_UVM_UNIT, 65536);
    fake_set(MH_REG_SM_HOLDS, 0xf);
    fake_counter(0, MH_COUNTER_UVM_ALLOCATED, 200);
    fake_boot();
    paged_epoch(4 * 1000, 1001); /* of 32 bytes not quite one */
    assert_int_equal(fake_get(MH_REG_SM_THROTTLE_0), 0);
    assert_int_equal(fake_get(MH_REG_COMPRESS), 0);
    paged_epoch(8 * 1000, 1002);
    assert_int_not_equal(fake_get(MH_REG_SM_THROTTLE_0), 0);
    assert_int_equal(fake_get(MH_REG_COMPRESS), 1);
    paged_epoch(8 * 1000, 1000000);
    assert_int_equal(fake_get(MH_REG_SM_THROTTLE_0), 0);
    assert_int_equal(fake_get(MH_REG_COMPRESS), 0);
}

/* Any GPU will do: it sets what is there. */
TEST(runs_without_any_feature)
{
    boot(2, 0);
    fake_set(MH_REG_CAP_WALKERS, 0);
    fake_boot();
    for (unsigned e = 0; e < 4; e++)
        epoch(4, 1);
    assert_int_equal(fake_count(true, MH_REG_DRAM_QUEUES) + fake_count(true, MH_REG_WALK_QUEUES), 0);
    assert_int_equal(fake_count(true, MH_REG_WALK_ORDER) + fake_count(true, MH_REG_TOKENS), 0);
}
