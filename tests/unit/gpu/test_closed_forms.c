/* Closed forms of the whole model: idle reads, conflict streams at tRC, streams at peak bandwidth, and the peaks in the
 * window. */
#include "unit/test.h"
#include "chain.h"
#include "idle_read.h"
#include "gpu/gpu.h"
#include "script.h"

enum {
    LSU = 1,                   /* issue takes the cycle before */
    L1 = 1 + 1,                /* L1 TLB, L1D: once for every line, on a miss when the line has come */
    TLB_TRIP = 1 + 8 + 10 + 8, /* L1 TLB, to the L2 TLB, look-up, back */
    NOC = 8,                   /* one way */
    L2 = 10,                   /* look-up to data */
    LINE = 4,                  /* flits behind the head of a reply with a line */
    ENTRY = 1,                 /* the same with a page table entry */
    CLOSED = 22 + 2 + 22 + 2,  /* tRCD, second column command tCCD later, CL, burst 8 at 4 a cycle */
};

/* Walk and data of a cold read go to different banks of the DRAM with this seed, so that each finds its bank closed. */
static uint64_t seed_without_conflicts(const struct mh_config *cfg, uint64_t address)
{
    for (uint64_t seed = 1;; seed++) {
        struct mh_config c = *cfg;
        struct script *s;
        c.run.seed = seed;
        struct mh_gpu *g = chain_gpu(&c, 1, &address, &s);
        uint32_t node = g->tenant[0].page_root, vpn = (uint32_t)(address / SCRIPT_PAGE);
        uint64_t banks[4] = {0}; /* a bit per channel and bank */
        struct script_place p = script_place(g, script_line(g, 0, address));
        banks[p.channel / 8] |= 1ull << (p.channel % 8 * 8 + p.bank);
        for (uint32_t depth = 1; depth <= 4; depth++) {
            p = script_place(g, mh_pt_line(g->pages, node, vpn, depth));
            banks[p.channel / 8] |= 1ull << (p.channel % 8 * 8 + p.bank);
            node = mh_pt_entry(g->pages, node, vpn, depth);
        }
        mh_gpu_destroy(g);
        if (__builtin_popcountll(banks[0]) == 5)
            return seed;
    }
}

static void test_cold_read(void **state)
{
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(5, 640), in_page(5, 644)};
    script_config(&cfg, 1, 1);
    cfg.run.seed = seed_without_conflicts(&cfg, addr[0]);
    struct mh_gpu *g = chain_ended(&cfg, 2, addr, &s);
    uint64_t level = NOC + CLOSED + L2 + NOC + ENTRY, data = NOC + CLOSED + L2 + NOC + LINE;
    assert_int_equal(level, 75);
    assert_int_equal(data, 78);
    assert_int_equal(chain_cycles(s, 0), LSU + TLB_TRIP + 4 * level + data + L1); /* 408 */
    assert_int_equal(chain_cycles(s, 1), LSU + L1);                               /* 3 */
    assert_int_equal(g->tenant[0].count.walk_cycles, 10 + 4 * level);
    assert_int_equal(g->tenant[0].count.dram_walk, 4);
    assert_int_equal(g->tenant[0].count.dram_walk_cycles, 4 * CLOSED);
    assert_int_equal(g->tenant[0].count.dram_cycles, CLOSED);
    mh_gpu_destroy(g);
}

enum { READS = 250 };

/* Sixteen pages far apart (several leaf nodes), reads of few lines, some twice in a row. */
static void test_idle_reads(void **state)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct mh_config cfg;
        struct script *s;
        uint64_t addr[READS] = {0}, rng = seed, at = 0, kinds[3] = {0};
        script_config(&cfg, 1, 1);
        cfg.clock.dram_hz = 1674000000;
        cfg.run.seed = seed;
        cfg.l1tlb.entries = 1;
        cfg.l1d.bytes = MH_LINE_BYTES;
        cfg.l1d.ways = 1;
        for (uint32_t i = 0; i < READS; i++)
            addr[i] = i && random_next(&rng) % 4 == 0
                          ? addr[i - 1]
                          : in_page(random_next(&rng) % 16 * 123, random_next(&rng) % 1024 * 4);
        struct mh_gpu *g = chain_ended(&cfg, READS, addr, &s);
        struct idle *m = idle_new(g);
        for (uint32_t i = 0; i < READS; i++) {
            assert_int_equal(script_issued(s, 0, 0, 0, i), at);
            uint64_t done = idle_read(m, addr[i], at, NULL);
            kinds[done - at == LSU + L1 ? 0 : done - at <= 60 ? 1 : 2]++;
            at = done;
        }
        assert_int_equal(script_issued(s, 0, 0, 0, READS), at);
        for (uint32_t k = 0; k < 3; k++) /* near, middling, far: all of them were there */
            assert_true(kinds[k] > 20);
        idle_free(m);
        mh_gpu_destroy(g);
    }
}

enum { CONFLICTS = 120 };

/* Lines in different rows of one bank of one channel, each in a page of its own. */
static uint32_t same_bank(const struct mh_gpu *g, uint64_t *addr)
{
    struct script_place first = script_place(g, script_line(g, 0, in_page(0, 0)));
    uint32_t n = 0, rows[CONFLICTS] = {0};
    for (uint64_t page = 0; page < CHAIN_PAGES && n < CONFLICTS; page++)
        for (uint64_t i = 0; i < 32; i++) {
            struct script_place p = script_place(g, script_line(g, 0, in_page(page, i * MH_LINE_BYTES)));
            bool taken = p.channel != first.channel || p.bank != first.bank;
            for (uint32_t k = 0; k < n; k++)
                taken |= rows[k] == p.row;
            if (taken)
                continue;
            rows[n] = p.row;
            addr[n++] = in_page(page, i * MH_LINE_BYTES);
            break;
        }
    return n;
}

/* Warm page tables and L2 TLB first (other lines of the pages), then two warps that read all the conflicting lines. */
static struct script *conflict_script(const uint64_t *addr)
{
    struct script *s = script_new();
    uint64_t list[MH_MAX_LANES];
    script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    for (uint32_t launch = 0; launch < 2; launch++) {
        script_warps(s, 2);
        for (uint32_t w = 0; w < 2; w++) {
            for (uint32_t l = 0; l < CONFLICTS / 2; l++)
                list[l] = launch ? addr[w * (CONFLICTS / 2) + l] : addr[w * (CONFLICTS / 2) + l] ^ 128 * 7;
            script_add_list(s, launch, 0, w, op_lanes(MH_OP_LOAD, 4, (1ull << CONFLICTS / 2) - 1, 0, 0), list);
        }
    }
    return s;
}

/* One read every tRC, exactly: precharge and activate of each bank's next row wait for nothing else. */
static void test_same_bank_conflicts(void **state)
{
    struct mh_config cfg;
    struct script *s;
    uint64_t addr[CONFLICTS] = {0}, last = 0;
    script_config(&cfg, 1, 1);
    struct mh_gpu *g = chain_gpu(&cfg, 1, addr, &s); /* only to see where pages are */
    assert_int_equal(same_bank(g, addr), CONFLICTS);
    mh_gpu_destroy(g);
    s = conflict_script(addr);
    g = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    script_until(g, &c->launches, 1);
    uint64_t reads = c->dram_read, hits = c->dram_row_hit, walks = c->walks;
    for (uint32_t i = 1; i <= CONFLICTS; i++) {
        uint64_t at = script_until(g, &c->dram_read, reads + i);
        if (i > 2) /* the queue fills while the first is served */
            assert_int_equal(at - last, cfg.dram.rc);
        last = at;
    }
    assert_int_equal(c->dram_row_hit, hits);
    assert_int_equal(c->walks, walks);
    mh_gpu_destroy(g);
}

/* Every warp reads 4 lines at a time; all warps together go through the buffer from end to end. */
struct sequential {
    uint64_t warps_per_cta, warps;
};
enum { BLOCK = 512, STREAM_BYTES = 64 << 20 };

static bool sequential_next(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct sequential *q = ctx;
    uint64_t block = i * q->warps + c->cta * q->warps_per_cta + c->warp;
    *op = op_lanes(MH_OP_LOAD, 8, UINT64_MAX, SCRIPT_BASE + block * BLOCK, 8);
    return (block + 1) * BLOCK <= STREAM_BYTES;
}

/*
 * Most entries of the upper levels that one bank of the L2 sends for each walk: all pages share the root, and within
 * 32 MiB the line of each level below it.
 */
static uint32_t hottest_bank(const struct mh_gpu *g)
{
    uint32_t entries[MH_MAX_L2_BANKS] = {0}, node = g->tenant[0].page_root, vpn = SCRIPT_BASE / SCRIPT_PAGE, most = 0;
    for (uint32_t depth = 1; depth < 4; depth++) {
        uint32_t n = ++entries[mh_noc_bank(g->noc, 0, mh_pt_line(g->pages, node, vpn, depth))];
        most = n > most ? n : most;
        node = mh_pt_entry(g->pages, node, vpn, depth);
    }
    return most;
}

/* Data lines per GPU cycle that DRAM delivers between cycles `from` and `to`. */
static double stream(struct mh_config *cfg, uint64_t from, uint64_t to, uint32_t *hottest)
{
    struct sequential q = {.warps_per_cta = 32, .warps = 32 * cfg->sm.count};
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, STREAM_BYTES);
    script_launch(s, (struct mh_launch){.ctas = cfg->sm.count, .threads = 2048});
    script_generate(s, sequential_next, &q);
    struct mh_gpu *g = script_gpu(cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    mh_gpu_advance(g, from);
    uint64_t lines = c->dram_read;
    mh_gpu_advance(g, to);
    lines = c->dram_read - lines;
    assert_int_equal(c->completions, 0);
    assert_int_equal(c->dram_write, 0);
    assert_true(c->dram_read < (32 << 20) / MH_LINE_BYTES);
    *hottest = hottest_bank(g);
    mh_gpu_destroy(g);
    return (double)lines / (double)(to - from);
}

static void stream_config(struct mh_config *cfg, uint32_t sms)
{
    script_config(cfg, sms, 1);
    cfg->clock.dram_hz = 1674000000;
    cfg->dram.refi = 6528;
}

/* A line is two bursts of two DRAM cycles. */
#define DRAM_PEAK (279.0 / 170 / 4)

/* One channel with refresh, clocks of the preset; a crossbar of 64-byte flits is not the limit. */
static void test_sequential_dram(void **state)
{
    struct mh_config cfg;
    uint32_t hottest;
    stream_config(&cfg, 4);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.noc.flit_bytes = 64;
    double rate = stream(&cfg, 10000, 50000, &hottest);
    print_message("one channel: %.1f %% of its peak\n", 100 * rate / DRAM_PEAK);
    assert_true(rate > 0.94 * DRAM_PEAK);
    assert_true(rate < DRAM_PEAK * (1 - 185.0 / 6528)); /* refresh takes its share */
}

/* One SM against eight channels: its own reply wire, five flits a line. */
static void test_sequential_sm(void **state)
{
    struct mh_config cfg;
    uint32_t hottest;
    stream_config(&cfg, 1);
    double rate = stream(&cfg, 10000, 40000, &hottest);
    print_message("one SM: %.1f %% of its wire\n", 100 * rate * 5);
    assert_true(rate > 0.98 / 5);
    assert_true(rate < 1.01 / 5);
}

/* Everything that may limit a stream over the whole GPU, in lines per cycle. */
enum { SMS = 30 };
#define SM_WIRES (SMS / 5.0) /* an SM's reply wire takes a line in five flits */

/*
 * Of each page every one of the 16 banks sends two lines, ten flits, and a sixteenth of the leaf entry's two; the bank
 * that holds most of the upper levels two flits for each of them as well. `ports` wires share that.
 */
static double bank_wires(uint32_t ports, double upper)
{
    return ports * 32 / (10 + 2.0 / 16 + 2 * upper);
}

/* The preset as it is: all wires have more to spare than DRAM, which loses to refresh what it does on one channel. */
static void test_sequential_gpu(void **state)
{
    struct mh_config cfg;
    uint32_t hottest;
    stream_config(&cfg, SMS);
    assert_int_equal(cfg.l2.ports, 2);
    double rate = stream(&cfg, 5000, 20000, &hottest), peak = 8 * DRAM_PEAK;
    print_message("GPU: %.2f lines a cycle, %.1f %% of DRAM's peak (SM wires %.2f, hottest bank's wires %.2f)\n", rate,
                  100 * rate / peak, SM_WIRES, bank_wires(2, hottest));
    assert_in_range(hottest, 1, 3);
    assert_true(peak < SM_WIRES && peak < bank_wires(2, hottest));
    assert_true(rate > 0.94 * peak);
    assert_true(rate < peak * (1 - 185.0 / 6528));
}

/* One port a bank: without a page walk cache the hottest bank's wire sets the pace. */
static void test_sequential_gpu_one_port(void **state)
{
    struct mh_config cfg;
    uint32_t hottest;
    stream_config(&cfg, SMS);
    cfg.l2.ports = 1;
    double rate = stream(&cfg, 5000, 20000, &hottest), bound = bank_wires(1, hottest);
    print_message("GPU, one port a bank: %.2f lines a cycle, %.1f %% of the hottest bank's wire\n", rate,
                  100 * rate / bound);
    assert_true(bound < 0.9 * 8 * DRAM_PEAK);
    assert_true(rate > 0.96 * bound);
    assert_true(rate < bound * 1.02); /* what is under way may differ at the two ends */
}

/*
 * DRAM four times as fast. Without a page walk cache the hottest bank limits, with both its wires; with one, only leaf
 * entries are left, which spread, and the SMs' wires are the limit.
 */
static void test_sequential_gpu_fast_dram(void **state)
{
    for (uint32_t pwc = 0; pwc < 2; pwc++) {
        struct mh_config cfg;
        uint32_t hottest;
        stream_config(&cfg, SMS);
        cfg.clock.dram_hz *= 4;
        cfg.walk.pwc_bytes = pwc * 8192;
        double rate = stream(&cfg, 5000, 20000, &hottest), banks = bank_wires(2, pwc ? 0 : hottest);
        double bound = pwc ? SM_WIRES : banks;
        print_message("GPU, fast DRAM: %.2f lines a cycle, %.1f %% of %s\n", rate, 100 * rate / bound,
                      pwc ? "all SMs' wires (page walk cache)" : "the hottest bank's two wires");
        assert_true(pwc ? banks > SM_WIRES : banks < SM_WIRES);
        assert_true(rate > 0.96 * bound);
        assert_true(rate < 1.02 * bound);
    }
}

static void expect(struct mh_gpu *g, uint32_t interval, uint32_t reply, uint32_t line, uint32_t noc, uint32_t dram)
{
    assert_int_equal(script_read(g, MH_REG_CAP_RATE_INTERVAL), interval);
    assert_int_equal(script_read(g, MH_REG_CAP_REPLY_BYTES), reply);
    assert_int_equal(script_read(g, MH_REG_CAP_LINE_BYTES), line);
    assert_int_equal(script_read(g, MH_REG_CAP_NOC_PEAK), noc);
    assert_int_equal(script_read(g, MH_REG_CAP_DRAM_PEAK), dram);
    mh_gpu_destroy(g);
}

static struct mh_gpu *idle(const struct mh_config *cfg)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    return script_gpu(cfg, &s);
}

/*
 * CCBP table 1: 16 ports x 1.2 GHz x 32 B = 614.4 GB/s, at 1.8 GHz 341.33 B a cycle, x 1024 = 349 525.33. DRAM 319
 * GB/s: 16 x 16 B x 1246.09375 / 1800 = 177.22 B, x 1024 = 181 475.56. 200 NoC cycles are 300 GPU cycles, x 256 = 76
 * 800.
 */
static void test_preset_ccbp(void **state)
{
    struct mh_config cfg;

    script_preset(&cfg, "ccbp", 0, 1);
    expect(idle(&cfg), 76800, 160, 128, 349525, 181475);
    script_preset(&cfg, "ccbp", 0, 1);
    strcpy(cfg.l1d.rate_clock, "gpu");
    cfg.clock.noc_hz = 0; /* the GPU's: 512 B a cycle */
    expect(idle(&cfg), 51200, 160, 128, 524288, 181475);
}

/* One FIFO: no intervals. Two SMs, DRAM at the GPU's clock: 8 channels of 16 B. */
static void test_without_subqueues(void **state)
{
    struct mh_config cfg;

    script_config(&cfg, 2, 1);
    cfg.dram.channels = 8;
    cfg.dram.bus_bytes = 4;
    cfg.dram.data_rate = 4;
    cfg.clock.noc_hz = 0;
    assert_int_equal(mh_rate_interval(&cfg), 0);
    assert_int_equal(mh_noc_peak(&cfg), 1024 * 2 * cfg.noc.flit_bytes);
    assert_int_equal(mh_dram_peak(&cfg), 1024 * 8 * 16);
}

/* A payload fills whole flits: 128 bytes are 3 of 48; more than 32 bits hold is the most that they hold. */
static void test_rounding(void **state)
{
    struct mh_config cfg;

    script_config(&cfg, 2, 1);
    cfg.memory.line_bytes = 128;
    cfg.noc.flit_bytes = 48;
    assert_int_equal(mh_reply_bytes(&cfg), 192);
    cfg.noc.flit_bytes = 256;
    assert_int_equal(mh_reply_bytes(&cfg), 512);
    cfg.clock.gpu_hz = 1000000;
    cfg.clock.dram_hz = 10000000000;
    cfg.dram.channels = 32;
    cfg.dram.bus_bytes = 128;
    cfg.dram.data_rate = 8;
    assert_int_equal(mh_dram_peak(&cfg), UINT32_MAX);
}

int test_closed_forms(void)
{
    return RUN_GROUP(test_cold_read, test_idle_reads, test_same_bank_conflicts, test_sequential_dram,
                     test_sequential_sm, test_sequential_gpu, test_sequential_gpu_one_port,
                     test_sequential_gpu_fast_dram, test_preset_ccbp, test_without_subqueues, test_rounding);
}
