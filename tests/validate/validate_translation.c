/*
 * What a miss of the L1 TLB stops, and what a page walk reads, in every preset: cycles of few loads on an idle GPU
 * against the sums of tests/idle_read.c. Lines are in the L1D, so that walks alone are under way.
 */
#include <stdio.h>
#include <string.h>

#include "idle_read.h"
#include "script.h"
#include "validate/stream.h"
#include "validate/table.h"

enum { PAGES = 8 };

/* TLBs in which no page is found again but in the L1 TLB; its entries are the caller's. */
static struct mh_config walking(const struct mh_config *preset, uint32_t l1tlb_entries)
{
    struct mh_config cfg = *preset;

    cfg.sm.count = 1;
    cfg.tenants[0].sm_count = 1;
    cfg.dram.refi = 0;
    cfg.l1d.ways = 64;
    cfg.l1d.bytes = 64 * cfg.memory.line_bytes;
    cfg.l1tlb.ideal = 0;
    cfg.l1tlb.entries = l1tlb_entries;
    cfg.l2tlb.entries = cfg.l2tlb.ways = 1;
    cfg.l1tlb.covers = cfg.l2tlb.covers = 1;
    cfg.gpctlb.entries = 0;
    cfg.l2tlb.bypass_entries = 0;
    if (cfg.iommu.l1_entries)
        cfg.iommu.l1_entries = 1;
    if (cfg.iommu.l2_entries)
        cfg.iommu.l2_entries = cfg.iommu.l2_ways = 1;
    return cfg;
}

static uint64_t page_address(const struct mh_config *cfg, uint32_t page)
{
    return SCRIPT_BASE + (uint64_t)page * (cfg->memory.page_bytes + 2 * cfg->memory.line_bytes);
}

static struct script *warps(const struct mh_config *cfg, uint32_t count)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, (PAGES + 1ull) * cfg->memory.page_bytes);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = count * cfg->sm.lanes});
    return s;
}

/* Loads of these pages by warp 0, each when the one before has its data. */
static void chain(struct script *s, const struct mh_config *cfg, const uint32_t *page, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(page_address(cfg, page[i]))));
}

/* The predicted state after chain(). */
static struct idle *after_chain(const struct mh_gpu *g, const struct script *s, const uint32_t *page, uint32_t count)
{
    struct idle *m = idle_new(g);

    for (uint32_t i = 0; i < count; i++)
        idle_read(m, page_address(&g->cfg, page[i]), script_issued(s, 0, 0, 0, i), NULL);
    return m;
}

/*
 * Two pages in the L1 TLB. Warp 0 asks for a third, and then warp 1 for one that is there: it has its data as if
 * nothing had missed, or a cycle after warp 0.
 */
static void hit_behind_a_miss(const struct mh_config *preset, const char *on_miss)
{
    static const uint32_t before[] = {1, 2, 0};
    struct mh_config cfg = walking(preset, 2);
    bool hold = !strcmp(on_miss, "hold");

    set_word(&cfg, "l1tlb.on_miss", on_miss);
    cfg.sm.schedulers = 2;
    struct script *s = warps(&cfg, 2);
    chain(s, &cfg, before, 3);
    for (uint32_t w = 0; w < 2; w++)
        script_ops(s, 0, 0, w, op_wait(op_barrier()), op_after(5 * w, op_load(page_address(&cfg, 1 - w))),
                   op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    struct idle *m = after_chain(g, s, before, 3);
    uint64_t miss = script_issued(s, 0, 0, 0, 4), hit = script_issued(s, 0, 0, 1, 1);
    uint64_t there = idle_read(m, page_address(&cfg, 1), miss, NULL);
    uint64_t alone = hit + 1 + cfg.l1tlb.latency + cfg.l1d.latency, expected = hold ? there + 1 : alone;

    if (hit <= miss || alone >= there)
        table_miss("the hit did not come while the page was on its way", "L1 TLB, %s", on_miss);
    else
        table_exact(expected - hit, script_issued(s, 0, 0, 1, 2) - hit, "L1 TLB, %s: hit behind a walk, load to use",
                    on_miss);
    idle_free(m);
}

static uint64_t most_walks(struct mh_gpu *g)
{
    uint64_t most = 0;

    for (; g->tenant[0].count.completions < 1; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        if (g->tenant[0].count.walks_live > most)
            most = g->tenant[0].count.walks_live;
    return most;
}

/* One instruction asks for all pages, and has none: the next is looked up a cycle after the one before has come. */
static void one_walk_at_a_time(const struct mh_config *preset, const char *on_miss, uint32_t mshrs)
{
    static const uint32_t page[PAGES] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct mh_config cfg = walking(preset, 1);
    struct script *s = warps(&cfg, 1);
    uint64_t addr[MH_MAX_LANES];

    set_word(&cfg, "l1tlb.on_miss", on_miss);
    cfg.l1tlb.mshrs = mshrs;
    chain(s, &cfg, page, PAGES);
    for (uint32_t i = 0; i < PAGES; i++)
        addr[i] = page_address(&cfg, i);
    script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, (1u << PAGES) - 1, 0, 0)), addr);
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    uint64_t most = most_walks(g), issued = script_issued(s, 0, 0, 0, PAGES), there = 0, next = issued;
    struct idle *m = after_chain(g, s, page, PAGES);

    for (uint32_t i = 0; i < PAGES; i++) {
        there = idle_read(m, addr[i], next, NULL);
        next = there - cfg.l1tlb.latency - cfg.l1d.latency;
    }
    table_exact(there - issued, script_issued(s, 0, 0, 0, PAGES + 1) - issued,
                "L1 TLB, %s, mshrs %u: %u pages of one load, one walk at a time, cycles", on_miss, mshrs,
                (unsigned)PAGES);
    table_exact(1, most, "the same: most walks at once");
    idle_free(m);
}

/*
 * Pages one after the other, whose entries stand in one node from its start on. The upper levels have a line each, and
 * the leaves as many as their bytes fill, or a line each; the L2 has none of them at first, and keeps all.
 */
static void lines_of_entries(const struct mh_config *preset, uint32_t pte_bytes)
{
    enum { WALKS = 16 };
    struct mh_config cfg = walking(preset, 1);
    struct script *s = script_new();
    uint32_t line = cfg.memory.line_bytes, leaves = pte_bytes < line ? WALKS * pte_bytes / line : WALKS;

    cfg.walk.uncached = 0;
    cfg.walk.format = MH_WALK_FORMAT_PLAIN;
    cfg.walk.pte_bytes = pte_bytes;
    set_page_size(&cfg, cfg.memory.page_bytes);
    script_buffer(s, SCRIPT_BASE, (uint64_t)WALKS * cfg.memory.page_bytes);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg.sm.lanes});
    for (uint32_t i = 0; i < WALKS; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + (uint64_t)i * cfg.memory.page_bytes)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_until(g, &g->tenant[0].count.completions, 1);
    table_exact(cfg.walk.levels - 1 + leaves, g->tenant[0].count.dram_walk,
                "%u neighbouring pages walked, %u bytes an entry: lines from DRAM", (unsigned)WALKS, pte_bytes);
}

/*
 * NVIDIA's formats: 49 or 57 address bits in 5 or 6 levels, one less for pages of 2 MiB, whose entries have 16 bytes.
 * Without a page walk cache each walk reads as many entries.
 */
static void reads_of_format(const struct mh_config *preset, const char *format, uint32_t small, uint32_t page)
{
    enum { WALKS = 16 };
    struct mh_config cfg = walking(preset, 1);
    struct script *s = script_new();
    const bool huge = page == 2 << 20;
    const uint32_t levels = small - huge, leaves = WALKS * (huge ? 16 : 8) / cfg.memory.line_bytes;

    cfg.memory.bytes = 1ull << 32;
    set_word(&cfg, "walk.format", format);
    set_page_size(&cfg, page);
    cfg.walk.pte_bytes = 8;
    cfg.walk.node_bits = 9;
    cfg.walk.pwc_bytes = cfg.walk.uncached = 0;
    script_buffer(s, SCRIPT_BASE, (uint64_t)WALKS * page);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg.sm.lanes});
    for (uint32_t i = 0; i < WALKS; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + (uint64_t)i * page)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;

    script_until(g, &g->tenant[0].count.completions, 1);
    table_exact(WALKS * levels, pte_accesses(c).sum, "%s, %u KiB pages: entries that %u walks read", format, page >> 10,
                (unsigned)WALKS);
    table_exact(levels - 1 + leaves, c->dram_walk, "the same: lines from DRAM");
}

/*
 * Reach: two rounds of loads over each 64 KiB of PAGES large pages, with as many entries in the L1 TLB. Each page is
 * walked once where it is one of 2 MiB; pages of 64 KiB are 32 times as many, and miss in both rounds.
 */
static void reach(const struct mh_config *preset, bool large)
{
    enum { SMALL = 64 << 10, LARGE = 2 << 20, OF = LARGE / SMALL };
    struct mh_config cfg = walking(preset, PAGES);
    struct script *s = script_new();

    cfg.memory.bytes = 1ull << 32;
    set_page_size(&cfg, SMALL);
    cfg.memory.large_bytes = large * LARGE;
    cfg.l1tlb.ways = 0;
    cfg.l1tlb.covers = 1;
    script_buffer(s, SCRIPT_BASE, (uint64_t)PAGES * LARGE);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg.sm.lanes});
    for (uint32_t i = 0; i < 2 * PAGES * OF; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + (uint64_t)(i % (PAGES * OF)) * SMALL)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_until(g, &g->tenant[0].count.completions, 1);
    table_exact(large ? PAGES : 2 * PAGES * OF, g->tenant[0].count.l1tlb_access - g->tenant[0].count.l1tlb_hit,
                "L1 TLB of %u entries, %u MiB twice in pages of %s: misses", (unsigned)PAGES,
                (unsigned)(PAGES * LARGE >> 20), large ? "2 MiB" : "64 KiB");
}

/* A load whose page table entries and line all come from DRAM, with clocks alike: from its issue to its data. */
static uint64_t cold_load(const struct mh_config *preset, uint32_t queue_latency, bool uncached, bool wires)
{
    static const uint32_t page[] = {0};
    struct mh_config cfg = walking(preset, 1);
    struct script *s;

    cfg.clock.noc_hz = 0;
    cfg.clock.dram_hz = cfg.clock.gpu_hz;
    cfg.l2.queue_latency = queue_latency;
    cfg.l2.bypass_wires = wires;
    cfg.noc.queues = MH_QUEUES_OUTPUT;
    cfg.walk.uncached = uncached;
    s = warps(&cfg, 1);
    chain(s, &cfg, page, 1);
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_until(g, &g->tenant[0].count.completions, 1);
    uint64_t cycles = script_issued(s, 0, 0, 0, 1) - script_issued(s, 0, 0, 0, 0);
    return cycles;
}

/* Each of a walk's reads is so much faster past the L2; the load's own read enters the queue in any case. */
static void queue_of_the_l2(const struct mh_config *preset, uint32_t cycles)
{
    uint64_t plain = cold_load(preset, 0, false, false);
    uint64_t probes = (uint64_t)preset->l2.latency * preset->walk.levels;

    table_exact(plain, cold_load(preset, 0, true, false),
                "no queue before the L2: a walk past it and a load from DRAM, cycles");
    table_exact(plain - probes, cold_load(preset, 0, true, true),
                "the same, wires past the L2: %u look-ups of %u cycles less", preset->walk.levels, preset->l2.latency);
    table_exact(plain + cycles, cold_load(preset, cycles, true, false), "queue of %u cycles before the L2: the same",
                cycles);
    table_exact(plain + cycles - probes, cold_load(preset, cycles, true, true), "both");
    table_exact(plain + cycles + (uint64_t)cycles * preset->walk.levels, cold_load(preset, cycles, false, true),
                "the same, %u reads of the walk looked up in the L2", preset->walk.levels);
}

static void layer(const struct mh_config *cfg)
{
    hit_behind_a_miss(cfg, "pass");
    hit_behind_a_miss(cfg, "hold");
    one_walk_at_a_time(cfg, "hold", PAGES);
    one_walk_at_a_time(cfg, "pass", 1);
    lines_of_entries(cfg, 8);
    lines_of_entries(cfg, 32);
    lines_of_entries(cfg, 128);
    reach(cfg, false);
    reach(cfg, true);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t page[] = {4 << 10, 64 << 10, 2 << 20};

        reads_of_format(cfg, "ampere", 5, page[i]);
        reads_of_format(cfg, "hopper", 6, page[i]);
    }
    queue_of_the_l2(cfg, 85);
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, stream_preset, layer);
}
