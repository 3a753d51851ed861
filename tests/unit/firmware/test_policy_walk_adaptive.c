/* The adaptive order of walks: the decision at, below and above each edge, and the glue on a fake window. */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/walk/walk.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(walk_adaptive)
#include "image/common/image.h"

enum { FCFS = MH_WALK_FCFS, SIMT = MH_WALK_SIMT, WALKERS = 8, EPOCH = 100000 };
#define BUSY ((uint64_t)WALKERS * EPOCH)

/* One epoch of one tenant. */
static const struct {
    const char *name;
    bool before;
    uint64_t walks, instructions, cycles;
    uint32_t expected;
} steps[] = {
    {"nothing", false, 0, 0, 0, FCFS},
    {"two walks each, more walks than walkers", false, 2000, 1000, BUSY + 1, SIMT},
    {"as many walks as walkers", false, 2000, 1000, BUSY, FCFS},
    {"one less", false, 2000, 1000, BUSY - 1, FCFS},
    {"one walk less than two each", false, 1999, 1000, BUSY + 1, FCFS},
    {"one more than two each", false, 2001, 1000, BUSY + 1, SIMT},
    {"one walk each, however long the queue", true, 1000, 1000, 1000 * BUSY, FCFS},
    {"64 walks each, no queue", false, 64000, 1000, 0, FCFS},
    {"one instruction, two walks", false, 2, 1, BUSY + 1, SIMT},
    {"one instruction, one walk", true, 1, 1, BUSY + 1, FCFS},
    {"no instruction finished: was divergent", true, 500, 0, BUSY + 1, SIMT},
    {"no instruction finished: was not", false, 500, 0, BUSY + 1, FCFS},
    {"instructions finished, walks had before", true, 0, 10, BUSY + 1, FCFS},
    {"as much as an epoch can hold", false, UINT32_MAX, UINT32_MAX / 2, UINT64_MAX / 2, SIMT},
    {"and just below", false, UINT32_MAX, UINT32_MAX / 2 + 1, UINT64_MAX / 2, FCFS},
};

/* Differences count, also across a wrap of the counters. */
TEST(decides)
{
    static const struct walk_adaptive_counters last[] = {
        {0, 0, 0}, {1000, 2000, 3000}, {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX}};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        for (size_t k = 0; k < sizeof last / sizeof last[0]; k++) {
            struct walk_adaptive_state s = {.last = {last[k]}, .cycle = last[k].cycles, .divergent = {steps[i].before}};
            struct walk_adaptive_counters now = {last[k].walks + steps[i].walks, last[k].cycles + steps[i].cycles,
                                                 last[k].instructions + steps[i].instructions};

            if (walk_adaptive_decide(&s, 1, WALKERS, s.cycle + EPOCH, &now) != steps[i].expected)
                fail_msg("%s", steps[i].name);
            assert_memory_equal(&s.last[0], &now, sizeof now);
            assert_true(s.cycle == last[k].cycles + EPOCH);
        }
}

/* One divergent tenant among many is enough, and the walks of all of them make the queue. */
TEST(any_tenant_counts)
{
    for (uint32_t n = 1; n <= GPU_MAX_TENANTS; n++)
        for (uint32_t divergent = 0; divergent <= n; divergent++) {
            struct walk_adaptive_state s = {0};
            struct walk_adaptive_counters now[GPU_MAX_TENANTS];

            for (uint32_t t = 0; t < n; t++)
                now[t] = (struct walk_adaptive_counters){t == divergent ? 20 : 10, BUSY / n + 1, 10};
            assert_int_equal(walk_adaptive_decide(&s, n, WALKERS, EPOCH, now), divergent < n ? SIMT : FCFS);
        }
}

/* Latencies are compared with the cycles in which they were counted, however long ago the last decision was. */
TEST(missed_and_late_epochs)
{
    static const struct {
        const char *name;
        uint64_t cycle, cycles;
        uint32_t expected;
    } decisions[] = {
        {"an epoch", EPOCH, BUSY + 1, SIMT},
        {"one was missed, no queue in either", 3 * EPOCH, 2 * BUSY, FCFS},
        {"one was missed, a queue", 5 * EPOCH, 2 * BUSY + 1, SIMT},
        {"three were missed, no queue", 9 * EPOCH, 4 * BUSY, FCFS},
        {"half an epoch late", 10 * EPOCH + EPOCH / 2, BUSY + BUSY / 2, FCFS},
        {"in time after it: half an epoch", 11 * EPOCH, BUSY / 2 + 1, SIMT},
        {"2^40 cycles later", (1ull << 40) + 11 * EPOCH, ((uint64_t)WALKERS << 40) + 1, SIMT},
        {"again", (2ull << 40) + 11 * EPOCH, (uint64_t)WALKERS << 40, FCFS},
    };
    struct walk_adaptive_state s = {0};
    struct walk_adaptive_counters now = {0, 0, 0};

    for (size_t i = 0; i < sizeof decisions / sizeof decisions[0]; i++) {
        now.walks += 20;
        now.instructions += 10;
        now.cycles += decisions[i].cycles;
        if (walk_adaptive_decide(&s, 1, WALKERS, decisions[i].cycle, &now) != decisions[i].expected)
            fail_msg("%s", decisions[i].name);
    }
}

/* The next SNAPSHOT is in this cycle. */
static void at(uint64_t cycle)
{
    fake_set(MH_REG_SNAP_CYCLE_LO, (uint32_t)cycle);
    fake_set(MH_REG_SNAP_CYCLE_HI, (uint32_t)(cycle >> 32));
}

/* Counters of the window in, knob of the window out; back when the queue has gone. */
TEST(steers_the_gpu)
{
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_WALK_ORDER);
    fake_set(MH_REG_CAP_WALKERS, WALKERS);
    fake_boot();
    fake_counter(0, MH_COUNTER_WALKS, 100);
    fake_counter(0, MH_COUNTER_WALK_INSTR, 100);
    fake_counter(1, MH_COUNTER_WALKS, 500);
    fake_counter(1, MH_COUNTER_WALK_INSTR, 10);
    fake_counter(1, MH_COUNTER_WALK_CYCLES, BUSY + 1);
    at(EPOCH);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), SIMT);
    at(2 * EPOCH);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), FCFS);
}

/* The cycle of the SNAPSHOT counts, both of its words, also after a missed epoch. */
TEST(reads_the_cycle)
{
    fake_reset(1);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_WALK_ORDER);
    fake_set(MH_REG_CAP_WALKERS, WALKERS);
    fake_boot();
    fake_counter(0, MH_COUNTER_WALKS, 500);
    fake_counter(0, MH_COUNTER_WALK_INSTR, 10);
    at(UINT32_MAX);
    assert_int_equal(fake_epoch(), 0);
    fake_counter(0, MH_COUNTER_WALK_CYCLES, 2 * BUSY + 1);
    at(UINT32_MAX + 2ull * EPOCH);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), SIMT);
    fake_counter(0, MH_COUNTER_WALK_CYCLES, 4 * BUSY + 1);
    at(UINT32_MAX + 4ull * EPOCH);
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_get(MH_REG_WALK_ORDER), FCFS);
}

TEST(refuses_a_gpu_without_walk_orders)
{
    fake_assert_refused_with(MH_FEATURE_TOKENS);
}
