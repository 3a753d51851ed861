/* What the built-in parameter sets have: bank groups, ranks, closed rows, by hand. Latencies and bandwidth of each:
 * make validate. */
#include "unit/test.h"
#include "dram_channel.h"
#include "dram_oracle.h"
#include "memhelm/config_file.h"

static struct mh_dram_cfg set(const char *name)
{
    struct mh_config c = {.dram.channels = 1};
    struct mh_error err = {""};
    assert_int_equal(mh_config_dram_preset(&c, name, &err), 0);
    if (mh_config_check_dram(&c.dram, &err))
        fail_msg("%s: %s", name, err.text);
    return c.dram;
}

/* No refresh, addresses in the default order without permutation, the default order of commands. */
static struct mh_dram_cfg plain(const char *name)
{
    struct mh_dram_cfg cfg = set(name);
    cfg.refi = 0;
    *cfg.mapping = 0;
    cfg.command_order = MH_COMMANDS_DEFAULT;
    cfg.permute = MH_PERMUTE_NONE;
    return cfg;
}

static void at(struct channel *c, uint64_t now, uint32_t tag, bool write, struct dram_place w)
{
    push_addr(c, now, tag, write, dram_place_address(&c->cfg, &w));
}

/* closed = tRCD + CL + data, open = CL + data; data = the bursts of a line, tCCD (_L) apart. */
enum {
    DDR3_CLOSED = 11 + 11 + 4 + 4,
    GDDR6_CLOSED = 26 + 24 + 3 * 3 + 2,
    GDDR6_OPEN = 24 + 3 * 3 + 2,
    HBM2_CLOSED = 14 + 14 + 2 + 2
};

TEST(test_all_sets_are_here)
{
    for (const char *const *name = mh_dram_preset_names(); *name; name++)
        assert_non_null(mh_dram_preset_summary(*name));
    assert_null(mh_dram_preset_summary("ddr9"));
    struct mh_config c = {0};
    struct mh_error err = {""};
    assert_int_equal(mh_config_dram_preset(&c, "ddr9", &err), -1);
    assert_non_null(strstr(err.text, "there are: gddr5 ddr3-1600"));
}

TEST(test_gddr5_is_the_channel_of_mask)
{
    struct mh_config mask = {0}, c = {0};
    struct mh_error err;
    assert_int_equal(mh_config_preset(&mask, "mask", &err), 0);
    assert_int_equal(mh_config_dram_preset(&c, "gddr5", &err), 0);
    c.dram.channels = mask.dram.channels;
    assert_memory_equal(&c.dram, &mask.dram, sizeof c.dram);
    assert_int_equal(c.clock.dram_hz, mask.clock.dram_hz);
}

static void scattered_bytes(struct mh_dram_cfg cfg, double bound)
{
    cfg.refi = 0;
    double cycles = cycles_per_request(cfg, dram_scattered, 100000);
    if (cycles < bound * 0.999 || cycles > bound * 1.01)
        fail_msg("%.3f cycles a request, bound %.3f", cycles, bound);
}

/* A write follows its ACT after tRCDWR 20, its line ends CWL 7, three bursts of 2 and the last of 2 later. */
TEST(test_writes_wait_less_for_their_row)
{
    struct mh_dram_cfg cfg = plain("gddr5-8gb");
    for (uint32_t rcdwr = 0; rcdwr <= 20; rcdwr += 20) {
        cfg.rcdwr = rcdwr;
        struct channel *c = open_cfg(cfg);
        at(c, 0, 0, true, (struct dram_place){.bank = 1});
        close_all(c);
        assert_int_equal(c->finish[0], (rcdwr ? 20 : 24) + 7 + 3 * 2 + 2);
    }
}

/*
 * Two banks whose rows close at once, with ACTs next to free: the second line's data follow the first's on the bus, 8
 * cycles later, or its PRE, tPPD later.
 */
TEST(test_precharges_apart)
{
    struct mh_dram_cfg cfg = plain("gddr5-8gb");
    cfg.rrd = cfg.rrd_l = 1;
    cfg.faw = 4;
    cfg.aw32 = 0;
    for (uint32_t ppd = 0; ppd <= 20; ppd += 5) {
        cfg.ppd = ppd;
        struct channel *c = open_cfg(cfg);
        for (uint32_t row = 0; row < 2; row++)
            for (uint32_t b = 0; b < 2; b++)
                at(c, 500 * row, 2 * row + b, false, (struct dram_place){.bank = b, .row = row});
        close_all(c);
        assert_int_equal(c->finish[2], 500 + 80);
        assert_int_equal(c->finish[3] - c->finish[2], ppd > 8 ? ppd : 8);
    }
}

/* Four commands a line, two cycles apart, leave one slot in nine: ACTs, tRRD 9 apart, must not keep meeting them. */
TEST(test_random_lines_of_four_commands)
{
    for (uint32_t rcd = 9; rcd <= 27; rcd++) {
        struct mh_dram_cfg cfg = set("gddr5");
        cfg.bus_bytes = 4;
        cfg.banks = 16;
        cfg.rrd = 9;
        cfg.faw = 29;
        cfg.rcd = rcd;
        scattered_bytes(cfg, 9);
    }
}

/* Random lines whose commands are chosen one by one, two or four to a line. */
TEST(test_random_lines_in_groups)
{
    for (uint32_t bus = 4; bus <= 8; bus *= 2) {
        struct mh_dram_cfg cfg = set("gddr5");
        cfg.bus_bytes = bus;
        cfg.banks = 16;
        cfg.groups = 4;
        *cfg.mapping = 0;
        cfg.ccd_l = 3;
        cfg.rrd = bus == 4 ? 9 : 6;
        cfg.faw = 4 * cfg.rrd;
        cfg.rc = cfg.ras + cfg.rp; /* 73: 16 banks at tRRD 6 are at work 3/4 of the time */
        scattered_bytes(cfg, cfg.rrd);
    }
}

/* ACTs at 0 and 11; at 22 the first bank's RD and the third's ACT are possible, and the other goes a cycle later. */
TEST(test_command_order)
{
    static const struct {
        enum mh_command_order order;
        uint32_t bank[3];
        uint64_t read, act;
    } rows[] = {
        {MH_COMMANDS_ACTS, {0, 1, 2}, 23, 22},  {MH_COMMANDS_DEFAULT, {2, 1, 0}, 23, 22},
        {MH_COMMANDS_HITS, {0, 1, 2}, 22, 23},  {MH_COMMANDS_BANKS, {0, 1, 2}, 23, 22},
        {MH_COMMANDS_BANKS, {2, 1, 0}, 22, 23},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const uint64_t arrival[] = {0, 1, 12};
        struct mh_dram_cfg cfg = plain("gddr5");
        cfg.request_bytes = 64;
        cfg.command_order = rows[i].order;
        struct channel *c = open_cfg(cfg);
        for (uint32_t n = 0; n < 3; n++)
            at(c, arrival[n], n, false, (struct dram_place){.bank = rows[i].bank[n]});
        close_all(c);
        assert_int_equal(c->finish[0], rows[i].read + 22 + 2);
        assert_int_equal(c->finish[2], rows[i].act + 22 + 22 + 2);
    }
}

/* Row hits first: with tRCD = 2 tRRD each RD meets an ACT, which slips. As many cycles a read has Ramulator's GDDR5. */
TEST(test_hits_delay_activates)
{
    static const struct {
        enum mh_command_order order;
        double cycles;
    } rows[] = {{MH_COMMANDS_ACTS, 12}, {MH_COMMANDS_HITS, 12.48}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mh_dram_cfg cfg = set("gddr5-8gb");
        cfg.rrd = 12;
        cfg.faw = 48;
        cfg.aw32 = 384;
        cfg.request_bytes = 32;
        cfg.command_order = rows[i].order;
        scattered_bytes(cfg, rows[i].cycles);
    }
}

/* Two lines of two groups of GDDR6. ACTs at 0 and tRRD 7; the first line's RDs at 26, 29, 32 (tCCD_L 3) until the
 * second is there at 33: 34 (tCCD_S 2 after 32), then the first's last at 36, and 38 (tCCD_S), 41, 44 (tCCD_L). */
TEST(test_groups_share_the_bus)
{
    struct channel *c = open_cfg(plain("gddr6"));
    at(c, 0, 0, false, (struct dram_place){.group = 0});
    at(c, 0, 1, false, (struct dram_place){.group = 1});
    close_all(c);
    assert_int_equal(c->finish[0], 36 + 24 + 2);
    assert_int_equal(c->finish[1], 44 + 24 + 2);
}

/* One group has ccd / ccd_l of the bus, two have all of it. */
TEST(test_one_group_alone_is_slower)
{
    for (uint32_t groups = 1; groups <= 2; groups++) {
        struct mh_dram_cfg cfg = plain("gddr6");
        cfg.queue = 200;
        struct channel *c = open_cfg(cfg);
        for (uint32_t i = 0; i < 160; i++)
            at(c, 0, i, false, (struct dram_place){.group = i % groups, .bank = 1, .column = i / groups % 16});
        close_all(c);
        double cycles = (double)(c->last - GDDR6_CLOSED) / 159 / 4;
        assert_true(groups == 1 ? cycles == 3 : cycles > 1.99 && cycles < 2.05);
    }
}

/* A line written, then one read: tWTR_L 11 within the group, tWTR_S 9 between two. */
TEST(test_write_to_read_in_groups)
{
    for (uint32_t group = 0; group < 2; group++) {
        struct channel *c = open_cfg(plain("gddr6"));
        at(c, 0, 0, false, (struct dram_place){.group = group, .bank = 2}); /* opens the row */
        at(c, 200, 1, true, (struct dram_place){.group = 0, .bank = 1});    /* ACT 200, WR 216 .. 225: data until 233 */
        at(c, 226, 2, false, (struct dram_place){.group = group, .bank = 2, .column = 1});
        close_all(c);
        assert_int_equal(c->finish[1], 225 + 6 + 2);
        assert_int_equal(c->finish[2], 233 + (group ? 9 : 11) + GDDR6_OPEN);
    }
}

/* HBM2: ACTs of one group tRRD_L 6 apart, of two tRRD_S 4. */
TEST(test_activates_in_groups)
{
    for (uint32_t group = 0; group < 2; group++) {
        struct channel *c = open_cfg(plain("hbm2"));
        at(c, 0, 0, false, (struct dram_place){.group = 0});
        at(c, 0, 1, false, (struct dram_place){.group = group, .bank = 1});
        close_all(c);
        assert_int_equal(c->finish[1], (group ? 4 : 6) + HBM2_CLOSED);
    }
}

/* A line of HBM2E and HBM3 by hand: ACT, RDs tCCD_L 4 apart, the last one's burst of 2. A second line of the group
 * follows tCCD_L later; one of another group fits between: ACT at tRRD_S, RDs a slot of tCCD_S later. */
TEST(test_pseudo_channels)
{
    static const struct {
        const char *set;
        uint32_t closed;
    } rows[] = {{"hbm2e", 23 + 23 + 3 * 4 + 2}, {"hbm3", 26 + 17 + 3 * 4 + 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t group = 0; group < 2; group++) {
            struct mh_dram_cfg cfg = plain(rows[i].set);
            cfg.rrd = cfg.rrd_l = 2;
            cfg.faw = 8;
            struct channel *c = open_cfg(cfg);
            at(c, 0, 0, false, (struct dram_place){.group = 0});
            at(c, 0, 1, false, (struct dram_place){.group = group, .bank = !group});
            close_all(c);
            assert_int_equal(c->finish[0], rows[i].closed);
            assert_int_equal(c->finish[1], rows[i].closed + (group ? 2 : 16));
        }
}

/* DDR3: no tRRD between ranks, a gap of 2 on the data bus. ACTs 0 and 1, RDs 11, 15 and, for data from 30 + 2, at 21.
 */
TEST(test_two_ranks)
{
    struct channel *c = open_cfg(plain("ddr3-1600"));
    at(c, 0, 0, false, (struct dram_place){.rank = 0});
    at(c, 0, 1, false, (struct dram_place){.rank = 1});
    close_all(c);
    assert_int_equal(c->finish[0], 30);
    assert_int_equal(c->finish[1], 21 + 4 + 11 + 4);
}

/* A stream of hits in one rank does not keep an older request of the other waiting for ever. */
TEST(test_ranks_do_not_starve)
{
    struct mh_dram_cfg cfg = plain("ddr3-1600");
    cfg.queue = 600;
    struct channel *c = open_cfg(cfg);
    at(c, 0, 0, false, (struct dram_place){.rank = 0});
    at(c, 0, 1000, false, (struct dram_place){.rank = 1});
    for (uint32_t i = 1; i < 500; i++)
        at(c, 0, i, false, (struct dram_place){.rank = 0, .column = i % 64});
    close_all(c);
    uint32_t when = 0;
    while (c->order[when] != 1000)
        when++;
    assert_in_range(when, 64, 68);
}

/* One REF a rank, together: the first read after it waits for both no longer than for one. */
TEST(test_refresh_of_two_ranks)
{
    struct mh_dram_cfg cfg = plain("ddr3-1600");
    cfg.refi = 6240;
    struct channel *c = open_cfg(cfg);
    at(c, 6240, 0, false, (struct dram_place){.rank = 0});
    at(c, 20000, 1, false, (struct dram_place){.rank = 0});
    close_all(c);
    assert_int_equal(c->finish[0], 6240 + 208 + DDR3_CLOSED);
    assert_int_equal(c->finish[1], 20000 + DDR3_CLOSED); /* a refresh at 12480 and 18720 closed the row */
}

/* GDDR6: a bank each 3333 / 16 cycles, bank 0 first, at 208; tRFCpb 105, tRREFD 14. */
TEST(test_refresh_of_single_banks)
{
    struct mh_dram_cfg cfg = plain("gddr6");
    cfg.refi = 3333;
    struct channel *c = open_cfg(cfg);
    at(c, 208, 0, false, (struct dram_place){.bank = 0});
    at(c, 500, 1, false, (struct dram_place){.bank = 0});
    at(c, 3541, 2, false,
       (struct dram_place){.bank = 0, .column = 1}); /* REFB of bank 0 again at 17 * 3333 / 16 = 3541 */
    close_all(c);
    assert_int_equal(c->finish[0], 208 + 105 + GDDR6_CLOSED);
    assert_int_equal(c->finish[1], 500 + GDDR6_OPEN); /* other banks were refreshed, the row is still there */
    assert_int_equal(c->finish[2], 3541 + 26 + 105 + GDDR6_CLOSED); /* closed, refreshed, opened */

    c = open_cfg(cfg);
    at(c, 208, 0, false, (struct dram_place){.bank = 1});
    close_all(c);
    assert_int_equal(c->finish[0], 208 + 14 + GDDR6_CLOSED); /* another bank waits for tRREFD only */
}

TEST(test_closed_rows)
{
    struct mh_dram_cfg cfg = plain("gddr5");
    cfg.rows = MH_ROWS_CLOSED;
    struct channel *c = open_cfg(cfg);
    at(c, 0, 0, false, (struct dram_place){.row = 1, .column = 0});
    at(c, 0, 1, false, (struct dram_place){.row = 1, .column = 1}); /* waits already: served before the row closes */
    at(c, 500, 2, false, (struct dram_place){.row = 1, .column = 2});
    at(c, 1000, 3, false, (struct dram_place){.row = 2, .column = 2});
    close_all(c);
    assert_int_equal(c->finish[0], 48);
    assert_int_equal(c->finish[1], 52);
    assert_true(c->hit[1]);
    assert_int_equal(c->finish[2], 500 + 48); /* the row was closed at tRAS */
    assert_false(c->hit[2]);
    assert_int_equal(c->finish[3], 1000 + 48); /* and no conflict pays tRP */
}

/* A write that waits for the open row keeps it open while reads are served. */
TEST(test_closed_rows_wait_for_writes)
{
    struct mh_dram_cfg cfg = plain("gddr5");
    cfg.rows = MH_ROWS_CLOSED;
    struct channel *c = open_cfg(cfg);
    for (uint32_t i = 0; i < 30; i++)
        at(c, 0, i, false, (struct dram_place){.bank = 1, .row = 1, .column = i % 16});
    at(c, 0, 100, false, (struct dram_place){.bank = 0, .row = 1});
    at(c, 0, 101, true, (struct dram_place){.bank = 0, .row = 1, .column = 1});
    close_all(c);
    assert_true(c->hit[101]);
}

TEST_GROUP(.slow = true);
