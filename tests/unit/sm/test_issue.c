/* Several schedulers, issue cycles, and what waits for which loads; cycles by hand. */
#include "unit/test.h"
#include "sm_fixture.h"
#include "script.h"

/* A script of one CTA whose warps each compute for their gap and end. */
static struct script *computing(const uint32_t *gap, uint32_t warps)
{
    struct script *s = script_paged(1, warps);
    for (uint32_t w = 0; w < warps; w++)
        script_add(s, 0, 0, w, op_after(gap[w], op_exit()));
    return s;
}

/* Eight warps of 10 instructions, two on each of four ports: 4 instructions in every cycle, 20 cycles in all. */
TEST(test_four_instructions_a_cycle)
{
    static const char *const schedulers[] = {"gto", "lrr", "lrr-gto", "two-level"};
    for (uint32_t i = 0; i < 4; i++) {
        struct mh_config cfg = script_config(1, 1);
        cfg.sm.schedulers = 4;
        set_word(&cfg, "sm.scheduler", schedulers[i]);
        struct script *s = computing((uint32_t[]){10, 10, 10, 10, 10, 10, 10, 10}, 8);
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        for (uint64_t t = 1; t < 20; t++) {
            mh_gpu_advance(g, t);
            assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 4 * (t + 1));
            assert_int_equal(mh_gpu_stats(g)->tenant[0].lane_instr, 64 * 4 * (t + 1));
        }
        assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 20);
    }
}

/* Two warps of 10 instructions on one port: when does the first end? */
static uint64_t first_end(uint32_t tenants)
{
    struct mh_config cfg = script_config(tenants, tenants);
    struct script *s[MH_MAX_TENANTS];
    set_word(&cfg, "sm.scheduler", "lrr");
    set_word(&cfg, "sm.scheduler_alone", "gto");
    for (uint32_t t = 0; t < tenants; t++) {
        s[t] = script_new();
        script_buffer(s[t], SCRIPT_BASE, SCRIPT_PAGE);
        script_launch(s[t], (struct mh_launch){.ctas = 2, .threads = 64});
        for (uint32_t cta = 0; cta < 2; cta++)
            script_add(s[t], 0, cta, 0, op_after(10, op_exit()));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    uint64_t end = script_until(g, &g->tenant[0].count.ctas, 1);
    return end;
}

TEST(test_scheduler_of_one_tenant)
{
    assert_int_equal(first_end(1), 10); /* greedy: 0..9 */
    assert_int_equal(first_end(2), 20); /* round robin: 0, 2, .. 18, and its end when it is its turn again */
}

/* Warp slots 0 to 3, of gaps of 10: two tenants with two CTAs each, in turn. */
static struct mh_gpu *shared_gpu(const char *scheduler, uint32_t group)
{
    struct mh_config cfg = script_config(1, 2);
    script_share_sms(&cfg);
    set_word(&cfg, "sm.scheduler", scheduler);
    cfg.sm.group = group;
    return script_gpu(&cfg, (struct script *[]){script_computing(2, 10), script_computing(2, 10)});
}

static void assert_issued(struct mh_gpu *g, uint64_t t, const uint32_t *want)
{
    mh_gpu_advance(g, t);
    for (uint32_t w = 0; w < 4; w++)
        assert_int_equal(10 - mh_warp_gap(&g->sm[0], &g->sm[0].warp[w]), want[w]);
}

/* Slots 0 and 1, a tenant's each, are a group: the other one issues when both have ended. One group of all is lrr. */
TEST(test_groups_of_two_tenants)
{
    struct mh_gpu *g = shared_gpu("two-level", 2);
    assert_issued(g, 8, (uint32_t[]){5, 4, 0, 0});
    assert_int_equal(g->sm[0].warp[0].tenant, 0);
    assert_int_equal(g->sm[0].warp[1].tenant, 1);
    assert_issued(g, 19, (uint32_t[]){10, 10, 0, 0});
    assert_issued(g, 22, (uint32_t[]){10, 10, 2, 1});
    mh_gpu_destroy(g);
    g = shared_gpu("two-level", 4);
    assert_issued(g, 8, (uint32_t[]){3, 2, 2, 2});
    mh_gpu_destroy(g);
}

/* The tenants take turns, and of each the first warp issues to its end: 0 at even cycles, 1 at odd ones. */
TEST(test_tenants_in_turn)
{
    LOCAL_GPU(g) = shared_gpu("lrr-gto", 8);
    assert_issued(g, 8, (uint32_t[]){5, 4, 0, 0});
    assert_issued(g, 22, (uint32_t[]){10, 10, 2, 1});
    script_knob(g, MH_REG_CTA_THROTTLE, 0); /* tenant 1 alone */
    assert_issued(g, 26, (uint32_t[]){10, 10, 2, 5});
}

/* A port has its own warps: of slots 0, 4 and 1, the first two share one. */
TEST(test_warps_belong_to_a_port)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.schedulers = 4;
    struct script *s = computing((uint32_t[]){10, 7, 0, 0, 10}, 5);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 12);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 13 + 7);
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 20);
}

/* The LSU takes one instruction a cycle, from one port after the other; compute on a port is not held up by it. */
TEST(test_ports_share_the_lsu)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.schedulers = 4;
    struct script *s = warm_script(8);
    for (uint32_t w = 0; w < 3; w++)
        for (uint32_t i = 0; i < 3; i++)
            script_add(s, 1, 0, w, op_store(hot(w)));
    script_add(s, 1, 0, 3, op_after(4, op_store(hot(3))));
    script_add(s, 1, 0, 4, op_after(4, op_barrier()));
    LOCAL_GPU(g) = run(&cfg, s);
    /*
     * Port 3 computes in 0..3, and its turn is at 5, after ports 1 (at 3) and 2. Warp 4 is on port 0: when warp 0 is
     * not accepted at 1, it computes in 1..4, and has its barrier at 5; then warp 0 is next.
     */
    static const uint64_t want[3][3] = {{0, 6, 9}, {1, 3, 7}, {2, 4, 8}};
    for (uint32_t w = 0; w < 3; w++)
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(issued(s, w, i), want[w][i]);
    assert_int_equal(issued(s, 3, 0), 5);
    assert_int_equal(issued(s, 4, 0), 5);
}

/* A port is held for four cycles by any instruction: gap of 3 at 0, 4, 8. */
TEST(test_issue_cycles)
{
    static const char *const schedulers[] = {"gto", "lrr"};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = script_config(1, 1);
        cfg.sm.issue_cycles = 4;
        set_word(&cfg, "sm.scheduler", schedulers[i]);
        struct script *s = warm_script(1);
        script_add(s, 1, 0, 0, op_after(3, op_load(hot(0)))); /* 12, data at 15 */
        script_add(s, 1, 0, 0, op_wait(op_store(hot(1))));    /* 16 */
        script_add(s, 1, 0, 0, op_barrier());                 /* 20 */
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        uint64_t start = script_until(g, &g->tenant[0].count.launches, 1);
        for (uint64_t t = 1; t < 24; t++) {
            mh_gpu_advance(g, start + t);
            assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, 1 + 1 + t / 4); /* one is the first launch's */
        }
        assert_int_equal(issued(s, 0, 0), 12);
        assert_int_equal(issued(s, 0, 1), 16);
        assert_int_equal(issued(s, 0, 2), 20);
        assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), start + 24);
    }
}

/*
 * Loads issue at 0 and 1, and warp 1 comes to the barrier at 2. Warp 0 has its data, and opens it, at 12; then port 1,
 * whose turn is behind that of port 0, issues in the same cycle. The stall of 3..11 is counted once.
 */
TEST(test_stall_of_two_ports)
{
    enum { DATA = WARM_HIT + 9 };
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.schedulers = 2;
    cfg.l1d.latency = 10;
    struct script *s = warm_script(2);
    script_ops(s, 1, 0, 0, op_load(hot(0)), op_wait(op_barrier()));
    script_ops(s, 1, 0, 1, op_load(hot(1)), op_barrier(), op_after(9, op_exit()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    uint64_t start = script_until(g, &g->tenant[0].count.launches, 1), before = mh_gpu_stats(g)->tenant[0].sm_stalls;
    mh_gpu_advance(g, start + DATA + 5);
    assert_int_equal(issued(s, 0, 1), DATA);
    assert_int_equal(issued(s, 1, 1), 2);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].sm_stalls - before, DATA - 3);
}

/* Two ports, two cycles an instruction: bursts that overlap are counted to the cycle, each on its own. */
TEST(test_counters_of_two_ports)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.schedulers = 2;
    cfg.sm.issue_cycles = 2;
    struct script *s = computing((uint32_t[]){9, 5}, 2);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    for (uint64_t t = 1; t < 18; t++) {
        mh_gpu_advance(g, t);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].warp_instr, t / 2 + 1 + (t < 10 ? t / 2 + 1 : 5));
    }
    assert_int_equal(script_until(g, &g->tenant[0].count.completions, 1), 18);
}

/*
 * A load at 0 whose data are there at `latency`, and a gap of 20 whose first d instructions do not need them: these go
 * at 1..d, the others from max(d + 1, latency) on. So a distance of d hides d cycles of what is to be waited for.
 */
TEST(test_load_use_distance)
{
    static const char *const schedulers[] = {"gto", "lrr"};
    enum { LATENCY = WARM_HIT + 9, GAP = 20 };
    for (uint32_t d = 0; d <= GAP; d++)
        for (uint32_t i = 0; i < 2; i++) {
            struct mh_config cfg = script_config(1, 1);
            cfg.l1d.latency = 10;
            set_word(&cfg, "sm.scheduler", schedulers[i]);
            struct script *s = warm_script(1);
            script_ops(s, 1, 0, 0, op_load(hot(0)), op_needs(1, d, op_after(GAP, op_store(hot(1)))));
            LOCAL_GPU(g) = run(&cfg, s);
            uint64_t use = d + 1 > LATENCY ? d + 1 : LATENCY;
            assert_int_equal(issued(s, 0, 1), use + GAP - d);
        }
}

/* While a warp waits inside its gap, another one computes; the data, there at 3, then have to wait for the port. */
TEST(test_others_run_at_the_use)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = warm_script(2);
    script_add(s, 1, 0, 0, op_load(hot(0)));                               /* 0 */
    script_add(s, 1, 0, 0, op_needs(1, 1, op_after(4, op_store(hot(1))))); /* 1; then 7..9, and 10 */
    script_add(s, 1, 0, 1, op_after(5, op_exit()));                        /* 2..6 */
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(issued(s, 0, 1), 10);
}

/* Of a load that hits and one that does not, the first is needed, then both; and the other way round. */
TEST(test_all_but_the_newest)
{
    for (uint32_t cold_first = 0; cold_first < 2; cold_first++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s = warm_script(1);
        script_ops(s, 1, 0, 0, op_load(cold_first ? in_page(9, 0) : hot(0)),
                   op_load(cold_first ? hot(0) : in_page(9, 0)));
        script_add(s, 1, 0, 0, op_needs(3, 0, op_store(hot(1)))); /* the newest two are all: 2 */
        script_ops(s, 1, 0, 0, op_needs(2, 0, op_store(hot(1))), op_wait(op_store(hot(1))));
        LOCAL_GPU(g) = run(&cfg, s);
        uint64_t cold = cold_first ? issued(s, 0, 3) : issued(s, 0, 4);
        assert_int_equal(issued(s, 0, 2), 2);
        assert_int_equal(issued(s, 0, 3), cold_first ? cold : WARM_HIT);
        assert_int_equal(issued(s, 0, 4), cold_first ? cold + 1 : cold);
        assert_true(cold > 100);
    }
}

/*
 * Two load slots: the third load takes the first one's slot. The last but one is needed, not the last, which comes from
 * the same page and bank one line later: it is back after it.
 */
TEST(test_slots_are_taken_again)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.loads_per_warp = 2;
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(hot(0)), op_load(in_page(9, 0)));
    script_add(s, 1, 0, 0, op_load(in_page(9, 16 * MH_LINE_BYTES))); /* 3: the first is back */
    script_ops(s, 1, 0, 0, op_needs(2, 0, op_store(hot(1))), op_wait(op_store(hot(1))));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(issued(s, 0, 2), WARM_HIT);
    assert_true(issued(s, 0, 3) > 100);
    assert_true(issued(s, 0, 4) > issued(s, 0, 3) + 1);
}
