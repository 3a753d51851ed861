/* Which tenant goes first by its reads per instruction, and what that does to two tenants of a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram/mpki.h"
#include "memhelm/config_file.h"
#include "script.h"

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

static void test_order(void **state)
{
    (void)state;
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
static void test_interval(void **state)
{
    (void)state;
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

/* --- On a GPU. */

enum { CYCLES = 60000 };

static struct mh_gpu *busy_gpu(const char *scheduler)
{
    struct mh_config cfg = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "SCAN:262144+CONS", &err), 0);
    cfg.run.cycles = 10 * CYCLES;
    strcpy(cfg.dram.scheduler, scheduler);
    struct mh_gpu *g = mh_config_resolve(&cfg, &err) ? NULL : mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s", err.text);
    return g;
}

/* Runs to the end of the window; DRAM_QUEUES is switched at every interval if wanted. */
static struct mh_stats run(const char *scheduler, bool queues)
{
    struct mh_gpu *g = busy_gpu(scheduler);
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
    mh_gpu_destroy(g);
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

/* The tenant with fewer reads per instruction waits shorter at DRAM than under FR-FCFS, beside the other. */
static void test_two_tenants(void **state)
{
    (void)state;
    struct mh_stats old = run("fr-fcfs", false), new = run("mpki", false);
    uint32_t first = reads_an_instruction(&old.tenant[1]) < reads_an_instruction(&old.tenant[0]);
    double before = latency(&old.tenant[first]) / latency(&old.tenant[!first]);
    double after = latency(&new.tenant[first]) / latency(&new.tenant[!first]);
    print_message("latency of tenant %u over that of the other: %.2f with FR-FCFS, %.2f with mpki\n", first, before,
                  after);
    assert_true(after < 0.95 * before);
}

static void test_deterministic(void **state)
{
    (void)state;
    struct mh_stats a = run("mpki", true), b = run("mpki", true);
    assert_memory_equal(a.tenant, b.tenant, sizeof a.tenant);
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
    struct mh_config cfg;
    struct script *s = script_new();

    script_config(&cfg, 1, 1);
    strcpy(cfg.dram.scheduler, "mpki");
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
static void test_new_priorities_wake_banks(void **state)
{
    (void)state;
    struct mh_gpu *g = short_queues();
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
    mh_gpu_destroy(g);
}

int test_dram_mpki(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_two_tenants),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_new_priorities_wake_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
