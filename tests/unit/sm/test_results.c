/* Instructions that wait for results (sm/schedule.h): cycles by hand. */
#include "chain.h"
#include "script.h"
#include "unit/test.h"

enum { LATENCY = 4 };

static const char *const schedulers[] = {"gto", "lrr", "lrr-gto", "two-level"};

static struct mh_config dependent(const char *scheduler)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "sm.scheduler", scheduler);
    cfg.sm.alu_latency = LATENCY;
    return cfg;
}

/* Shared memory of an A100: 23 cycles, 2 more for each further pass (Sun et al., arXiv 2206.02874). */
static struct mh_config with_shared(void)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.shared_latency = 23;
    cfg.sm.conflict_cycles = 2;
    return cfg;
}

static struct mh_op op_reads(uint32_t reads, uint8_t ways, struct mh_op op)
{
    op.gap = reads;
    op.ways = ways;
    return op;
}

static uint64_t end_of(const struct mh_config *cfg, struct script *s)
{
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    uint64_t end = script_until(g, &g->tenant[0].count.completions, 1);
    mh_gpu_check(g);
    return end;
}

TEST(test_chain_of_one_warp)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct mh_config cfg = dependent(schedulers[i]);
        for (uint32_t n = 1; n < 40; n++)
            assert_int_equal(end_of(&cfg, script_computing(1, n)), LATENCY * n);
        cfg.sm.issue_cycles = 3;
        assert_int_equal(end_of(&cfg, script_computing(1, 20)), LATENCY * 20);
        cfg.sm.issue_cycles = 7; /* the port is slower than the result */
        assert_int_equal(end_of(&cfg, script_computing(1, 20)), 7 * 20);
    }
}

/* Two warps of 64 take half of the port: the second is behind the first by one burst of 8. */
TEST(test_two_warps_do_not_hide_it)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct mh_config cfg = dependent(schedulers[i]);
        struct script *s = script_computing(2, 64);
        assert_int_equal(end_of(&cfg, s), LATENCY * 64 + 8);
    }
}

/* Four warps and more: an instruction in each cycle. */
TEST(test_four_warps_hide_it)
{
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t warps = 4; warps <= 16; warps *= 2) {
            struct mh_config cfg = dependent(schedulers[i]);
            struct script *s = script_computing(warps, 64);
            LOCAL_GPU(g) = script_gpu(&cfg, &s);
            for (uint64_t t = 1; t < 64 * 4; t += 5) {
                mh_gpu_advance(g, t);
                assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, t + 1);
            }
            assert_int_equal(g->tenant[0].count.sm_stalls, 0);
        }
}

/* Each scheduler has warps of its own: one chain on each of four ports. */
TEST(test_chains_on_four_ports)
{
    struct mh_config cfg = dependent("lrr");
    cfg.sm.schedulers = 4;
    assert_int_equal(end_of(&cfg, script_computing(4, 50)), LATENCY * 50);
    assert_int_equal(end_of(&cfg, script_computing(8, 64)), LATENCY * 64 + 8);
}

/* The address of a load is a result; what comes behind the load does not wait for it, but for its data if it says so.
 */
TEST(test_loads_between_chains)
{
    struct mh_config cfg = dependent("gto");
    struct script *s = script_paged(1, 1);
    script_ops(s, 0, 0, 0, op_after(10, op_load(SCRIPT_BASE)), op_after(5, op_store(SCRIPT_BASE)),
               op_wait(op_after(3, op_barrier())));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_int_equal(script_issued(s, 0, 0, 0, 0), 10 * LATENCY);
    assert_int_equal(script_issued(s, 0, 0, 0, 1), 10 * LATENCY + 1 + 5 * LATENCY);
    const uint64_t stall = g->tenant[0].count.sm_stalls, cycles = g->tenant[0].completed.cycle;
    assert_int_equal(cycles, stall + 10 + 1 + 5 + 1 + 3 + 1);
    script_end(g);
}

/* Cut after the instruction of cycle 3: its result is there in cycle 16. */
TEST(test_throttle_cuts_a_chain)
{
    const uint64_t release[] = {10, 16, 100}, end[] = {16 + 6 * LATENCY, 16 + 6 * LATENCY, 100 + 6 * LATENCY};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = dependent("gto");
        struct script *s = script_computing(1, 10);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        mh_gpu_advance(g, 3);
        script_knob(g, MH_REG_SM_THROTTLE_0, 1);
        mh_gpu_advance(g, release[i]);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 4);
        script_knob(g, MH_REG_SM_THROTTLE_0, 0);
        assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), end[i]);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 10);
    }
}

/* With a WARP_QUOTA each instruction issues by itself: two warps take turns as their results come. */
TEST(test_quota_and_chain)
{
    struct mh_config cfg = script_config(1, 2);
    cfg.sm.alu_latency = LATENCY;
    script_share_sms(&cfg);
    struct script *s[] = {script_computing(1, 20), script_computing(1, 20)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_write(g, MH_REG_WARP_QUOTA, 1);
    script_write(g, MH_REG_WARP_QUOTA + MH_REG_WARP_QUOTA_STRIDE, 1);
    script_commit(g);
    for (uint64_t t = 1; t < 20 * LATENCY; t++) {
        mh_gpu_advance(g, t);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 1 + t / LATENCY);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].warp_instr, 1 + (t - 1) / LATENCY);
    }
}

TEST(test_bank_conflicts)
{
    static const struct {
        uint8_t ways;
        uint64_t cycles;
    } sun[] = {{1, 23}, {2, 25}, {4, 29}, {8, 37}, {16, 53}, {32, 85}};
    for (uint32_t i = 0; i < sizeof sun / sizeof *sun; i++) {
        struct mh_config cfg = with_shared();
        struct script *s = script_paged(1, 1);
        script_add(s, 0, 0, 0, op_reads(10, sun[i].ways, op_exit()));
        assert_int_equal(end_of(&cfg, s), 10 * sun[i].cycles);
    }
}

/* One read each of four warps, on four ports, at once: passes of others come first. 8 ways: 1 + 7 x 2 cycles. */
TEST(test_banks_are_shared)
{
    struct mh_config cfg = with_shared();
    cfg.sm.schedulers = 4;
    struct script *s = script_paged(1, 4);
    for (uint32_t w = 0; w < 4; w++)
        script_add(s, 0, 0, w, op_reads(1, 8, op_barrier()));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    for (uint32_t w = 0; w < 4; w++)
        assert_int_equal(script_issued(s, 0, 0, w, 0), 37 + 15 * w);
    script_end(g);
}

/* Reads that compute nothing between: the ALU's latency is not theirs, and computing goes on as without. */
TEST(test_reads_and_computing)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct mh_config cfg = with_shared();
        set_word(&cfg, "sm.scheduler", schedulers[i]);
        cfg.sm.alu_latency = i % 2 ? LATENCY : 0;
        struct script *s = script_paged(1, 1);
        script_ops(s, 0, 0, 0, op_reads(3, 1, op_barrier()), op_after(20, op_exit()));
        assert_int_equal(end_of(&cfg, s), 3 * 23 + 1 + 20 * (i % 2 ? LATENCY : 1));
    }
}

/* Without the keys a read is an instruction as any other. */
TEST(test_reads_without_keys)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(1, 1);
    script_add(s, 0, 0, 0, op_reads(50, 32, op_exit()));
    assert_int_equal(end_of(&cfg, s), 50);
}
