/* invariants: of the debug build alone */
/* WARP_QUOTA, MEM_QUOTA and MEM_LIMIT: the issuing tenant of each cycle, by hand. Two tenants on one SM of one port. */
#include "unit/test.h"
#include "broken_gpu.h"
#include "sm_fixture.h"
#include "script.h"

enum { COMPUTE = 60, LONG = 5000 };

static void knob(struct mh_gpu *g, uint32_t offset, uint32_t first, uint32_t second)
{
    script_write(g, offset, first);
    script_write(g, offset + MH_REG_WARP_QUOTA_STRIDE, second);
    script_commit(g);
}

static uint64_t instr(struct mh_gpu *g, uint32_t tenant)
{
    return mh_gpu_stats(g)->tenant[tenant].warp_instr;
}

/* From cycle `from` on each issues one instruction, of tenant '0' or '1'; '-': none. Cycle 0 is seen with 1. */
static void assert_issues(struct mh_gpu *g, uint64_t from, const char *who)
{
    uint64_t want[2] = {from ? instr(g, 0) : 0, from ? instr(g, 1) : 0};
    for (uint64_t i = 0; who[i]; i++) {
        mh_gpu_advance(g, from + i);
        mh_gpu_check(g);
        for (uint32_t t = 0; t < 2; t++) {
            want[t] += who[i] == (char)('0' + t);
            if (from + i && instr(g, t) != want[t])
                fail_msg("cycle %llu: tenant %u has issued %llu, not %llu", (unsigned long long)(from + i), t,
                         (unsigned long long)instr(g, t), (unsigned long long)want[t]);
        }
    }
}

static struct mh_gpu *shared_gpu(const char *scheduler, uint32_t ports, struct script *first, struct script *second)
{
    struct script *s[] = {first, second};
    struct mh_config cfg = script_config(1, 2);

    script_share_sms(&cfg);
    set_word(&cfg, "sm.scheduler", scheduler);
    cfg.sm.schedulers = ports;
    cfg.l1tlb.ideal = 1;
    cfg.l1d.miss_queue = 512;
    cfg.sm.loads_per_warp = 8;
    return script_gpu(&cfg, s);
}

static struct mh_gpu *computing(const char *scheduler, uint32_t gap, uint32_t other)
{
    return shared_gpu(scheduler, 1, script_computing(1, gap), script_computing(1, other));
}

/* Cycles of a GPU on which both compute, after WARP_QUOTA is set. */
TEST(test_rounds)
{
    static const struct {
        const char *scheduler;
        uint32_t other, quota[2];
        const char *issues;
    } rows[] = {
        /* Tenant 1 has used up its one when tenant 0 has two left: three of four. After the third a round begins. */
        {"lrr", COMPUTE, {3, 1}, "010010001000100010"},
        /* Greedy to the end of the quota, and on when the next round begins. */
        {"gto", COMPUTE, {5, 3}, "00000111111000000000011111100000"},
        /* A tenant without a quota holds no other; the other one's round ends with its own last instruction. */
        {"lrr", COMPUTE, {1, 0}, "01010101"},
        /* Tenant 1 leaves with ninety left, in the cycle after its tenth instruction: no warp waits for it. */
        {"lrr", 10, {1, 100}, "01111111111000000"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_GPU(g) = computing(rows[i].scheduler, COMPUTE, rows[i].other);

        knob(g, MH_REG_WARP_QUOTA, rows[i].quota[0], rows[i].quota[1]);
        assert_issues(g, 0, rows[i].issues);
    }
}

/* SMK is strict: tenant 0 waits for data with quota left, and tenant 1, which has none, waits with it. */
TEST(test_waits_for_a_load)
{
    struct script *s[] = {script_new(), script_computing(1, LONG)};
    script_buffer(s[0], SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_warps(s[0], 1);
    script_ops(s[0], 0, 0, 0, op_load(in_page(0, 0)), op_wait(op_after(COMPUTE, op_barrier())));
    LOCAL_GPU(g) = shared_gpu("lrr", 1, s[0], s[1]);
    knob(g, MH_REG_WARP_QUOTA, 3, 2);
    assert_issues(g, 0, "011-----");
    uint64_t back = 0;
    while (instr(g, 0) == 1)
        mh_gpu_advance(g, back = mh_gpu_now(g) + 1);
    assert_int_equal(instr(g, 1), 2);
    assert_true(back > 50); /* DRAM */
    assert_issues(g, back + 1, "01010010100");
}

/* One warp: after `gap` instructions `count` stores, each of one line. */
static struct script *storing(uint32_t gap, uint32_t count)
{
    struct script *s = script_paged(CHAIN_PAGES, 1);
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_after(i ? 0 : gap, op_store(in_page(0, i % 32 * 128))));
    return s;
}

TEST(test_memory_rounds)
{
    static const struct {
        uint32_t gap, count, quota[2]; /* of tenant 1; tenant 0 stores without end */
        const char *issues;
    } rows[] = {
        /* A tenant with none left lets the other one go first: one of four. */
        {0, 60, {1, 3}, "011101110111"},
        /* It is a priority: while tenant 1 computes, tenant 0 stores without quota; the scheduler goes by turns. */
        {4, 60, {1, 3}, "0101010111101110111"},
        /* Instructions of gaps are none of memory: they get no priority and do not count. */
        {60, 1, {2, 1}, "0101010101010101"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_GPU(g) = shared_gpu("lrr", 1, storing(0, 60), storing(rows[i].gap, rows[i].count));

        knob(g, MH_REG_MEM_QUOTA, rows[i].quota[0], rows[i].quota[1]);
        assert_issues(g, 0, rows[i].issues);
    }
}

static struct script *loading(uint32_t count)
{
    struct script *s = script_paged(CHAIN_PAGES, 1);
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_load(in_page(i, 0)));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    return s;
}

/* A load until its data: with a limit of one the second is issued in the cycle of the first one's. */
TEST(test_loads_in_flight)
{
    uint64_t at[2][4];
    for (uint32_t limit = 0; limit < 2; limit++) {
        struct script *s[] = {loading(2), script_computing(1, 1)};
        struct mh_gpu *g = shared_gpu("gto", 1, s[0], s[1]);
        knob(g, MH_REG_MEM_LIMIT, limit, 0);
        mh_gpu_advance(g, 20000);
        for (uint32_t i = 0; i < 3; i++)
            at[limit][i] = script_issued(s[0], 0, 0, 0, i);
        script_end(g);
    }
    assert_int_equal(at[0][1] - at[0][0], 1);
    assert_true(at[1][1] - at[1][0] > 50);
    assert_true(at[0][2] - at[0][0] < at[1][2] - at[1][0]);     /* both at a time */
    assert_int_equal(at[1][2] - at[1][1], at[1][1] - at[1][0]); /* one after the other; both pages hit */
}

/* A limit that comes later counts what is in flight already, and its end forgets it. */
TEST(test_limit_comes_later)
{
    struct script *s[] = {loading(6), script_computing(1, 1)};
    struct mh_gpu *g = shared_gpu("gto", 1, s[0], s[1]);
    mh_gpu_advance(g, 2);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_instr, 3);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_peak, 0);
    knob(g, MH_REG_MEM_LIMIT, 2, 0);
    mh_gpu_check(g);
    mh_gpu_advance(g, 60);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_instr, 3);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_peak, 3);
    knob(g, MH_REG_MEM_LIMIT, 0, 0);
    mh_gpu_advance(g, 63);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_instr, 6);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_peak, 0);
    mh_gpu_advance(g, 20000);
    script_end(g);
}

static uint32_t snapped(struct mh_gpu *g, uint32_t tenant)
{
    script_write(g, MH_REG_SNAPSHOT, 1);
    return script_read(g, MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * MH_COUNTER_MEM_PEAK);
}

TEST(test_peak)
{
    struct script *s[] = {loading(5), loading(2)};
    struct mh_gpu *g = shared_gpu("gto", 1, s[0], s[1]);
    knob(g, MH_REG_MEM_LIMIT, 65535, 0);
    mh_gpu_advance(g, 2);
    assert_int_equal(snapped(g, 0), 3);
    assert_int_equal(snapped(g, 0), 3); /* they are in flight yet */
    mh_gpu_advance(g, 20000);
    assert_int_equal(snapped(g, 0), 5);
    assert_int_equal(snapped(g, 0), 0);
    assert_int_equal(snapped(g, 1), 0); /* it has no limit */
    script_end(g);
}

TEST(test_ranges)
{
    static const uint32_t knobs[] = {MH_REG_WARP_QUOTA, MH_REG_MEM_QUOTA, MH_REG_MEM_LIMIT};
    struct mh_gpu *g = computing("lrr", 1, 1);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_QUOTAS);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(script_read(g, knobs[i]), 0);
        script_knob(g, knobs[i], 65535);
    }
    mh_gpu_destroy(g);
    struct mh_config cfg = script_config(2, 2); /* an SM each */
    struct script *s[] = {script_computing(1, 1), script_computing(1, 1)};
    g = script_gpu(&cfg, s);
    assert_false(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_QUOTAS);
    for (uint32_t i = 0; i < 3; i++)
        script_refused(g, knobs[i], 1);
    mh_gpu_destroy(g);
}

/* Tenant 0's load never comes back: it is the oldest request, and tenant 1 waits for it. */
TEST(test_deadlock)
{
    struct script *s[] = {loading(1), script_computing(1, LONG)};
    LOCAL_GPU(g) = shared_gpu("lrr", 1, s[0], s[1]);
    knob(g, MH_REG_WARP_QUOTA, 3, 2);
    lose(g, EV_L1_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "load that warp 0 of SM 0 issued at cycle 0 (tenant 0: script");
    assert_has(mh_gpu_deadlock(g), "; warp 1 of SM 0 (tenant 1: script) waits for the next round of WARP_QUOTA: "
                                   "tenant 0 (script) has 2 of 3 left");
}

TEST(test_deadlock_of_a_limit)
{
    struct script *s[] = {loading(2), script_computing(1, 1)};
    LOCAL_GPU(g) = shared_gpu("lrr", 1, s[0], s[1]);
    knob(g, MH_REG_MEM_LIMIT, 1, 0);
    lose(g, EV_L1_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "; warp 0 of SM 0 (tenant 0: script) waits for MEM_LIMIT: it has 1 of 1 memory "
                                   "instructions in flight");
}
