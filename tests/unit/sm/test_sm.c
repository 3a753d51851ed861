/* Issue and load-store unit of an SM, and warps that issue last (sm.fault_last); cycles by hand. */
#include "script.h"
#include "unit/test.h"
#include "sm_fixture.h"

/* An operation of a warp's stream, and the cycle in which it issues. */
struct step {
    uint32_t warp;
    struct mh_op op;
    uint64_t at;
};

/* Streams in a warm SM, with `loads` loads at a time per warp (0: the preset's); returns the cycle of their end. */
static uint64_t check_steps(uint32_t loads, uint32_t count, const struct step *steps)
{
    struct mh_config cfg = script_config(1, 1);
    uint32_t next[4] = {0};

    cfg.sm.loads_per_warp = loads ? loads : cfg.sm.loads_per_warp;
    struct script *s = warm_script(1 + steps[count - 1].warp);
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 1, 0, steps[i].warp, steps[i].op);
    LOCAL_GPU(g) = run(&cfg, s);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = issued(s, steps[i].warp, next[steps[i].warp]++);

        if (steps[i].at != SCRIPT_NEVER && at != steps[i].at)
            fail_msg("step %u, warp %u: cycle %d, not %d", i, steps[i].warp, (int)at, (int)steps[i].at);
    }
    uint64_t end = mh_gpu_now(g) - script_placed(s, 1, 0);
    return end;
}

/* In the order of warps. */
#define STEPS(loads, ...)                                                                                              \
    check_steps(loads, sizeof((struct step[]){__VA_ARGS__}) / sizeof(struct step), (struct step[]){__VA_ARGS__})

TEST(test_one_instruction_a_cycle)
{
    STEPS(0, {0, op_after(7, op_load(hot(0))), 7}, /* 7 instructions in cycles 0..6 */
          {0, op_load(hot(0)), 8}, {0, op_after(1, op_store(hot(1))), 10}, {0, op_barrier(), 11},
          {0, op_load(hot(0)), 12});
}

/* Lanes: of a memory instruction and the gap before it those of its mask, of a barrier and of the end all threads. */
TEST(test_lane_instructions)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = 64 + 10}); /* the last warp has 10 threads */
    script_ops(s, 0, 0, 0, op_after(5, op_lanes(MH_OP_LOAD, 4, 0xff, SCRIPT_BASE, 4)), op_barrier(),
               op_after(2, op_exit()));
    script_ops(s, 0, 0, 1, op_after(3, op_lanes(MH_OP_STORE, 4, 0x3, SCRIPT_BASE, 4)), op_barrier(),
               op_after(4, op_exit()));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(g->tenant[0].count.warp_instr, (5 + 1 + 1 + 2) + (3 + 1 + 1 + 4));
    assert_int_equal(g->tenant[0].count.lane_instr, 6 * 8 + 3 * 64 + 4 * 2 + 5 * 10);
    assert_int_equal(g->tenant[0].count.mem_lines, 2); /* eight lanes lie in one line, and so do two */
}

/*
 * Greedy then oldest, three warps with hitting loads (3 cycles each):
 *   warp 0: load, wait load              warp 1: load, wait load, load          warp 2: 2 instructions, load
 * cycle 0: warp 0, the oldest, loads; its next needs the data at 3
 *       1: warp 1 is older than 2 and loads; its next needs the data at 4
 *       2: warp 2 begins its burst of two, cycles 2 and 3
 *       4: warp 2 is greedy and loads, though warps 0 (since 3) and 1 (since 4) are older and ready
 *       5: warp 2 is done but waits for its load; warp 0 is the oldest
 *       6: warp 0 waits for its end; warp 1 loads
 *       7: warp 1, greedy, loads again
 */
TEST(test_greedy_then_oldest)
{
    STEPS(0, {0, op_load(hot(0)), 0}, {0, op_wait(op_load(hot(0))), 5}, {1, op_load(hot(1)), 1},
          {1, op_wait(op_load(hot(1))), 6}, {1, op_load(hot(2)), 7}, {2, op_after(2, op_load(hot(3))), 4});
}

/* Age is the order of dispatch, not the warp's slot: a new CTA in slots 0 is younger than an old one in slot 1. */
TEST(test_oldest_is_not_lowest)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.cta_slots = 2;
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, 16 * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = 3, .threads = 64});
    script_add(s, 0, 0, 0, op_after(10, op_exit())); /* CTA 0 in slot 0 ends at 10; CTA 2 takes its place */
    script_ops(s, 0, 1, 0, op_after(3, op_load(in_page(0, 0))), op_after(5, op_load(in_page(0, 0))));
    script_add(s, 0, 2, 0, op_load(in_page(1, 0)));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(script_placed(s, 0, 2), 10);
    assert_int_equal(script_issued(s, 0, 1, 0, 0), 13); /* CTA 1, in slot 1, is older: its burst 10..12 */
    assert_int_equal(script_issued(s, 0, 1, 0, 1), 19); /* and it stays greedy */
    assert_int_equal(script_issued(s, 0, 2, 0, 0), 20);
}

/* `wait` on the op after the next: the instruction between does not wait, the gap of the waiting one does. */
TEST(test_wait)
{
    STEPS(0, {0, op_load(hot(0)), 0},                                              /* data at 3 */
          {0, op_store(hot(1)), 1}, {0, op_after(4, op_wait(op_load(hot(2)))), 7}, /* burst 3..6, data at 10 */
          {0, op_wait(op_store(hot(3))), 10}, {0, op_wait(op_store(hot(3))), 11}); /* nothing outstanding */
}

/* `wait` waits for all loads before it, also when the last one is back first. */
TEST(test_wait_for_all)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(in_page(9, 0))); /* cold */
    script_add(s, 1, 0, 0, op_load(hot(0)));        /* hit */
    script_add(s, 1, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    uint64_t fills = g->tenant[0].count.walks + 1;
    script_until(g, &g->tenant[0].count.walks, fills);
    assert_int_equal(script_issued(s, 1, 0, 0, 2), SCRIPT_NEVER);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_true(issued(s, 0, 2) > 100);
}

/* The end waits for the loads, but the gap before it need not: 20 instructions in cycles 1..20. */
TEST(test_exit)
{
    struct mh_config cfg;
    for (int wait = 0; wait < 2; wait++) {
        cfg = script_config(1, 1);
        struct script *s = warm_script(1);
        struct mh_op end = op_after(20, op_exit());
        script_ops(s, 1, 0, 0, op_load(hot(0)), wait ? op_wait(end) : end);
        LOCAL_GPU(g) = run(&cfg, s);
        assert_int_equal(mh_gpu_now(g) - script_placed(s, 1, 0), wait ? WARM_HIT + 20 : 21);
    }
}

/* Two loads outstanding at most: the third issues when one of them is back. */
TEST(test_loads_per_warp)
{
    static const uint64_t want[][4] = {{0, 3, 6, 9}, {0, 1, 3, 4}, {0, 1, 2, 3}};

    for (uint32_t limit = 1; limit <= 3; limit++) {
        const uint64_t *at = want[limit - 1];

        STEPS(limit, {0, op_load(hot(0)), at[0]}, {0, op_load(hot(1)), at[1]}, {0, op_load(hot(2)), at[2]},
              {0, op_load(hot(3)), at[3]});
    }
}

/* Stores are not loads: they do not count, and no warp waits for them. */
TEST(test_stores_are_not_waited_for)
{
    STEPS(1, {0, op_wait(op_store(hot(0))), 0}, {0, op_wait(op_atomic(hot(1))), 1}, {0, op_wait(op_store(hot(2))), 2},
          {0, op_wait(op_atomic(hot(3))), 3}, {0, op_wait(op_store(hot(4))), 4}, {0, op_wait(op_atomic(hot(5))), 5});
}

/*
 * Loads of eight lines, one line a cycle. In a queue of one the first, issued at 0, is in the LSU in cycles 1..8; the
 * second issues when its place is free, at 8. A warp with compute fills the time between. With two places the third
 * issues when the first has left: the LSU never idles, its last line goes at 32, with data two cycles later.
 */
TEST(test_lsu_queue)
{
    static const uint64_t want[][4] = {{0, 8, 16, 6}, {0, 1, 8, 16}};

    for (uint32_t places = 1; places <= 2; places++) {
        struct script *s = warm_script(4);
        struct mh_config cfg = script_config(1, 1);
        uint64_t addr[MH_MAX_LANES];

        cfg.sm.lsu_queue = places;
        for (uint32_t l = 0; l < 8; l++)
            addr[l] = hot(l);
        for (uint32_t w = 0; w < 2 + places; w++)
            script_add_list(s, 1, 0, w, op_lanes(MH_OP_LOAD, 4, 0xff, 0, 0), addr);
        if (places == 1)
            script_add(s, 1, 0, 3, op_after(5, op_barrier())); /* 1..5, barrier at 6 */
        LOCAL_GPU(g) = run(&cfg, s);
        for (uint32_t w = 0; w < 4; w++)
            assert_int_equal(issued(s, w, 0), want[places - 1][w]);
        if (places == 2)
            assert_int_equal(mh_gpu_now(g) - script_placed(s, 1, 0), 32 + 2);
    }
}

/* Warps 0, 1, 2 reach the barrier at 5, 15 and 26; it opens in the cycle in which the last one issues it. */
TEST(test_barrier)
{
    STEPS(0, {0, op_after(5, op_barrier()), 5}, {0, op_store(hot(0)), 28}, {1, op_after(9, op_barrier()), 6 + 9},
          {1, op_store(hot(1)), 29}, {2, op_after(10, op_barrier()), 16 + 10}, {2, op_store(hot(2)), 27}); /* greedy */
}

/* Warps that end no longer take part; a barrier does not wait for loads unless it is told to. */
TEST(test_barrier_and_exit)
{
    uint64_t end = STEPS(0, {0, op_load(hot(0)), 0}, {0, op_barrier(), 1},
                         {0, op_wait(op_barrier()), 19},             /* opened by the others' ends */
                         {1, op_after(10, op_exit()), SCRIPT_NEVER}, /* 2..11; an end is not remembered */
                         {2, op_after(6, op_barrier()), 18});        /* 12..17 */

    assert_int_equal(end, 20);
}

/* A load of several lines is done when its last line is; with one L1D MSHR the lines come one after the other. */
TEST(test_load_of_many_lines)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_lanes(MH_OP_LOAD, 8, UINT64_MAX, in_page(0, 0), 8)); /* line 0 hits, 1..3 miss */
    script_ops(s, 1, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 8, UINT64_MAX, in_page(0, 0), 8)), op_wait(op_barrier()));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(issued(s, 0, 2) - issued(s, 0, 1), WARM_HIT + 3);
    assert_int_equal(g->tenant[0].count.l1d_access, 8 + 4 + 4);
    assert_int_equal(g->tenant[0].count.l1d_hit, 1 + 4);
}

enum { GAP = 5000 }; /* longer than the walk, shorter than the handler takes */

/* Two warps of one CTA that compute; the first has asked for a page before. */
static struct mh_gpu *two_warps(uint32_t fault_last)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "sm.scheduler", "lrr");
    set_word(&cfg, "uvm.mode", "on");
    cfg.sm.fault_last = fault_last;
    struct script *s = script_paged(1, 2);
    script_ops(s, 0, 0, 0, op_load(SCRIPT_BASE), op_after(GAP, op_exit()));
    script_add(s, 0, 0, 1, op_after(GAP, op_exit()));
    return script_gpu(&cfg, &s);
}

static uint32_t left(const struct mh_gpu *g, uint32_t warp)
{
    return mh_warp_gap(&g->sm[0], &g->sm[0].warp[warp]);
}

TEST(test_in_turn_without)
{
    LOCAL_GPU(g) = two_warps(0);
    uint64_t fault = script_until(g, &g->tenant[0].count.uvm_faults, 1);
    uint32_t waits = left(g, 0), runs = left(g, 1);
    mh_gpu_advance(g, fault + 100);
    assert_int_equal(left(g, 0), waits - 50);
    assert_int_equal(left(g, 1), runs - 50);
}

/* In turn until the walk finds that the page is not there; then the other one, to its end; then the one that waits. */
TEST(test_last_with)
{
    LOCAL_GPU(g) = two_warps(1);
    uint64_t fault = script_until(g, &g->tenant[0].count.uvm_faults, 1);
    uint32_t waits = left(g, 0), runs = left(g, 1);
    assert_true(waits < GAP && runs < GAP);
    mh_gpu_advance(g, fault + runs);
    assert_int_equal(left(g, 0), waits);
    mh_gpu_advance(g, fault + runs + 10);
    assert_int_equal(left(g, 0), waits - 10);
}

/* The page has come: it is a warp as any other. The handler takes 20 us, the link 4 us more. */
TEST(test_no_longer_when_it_has_come)
{
    LOCAL_GPU(g) = two_warps(1);
    script_until(g, &g->tenant[0].count.uvm_faults, 1);
    assert_int_equal(g->sm[0].faulting, 1);
    script_until(g, &g->tenant[0].count.uvm_fault_cycles, 1);
    assert_int_equal(g->sm[0].faulting, 0);
}
