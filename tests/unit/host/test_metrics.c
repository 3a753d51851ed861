/* The metrics of the tables, and epoch logs, by hand. */
#include "unit/test.h"

#include <math.h>

#include "plan/metrics.h"
#include "unit/near.h"
#include "report/epoch_log.h"
#include "unit/temp_dir.h"

static struct mh_error err;

/* 1 GHz GPU of 4 SMs, to which the crossbar has 4 flits a cycle; DRAM 2 channels x 8 bytes x 4 beats at 0.5 GHz = 32
 * GB/s at most. */
static const struct mh_config cfg = {
    .clock = {.gpu_hz = 1000000000, .dram_hz = 500000000},
    .memory.line_bytes = 128,
    .sm.count = 4,
    .dram = {.channels = 2, .bus_bytes = 8, .data_rate = 4},
};

static struct mh_stats two_tenants(void)
{
    struct mh_stats s = {.cycles = 1000, .tenants = 2};
    s.tenant[0] = (struct mh_counters){.lane_instr = 3000,
                                       .l1tlb_access = 50,
                                       .l1tlb_hit = 40,
                                       .l2tlb_access = 10,
                                       .l2tlb_hit = 6,
                                       .bypass_hit = 3,
                                       .walks = 1,
                                       .walk_cycles = 500,
                                       .reply_flits = 300,
                                       .dram_read = 60,
                                       .dram_write = 30,
                                       .dram_walk = 10};
    s.tenant[1] = (struct mh_counters){.lane_instr = 1000,
                                       .l1tlb_access = 50,
                                       .l1tlb_hit = 0,
                                       .l2tlb_access = 30,
                                       .l2tlb_hit = 2,
                                       .bypass_hit = 14,
                                       .walks = 9,
                                       .walk_cycles = 1000,
                                       .reply_flits = 700,
                                       .dram_read = 25};
    s.control.latency_count = 4;
    s.control.latency_sum = 1000;
    return s;
}

static struct mh_stats alone_with(uint64_t lane_instr)
{
    struct mh_stats s = {.cycles = 1000, .tenants = 1};
    s.tenant[0].lane_instr = lane_instr;
    return s;
}

TEST(test_pair)
{
    struct mh_stats s = two_tenants(), a = alone_with(4000), b = alone_with(2000);
    const struct mh_stats *alone[] = {&a, &b};
    struct metrics m;

    metrics_compute(&m, &cfg, &s, alone);
    NEAR(m.tenant[0].ipc, 3.0);
    NEAR(m.tenant[1].ipc, 1.0);
    NEAR(m.tenant[0].speedup, 0.75);
    NEAR(m.tenant[1].speedup, 0.5);
    NEAR(m.weighted_speedup, 1.25);
    NEAR(m.harmonic_speedup, 2 / (4.0 / 3 + 2)); /* 2 / (sum of slowdowns) = 0.6 */
    NEAR(m.maximum_slowdown, 2.0);
    NEAR(m.fairness, 0.5 / 0.75);
    NEAR(m.all.ipc, 4.0);
}

TEST(test_rates)
{
    struct mh_stats s = two_tenants();
    const struct mh_stats *alone[] = {NULL, NULL};
    struct metrics m;

    metrics_compute(&m, &cfg, &s, alone);
    NEAR(m.tenant[0].l1tlb_hit, 0.8);
    NEAR(m.tenant[0].l2tlb_hit, 0.6);
    NEAR(m.tenant[0].bypass_hit, 0.75); /* 3 of the 4 that missed the L2 TLB */
    NEAR(m.all.l2tlb_hit, 8.0 / 40);
    NEAR(m.all.bypass_hit, 17.0 / 32);
    assert_int_equal(m.walks, 10);
    NEAR(m.tenant[0].walk_latency, 500);
    NEAR(m.all.walk_latency, 150);
    NEAR(m.tenant[0].dram_gbs, 12.8); /* 100 lines of 128 bytes in 1 us */
    NEAR(m.all.dram_gbs, 16.0);
    NEAR(m.dram_peak_gbs, 32.0);
    NEAR(m.all.dram_share, 0.5);
    NEAR(m.tenant[0].dram_share, 0.4);
    NEAR(m.tenant[1].dram_share, 0.1);
    NEAR(m.tenant[0].noc_share, 0.075);
    NEAR(m.tenant[1].noc_share, 0.175);
    NEAR(m.all.noc_share, 0.25);
    NEAR(m.decision_latency, 250);
}

TEST(test_without_alone)
{
    struct mh_stats s = two_tenants(), a = alone_with(4000), zero = alone_with(0);
    const struct mh_stats *none[] = {NULL, NULL}, *one[] = {NULL, &a}, *dead[] = {&a, &zero};
    struct metrics m;

    metrics_compute(&m, &cfg, &s, none);
    assert_true(isnan(m.tenant[0].ipc_alone) && isnan(m.weighted_speedup) && isnan(m.harmonic_speedup));
    assert_true(isnan(m.maximum_slowdown) && isnan(m.fairness));
    metrics_compute(&m, &cfg, &s, one);
    assert_true(isnan(m.weighted_speedup) && isnan(m.maximum_slowdown) && isnan(m.fairness));
    metrics_compute(&m, &cfg, &s, dead);
    assert_true(isnan(m.weighted_speedup) && isnan(m.maximum_slowdown));
}

TEST(test_nothing_happened)
{
    struct mh_stats s = {.cycles = 0, .tenants = 1};
    const struct mh_stats *alone[] = {NULL};
    struct metrics m;

    metrics_compute(&m, &cfg, &s, alone);
    assert_true(isnan(m.all.ipc) && isnan(m.all.l2tlb_hit) && isnan(m.all.bypass_hit) && isnan(m.all.walk_latency));
    assert_true(isnan(m.all.dram_gbs) && isnan(m.decision_latency));
}

TEST(test_single)
{
    struct mh_stats s = alone_with(5000), a = alone_with(5000);
    const struct mh_stats *alone[] = {&a};
    struct metrics m;

    metrics_compute(&m, &cfg, &s, alone);
    NEAR(m.weighted_speedup, 1);
    NEAR(m.harmonic_speedup, 1);
    NEAR(m.maximum_slowdown, 1);
    NEAR(m.fairness, 1);
}

/* Rates are per cycle in which the tenant was there, shared and alone; those of all are per cycle of the run. */
TEST(test_presence)
{
    struct mh_stats s = two_tenants(), a = alone_with(4000), b = alone_with(2000);
    const struct mh_stats *alone[] = {&a, &b};
    struct mh_config late = cfg;
    struct metrics m;

    late.tenants[1].arrive = 200;
    late.tenants[1].leave = 600;
    b.cycles = 500; /* it ended earlier, at its completions */
    metrics_compute(&m, &late, &s, alone);
    assert_int_equal(m.tenant[0].cycles, 1000);
    assert_int_equal(m.tenant[1].cycles, 400);
    NEAR(m.tenant[0].ipc, 3);
    NEAR(m.tenant[1].ipc, 1000 / 400.0);
    NEAR(m.tenant[1].ipc_alone, 2000 / 300.0);
    NEAR(m.tenant[1].speedup, 1000 / 400.0 / (2000 / 300.0));
    NEAR(m.tenant[1].dram_gbs, 25 * 128 / 400.0);
    NEAR(m.all.ipc, 4);
    NEAR(m.weighted_speedup, 0.75 + 0.375);
    assert_int_equal(metrics_present(&late.tenants[1], 0, 100), 0);
    assert_int_equal(metrics_present(&late.tenants[1], 0, 601), 400);
    assert_int_equal(metrics_present(&late.tenants[1], 500, 601), 100); /* results begin later than it */
}

/* IPC over whole executions where the run has them, from the arrival on; all else over the run. */
TEST(test_completed)
{
    struct mh_stats s = two_tenants(), a = alone_with(4000), b = alone_with(2000);
    const struct mh_stats *alone[] = {&a, &b};
    struct mh_config late = cfg;
    struct metrics m;

    late.tenants[1].arrive = 200;
    s.completed[1] = (struct mh_completed){.cycle = 700, .lane_instr = 900};
    b.completed[0] = (struct mh_completed){.cycle = 800, .lane_instr = 1800};
    metrics_compute(&m, &late, &s, alone);
    NEAR(m.tenant[0].ipc, 3);
    NEAR(m.tenant[1].ipc, 900 / 500.0);
    NEAR(m.tenant[1].ipc_alone, 3);
    NEAR(m.tenant[1].speedup, 0.6);
    assert_int_equal(m.tenant[1].cycles, 800);
    NEAR(m.all.ipc, 4);
}

/* With sectors an access is of one or more of them: bytes are counted in those. */
TEST(test_sectors)
{
    struct mh_stats s = two_tenants();
    const struct mh_stats *alone[2] = {NULL};
    struct mh_config with = cfg;
    struct metrics m;

    with.l2.sector_bytes = 32;
    s.tenant[0].dram_read_sectors = 80;
    s.tenant[0].dram_write_sectors = 120;
    metrics_compute(&m, &with, &s, alone);
    NEAR(m.tenant[0].dram_gbs, 6.4); /* 200 x 32 bytes in 1 us */
    NEAR(m.tenant[0].dram_share, 0.2);
    NEAR(m.tenant[1].dram_share, 0);
}

/* --- Epoch logs by hand: what expressions of their columns come to, and what is none. */

static const char heading[] = "epoch,cycle,latency,tenant,lane_instr,walks,tokens,sm_throttle\n";
static const char rows[] = "0,1000,,0,500,3,8,0x00\n0,1000,,1,100,1,8,0x0f\n"
                           "1,3000,40,0,1000,4,8,0xff\n1,3000,40,1,50,0,9,0x0f\n";

static const char *log_of(const char *text)
{
    char whole[1000];
    snprintf(whole, sizeof whole, "%s%s", heading, text);
    assert_int_equal(write_file(in_base("mask-tlb.csv"), whole, strlen(whole), &err), 0);
    return in_base("mask-tlb.csv");
}

static double value(const struct epoch_log *l, const char *text, unsigned epoch, unsigned tenant)
{
    struct expr *e = expr_parse(text, &err);
    assert_non_null(e);
    assert_good(!epoch_log_check(l, e, &err), err);
    const double v = epoch_log_value(l, e, epoch, tenant);
    expr_free(e);
    return v;
}

TEST(test_values)
{
    struct epoch_log l;

    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    assert_string_equal(l.name, "mask-tlb");
    assert_int_equal(l.epochs, 2);
    assert_int_equal(l.tenants, 2);
    NEAR(value(&l, "lane_instr / cycles", 0, 0), 0.5);
    NEAR(value(&l, "lane_instr / cycles", 1, 0), 0.5); /* the second epoch is 2000 cycles long */
    NEAR(value(&l, "lane_instr / cycles", 1, 1), 0.025);
    NEAR(value(&l, "walks[0] - walks", 0, 1), 2);
    assert_true(isnan(value(&l, "sm_throttle", 0, 1)));
    NEAR(value(&l, "sm_throttle", 1, 1), 4); /* SMs in the mask; set at the end of the first epoch */
    assert_true(isnan(value(&l, "latency", 0, 0)));
    NEAR(value(&l, "latency", 1, 0), 40);
    NEAR(epoch_log_begin(&l, 0), 0);
    NEAR(epoch_log_begin(&l, 1), 1000);
    epoch_log_free(&l);
}

TEST(test_knobs_that_turn)
{
    struct epoch_log l;

    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    assert_true(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "tokens")));
    assert_true(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "sm_throttle")));
    assert_false(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "walks"))); /* a counter */
    assert_int_equal(epoch_log_column(&l, "nothing"), -1);
    epoch_log_free(&l);
    assert_int_equal(epoch_log_read(&l, log_of("0,1,,0,1,1,8,0x0\n1,2,,0,2,2,8,0x0\n"), &err), 0);
    assert_false(epoch_log_turns(&l, (unsigned)epoch_log_column(&l, "tokens")));
    epoch_log_free(&l);
}

static void refused(const char *path, const char *why)
{
    struct epoch_log l;
    assert_int_equal(epoch_log_read(&l, path, &err), -1);
    assert_has(err.text, why);
}

TEST(test_refused)
{
    refused(in_base("nowhere"), "nowhere");
    refused(log_of(""), "no epoch in it");
    refused(log_of("0,1000,,0,500,3,8,0x00\n0,1000,,1,100,1,8\n"), "mask-tlb.csv:3: no row of an epoch log: 8 numbers");
    refused(log_of("0,1000,,0,500,3,8,0x00\n0,1000,,1,1"), ":3: no row");
    refused(log_of("0,1,,0,5,3,8,0x0\n0,1,,1,5,3,8,0x0\n1,2,,0,5,3,8,0x0\n"), "its last epoch is not whole");
    assert_int_equal(write_file(in_base("other.csv"), "a,b\n1,2\n", 8, &err), 0);
    refused(in_base("other.csv"), "no epoch log; `memhelm run --epochs FILE`");
    assert_int_equal(write_file(in_base("empty.csv"), "", 0, &err), 0);
    refused(in_base("empty.csv"), "no epoch log");
}

static void unknown(const struct epoch_log *l, const char *text, const char *why)
{
    struct expr *e = expr_parse(text, &err);
    assert_non_null(e);
    assert_int_equal(epoch_log_check(l, e, &err), -1);
    assert_has(err.text, why);
    expr_free(e);
}

TEST(test_unknown_names)
{
    struct epoch_log l;

    assert_int_equal(epoch_log_read(&l, log_of(rows), &err), 0);
    unknown(&l, "walks + lane_inst", "no column 'lane_inst'; nearest: lane_instr");
    unknown(&l, "walks[2]", "walks[2]: the run has 2 tenants");
    epoch_log_free(&l);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
