/* The independent checker over long command traces of several traffics and timings; and that it finds violations. */
#include "unit/test.h"

#include "dram_check.h"
#include "memhelm/config_file.h"

static uint64_t commands; /* that run() has seen checked */

static void run(const struct mh_dram_cfg *cfg, dram_stream *stream, uint32_t count)
{
    struct dram_traffic t = dram_traffic_run(cfg, stream, count);
    assert_string_equal(t.check.violation, "");
    assert_int_equal(t.lost, 0);
    assert_false(t.queue_leaked);
    uint64_t served = t.check.count[MH_DRAM_RD] + t.check.count[MH_DRAM_WR];
    if (cfg->write_queue) /* some need no command: of lines that wait to be written */
        assert_in_range(served, t.wanted / 2, t.wanted);
    else
        assert_int_equal(served, t.wanted);
    commands += t.commands;
    uint32_t banks = t.check.ranks * cfg->banks;
    if (cfg->refi && cfg->rfc_bank) /* each bank once in refi, but for those that an idle end leaves undone */
        assert_in_range(t.check.count[MH_DRAM_REFB], (t.cycles / cfg->refi - 1) * banks, t.cycles * banks / cfg->refi);
    else if (cfg->refi) /* one each refi, but for those that an idle end leaves undone */
        assert_in_range(t.check.count[MH_DRAM_REF], (t.cycles / cfg->refi - 1) * t.check.ranks,
                        t.cycles / cfg->refi * t.check.ranks);
}

TEST(test_random_traffic)
{
    run(&mask_dram, dram_scattered, 300000);
}

TEST(test_mixed_traffic)
{
    run(&mask_dram, dram_mixed, 400000);
}

TEST(test_writes)
{
    run(&mask_dram, dram_writes, 100000);
}

TEST(test_sequential)
{
    run(&mask_dram, dram_sequential, 300000);
}

TEST(test_other_timings)
{
    struct mh_dram_cfg one_slot = mask_dram; /* a line is one command, a command one cycle of data */
    one_slot.bus_bytes = 32;
    one_slot.burst = 4;
    one_slot.ccd = 1;
    run(&one_slot, dram_mixed, 100000);
    struct mh_dram_cfg narrow = mask_dram; /* DDR3-like: 16 commands a line, 4 cycles of data each, few banks */
    narrow.bus_bytes = 1;
    narrow.data_rate = 2;
    narrow.ccd = 4;
    narrow.banks = 4;
    run(&narrow, dram_mixed, 100000);
    struct mh_dram_cfg dense = mask_dram; /* four commands a line, in successive slots */
    dense.bus_bytes = 8;
    dense.burst = 4;
    dense.ccd = 1;
    dense.banks = 32;
    dense.rrd = 1;
    dense.faw = 4;
    dense.refi = 700;
    run(&dense, dram_mixed, 100000);
    struct mh_dram_cfg long_rc = mask_dram;
    long_rc.rc = 90;
    run(&long_rc, dram_mixed, 50000);
    struct mh_dram_cfg slow_bus = mask_dram; /* turnaround limits, one request at a time */
    slow_bus.rtrs = 40;
    slow_bus.wtr = 1;
    slow_bus.queue = 1;
    slow_bus.write_high = 1;
    slow_bus.write_low = 0;
    run(&slow_bus, dram_mixed, 20000);
}

/* A million commands and more of each built-in set, in every kind of traffic, with open and closed rows. */
TEST(test_standards)
{
    static dram_stream *const streams[] = {dram_mixed, dram_writes, dram_sequential, dram_scattered, dram_parts};
    for (const char *const *name = mh_dram_preset_names(); *name; name++) {
        struct mh_config c = {0};
        struct mh_error err;
        assert_int_equal(mh_config_dram_preset(&c, *name, &err), 0);
        commands = 0;
        for (uint32_t i = 0; i < 10; i++) {
            c.dram.rows = i < 5 ? MH_ROWS_OPEN : MH_ROWS_CLOSED;
            run(&c.dram, streams[i % 5], i % 5 ? 50000 : 120000);
        }
        assert_true(commands > 1000000);
    }
}

/* Geometry, mapping and timing that no device has. */
TEST(test_odd_channels)
{
    struct mh_dram_cfg odd = mask_dram; /* everything at once: 2 ranks x 4 groups x 4 banks, long timings far longer */
    odd.banks = 16;
    odd.ranks = 2;
    odd.groups = 4;
    odd.ccd_l = 9;
    odd.rrd_l = 17;
    odd.wtr_l = 31;
    odd.rank_gap = 5;
    odd.rfc_bank = 90;
    odd.rrefd = 20;
    odd.refi = 4001;
    strcpy(odd.mapping, "row rank column:2 bank group column");
    run(&odd, dram_mixed, 100000);
    odd.rfc_bank = 0;
    odd.rows = MH_ROWS_CLOSED;
    odd.permute = MH_PERMUTE_NONE;
    run(&odd, dram_mixed, 100000);
    odd.ranks = 8; /* one bank each */
    odd.banks = odd.groups = 1;
    odd.rank_gap = 0;
    *odd.mapping = 0;
    run(&odd, dram_mixed, 50000);
    odd.ranks = 1; /* a bank is a group; a request is one short burst */
    odd.banks = odd.groups = 32;
    odd.request_bytes = 32;
    odd.bus_bytes = 8;
    odd.burst = 4;
    odd.ccd = 1;
    odd.rrd = odd.rrd_l = 1;
    odd.faw = 2;
    odd.rfc_bank = 30;
    odd.rrefd = 1;
    run(&odd, dram_mixed, 50000);
}

static struct mh_dram_cfg random_channel(uint64_t *rng)
{
    static const char *const mappings[] = {"", "row bank column rank group", "row column group bank rank",
                                           "row rank row:2 bank column:1 group column"};
    struct mh_dram_cfg c = {.channels = 1, .banks = 1u << pick(rng, 0, 4), .ranks = 1u << pick(rng, 0, 2)};
    c.groups = 1u << pick(rng, 0, 3);
    c.row_bytes = 256u << pick(rng, 0, 4);
    c.bus_bytes = 1u << pick(rng, 1, 4);
    c.burst = 1u << pick(rng, 1, 3);
    c.data_rate = 1u << pick(rng, 0, 3);
    c.queue = pick(rng, 2, 200);
    c.write_queue = pick(rng, 0, 1) * pick(rng, 1, 100);
    c.queue_latency = pick(rng, 0, 1) * pick(rng, 1, 30);
    c.opened_first = pick(rng, 0, 1);
    c.hit_cap = pick(rng, 1, 99);
    c.rank_hits = pick(rng, 1, 99);
    c.write_high = pick(rng, 1, c.write_queue ? c.write_queue : c.queue);
    c.write_low = pick(rng, 0, c.write_high - 1);
    uint32_t *const timings[] = {&c.cl, &c.cwl, &c.rcd, &c.rp, &c.ras, &c.rrd, &c.wr, &c.wtr, &c.rtp};
    for (size_t i = 0; i < sizeof timings / sizeof *timings; i++)
        *timings[i] = pick(rng, 1, 40);
    c.rc = c.ras + pick(rng, 0, 50);
    c.faw = pick(rng, 1, 120);
    c.ccd = (c.burst + c.data_rate - 1) / c.data_rate + pick(rng, 0, 3);
    c.ccd_l = pick(rng, 0, 1) * (c.ccd + pick(rng, 0, 4));
    c.rrd_l = pick(rng, 0, 1) * (c.rrd + pick(rng, 0, 9));
    c.wtr_l = pick(rng, 0, 1) * (c.wtr + pick(rng, 0, 9));
    c.rtrs = pick(rng, 0, 5);
    c.rank_gap = pick(rng, 0, 5);
    c.refi = pick(rng, 0, 2) * pick(rng, 700, 4000);
    c.rfc = pick(rng, 1, 300);
    c.rfc_bank = pick(rng, 0, 1) * pick(rng, 1, 200);
    c.rrefd = pick(rng, 0, 20);
    strcpy(c.mapping, mappings[pick(rng, 0, 3)]);
    c.permute = pick(rng, 0, 1) ? MH_PERMUTE_XOR : MH_PERMUTE_NONE;
    c.rows = pick(rng, 0, 1) ? MH_ROWS_OPEN : MH_ROWS_CLOSED;
    return c;
}

/* Whatever the configuration lets through must keep its timing and serve every request. */
TEST(test_random_channels)
{
    static dram_stream *const streams[] = {dram_mixed, dram_writes, dram_sequential, dram_scattered, dram_parts};
    uint32_t accepted = 0;
    for (uint64_t seed = 1; accepted < 200; seed++) {
        uint64_t rng = seed;
        struct mh_dram_cfg c = random_channel(&rng);
        struct mh_error err;
        if (mh_config_check_dram(&c, &err))
            continue;
        print_message("%s%llu", seed > 1 ? " " : "seeds ", (unsigned long long)seed);
        run(&c, streams[accepted++ % 5], 3000);
    }
    print_message("\n");
}

struct step {
    uint64_t cycle;
    enum mh_dram_command cmd;
    uint32_t bank, row;
};

static void assert_caught(const struct mh_dram_cfg *cfg, const char *rule, const struct step *steps, int n)
{
    struct dram_check c;
    dram_check_init(&c, cfg);
    for (int i = 0; i < n - 1; i++)
        dram_check_command(&c, steps[i].cycle, steps[i].cmd, steps[i].bank, steps[i].row);
    assert_string_equal(c.violation, "");
    struct step last = steps[n - 1];
    struct dram_check good = c;
    dram_check_command(&c, last.cycle, last.cmd, last.bank, last.row);
    assert_has(c.violation, rule);
    if (strncmp(rule, "t", 1) && strncmp(rule, "data", 4))
        return;
    dram_check_command(&good, last.cycle + 1, last.cmd, last.bank, last.row); /* one cycle later is right */
    assert_string_equal(good.violation, "");
}

#define CAUGHT(rule, ...)                                                                                              \
    do {                                                                                                               \
        static const struct step steps[] = {__VA_ARGS__};                                                              \
        assert_caught(&cfg, rule, steps, sizeof steps / sizeof steps[0]);                                              \
    } while (0)

#define ACT  MH_DRAM_ACT
#define PRE  MH_DRAM_PRE
#define RD   MH_DRAM_RD
#define WR   MH_DRAM_WR
#define REF  MH_DRAM_REF
#define REFB MH_DRAM_REFB

TEST(test_checker_catches)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.rc = 80; /* longer than tRAS + tRP, and tFAW than 4 tRRD, so that each can be broken alone */
    cfg.faw = 50;
    CAUGHT("one command per cycle", {0, ACT, 0, 5}, {22, RD, 0, 5}, {22, PRE, 0, 5});
    CAUGHT("ACT of an open bank", {0, ACT, 0, 5}, {100, ACT, 0, 6});
    CAUGHT("PRE of a closed bank", {0, PRE, 0, 5});
    CAUGHT("not open", {0, ACT, 0, 5}, {30, RD, 0, 6});
    CAUGHT("not open", {0, ACT, 0, 5}, {30, RD, 1, 5});
    CAUGHT("REF with an open bank", {0, ACT, 7, 5}, {200, REF, 0, 0});
    CAUGHT("no such bank", {0, ACT, 8, 5});
    CAUGHT("tRCD", {0, ACT, 0, 5}, {21, RD, 0, 5});
    CAUGHT("tRAS", {0, ACT, 0, 5}, {50, PRE, 0, 5});
    CAUGHT("tRP", {0, ACT, 0, 5}, {60, PRE, 0, 5}, {81, ACT, 0, 6});
    CAUGHT("tRC", {0, ACT, 0, 5}, {51, PRE, 0, 5}, {79, ACT, 0, 6});
    CAUGHT("tRRD", {0, ACT, 0, 5}, {10, ACT, 1, 5});
    CAUGHT("tFAW", {0, ACT, 0, 5}, {11, ACT, 1, 5}, {22, ACT, 2, 5}, {33, ACT, 3, 5}, {49, ACT, 4, 5});
    CAUGHT("tRTP", {0, ACT, 0, 5}, {60, RD, 0, 5}, {63, PRE, 0, 5});
    CAUGHT("tWR", {0, ACT, 0, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 21, PRE, 0, 5});
    CAUGHT("tCCD after a read", {0, ACT, 0, 5}, {60, RD, 0, 5}, {61, RD, 0, 5});
    CAUGHT("tCCD after a write", {0, ACT, 0, 5}, {60, WR, 0, 5}, {61, WR, 0, 5});
    CAUGHT("data bus after a read", {0, ACT, 0, 5}, {60, RD, 0, 5}, {60 + 22 + 2 + 2 - 8 - 1, WR, 0, 5});
    CAUGHT("tWTR", {0, ACT, 0, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 9, RD, 0, 5});
    CAUGHT("tRFC to ACT", {0, REF, 0, 0}, {108, ACT, 0, 5});
    CAUGHT("tRFC to REF", {0, REF, 0, 0}, {108, REF, 0, 0});
    CAUGHT("tRP to REF", {0, ACT, 0, 5}, {60, PRE, 0, 5}, {81, REF, 0, 0});
    CAUGHT("tRC to REF", {0, ACT, 0, 5}, {51, PRE, 0, 5}, {79, REF, 0, 0});
}

/* 2 ranks of 4 banks in 2 groups: bank 0, 1 | 2, 3 and, in the other rank, 4, 5 | 6, 7. */
TEST(test_checker_catches_in_groups_and_ranks)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.banks = 4;
    cfg.ranks = 2;
    cfg.groups = 2;
    cfg.ccd_l = 5;
    cfg.rrd_l = 15;
    cfg.wtr_l = 14;
    cfg.rank_gap = 3;
    cfg.rfc_bank = 90;
    cfg.rrefd = 20;
    CAUGHT("no such bank", {0, ACT, 8, 5});
    CAUGHT("tRRD_L", {0, ACT, 0, 5}, {14, ACT, 1, 5});
    CAUGHT("tRRD:", {0, ACT, 0, 5}, {10, ACT, 2, 5});
    CAUGHT("one command per cycle", {0, ACT, 0, 5}, {1, ACT, 4, 5}, {1, ACT, 5, 5}); /* no tRRD between ranks */
    CAUGHT("tCCD after a read", {0, ACT, 0, 5}, {60, RD, 0, 5}, {64, RD, 0, 5});
    CAUGHT("tCCD after a read", {0, ACT, 0, 5}, {11, ACT, 2, 5}, {60, RD, 0, 5}, {61, RD, 2, 5});
    CAUGHT("tCCD after a write", {0, ACT, 0, 5}, {15, ACT, 1, 5}, {60, WR, 0, 5}, {64, WR, 1, 5});
    CAUGHT("data bus after a read", {0, ACT, 0, 5}, {1, ACT, 4, 5}, {60, RD, 0, 5}, {60 + 2 + 3 - 1, RD, 4, 5});
    CAUGHT("data bus after a read", {0, ACT, 0, 5}, {1, ACT, 4, 5}, {60, RD, 0, 5},
           {60 + 22 + 2 + 3 - 8 - 1, WR, 4, 5});
    CAUGHT("data bus after a write", {0, ACT, 0, 5}, {1, ACT, 4, 5}, {60, WR, 0, 5}, {60 + 2 + 3 - 1, WR, 4, 5});
    CAUGHT("tWTR", {0, ACT, 0, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 13, RD, 0, 5});
    CAUGHT("tWTR", {0, ACT, 0, 5}, {11, ACT, 2, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 9, RD, 2, 5});
    CAUGHT("REF names the first bank", {0, REF, 2, 0});
    CAUGHT("REF with an open bank", {0, ACT, 5, 5}, {200, REF, 4, 0});
    CAUGHT("tRFC to ACT", {0, REF, 4, 0}, {1, ACT, 0, 5}, {108, ACT, 4, 5});
    CAUGHT("REFB of an open bank", {0, ACT, 0, 5}, {100, REFB, 0, 0});
    CAUGHT("tRFC of the bank to ACT", {0, REFB, 0, 0}, {89, ACT, 0, 5});
    CAUGHT("tRREFD to ACT", {0, REFB, 0, 0}, {19, ACT, 2, 5});
    CAUGHT("tRREFD to REFB", {0, REFB, 0, 0}, {19, REFB, 2, 5});
    CAUGHT("tRRD to REFB", {0, ACT, 0, 5}, {14, REFB, 1, 5});
    CAUGHT("tRP to REFB", {0, ACT, 0, 5}, {60, PRE, 0, 5}, {81, REFB, 0, 5});
}

TEST_GROUP(.slow = true);
