/* Designs without an L2 TLB, by hand, and what of a DRAM channel is refused. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "translate_fixture.h"

static struct mh_config set(const char *name)
{
    struct mh_config c = {.dram.channels = 1};
    struct mh_error err = {""};
    assert_good(!mh_config_dram_preset(&c, name, &err), err);
    return c;
}

static void refuse(const char *name, const char *assignments, const char *why)
{
    struct mh_config c = set(name);
    struct mh_error err = {""};
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", assignments);
    for (char *word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest))
        if (mh_config_set(&c, word, &err)) /* a word that is none */
            break;
    if (!*err.text)
        assert_int_equal(mh_config_check_dram(&c.dram, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("%s: %s", assignments, err.text);
}

TEST(test_geometry)
{
    refuse("gddr5", "dram.banks=6", "dram.banks: 6 is not a power of two");
    refuse("gddr5", "dram.groups=3", "dram.groups: 3 is not a power of two");
    refuse("gddr5", "dram.groups=16", "dram.groups: 16 groups of 8 banks");
    refuse("gddr5", "dram.banks=16;dram.ranks=8", "dram.ranks: 8 of 16 banks; a channel has at most 64");
    refuse("gddr5", "dram.groups=8;dram.ranks=8",
           "dram.groups: 8 in each of 8 ranks (dram.ranks); a channel has at most 32 bank groups");
    refuse("gddr5", "dram.ranks=3", "dram.ranks: 3 is not a power of two");
    refuse("gddr5", "dram.request_bytes=96", "dram.request_bytes: 96 is not a power of two");
    refuse("gddr5", "dram.request_bytes=32",
           "8 beats of 8 bytes (dram.bus_bytes) are more than a request of 32 bytes (dram.request_bytes)");
    refuse("gddr5", "dram.request_bytes=4096", "dram.row_bytes: 2048, but a request has 4096");
    refuse("gddr6", "dram.request_bytes=2048;dram.burst=1;dram.bus_bytes=1", "2048 are more than 255 bursts");
}

TEST(test_timing)
{
    refuse("gddr6", "dram.ccd_l=1", "dram.ccd_l: 1 within a bank group is shorter than dram.ccd 2 between two");
    refuse("gddr6", "dram.rrd_l=6", "dram.rrd_l: 6 within a bank group is shorter than dram.rrd 7");
    refuse("gddr6", "dram.wtr_l=8", "dram.wtr_l: 8 within a bank group is shorter than dram.wtr 9");
    refuse("gddr6", "dram.rfc_bank=3300", "dram.refi: 3333 leaves no time beside a bank's refresh of 3300");
    refuse("gddr6", "dram.rrefd=300", "each takes more than rrefd + rrd = 307");
    refuse("gddr5", "dram.refi=200", "dram.refi: 200 leaves no time beside a refresh of 185");
    refuse("gddr5-8gb", "dram.refi=170",
           "dram.refi: 170 leaves no time beside a refresh of 74 (dram.rfc) and precharges of 104");
    refuse("gddr5", "dram.faw=10",
           "dram.faw: 10 for four activates is shorter than dram.rrd 11 between two; at least 11");
    refuse("gddr5-8gb", "dram.aw32=319", "dram.aw32: 319 is shorter than the eight windows of dram.faw 40");
}

TEST(test_queues)
{
    refuse("gddr5", "dram.write_high=16", "dram.write_low 16, dram.write_high 16, dram.queue 256: must be write_low <");
    refuse("gddr5", "dram.silver=0", "dram.silver: 0 beside dram.golden 16; set it, or dram.golden to 0");
    refuse("gddr5", "dram.normal=63", "dram.normal: 63; must be at least 2 and at least dram.write_high 64");
    refuse("gddr5", "dram.write_low=0;dram.write_high=1;dram.normal=1", "dram.normal: 1; must be at least 2");
    refuse("gddr5", "dram.write_queue=63",
           "dram.write_low 16, dram.write_high 64, dram.write_queue 63: must be write_low < write_high <= write_queue");
    refuse("gddr5", "dram.write_queue=64;dram.normal=1", "dram.normal: 1; must be at least 2");
    struct mh_config apart = set("gddr5");
    struct mh_error none_yet = {""};
    apart.dram.write_queue = 64;
    apart.dram.queue = apart.dram.normal = 2; /* which has no writes */
    assert_int_equal(mh_config_check_dram(&apart.dram, &none_yet), 0);
    struct mh_config none = set("gddr5");
    struct mh_error err = {""};
    none.dram.normal = none.dram.write_high;
    assert_int_equal(mh_config_check_dram(&none.dram, &err), 0);
    none.dram.golden = none.dram.silver = none.dram.normal = 0;
    assert_int_equal(mh_config_check_dram(&none.dram, &err), 0);
}

TEST(test_words)
{
    refuse("gddr5", "dram.rows=shut", "dram.rows: there is no 'shut'; allowed: open, closed");
    refuse("gddr5", "dram.scheduler=its", "dram.scheduler: there is no 'its'; allowed: fr-fcfs, mpki");
    refuse("gddr5", "dram.scheduler=mpki;dram.golden=0", "dram.scheduler: mpki orders tenants in the queues of");
    refuse("gddr5", "dram.permute=yes", "dram.permute: there is no 'yes'; allowed: xor, none");
    refuse("gddr5", "dram.mapping=bank row column", "must begin with `row`");
    refuse("ddr3-1600", "dram.mapping=row bank column", "gives 0 bits to rank, which has 1");
}

/* Behind an L2 a request is a line; the memory has whole rows of all ranks. */
TEST(test_whole_gpu)
{
    struct mh_config c;
    struct mh_error err = {""};
    assert_int_equal(mh_config_preset(&c, "mask", &err), 0);
    assert_int_equal(mh_config_workload(&c, "MVT", &err), 0);
    struct mh_config small = c;
    small.dram.request_bytes = 64;
    assert_int_equal(mh_config_resolve(&small, &err), -1);
    assert_non_null(strstr(err.text, "dram.request_bytes: 64; an L2 asks for lines of 128 bytes"));
    struct mh_config ddr3 = c;
    assert_int_equal(mh_config_dram_preset(&ddr3, "ddr3-1600", &err), 0);
    assert_int_equal(ddr3.dram.channels, c.dram.channels);
    assert_int_equal(mh_config_resolve(&ddr3, &err), 0);
}

/* No look-up: the miss of the L1 TLB is with the walkers when it has crossed the chip. */
enum { AROUND = ASK + WIRE + HIT };

static void design(struct mh_config *cfg, const char *name)
{
    struct mh_error err;
    *cfg = small_config(1);
    assert_good(!mh_config_design(cfg, name, &err), err);
}

/* Each miss walks, and with the page walk cache reads the leaf alone; tokens or not, nothing keeps a translation. */
TEST(test_no_l2tlb)
{
    for (uint32_t pwc = 0; pwc < 2; pwc++)
        for (uint32_t tokens = 0; tokens < 2; tokens++) {
            struct mh_config cfg;
            struct script *s;
            design(&cfg, "PWCache");
            cfg.walk.pwc_bytes *= pwc;
            struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
            const struct mh_counters *c = &g->tenant[0].count;
            assert_int_equal(script_read(g, MH_REG_CAP_L2TLB), 0);
            script_knob(g, MH_REG_TOKENS, tokens * cfg.sm.warps);
            chain_run(g);
            assert_int_equal(chain_cycles(s, 2), AROUND + (pwc ? PWC + READ : WALK));
            assert_int_equal(chain_cycles(s, 3), AROUND + (pwc ? PWC + READ : WALK));
            assert_int_equal(c->walks, 4);
            assert_int_equal(c->l2tlb_hit + c->bypass_hit + c->l2tlb_fill + c->bypass_fill, 0);
            script_end(g);
        }
}

/* Two SMs that miss the same page share its walk: MSHRs are left. */
TEST(test_no_l2tlb_merges)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.l2tlb.entries = 0;
    struct mh_gpu *g = one_load_each(&cfg, 0);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.walks, 1);
    assert_int_equal(g->tenant[0].count.l2tlb_merge, 1);
    script_end(g);
}

/* 64 pages in one instruction: as many walks run as there are walkers, and the others wait; without a limit all run. */
TEST(test_unlimited_walkers)
{
    static const uint32_t walkers[] = {0, 8, 64};
    for (uint32_t i = 0; i < 3; i++) {
        struct mh_config cfg;
        design(&cfg, "unlimited-walkers");
        assert_int_equal(cfg.walk.walkers, 0);
        cfg.l1tlb.mshrs = 64;
        cfg.walk.walkers = walkers[i];
        struct mh_gpu *g = list_gpu(&cfg, 64);
        uint32_t waiting = 0, running = 0;
        while (!g->tenant[0].count.completions) {
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
            mh_gpu_check(g);
            uint32_t now = mh_config_walkers(&cfg) - g->walkers[0].idle;
            running = now > running ? now : running;
            waiting = g->walkers[0].waiting.count > waiting ? g->walkers[0].waiting.count : waiting;
        }
        assert_int_equal(running, walkers[i] ? walkers[i] : 64);
        assert_int_equal(waiting, walkers[i] ? 64 - walkers[i] : 0);
        assert_int_equal(script_read(g, MH_REG_CAP_WALKERS), walkers[i] ? walkers[i] : 4096);
        script_end(g);
    }
}

/* 64 pages in one instruction: in the simulator one walk runs at a time, whatever there is of MSHRs and walkers. */
TEST(test_simulator)
{
    struct mh_config cfg;
    design(&cfg, "simulator");
    cfg.l1tlb.mshrs = 64;
    struct mh_gpu *g = list_gpu(&cfg, 64);
    while (!g->tenant[0].count.completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        assert_true(g->walkers[0].idle >= mh_config_walkers(&cfg) - 1);
    }
    assert_int_equal(g->tenant[0].count.walks, 64);
    script_end(g);
}
