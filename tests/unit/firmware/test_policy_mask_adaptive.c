/* MASK whose parts are tried: progress by table, the order of trials, whole runs of kernels by numbers, and the glue.
 */
#include "unit/test.h"

#include "fake_window.h"

#include "policy/mask/mask.h"

#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(mask_adaptive)
#include "image/common/image.h"

enum {
    DRAM = 1 << MASK_ADAPTIVE_DRAM,
    TOKENS = 1 << MASK_ADAPTIVE_TOKENS,
    CACHE = 1 << MASK_ADAPTIVE_CACHE,
    ALL = MASK_ADAPTIVE_ALL,
    ONE = MASK_ADAPTIVE_ONE,
    EPOCH = 100000
};

static const struct {
    const char *name;
    uint32_t tenants, made[2][GPU_MAX_TENANTS], cycles[2];
    int32_t expected;
} rows[] = {
    {"as much", 1, {{5000}, {5000}}, {EPOCH, EPOCH}, 0},
    {"nothing", 2, {{0}, {0}}, {EPOCH, EPOCH}, 0},
    {"twice as much", 1, {{20000}, {40000}}, {EPOCH, EPOCH}, ONE / 3},
    {"half", 1, {{40000}, {20000}}, {EPOCH, EPOCH}, -ONE / 3},
    {"three times", 1, {{10000}, {30000}}, {EPOCH, EPOCH}, ONE / 2},
    {"all of it", 1, {{0}, {10000}}, {EPOCH, EPOCH}, ONE},
    {"none any more", 1, {{10000}, {0}}, {EPOCH, EPOCH}, -ONE},
    {"as much in half the time", 1, {{20000}, {20000}}, {EPOCH, EPOCH / 2}, ONE / 3},
    {"as much in each cycle", 1, {{40000}, {20000}}, {EPOCH, EPOCH / 2}, 0},
    {"one gains what another loses, however much they make", 2, {{100, 2000000}, {300, 666667}}, {EPOCH, EPOCH}, 0},
    {"one of two alone counts", 2, {{0, 10000}, {0, 30000}}, {EPOCH, EPOCH}, ONE / 2},
    {"the most that there can be", 1, {{1, 0}, {INT32_MAX, 0}}, {INT32_MAX, INT32_MAX}, ONE},
    {"eight of them",
     8,
     {{9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000}, {27000, 27000, 27000, 27000, 27000, 27000, 27000, 27000}},
     {EPOCH, EPOCH},
     4 * ONE},
};

/* To two units: 2^-14 of rounding in each factor. */
TEST(progress_by_table)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t got = mask_adaptive_progress(rows[i].made, rows[i].cycles, rows[i].tenants);

        if (got < rows[i].expected - 2 * (int32_t)rows[i].tenants ||
            got > rows[i].expected + 2 * (int32_t)rows[i].tenants)
            fail_msg("%s: %d, not %d", rows[i].name, got, rows[i].expected);
    }
}

/* A kernel, and the GPU that it runs on. */
struct world {
    struct mask_adaptive_state state;
    uint32_t instructions[GPU_MAX_TENANTS], in_force, epoch, useful;
    uint32_t (*makes)(uint32_t epoch, uint32_t parts); /* of tenant 0 in an epoch with these parts in force */
};

static struct world world_of(uint32_t (*makes)(uint32_t, uint32_t), uint32_t useful)
{
    struct world w = {.in_force = ALL, .useful = useful, .makes = makes};

    mask_adaptive_restart(&w.state, MASK_ADAPTIVE_ALL);
    return w;
}

static uint32_t epoch_of(struct world *w)
{
    w->instructions[0] += w->makes(w->epoch++, w->in_force);
    w->in_force = mask_adaptive_decide(&w->state, 1, w->epoch * EPOCH, w->instructions, w->useful);
    return w->in_force;
}

static uint32_t same(uint32_t epoch, uint32_t parts)
{
    (void)epoch, (void)parts;
    return 1000000;
}

/* DRAM is tried first: as it is, twice the other way, as it is; then the next part, at once. */
TEST(order_of_a_trial)
{
    static const uint32_t expected[] = {ALL,        ALL ^ DRAM,   ALL ^ DRAM,   ALL, /* the first epoch is no trial's */
                                        ALL,        ALL ^ TOKENS, ALL ^ TOKENS, ALL, ALL,
                                        ALL ^ DRAM, ALL ^ DRAM,   ALL,          ALL}; /* no bypass that is of use */
    struct world w = world_of(same, DRAM | TOKENS);

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(epoch_of(&w), expected[i]);
}

/* Nothing is of use: nothing is tried. A mask that comes later is. */
TEST(only_what_is_of_use)
{
    struct world w = world_of(same, 0);

    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(epoch_of(&w), ALL);
    w.useful = CACHE;
    assert_int_equal(epoch_of(&w), ALL);
    assert_int_equal(epoch_of(&w), ALL ^ CACHE);
}

/* The gaps between trials that change nothing: 4, 8, .. 64 epochs. */
TEST(gaps)
{
    static const uint32_t expected[] = {4, 8, 16, 32, 64, 64, 64};
    struct world w = world_of(same, DRAM);

    for (uint32_t i = 0, gap = 0; i < sizeof expected / sizeof expected[0]; gap = 0) {
        while (epoch_of(&w) == ALL)
            gap++;
        if (w.epoch > 2) /* the epochs of the trials around it as it is are among them */
            assert_int_equal(gap, expected[i++] + 2);
        assert_int_equal(epoch_of(&w), ALL ^ DRAM);
    }
}

#define LOSES(part, percent) ((parts) & (part) ? 1000000 - 10000 * (percent) : 1000000)

static uint32_t loses_by_dram(uint32_t epoch, uint32_t parts)
{
    (void)epoch;
    return LOSES(DRAM, 4);
}

static uint32_t loses_half_a_percent(uint32_t epoch, uint32_t parts)
{
    (void)epoch;
    return parts & DRAM ? 995000 : 1000000;
}

static uint32_t gains_by_all(uint32_t epoch, uint32_t parts)
{
    (void)epoch;
    return 1000000 + 20000 * (parts == ALL);
}

/* Two phases of an epoch each, of which one makes half; DRAM loses a little: its order decides nothing. */
static uint32_t phases(uint32_t epoch, uint32_t parts)
{
    return (epoch % 2 ? 500000 : 1000000) - (parts & DRAM ? 2000 : 0);
}

/* Ever slower, by a tenth each epoch: whatever comes later looks worse. */
static uint32_t slower(uint32_t epoch, uint32_t parts)
{
    uint32_t made = 100000000;

    (void)parts;
    while (epoch--)
        made -= made / 10;
    return made;
}

/* Alternating phases and an effect of a tenth: one order hides it, two epochs of each way do not. */
static uint32_t bad_phases(uint32_t epoch, uint32_t parts)
{
    return (epoch % 2 ? 500000 : 1000000) - (parts & DRAM ? 75000 : 0);
}

static uint32_t bad_from_100(uint32_t epoch, uint32_t parts)
{
    return epoch < 100 ? (parts & DRAM ? 1000000 : 900000) : LOSES(DRAM, 10);
}

static uint64_t made_in(struct world *w, uint32_t epochs)
{
    uint64_t made = 0;

    for (uint32_t i = 0; i < epochs; i++) {
        uint32_t before = w->instructions[0];

        epoch_of(w);
        made += w->instructions[0] - before;
    }
    return made;
}

TEST(whole_runs)
{
    struct world w = world_of(loses_by_dram, ALL);

    assert_true(made_in(&w, 100) >= 99ull * 1000000 + 500000); /* 4 % of a few epochs: half a percent of all */
    assert_int_equal(w.state.on, ALL ^ DRAM);
    w = world_of(loses_half_a_percent, ALL);
    made_in(&w, 1000);
    assert_int_equal(w.state.on, ALL);
    w = world_of(gains_by_all, ALL);
    assert_true(made_in(&w, 1000) >= 1000ull * 1017500); /* of 2 % an eighth is lost in trials */
    w = world_of(phases, ALL);
    made_in(&w, 1000);
    assert_int_equal(w.state.on, ALL);
    w = world_of(bad_phases, DRAM);
    made_in(&w, 30);
    assert_int_equal(w.state.on, ALL ^ DRAM);
    w = world_of(slower, ALL);
    made_in(&w, 60);
    assert_int_equal(w.state.on, ALL);
    w = world_of(bad_from_100, DRAM);
    made_in(&w, 100);
    assert_int_equal(w.state.on, ALL);
    made_in(&w, MASK_ADAPTIVE_GAP_MAX + 8);
    assert_int_equal(w.state.on, ALL ^ DRAM);
}

/* Above the margin in both halves, or not at all; if one says so, the next trial is longer. */
TEST(both_halves)
{
    enum { A = 1000000, JUST = A + A / 100 + A / 500, LESS = A + A / 200 };
    static const struct {
        uint32_t first, second;
        bool changes, contradict;
    } halves[] = {{JUST, JUST, true, false},
                  {JUST, LESS, false, true},
                  {LESS, JUST, false, true},
                  {2 * A, A / 2, false, true},
                  {A, A, false, false}};

    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        struct mask_adaptive_state s = {0};
        const uint32_t made[] = {A, A, halves[i].first, halves[i].second, A};
        uint32_t sum = 0, cycle = 0;

        mask_adaptive_restart(&s, MASK_ADAPTIVE_ALL);
        for (uint32_t e = 0; e < 5; e++) {
            sum += made[e];
            mask_adaptive_decide(&s, 1, cycle += EPOCH, &sum, DRAM);
        }
        assert_int_equal(s.on, halves[i].changes ? ALL ^ DRAM : ALL);
        assert_int_equal(s.of[MASK_ADAPTIVE_DRAM].stretch, 1 + halves[i].contradict);
    }
}

static void epoch_at(uint32_t cycle, uint32_t instructions)
{
    fake_counter(0, MH_COUNTER_WARP_INSTR, instructions);
    fake_set(MH_REG_SNAP_CYCLE_LO, cycle);
    assert_int_equal(fake_epoch(), 0);
}

static void boot(uint32_t tenants)
{
    fake_reset(tenants);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_L2_BYPASS | MH_FEATURE_DRAM_QUEUES);
    fake_set(MH_REG_CAP_LEVELS, 4);
    fake_boot();
}

/* One queue is better by a tenth: tried in epochs 2 and 3, and then it stays. */
TEST(steers_the_queues)
{
    static const uint32_t made[] = {1000, 1000, 1100, 1100, 1000, 1100}, queues[] = {1, 0, 0, 1, 0, 0};
    uint32_t sum = 0;

    boot(2);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
    for (uint32_t e = 0; e < 6; e++) {
        epoch_at((e + 1) * EPOCH, sum += made[e]);
        assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), queues[e]);
    }
    fake_event(MH_EVENT_TENANT_ARRIVED, 0, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 1);
}

/* One queue, whatever comes: no turn is to be protected. */
TEST(alone_has_no_queues)
{
    boot(1);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
    for (uint32_t e = 1; e < 9; e++) {
        epoch_at(e * EPOCH, 1000 * e);
        assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
    }
    fake_event(MH_EVENT_TENANT_ARRIVED, 0, 0);
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_get(MH_REG_DRAM_QUEUES), 0);
}

/* Tokens and bypass are tried when they restrict somebody: reset values meanwhile, and theirs again. */
TEST(steers_tokens_and_bypass)
{
    enum { WARPS = 20 };
    uint32_t tokens[16], bypass[16];

    boot(2);
    fake_counter(0, MH_COUNTER_WARPS_PEAK, WARPS);
    for (uint32_t e = 0; e < 14; e++) {
        fake_counter(0, MH_COUNTER_L2_ACCESS, 1000 * (e + 1));
        fake_counter(0, MH_COUNTER_L2_HIT, 900 * (e + 1));
        fake_counter(0, MH_COUNTER_PTE4_ACCESS, 1000 * (e + 1));
        fake_counter(0, MH_COUNTER_PTE4_HIT, 100 * (e + 1));
        fake_counter(0, MH_COUNTER_L2TLB_ACCESS, 1000 * (e + 1));
        epoch_at((e + 1) * EPOCH, 1000 * (e + 1));
        tokens[e] = fake_get(MH_REG_TOKENS);
        bypass[e] = fake_get(MH_REG_L2_BYPASS);
    }
    for (uint32_t e = 0; e < 14; e++) {
        assert_int_equal(tokens[e], e == 5 || e == 6 ? fake_get(MH_REG_CAP_WARPS) : 16);
        assert_int_equal(bypass[e], e == 9 || e == 10 ? 0 : 8);
    }
}

TEST(refuses_a_gpu_without)
{
    static const uint32_t features[] = {MH_FEATURE_TOKENS | MH_FEATURE_L2_BYPASS,
                                        MH_FEATURE_TOKENS | MH_FEATURE_DRAM_QUEUES,
                                        MH_FEATURE_L2_BYPASS | MH_FEATURE_DRAM_QUEUES};

    for (uint32_t i = 0; i < 3; i++) {
        fake_reset(1);
        fake_set(MH_REG_CAP_FEATURES, features[i]);
        fake_set(MH_REG_CAP_LEVELS, 4);
        assert_int_not_equal(mh_twin_init(&fake_host), 0);
    }
}
