/* Which tenant goes first at a DRAM channel: tenant 1 by hand, else by reads per instruction (dram.scheduler mpki).
 * Cycles by hand, with the timings of dram_fixture.h. */
#include "unit/test.h"
#include "dram_tiers.h"
#include "dram/memory.h"
#include "memhelm/config_file.h"
#include "script.h"

static struct mh_dram_cfg by_tenant(void)
{
    struct mh_dram_cfg cfg = tiered();
    cfg.scheduler = MH_DRAM_MPKI;
    return cfg;
}

static void prioritize(struct channel *c, uint64_t now, uint8_t zero, uint8_t one, uint8_t two)
{
    uint8_t priority[MH_MAX_TENANTS] = {zero, one, two};
    c->next = mh_dram_set_priorities(c->d, now, priority);
}

static struct channel *open_by_tenant(struct mh_dram_cfg cfg)
{
    struct channel *c = open_cfg(cfg);
    prioritize(c, 0, 1, 0, 2);
    return c;
}

/* Of two activates of one cycle, tRRD apart, the first tenant's, though it came last. */
TEST(test_order_of_activates)
{
    assert_order_of_activates(open_by_tenant(by_tenant()));
}

/* First ready: the last tenant's hit goes before the row of the first. */
TEST(test_row_hits_go_first)
{
    struct channel *c = open_by_tenant(by_tenant());
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 1, 3, 8);
    push_of(c, 200, 2, 2, 3, 7);
    close_all(c);
    assert_int_equal(c->finish[2], 200 + OPEN);
    assert_true(c->hit[2]);
    assert_int_equal(c->finish[1], 200 + 2 + 4 + CLOSE + ACTIVATE + OPEN); /* tRTP after its last command */
}

/* Hits of two banks in one cycle. */
TEST(test_order_of_hits)
{
    assert_order_of_hits(open_by_tenant(by_tenant()));
}

/* The first tenant keeps a bank busy with rows of its own: after 4 queues of arrivals the other is served. */
TEST(test_nobody_starves)
{
    struct mh_dram_cfg cfg = by_tenant();
    cfg.queue = 8;
    cfg.write_high = 6;
    assert_nobody_starves(open_by_tenant(cfg));
}

/* With golden, silver and normal: walks in order of arrival before all, tenants inside normal. */
TEST(test_inside_normal)
{
    struct channel *c = open_by_tenant(by_tenant());
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 0, 0, 0);
    push_of(c, 0, 0, 0, 3, 7);
    push_of(c, 200, 1, 2, 3, 8);
    push_of(c, 200, 2, 1, 3, 9);
    for (uint32_t i = 3; i < 5; i++) { /* tenant 2's walk came before tenant 1's */
        struct mh_dram_request walk = {.addr = dram_addr(&c->cfg, 3, 7 + i, 0), .tag = i, .walk = 1};
        walk.tenant = (uint8_t)(5 - i);
        push_request(c, 200, &walk);
    }
    assert_queue(c, 1, "normal queue");
    assert_queue(c, 4, "golden queue");
    close_tiers(c);
    const uint32_t order[] = {0, 3, 4, 2, 1};
    assert_memory_equal(c->order, order, sizeof order);
}

/* And inside silver, where reads of an earlier turn may be left; silver goes before normal, whatever waits there. */
TEST(test_inside_silver)
{
    struct channel *c = open_by_tenant(by_tenant());
    c->next = mh_dram_set_queues(c->d, 0, true);
    set_turns(c, 2, 1, 0);
    push_of(c, 0, 0, 2, 3, 7);
    push_of(c, 20, 1, 0, 3, 8);
    push_of(c, 20, 2, 1, 3, 9);
    push_of(c, 20, 3, 0, 3, 11); /* the end of tenant 0's turn: 2 moves up */
    set_turns(c, 0, 0, 0);
    push_of(c, 20, 4, 1, 3, 10);
    for (uint32_t tag = 1; tag < 4; tag++)
        assert_queue(c, tag, "silver queue");
    assert_queue(c, 4, "normal queue");
    close_tiers(c);
    const uint32_t order[] = {2, 1, 3, 4, 0}; /* 0 loses its row to silver, and is tenant 2's */
    assert_memory_equal(c->order, order, sizeof order);
}

#define MOST UINT32_MAX

/* Tenants that are not there have read nothing, and so are before all that have. */
static const struct order {
    const char *name;
    uint64_t reads[MH_MAX_TENANTS], instr[MH_MAX_TENANTS];
    uint8_t priority[MH_MAX_TENANTS];
} orders[] = {
    {"nobody did anything", {0}, {0}, {0}},
    {"fewer reads", {10, 9}, {100, 100}, {7, 6}},
    {"more instructions", {10, 10}, {100, 101}, {7, 6}},
    {"the same ratio", {10, 20}, {100, 200}, {6, 6}},
    {"one read less", {10, 19}, {100, 200}, {7, 6}},
    {"one read more", {10, 21}, {100, 200}, {6, 7}},
    {"no reads, however few instructions", {1, 0}, {1000000, 1}, {7, 0}},
    {"reads and no instruction", {5, 1, 9}, {0, 1, 0}, {6, 5, 6}},
    {"eight tenants", {8, 7, 6, 5, 4, 3, 2, 1}, {9, 9, 9, 9, 9, 9, 9, 9}, {7, 6, 5, 4, 3, 2, 1, 0}},
    {"as large as counts get",
     {MOST, MOST - 1, MOST, 1, 1, 1, 1, 1},
     {MOST, MOST, MOST - 1, 1, 1, 1, 1, 1},
     {1, 0, 7, 1, 1, 1, 1, 1}},
};

TEST(test_order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct mh_mpki_counts c;
        uint8_t priority[MH_MAX_TENANTS];
        memcpy(c.reads, orders[i].reads, sizeof c.reads);
        memcpy(c.instr, orders[i].instr, sizeof c.instr);
        mh_mpki_order(&c, priority);
        for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
            if (priority[t] != orders[i].priority[t])
                fail_msg("%s: tenant %u has priority %u", orders[i].name, t, priority[t]);
    }
}

/* What was before the last call does not count. */
TEST(test_interval)
{
    struct mh_mpki m = {0};
    uint8_t priority[MH_MAX_TENANTS];
    struct mh_mpki_counts c = {.reads = {1000, 1}, .instr = {1000, 1000}};
    mh_mpki_interval(&m, &c, priority);
    assert_true(priority[1] < priority[0]);
    c.reads[0] += 1;
    c.reads[1] += 2;
    c.instr[0] += 10;
    c.instr[1] += 10;
    mh_mpki_interval(&m, &c, priority);
    assert_true(priority[0] < priority[1]);
    mh_mpki_interval(&m, &c, priority);
    assert_int_equal(priority[0], priority[1]);
}

enum { CYCLES = 60000 };

static struct mh_gpu *busy_gpu(const char *scheduler)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "SCAN:262144+CONS", &err), 0);
    cfg.run.cycles = 10 * CYCLES;
    set_word(&cfg, "dram.scheduler", scheduler);
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    assert_good(g, err);
    return g;
}

/* Runs to the end of the window; DRAM_QUEUES is switched at every interval if wanted. */
static struct mh_stats run(const char *scheduler, bool queues)
{
    LOCAL_GPU(g) = busy_gpu(scheduler);
    uint32_t thresh[2] = {20, 10};
    for (uint32_t t = 0; t < 2; t++)
        script_write(g, MH_REG_SILVER_THRESH + t * MH_REG_SILVER_THRESH_STRIDE, thresh[t]);
    for (uint64_t cycle = MH_MPKI_CYCLES; cycle <= CYCLES; cycle += MH_MPKI_CYCLES) {
        mh_gpu_advance(g, cycle);
        if (queues)
            script_knob(g, MH_REG_DRAM_QUEUES, cycle / MH_MPKI_CYCLES % 3 != 0);
        mh_gpu_check(g);
    }
    assert_null(mh_gpu_deadlock(g));
    struct mh_stats s = *mh_gpu_stats(g);
    return s;
}

static double latency(const struct mh_counters *c)
{
    assert_true(c->dram_read > 1000);
    return (double)c->dram_cycles / (double)c->dram_read;
}

static double reads_an_instruction(const struct mh_counters *c)
{
    return (double)(c->dram_read + c->dram_walk) / (double)c->lane_instr;
}

/* The tenant with fewer reads per instruction waits shorter at DRAM than under FR-FCFS. */
TEST(test_two_tenants)
{
    struct mh_stats old = run("fr-fcfs", false), new = run("mpki", false);
    uint32_t first = reads_an_instruction(&old.tenant[1]) < reads_an_instruction(&old.tenant[0]);
    double before = latency(&old.tenant[first]) / latency(&old.tenant[!first]);
    double after = latency(&new.tenant[first]) / latency(&new.tenant[!first]);
    print_message("latency of tenant %u over that of the other: %.2f with FR-FCFS, %.2f with mpki\n", first, before,
                  after);
    assert_true(after < 0.95 * before);
}

/* Loads all over 64 pages: an L2 miss needs one place in a channel. */
static bool loads(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)addr;
    *op = op_load(SCRIPT_BASE + mh_random(c->warp, i) % (64 * SCRIPT_PAGE) / 128 * 128);
    return true;
}

/* Two places in a channel, and far more warps that load. */
static struct mh_gpu *short_queues(void)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = script_new();

    set_word(&cfg, "dram.scheduler", "mpki");
    cfg.dram.channels = 1;
    cfg.l2.banks = 1;
    cfg.l2.bytes = 4096;
    cfg.dram.queue = 2;
    cfg.dram.write_high = 1;
    cfg.dram.write_low = 0;
    script_buffer(s, SCRIPT_BASE, 64 * SCRIPT_PAGE);
    script_warps(s, 32);
    script_generate(s, loads, NULL);
    return script_gpu(&cfg, &s);
}

/* A channel with a full queue, for which a bank is stalled, and which serves a request in the next cycle. */
static uint32_t about_to_serve(const struct mh_gpu *g)
{
    for (uint32_t c = 0; c < g->memory->channels; c++) {
        uint32_t bank = c * g->memory->banks_per_channel;

        if (g->memory->channel[c].event_at == g->wheel.now + 1 && !mh_mem_free(g, bank) && g->l2->stops[bank])
            return c;
    }
    return MH_NONE;
}

/* New priorities let a channel serve what was due in their cycle: the bank that is stalled for the place tries again.
 */
TEST(test_new_priorities_wake_banks)
{
    LOCAL_GPU(g) = short_queues();
    uint32_t served = 0;
    for (uint64_t cycle = 3000; served < 20; cycle++) {
        mh_gpu_advance(g, cycle);
        uint32_t channel = about_to_serve(g), bank = channel * g->memory->banks_per_channel;
        if (channel == MH_NONE)
            continue;
        g->wheel.now++;
        mh_mem_prioritize(g, 0);
        assert_true(!mh_mem_free(g, bank) || g->l2->bank[bank].retry_event);
        served += mh_mem_free(g, bank) > 0;
        mh_gpu_advance(g, ++cycle);
    }
}
