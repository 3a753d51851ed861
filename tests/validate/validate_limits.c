/*
 * What limits the rate of each block, in every preset: streams that load it alone, against its width. Blocks that are
 * not asked about are given room: large pages where translation is not the question, enough MSHRs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "idle_read.h"
#include "script.h"
#include "requests.h"
#include "validate/stream.h"
#include "validate/table.h"

static uint64_t noc_hz(const struct mh_config *cfg)
{
    return cfg->clock.noc_hz ? cfg->clock.noc_hz : cfg->clock.gpu_hz;
}

/* --- Issue. */

/* Fifteen instructions and a load that hits: bursts end all the time, and no warp waits for data. */
static bool compute(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)i, (void)addr;
    *op = op_after(15, op_load(SCRIPT_BASE));
    return true;
}

static void issue(const struct mh_config *cfg)
{
    struct stream s = {.bytes = SCRIPT_PAGE, .sms = 1};
    LOCAL_GPU(g) = stream_gpu(cfg, &s, compute);

    table_within(
        (double)cfg->sm.schedulers / cfg->sm.issue_cycles, stream_rate(g, STREAM_COUNTER(warp_instr), 5000, 25000), 0.1,
        "issue: %u scheduler(s), %u cycle(s) each; instructions a cycle", cfg->sm.schedulers, cfg->sm.issue_cycles);
}

/* --- LSU and L1D. */

static struct mh_config with_large_pages(const struct mh_config *preset)
{
    struct mh_config cfg = *preset;

    set_page_size(&cfg, 2 << 20);
    cfg.dram.refi = 0;
    cfg.l1d.mshrs = cfg.l1tlb.mshrs = 1024;
    cfg.l2.mshrs = 256;
    return cfg;
}

/* Sixteen lines, over and over. */
static bool few_lines(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;

    (void)c, (void)i, (void)addr;
    *op = op_lanes(MH_OP_LOAD, 4, 0xffff, SCRIPT_BASE, s->line);
    return true;
}

static void lsu(const struct mh_config *preset)
{
    struct mh_config cfg = with_large_pages(preset);
    struct stream s = {.bytes = SCRIPT_PAGE, .sms = 1};
    LOCAL_GPU(g) = stream_gpu(&cfg, &s, few_lines);

    table_within(1, stream_rate(g, STREAM_COUNTER(l1d_hit), 5000, 25000), 0.01, "LSU: L1D hits a cycle");
}

/* --- Crossbar: one line an instruction, its words in as many lanes. */

static bool chosen_line(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, enum mh_op_kind kind)
{
    const struct stream *s = ctx;
    uint64_t n = i * s->warps + c->warp + c->cta * 17;

    *op = op_lanes(kind, 4, UINT32_MAX >> (32 - s->line / 4), s->address[n % s->addresses], 4);
    return true;
}

static bool read_chosen(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    return chosen_line(ctx, c, i, op, MH_OP_LOAD);
}

static bool write_chosen(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    return chosen_line(ctx, c, i, op, MH_OP_STORE);
}

static bool any_line(const struct mh_gpu *g, uint32_t line, const struct stream *s)
{
    (void)g, (void)line, (void)s;
    return true;
}

static bool line_of_bank_0(const struct mh_gpu *g, uint32_t line, const struct stream *s)
{
    (void)s;
    return mh_noc_bank(g->noc, 0, line) == 0;
}

/* Lines a cycle through the crossbar, of those that the L2 holds and the L1D does not: looked up, and gone if read. */
static double crossbar_rate(const struct mh_config *cfg, uint32_t sms, bool one_bank, script_next *next)
{
    struct stream s = {.bytes = 64 << 20, .sms = sms};
    uint32_t line = cfg->memory.line_bytes;
    uint32_t lines = one_bank ? cfg->l2.bytes / cfg->l2.banks / line / 8 : 2048;

    stream_choose(cfg, &s, lines, one_bank ? line_of_bank_0 : any_line);
    LOCAL_GPU(g) = stream_gpu(cfg, &s, next);
    mh_gpu_advance(g, 60000);
    double leaving = g->noc->replies, rate = stream_rate(g, STREAM_COUNTER(l2_access), 60000, 80000);
    leaving -= g->noc->replies;
    free(s.address);
    return rate + leaving / 20000;
}

static void crossbar(const struct mh_config *preset)
{
    struct mh_config cfg = with_large_pages(preset);
    uint32_t flits = idle_flits(&cfg, cfg.memory.line_bytes), ports = cfg.l2.ports;
    double lines = (double)noc_hz(&cfg) / (double)cfg.clock.gpu_hz / flits; /* a GPU cycle */

    cfg.l2.bytes *= 4;
    cfg.l2.stores = MH_STORES_BACK; /* or DRAM is the bound */
    cfg.l1d.bytes = 4096;
    cfg.l1d.ways = 1;
    cfg.l1d.store_buffer = 0;
    table_within(lines, crossbar_rate(&cfg, 1, false, read_chosen), 1,
                 "crossbar to an SM: lines a cycle, %u flits each", flits);
    table_within(lines, crossbar_rate(&cfg, 1, false, write_chosen), 1,
                 "crossbar from an SM: written lines a cycle, %u flits each", flits);
    table_within(ports * lines, crossbar_rate(&cfg, 0, true, read_chosen), 1,
                 "crossbar from an L2 bank: lines a cycle, %u wire(s)", ports);
    table_within(ports * lines, crossbar_rate(&cfg, 0, true, write_chosen), 1,
                 "crossbar to an L2 bank: written lines a cycle, %u wire(s)", ports);
}

static bool lines_in_turn(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    *op = stream_lines(ctx, c, i, MH_OP_LOAD);
    return true;
}

/* L1D misses that hit in the L2: the reply of n sectors is a header and their flits, and a wire takes one a cycle. */
static void reply_port(const struct mh_config *preset)
{
    struct mh_config cfg = with_large_pages(preset);
    double wire = (double)noc_hz(&cfg) / (double)cfg.clock.gpu_hz;

    cfg.l2.bytes *= 4;
    for (uint32_t sector = 32; sector <= cfg.memory.line_bytes; sector *= 2) {
        struct stream s = {.bytes = cfg.l1d.bytes > 128 << 10 ? 2ull * cfg.l1d.bytes : 256 << 10, .sms = 1, .warps = 8};
        uint32_t flits = idle_flits(&cfg, sector);

        cfg.l1d.sector_bytes = sector;
        LOCAL_GPU(g) = stream_gpu(&cfg, &s, lines_in_turn);
        table_within(wire, stream_rate(g, STREAM_COUNTER(reply_flits), 60000, 80000), 1,
                     "reply port of an SM, %u B fetched: flits a cycle", sector);
        table_within(wire / flits, stream_rate(g, STREAM_COUNTER(l2_hit), 80000, 100000), 1,
                     "the same: L2 hits a cycle, %u flits each", flits);
    }
}

/*
 * CCBP bounds an issue rate by the replies that an SM's port can take in an interval of 200 cycles: 40 of 5 flits (sec.
 * 6.2), so they are cycles of the NoC. 200 of the GPU, at 1.8 GHz for 1.2, are 26.7.
 */
static void replies_an_interval(const struct mh_config *preset)
{
    struct mh_config cfg = with_large_pages(preset);
    const bool is_table = cfg.l1d.subqueues && cfg.l1d.rate_interval == 200 && 2 * cfg.clock.gpu_hz == 3 * noc_hz(&cfg);

    if (!is_table || idle_flits(&cfg, cfg.memory.line_bytes) != 5)
        return;
    cfg.l2.bytes *= 4;
    cfg.l1d.bytes = 4096;
    cfg.l1d.ways = 1;
    double lines = crossbar_rate(&cfg, 1, false, read_chosen);
    table_within(40, lines * 200 * 3 / 2, 1, "replies to an SM in 200 cycles of the NoC, l1d.rate_clock noc");
    table_within(26.7, lines * 200, 1, "the same in 200 cycles of the GPU, l1d.rate_clock gpu");
}

static bool random_lines(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;

    for (uint32_t l = 0; l < s->lanes; l++)
        addr[l] = SCRIPT_BASE + mh_random(stream_warp(s, c), i * s->lanes + l) % (s->bytes / s->line) * s->line;
    *op = op_lanes(MH_OP_LOAD, 4, stream_mask(s), 0, 0);
    op->list = true;
    return true;
}

/* Percent of the flits that all reply ports could take. */
static double random_reads(const struct mh_config *cfg)
{
    struct stream s = {.bytes = 1 << 20};
    LOCAL_GPU(g) = stream_gpu(cfg, &s, random_lines);
    double rate = stream_rate(g, STREAM_COUNTER(reply_flits), 60000, 160000);

    return 100 * rate * (double)cfg->clock.gpu_hz / (double)noc_hz(cfg) / cfg->sm.count;
}

/*
 * Every bank has lines for SMs at random. Queues at the inputs of 16 ports: 60.1 %, Karol, Hluchyj and Morgan's
 * saturation (tests/unit/noc/test_saturation.c has it from slots of its own). At the outputs: all of it.
 */
static void head_of_line(const struct mh_config *preset)
{
    struct mh_config cfg = with_large_pages(preset);
    bool is_table = cfg.sm.count == 16 && cfg.l2.banks == 16 && cfg.l2.ports == 1;

    if (cfg.noc.queues != MH_QUEUES_INPUT || cfg.noc.vcs > 1 || !is_table)
        return;
    table_within(60.1, random_reads(&cfg), 2, "crossbar, queues at 16 inputs, random lines: %% of the flits");
    cfg.noc.input_speedup = 2;
    table_within(60.1, random_reads(&cfg), 2, "the same, input_speedup 2 with one queue");
    cfg.noc.queues = MH_QUEUES_OUTPUT;
    table_within(100, random_reads(&cfg), 1, "the same, queues at the outputs");
}

/* As many reads as the bank takes at once, in one cycle: they are looked up `ports` in a cycle of the crossbar. */
static void l2_port(const struct mh_config *preset)
{
    struct mh_config cfg = *preset;
    uint32_t n = cfg.sm.count < cfg.noc.bank_queue ? cfg.sm.count : cfg.noc.bank_queue;
    uint32_t turns = (n + cfg.l2.ports - 1) / cfg.l2.ports;
    uint64_t gpu = cfg.clock.gpu_hz, noc = noc_hz(&cfg), at = 100;
    uint64_t first = idle_cycle_after(at, gpu, noc) + idle_cycle_after(cfg.noc.latency, gpu, noc);

    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    const struct mh_counters *c = &g->tenant[0].count;
    mh_gpu_advance(g, at);
    for (uint32_t i = 0; i < n; i++)
        send_read(g, i, bank_line(g, 0, 0, i));
    while (c->l2_access < n)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    table_exact(idle_cycle_after(first + turns - 1, noc, gpu) - at, mh_gpu_now(g) - at,
                "L2 bank, %u port(s): last look-up of %u requests at once, cycles", cfg.l2.ports, n);
}

/* --- Translation. Each lane of a load has a page of its own. */

static bool pages_in_turn(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t pages = s->bytes / s->page, warp = stream_warp(s, c);

    for (uint32_t l = 0; l < s->lanes; l++) {
        uint64_t page = (warp * 7 + i * s->lanes + l) % pages;
        addr[l] = SCRIPT_BASE + page * s->page + page % 32 * s->line;
    }
    *op = op_lanes(MH_OP_LOAD, 4, stream_mask(s), 0, 0);
    op->list = true;
    return true;
}

static struct mh_config with_small_tlbs(const struct mh_config *preset, uint32_t l2_entries)
{
    struct mh_config cfg = *preset;

    cfg.dram.refi = 0;
    cfg.l1tlb.entries = 1;
    cfg.l1tlb.mshrs = 64;
    cfg.l2tlb.mshrs = 128;
    cfg.l1tlb.ideal = 0;
    cfg.l2tlb.bypass_entries = 0;
    if (cfg.iommu.l1_entries)
        cfg.iommu.l1_entries = 1;
    cfg.iommu.l2_entries = 0;
    if (l2_entries)
        cfg.l2tlb.entries = cfg.l2tlb.ways = l2_entries;
    return cfg;
}

/* Every page is in the L2 TLB. A request holds one of `queue` credits until it is looked up. */
static void l2_tlb(const struct mh_config *preset)
{
    struct mh_config cfg = with_small_tlbs(preset, 0);
    double credits = (double)cfg.l2tlb.queue / (cfg.l1tlb.latency + cfg.noc.tlb_latency);
    double expected = credits < cfg.l2tlb.ports ? credits : cfg.l2tlb.ports;
    struct stream s = {.bytes = 64 * cfg.memory.page_bytes};
    LOCAL_GPU(g) = stream_gpu(&cfg, &s, pages_in_turn);

    table_within(expected, stream_rate(g, STREAM_COUNTER(l2tlb_hit), 20000, 40000), 0.1, "L2 TLB: look-ups a cycle");
}

/*
 * Cycles of a walk whose entries are in the L2, or past it in open rows; or the last one, with the others in the page
 * walk cache. A mean over many walks: where crossbar or DRAM have their own clock they begin anywhere in its cycles.
 */
static double walk_cycles(const struct mh_config *cfg)
{
    struct dram_sums sums = idle_dram_sums(cfg);
    uint32_t entries = cfg->walk.pwc_bytes ? 1 : cfg->walk.levels, walks = 10000;
    uint64_t at = 0;

    for (uint32_t i = 0; i < walks; i++) {
        at += cfg->walk.pwc_bytes ? cfg->walk.pwc_latency : 0;
        for (uint32_t k = 0; k < entries; k++)
            at = cfg->walk.uncached ? idle_past_l2(cfg, &sums, IDLE_ROW_OPEN, at) : idle_l2_hit(cfg, at, 8);
    }
    return (double)at / walks;
}

enum { WALKS_WARM = 120000, WALKS_WINDOW = 200000 };

static double walk_rate(const struct mh_config *cfg, uint32_t pages)
{
    uint64_t page = cfg->memory.page_bytes;
    struct stream s = {.bytes = pages * page > 256 << 20 ? 256 << 20 : pages * page};
    LOCAL_GPU(g) = stream_gpu(cfg, &s, pages_in_turn);
    double rate = stream_rate(g, STREAM_COUNTER(walks), WALKS_WARM, WALKS_WARM + WALKS_WINDOW);

    return rate;
}

/* Few walkers are always at work; of all of them no more can be said than what would be if they were. */
static void walkers(const struct mh_config *preset)
{
    struct mh_config cfg = with_small_tlbs(preset, 1);
    const char *way = cfg.walk.uncached ? "past the L2" : "in the L2";
    uint32_t all = cfg.walk.walkers;
    double cycles = walk_cycles(&cfg);

    for (cfg.walk.walkers = 1; cfg.walk.walkers <= 4; cfg.walk.walkers *= 2)
        table_within(cfg.walk.walkers / cycles, walk_rate(&cfg, 128), 1,
                     "%u walker(s), %.4g cycles a walk %s: walks a cycle", cfg.walk.walkers, cycles, way);
    cfg.walk.walkers = all;
    table_at_most(all * (1.0 / cycles + 1.0 / WALKS_WINDOW), walk_rate(&cfg, 1024),
                  "%u walkers, %.4g cycles a walk %s: walks a cycle, one begun", all, cycles, way);
}

static void layer(const struct mh_config *cfg)
{
    issue(cfg);
    lsu(cfg);
    crossbar(cfg);
    reply_port(cfg);
    replies_an_interval(cfg);
    head_of_line(cfg);
    l2_port(cfg);
    l2_tlb(cfg);
    walkers(cfg);
    if (cfg->walk.uncached) {
        struct mh_config through = *cfg;

        through.walk.uncached = 0;
        walkers(&through);
    }
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, stream_preset, layer);
}
