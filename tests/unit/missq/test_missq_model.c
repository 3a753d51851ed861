/*
 * Sub-queues behind real SMs: MISS_QUEUES 0 changes nothing, tenants come and go, and counters add up. Debug builds
 * check shares and credits on the way.
 */
#include "unit/test.h"

#include "sm_fixture.h"
#include "subqueues.h"
#include "script.h"

enum { CYCLES = 60000, STEP = 997 };

/* A narrow GPU: the miss queue is full much of the time. */
static void narrow(struct mh_config *cfg, uint32_t tenants)
{
    *cfg = shared_config(tenants);
    cfg->l1d.miss_queue = 8;
    cfg->l1d.store_buffer = 4;
    cfg->noc.bank_queue = 2;
    cfg->l2.banks = cfg->dram.channels = 2;
    cfg->l2.bytes = 256 * 1024;
}

static void assert_alike(struct mh_gpu *a, struct mh_gpu *b)
{
    for (uint32_t t = 0; t < a->tenants; t++)
        assert_memory_equal(&mh_gpu_stats(a)->tenant[t], &mh_gpu_stats(b)->tenant[t], sizeof(struct mh_counters));
}

/* With MISS_QUEUES 0 sub-queues are not there: every counter is the same at any time. */
TEST(test_reset_value)
{
    struct mh_config cfg;
    struct mix mix[2][2];
    narrow(&cfg, 2);
    LOCAL_GPU(without) = mixed_gpu(&cfg, mix[0]);
    cfg.l1d.subqueues = 4;
    cfg.l1d.arbiter = 4;
    LOCAL_GPU(with) = mixed_gpu(&cfg, mix[1]);
    set_rate(with, 0, 1); /* keeps to no rate */
    set_first(with, 1);
    for (uint64_t c = 1; c < CYCLES; c += STEP) {
        mh_gpu_advance(without, c);
        mh_gpu_advance(with, c);
        assert_alike(without, with);
    }
    assert_true(without->tenant[0].count.completions > 1);
}

/* A different order makes a difference; else the test above would prove nothing. */
TEST(test_other_value)
{
    struct mh_config cfg;
    struct mix mix[2][2];
    narrow(&cfg, 2);
    cfg.l1d.subqueues = 4;
    struct mh_gpu *fifo = mixed_gpu(&cfg, mix[0]), *divided = mixed_gpu(&cfg, mix[1]);
    script_knob(divided, MH_REG_MISS_QUEUES, 1);
    mh_gpu_advance(fifo, CYCLES);
    mh_gpu_advance(divided, CYCLES);
    assert_int_not_equal(mh_gpu_stats(fifo)->tenant[0].requests, mh_gpu_stats(divided)->tenant[0].requests);
    mh_gpu_destroy(fifo);
    mh_gpu_destroy(divided);
}

/* --- Coming and going, with rates that hold requests back. */

static void coming_and_going(const char *order)
{
    struct mh_config cfg;
    struct mix mix[3];
    narrow(&cfg, 3);
    set_word(&cfg, "sm.lsu_order", order);
    cfg.l1d.subqueues = 4;
    cfg.tenants[1].arrive = 5000;
    cfg.tenants[1].leave = 20000;
    cfg.tenants[2].arrive = 12000;
    cfg.tenants[2].leave = 45000;
    LOCAL_GPU(g) = mixed_gpu(&cfg, mix);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    for (uint32_t t = 0; t < 3; t++)
        set_rate(g, t, 256 * (2 + t) + 100);
    for (uint64_t c = 1; c < CYCLES; c += 101) {
        mh_gpu_advance(g, c);
        mh_gpu_check(g);
    }
    assert_false(g->tenant[1].draining);
    assert_false(g->tenant[2].draining);
    for (uint32_t sm = 0; sm < 2; sm++) {
        assert_int_equal(queued(g, sm, 1) + queued(g, sm, 2), 0);
        assert_int_equal(g->missq->sm[sm].of[0].share, 8);
        assert_int_equal(g->missq->sm[sm].of[1].share, 0);
    }
    for (uint32_t t = 0; t < 3; t++)
        assert_true(mh_gpu_stats(g)->tenant[t].requests > 50);
    /* What has left is whole. */
    for (uint32_t t = 1; t < 3; t++)
        assert_int_equal(mh_gpu_stats(g)->tenant[t].requests, mh_gpu_stats(g)->tenant[t].l2_access);
}

TEST(test_coming_and_going)
{
    coming_and_going("shared");
}

TEST(test_coming_and_going_apart)
{
    coming_and_going("per-kernel");
}

/* --- Counters. */

/* A load that misses, one that merges with it and one that hits, a store, an atomic, and a load of three lines. */
TEST(test_requests)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_paged(8, 1);
    script_add(s, 0, 0, 0, op_load(in_page(0, 0)));
    script_add(s, 0, 0, 0, op_load(in_page(0, 4)));          /* merges */
    script_add(s, 0, 0, 0, op_wait(op_load(in_page(0, 8)))); /* hits */
    script_ops(s, 0, 0, 0, op_store(in_page(1, 0)), op_atomic(in_page(2, 0)));
    script_add(s, 0, 0, 0, op_lanes(MH_OP_LOAD, 4, 7, in_page(3, 0), 512)); /* three lines */
    struct mh_gpu *g = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 20000);
    const struct mh_counters *c = &mh_gpu_stats(g)->tenant[0];
    assert_int_equal(c->requests, 1 + 1 + 1 + 3);
    assert_int_equal(c->request_reads, 1 + 3);
    assert_int_equal(c->issue_demand, c->requests);
    script_end(g);
}

/*
 * One place. Cycle 1: the LSU's first store enters the crossbar, at 2 the second is queued, at 3 the third is refused:
 * it counts as demand once, though it tries again at every departure.
 */
TEST(test_demand)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.miss_queue = 1;
    cfg.l1tlb.ideal = 1;
    cfg.noc.bank_queue = 1;
    struct script *s = script_paged(8, 1);
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 0, 0, 0, op_store_lines(in_page(0, i * 256), 1));
    struct mh_gpu *g = script_gpu(&cfg, &s);
    static const uint64_t requests[] = {0, 1, 2, 2, 2, 2}, demand[] = {0, 1, 2, 3, 3, 3};
    for (uint32_t cycle = 0; cycle < 6; cycle++) {
        mh_gpu_advance(g, cycle);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, requests[cycle]);
        assert_int_equal(mh_gpu_stats(g)->tenant[0].issue_demand, demand[cycle]);
    }
    mh_gpu_advance(g, 20000);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].requests, 4);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].issue_demand, 4);
    script_end(g);
}

/* Demand only grows, and is ahead of requests by those that are refused now: one for each LSU. */
TEST(test_demand_grows)
{
    struct mh_config cfg;
    struct mix mix[2];
    uint64_t last[2] = {0, 0}, ahead = 0;
    narrow(&cfg, 2);
    LOCAL_GPU(g) = mixed_gpu(&cfg, mix);
    for (uint64_t c = 1; c < 20000; c += 3) {
        mh_gpu_advance(g, c);
        for (uint32_t t = 0; t < 2; t++) {
            const struct mh_counters *n = &mh_gpu_stats(g)->tenant[t];
            assert_true(n->issue_demand >= last[t] && n->issue_demand >= n->requests);
            last[t] = n->issue_demand;
            ahead += n->issue_demand > n->requests;
        }
    }
    assert_true(ahead > 100);
}

/* --- l1d.arbiter_patience: how long heads are passed by those that always go first; intervals by hand. */

enum { INTERVAL = 100, FOLLOWS = 0, FIRST = 1, ALSO_FOLLOWS = 2 };

static struct mh_config patience_config(uint32_t sms, uint32_t tenants, uint32_t patience)
{
    struct mh_config cfg = subqueues_config(sms, tenants);

    cfg.l1d.rate_interval = INTERVAL;
    cfg.l1d.arbiter_patience = patience;
    return cfg;
}

/* Some intervals in which the tenant's sub-queues of each SM are always full, of writes to `bank` of its own. */
static void flood(struct mh_gpu *g, uint32_t tenants, uint32_t intervals, const uint32_t *bank)
{
    for (uint32_t c = 0; c < intervals * INTERVAL; c++) {
        for (uint32_t sm = 0; sm < g->cfg.sm.count; sm++)
            for (uint32_t t = 0; t < tenants; t++)
                while (queue_write(g, sm, t, bank[t], 0))
                    ;
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    mh_gpu_check(g);
}

static const uint32_t own_banks[] = {0, 1, 2};

/* From the start of the interval in which it first could: passed for so many whole ones, then one goes. */
TEST(test_one_in_so_many)
{
    for (uint32_t patience = 0; patience < 6; patience++) {
        struct mh_config cfg = patience_config(1, 3, patience);
        LOCAL_GPU(g) = subqueues_gpu(&cfg);
        set_first(g, FIRST);
        mh_gpu_advance(g, INTERVAL);
        flood(g, 3, 60, own_banks);
        uint32_t turns = patience ? 60 / (patience + 1) - (60 % (patience + 1) == 0) : 0;
        for (uint32_t t = FOLLOWS; t <= ALSO_FOLLOWS; t += ALSO_FOLLOWS)
            assert_in_range(looked_up_of(g, t), turns, turns);
        /* Five flits each: what is left is all of those that go first. */
        assert_in_range(looked_up_of(g, FIRST), 60 * INTERVAL / 5 - 2 * turns - 4, 60 * INTERVAL / 5 - 2 * turns);
    }
}

/* A quarter of a request per interval: as many as without being passed. */
TEST(test_low_rate)
{
    struct mh_config cfg = patience_config(1, 2, 1);
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    set_rate(g, FOLLOWS, MH_RATE_ONE / 4);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 41, own_banks);
    assert_int_equal(looked_up_of(g, FOLLOWS), 10);
}

/* A head that is not passed for long has no other rights than before. */
TEST(test_order_within_patience)
{
    struct mh_config cfg = patience_config(1, 2, 2);
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    mh_gpu_advance(g, 3 * INTERVAL + INTERVAL / 2);
    for (uint32_t i = 0; i < 4; i++)
        queue_read(g, 0, i < 2 ? FOLLOWS : FIRST, i, 0);
    uint64_t at;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(next_look_up(g, 0, &at), i < 2 ? FIRST : FOLLOWS);
}

/* All want a bank with one credit: SMs share it, and on each the one that was passed has one turn in two intervals. */
TEST(test_at_a_bank)
{
    struct mh_config cfg = patience_config(2, 2, 1);
    cfg.noc.bank_queue = 1;
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 60, (uint32_t[]){3, 3});
    assert_in_range(looked_up_of(g, FOLLOWS), 2 * 28, 2 * 30);
    assert_true(looked_up_of(g, FIRST) > 4 * 30);
}

/*
 * Queues at the inputs, and one busy bank for those that go first: the place at each input is always taken again.
 * Without a limit the others' requests, for a bank with nothing to do, never go.
 */
TEST(test_place_at_an_input)
{
    for (uint32_t patience = 0; patience < 4; patience++) {
        struct mh_config cfg = patience_config(4, 2, patience);
        set_word(&cfg, "noc.queues", "input");
        cfg.noc.vcs = 1;
        LOCAL_GPU(g) = subqueues_gpu(&cfg);
        set_first(g, FIRST);
        mh_gpu_advance(g, INTERVAL);
        flood(g, 2, 60, (uint32_t[]){7, 3});
        uint32_t turns = patience ? 60 / (patience + 1) : 0;
        assert_in_range(looked_up_of(g, FOLLOWS), turns ? 4 * (turns - 1) : 0, 4 * turns);
    }
}

/* Knob ISSUE_PATIENCE: the configuration is its reset value, and a COMMIT changes it. */
TEST(test_knob)
{
    struct mh_config cfg = patience_config(1, 2, 1);
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    set_first(g, FIRST);
    assert_int_equal(script_read(g, MH_REG_ISSUE_PATIENCE), 1);
    script_refused(g, MH_REG_ISSUE_PATIENCE, 1000001);
    script_knob(g, MH_REG_ISSUE_PATIENCE, 0);
    mh_gpu_advance(g, INTERVAL);
    flood(g, 2, 20, own_banks);
    assert_int_equal(looked_up_of(g, FOLLOWS), 0);
    script_knob(g, MH_REG_ISSUE_PATIENCE, 3);
    flood(g, 2, 20, own_banks);
    assert_in_range(looked_up_of(g, FOLLOWS), 4, 6);
}
