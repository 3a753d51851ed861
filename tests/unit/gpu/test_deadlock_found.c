/* invariants: of the debug build alone */
/* A model that stops is found; a GPU that is slow, throttled or idle is not taken for one. */
#include "unit/test.h"
#include "broken_gpu.h"

/* The load's page table entry comes back again and again in one cycle: the run ends there. */
TEST(test_cycle_without_end)
{
    char sign[100];
    LOCAL_GPU(g) = one_load();
    *g->loss = (struct mh_loss){EV_PTE, 2, .again = true};
    uint64_t at = mh_gpu_advance(g, 5000);
    assert_in_range(at, 1, 4999);
    assert_true(mh_gpu_ended(g));
    snprintf(sign, sizeof sign,
             "cycle %u does not end: more than %u events in it, now an EV_PTE; the oldest request: load ", (unsigned)at,
             mh_deadlock_most_events(&g->cfg));
    assert_has(mh_gpu_deadlock(g), sign);
    assert_has(mh_gpu_deadlock(g), "at depth 2: reads");
    assert_int_equal(mh_gpu_stats(g)->cycles, at);
    assert_int_equal(mh_gpu_advance(g, 9000), at);
}

/* With nothing outstanding there is no path to tell. */
TEST(test_idle_cycle_without_end)
{
    LOCAL_GPU(g) = one_load();
    mh_gpu_advance(g, 5000);
    mh_wheel_add(&g->wheel, 6000, MH_EVENT(EV_LSU, 0));
    *g->loss = (struct mh_loss){EV_LSU, 1, .again = true};
    assert_int_equal(mh_gpu_advance(g, 9000), 6000);
    assert_has(mh_gpu_deadlock(g), "cycle 6000 does not end");
    assert_has(mh_gpu_deadlock(g), " events in it, now an EV_LSU. This is a fault of the model");
}

/* Launches without an instruction follow each other in one cycle: found at the second execution, not at the last event
 * that memory has room for. */
TEST(test_workload_without_instruction)
{
    for (uint32_t share = 0; share < 2; share++) {
        struct mh_config cfg = script_config(2, 2);
        struct script *s[2] = {script_new(), script_new()};

        (void)state;
        cfg.sm.share = share;
        script_warps(s[0], 2);
        script_warps(s[0], 3);
        script_repeat(s[0]);
        script_warps(s[1], 1);
        script_add(s[1], 0, 0, 0, op_after(9, op_barrier()));
        script_repeat(s[1]);
        LOCAL_GPU(g) = script_gpu(&cfg, s);
        assert_int_equal(mh_gpu_advance(g, 5000), 0);
        assert_has(mh_gpu_deadlock(g), "cycle 0 does not end: tenant 0 (");
        assert_has(mh_gpu_deadlock(g), ") has run twice in it, so its workload has no instruction");
        assert_true(g->wheel.executed < 100);
    }
}

/* No request at all, only a turn that never comes. */
TEST(test_forgotten_warp)
{
    LOCAL_GPU(g) = one_load();
    lose(g, EV_ISSUE, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "a warp of SM 0 could issue, but its turn (EV_ISSUE) never came");
}

/* Throttled: its warps are there, and may not issue. */
TEST(test_throttled_is_not_stopped)
{
    LOCAL_GPU(g) = one_load();
    g->sm[0].allowed = 0;
    assert_int_equal(mh_gpu_advance(g, 2000000), 2000000);
    assert_null(mh_gpu_deadlock(g));
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 0);
}

/* One load is lost, the other warp goes on for ever: found by age, within two looks. */
static bool one_is_lost(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)addr;
    *op = op_wait(op_after(50, op_load(in_page(c->warp, i % 32))));
    return true;
}

TEST(test_found_while_others_go_on)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(64, 2);
    script_generate(s, one_is_lost, NULL);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 3000);
    lose(g, EV_LOAD_DONE, 1);
    uint64_t found = mh_gpu_advance(g, 10000000);
    assert_in_range(found, 3000 + MH_DEADLOCK_AGE, 4000 + MH_DEADLOCK_AGE + 2 * MH_DEADLOCK_LOOK);
    assert_has(mh_gpu_deadlock(g), " has not moved for the last 262144 cycles; the oldest request: load that warp ");
    assert_true(mh_gpu_stats(g)->tenant[0].warp_instr > found / 2);
}

/* One walk at a time, and hardly any DRAM: loads of 64 pages a lane grow older than the limit, and are served. */
static bool slow_loads(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    *op = op_lanes(MH_OP_LOAD, 4, UINT64_MAX, SCRIPT_BASE, 0);
    op->list = true;
    for (uint32_t l = 0; l < 64; l++)
        addr[l] = in_page((c->warp * 64 + l * 67 + (uint32_t)i * 31) % 2048, 0);
    return true;
}

TEST(test_slow_is_not_stopped)
{
    struct mh_config cfg = script_config(1, 1);
    bool old = false;
    cfg.walk.walkers = cfg.l2tlb.mshrs = cfg.l2tlb.queue = 1;
    cfg.l1tlb.mshrs = cfg.l1tlb.entries = 1;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l2tlb.bypass_entries = 0;
    cfg.l2.bytes = 16 * 16 * 128;
    cfg.noc.latency = cfg.l2.latency = 500;
    struct script *s = script_paged(2048, 32);
    script_generate(s, slow_loads, NULL);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    for (uint32_t i = 1; i <= 40; i++) {
        mh_gpu_advance(g, (uint64_t)i * MH_DEADLOCK_LOOK);
        assert_null(mh_gpu_deadlock(g));
        old |= *g->deadlock->path != 0;
    }
    assert_true(old);
}

/* No CTA may be placed: nothing is outstanding, and nothing is wrong. */
TEST(test_idle_is_not_stopped)
{
    LOCAL_GPU(g) = one_load();
    assert_int_equal(mh_gpu_advance(g, 10000000), 10000000);
    assert_int_equal(g->tenant[0].count.completions, 1);
    assert_true(mh_wheel_empty(&g->wheel));
    assert_null(mh_gpu_deadlock(g));
    assert_false(mh_gpu_ended(g));
}
