/* The load-store unit: tenants that a refused line stops (sm.lsu_order), how many wait for a page (l1tlb.merges).
 */
#include "unit/test.h"
#include "sm_fixture.h"
#include "sm/lsu.h"
#include "subqueues.h"
#include "engine/arith.h"
#include "translate_fixture.h"
#include "script.h"

enum { START = 100, BUFFER = 64 };

/* Every page hits; two sub-queues of one place. Tenant 0 sends nothing from cycle 10 on. */
static struct mh_config held_config(const char *order)
{
    struct mh_config cfg = subqueues_config(1, 2);

    set_word(&cfg, "sm.lsu_order", order);
    cfg.l1tlb.ideal = 1;
    cfg.l1d.subqueues = cfg.l1d.miss_queue = 2;
    cfg.l1d.rate_interval = 10;
    cfg.sm.lsu_queue = 4;
    cfg.sm.schedulers = 2; /* a port for each of two warps */
    return cfg;
}

static struct script *new_script(void)
{
    struct script *s = script_paged(BUFFER, 1);
    return s;
}

static struct mh_gpu *held_gpu(const struct mh_config *cfg, struct script *const s[])
{
    struct mh_gpu *g = script_gpu(cfg, s);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    set_rate(g, 0, 1);
    return g;
}

/* `count` stores of a line each from `start` on, or loads. */
static struct script *stores(uint32_t count, uint32_t start, bool loads)
{
    struct script *s = new_script();
    for (uint32_t i = 0; i < count; i++) {
        struct mh_op op = loads ? op_load(in_page(i, 0)) : op_store(in_page(i, 0));
        script_add(s, 0, 0, 0, i ? op : op_after(start, op));
    }
    return s;
}

/*
 * Tenant 0's first store takes its place, the second is stopped. Tenant 1's load is in the LSU behind it: in order it
 * stays there; else it is looked up in the cycle after its issue, as if tenant 0 were not there.
 */
TEST(test_passes)
{
    static const char *const orders[] = {"shared", "per-kernel"};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = held_config(orders[i]);
        struct script *s[] = {stores(2, START, false), stores(1, START + 20, true)};
        struct mh_gpu *g = held_gpu(&cfg, s);
        mh_gpu_advance(g, START + 40);
        assert_int_equal(queued(g, 0, 0), 1);
        assert_true(g->sm[0].lsu_stalled);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].l1d_access, i);
        assert_int_equal(g->sm[0].lsu_count, i ? 1 : 2);
        /* In order the load goes when tenant 0 has a rate again. */
        set_rate(g, 0, MH_RATE_FREE);
        mh_gpu_advance(g, START + 1000);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].l1d_access, 1);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 2);
        script_end(g);
    }
}

TEST(test_passes_in_its_cycle)
{
    struct mh_config cfg = held_config("per-kernel");
    struct script *s[] = {stores(9, START, false), stores(3, START + 20, true)};
    cfg.l1d.miss_queue = 16; /* eight places each */
    struct mh_gpu *g = held_gpu(&cfg, s);
    while (script_issued(s[1], 0, 0, 0, 0) == SCRIPT_NEVER)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    uint64_t first = script_issued(s[1], 0, 0, 0, 0);
    for (uint32_t i = 1; i <= 3; i++) {
        mh_gpu_advance(g, first + i);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].l1d_access, i);
    }
    /* Each request of tenant 1 that leaves makes tenant 0's try again: it is one demand all the same. */
    mh_gpu_advance(g, first + 50);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].requests, 3);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 8);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].issue_demand, 9);
    set_rate(g, 0, MH_RATE_FREE);
    mh_gpu_advance(g, first + 1000);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 9);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].issue_demand, 9);
    script_end(g);
}

/* Of one tenant nothing overtakes anything: its load, which needs no place of its own, waits behind its store. */
TEST(test_order_of_a_tenant)
{
    struct mh_config cfg = held_config("per-kernel");
    struct script *s[] = {new_script(), stores(1, START, true)};
    script_add(s[0], 0, 0, 0, op_load(in_page(0, 0))); /* before the rate holds: later loads of it hit */
    script_ops(s[0], 0, 0, 0, op_after(2000, op_store(in_page(1, 0))), op_store(in_page(2, 0)), op_load(in_page(0, 0)));
    struct mh_gpu *g = held_gpu(&cfg, s);
    mh_gpu_advance(g, 2100);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].l1d_access, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_instr, 4);
    set_rate(g, 0, MH_RATE_FREE);
    mh_gpu_advance(g, 2200);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].l1d_hit, 1);
    mh_gpu_advance(g, 9000);
    script_end(g);
}

/*
 * One store without an acknowledgement. Tenant 0's first has it; its second and tenant 1's are stopped. When it comes
 * back the older one has it, whosever it is.
 */
TEST(test_oldest_first)
{
    for (uint32_t older = 0; older < 2; older++) {
        struct mh_config cfg = held_config("per-kernel");
        cfg.l1d.store_buffer = 1;
        cfg.l1d.miss_queue = 16;
        struct script *s[2];
        s[older] = stores(2, START, false);
        s[!older] = stores(1, START + 5, false);
        struct mh_gpu *g = script_gpu(&cfg, s);
        script_knob(g, MH_REG_MISS_QUEUES, 1);
        mh_gpu_advance(g, START + 15);
        assert_int_equal(mh_gpu_stats(g)->tenant[older].requests, 1);
        while (mh_gpu_stats(g)->tenant[older].requests == 1) {
            assert_int_equal(mh_gpu_stats(g)->tenant[!older].requests, 0);
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        }
        mh_gpu_advance(g, START + 2000);
        assert_int_equal(mh_gpu_stats(g)->tenant[!older].requests, 1);
        script_end(g);
    }
}

/*
 * Both pages miss. Of tenant 0's three lines the first takes its place and the second is stopped, as a replay. Tenant
 * 1's line, whose translation comes later, is replayed in its own cycle. The rest of tenant 0's goes on where it was.
 */
TEST(test_replays_pass)
{
    static const char *const orders[] = {"shared", "per-kernel"};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = held_config(orders[i]);
        cfg.l1tlb.ideal = 0;
        struct script *s[] = {new_script(), stores(1, START + 20, true)};
        script_add(s[0], 0, 0, 0, op_after(START, op_lanes(MH_OP_STORE, 4, 7, in_page(0, 0), 512)));
        struct mh_gpu *g = held_gpu(&cfg, s);
        mh_gpu_advance(g, 2500); /* before the first whole credit */
        assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 1);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].requests, i);
        assert_int_not_equal(g->sm[0].replay_head, MH_NONE);
        mh_gpu_check(g);
        set_rate(g, 0, MH_RATE_FREE);
        mh_gpu_advance(g, START + 9000);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 3);
        script_end(g);
    }
}

/* Tenant 0 wants eight, and is stopped. In order it has all four, else three: one is tenant 1's. */
TEST(test_places)
{
    static const char *const orders[] = {"shared", "per-kernel"};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = held_config(orders[i]);
        struct script *s[] = {stores(8, START, false), stores(2, START + 50, false)};
        struct mh_gpu *g = held_gpu(&cfg, s);
        mh_gpu_advance(g, START + 30);
        assert_int_equal(g->sm[0].lsu_count, i ? 3 : 4);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].mem_instr, i ? 4 : 5);
        mh_gpu_advance(g, START + 80);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].mem_instr, i ? 2 : 0);
        assert_int_equal(mh_gpu_stats(g)->tenant[1].requests, i ? 2 : 0);
        mh_gpu_check(g);
        set_rate(g, 0, MH_RATE_FREE);
        mh_gpu_advance(g, START + 2000);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 8);
        script_end(g);
    }
}

/* When the others have no warps on the SM any more, none of its places is kept for them. */
TEST(test_places_of_one_that_has_gone)
{
    struct mh_config cfg = held_config("per-kernel");
    struct script *s[] = {stores(8, START, false), new_script()};
    script_add(s[1], 0, 0, 0, op_after(START + 40, op_exit()));
    LOCAL_GPU(g) = held_gpu(&cfg, s);
    mh_gpu_advance(g, START + 30);
    assert_int_equal(g->sm[0].lsu_count, 3);
    mh_gpu_advance(g, START + 60);
    assert_int_equal(g->sm[0].tenant_warps[1], 0);
    assert_int_equal(g->sm[0].lsu_count, 4);
}

static void assert_alike(struct mh_config *cfg, struct mix *mix)
{
    struct mh_gpu *g[2];
    for (uint32_t i = 0; i < 2; i++) {
        cfg->sm.lsu_order = i ? MH_LSU_PER_KERNEL : MH_LSU_SHARED;
        g[i] = mixed_gpu(cfg, &mix[i * cfg->tenants_count]);
    }
    for (uint64_t c = 1; c < 40000; c += 499) {
        for (uint32_t i = 0; i < 2; i++)
            mh_gpu_advance(g[i], c);
        for (uint32_t t = 0; t < cfg->tenants_count; t++)
            assert_memory_equal(&mh_gpu_stats(g[0])->tenant[t], &mh_gpu_stats(g[1])->tenant[t],
                                sizeof(struct mh_counters));
    }
    assert_true(g[0]->tenant[0].count.completions > 0);
    for (uint32_t i = 0; i < 2; i++)
        mh_gpu_destroy(g[i]);
}

/* A tenant alone, or on SMs of its own; with a full LSU, misses of the L1 TLB and replays. */
TEST(test_alone)
{
    struct mh_config cfg;
    struct mix mix[4];
    for (uint32_t tenants = 1; tenants <= 2; tenants++) {
        cfg = script_config(2, tenants);
        cfg.sm.lsu_queue = 2;
        cfg.l1tlb.mshrs = 3;
        cfg.l1d.miss_queue = 2;
        cfg.l1d.store_buffer = 2;
        assert_alike(&cfg, mix);
    }
}

enum { WARPS = 8, MISSING = L1TLB + WIRE + L2TLB + WALK + WIRE };

/* Warp 0 loads from page 0. Then `WARPS` warps load a line each, 4 cycles apart: all of page 1, the last one of page 0,
 * whose line is there. */
static struct mh_gpu *page_of_many(uint32_t merges, struct script **s)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1tlb.merges = merges;
    cfg.l1tlb.mshrs = 2;
    cfg.sm.schedulers = 4;
    *s = script_paged(CHAIN_PAGES, WARPS);
    for (uint32_t w = 0; w < WARPS; w++) {
        bool last = w == WARPS - 1;
        script_ops(*s, 0, 0, w, op_load(in_page(0, 0)),
                   op_wait(op_after(4 * w, op_load(in_page(!last, last ? 0 : 128 * w)))), op_wait(op_barrier()));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    chain_run(g);
    return g;
}

/* All lines of the page wait or, with room for fewer, the next one stops the LSU. */
TEST(test_lines_that_wait)
{
    for (uint32_t merges = 0; merges < 9; merges++) {
        struct script *s;
        struct mh_gpu *g = page_of_many(merges, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        uint64_t miss = SCRIPT_NEVER, done = script_issued(s, 0, 0, WARPS - 1, 2);
        uint32_t before = 0; /* loads from page 1 that issued before that from page 0 */
        for (uint32_t w = 0; w < WARPS - 1; w++) {
            miss = mh_min64(miss, script_issued(s, 0, 0, w, 1));
            before += script_issued(s, 0, 0, w, 1) < script_issued(s, 0, 0, WARPS - 1, 1);
        }
        assert_int_equal(c->walks, 2);
        assert_int_equal(c->l1tlb_access, 2 * WARPS);
        assert_int_equal(c->l1tlb_hit + c->l1tlb_merge, 2 * WARPS - 2);
        if (merges && merges < before) /* behind the lines of the page: replays, then those that were stopped */
            assert_int_equal(done, miss + LSU + MISSING + before + HIT);
        else /* nothing stops: a hit under the misses */
            assert_true(done < miss + LSU + MISSING);
        script_end(g);
    }
}

/* Lines of one instruction: those that find room wait, the others look the page up when it is there. */
TEST(test_lines_of_an_instruction)
{
    static const uint32_t merges[] = {0, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s = script_new();
        cfg.l1tlb.merges = merges[i];
        script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
        script_warps(s, 1);
        script_ops(s, 0, 0, 0, op_lanes(MH_OP_LOAD, 4, 0xff, in_page(0, 0), 128), op_wait(op_barrier()));
        struct mh_gpu *g = script_gpu(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        script_until(g, &c->walks_live, 1);
        mh_gpu_advance(g, mh_gpu_now(g) + 20);
        uint32_t lines = 0;
        for (uint32_t id = g->sm[0].tlb_mshr[mh_tlb_mshr_of(&g->sm[0], mh_page_key(0, SCRIPT_BASE / SCRIPT_PAGE))].head;
             id != MH_NONE; id = g->sm[0].pending[id].next)
            lines++;
        assert_int_equal(lines, merges[i] == 4 ? 4 : 8);
        chain_run(g);
        assert_int_equal(c->l1tlb_access, merges[i] == 4 ? 2 : 1);
        assert_int_equal(c->l1d_access, 8);
        script_end(g);
    }
}
