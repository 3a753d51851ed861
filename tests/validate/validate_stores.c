/*
 * The store buffer, in every preset: an entry is held from the cycle in which a store leaves the LSU to that of its
 * acknowledgement. What that takes, what rate follows, and which store has to wait. And which loads miss the L1D then.
 */
#include <stdio.h>

#include "idle_read.h"
#include "validate/stream.h"
#include "validate/table.h"
#include "script.h"

enum { SECTOR = 32, QUIET = 20000, PATIENCE = 10 * QUIET };

/* Stores are all that moves: one page, lines that fit the L2, room in front of the crossbar. */
static struct mh_config with_store_buffer(const struct mh_config *preset, uint32_t entries)
{
    struct mh_config cfg = *preset;

    set_page_size(&cfg, 2 << 20);
    cfg.dram.refi = 0;
    cfg.l1d.store_buffer = entries;
    cfg.l1d.miss_queue = 64;
    return cfg;
}

/* --- By hand: stores of one warp, watched cycle by cycle. */

static struct mh_gpu *one_warp(const struct mh_config *cfg, const struct mh_op *op, uint32_t count)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, 2 << 20);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg->sm.lanes});
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_after(QUIET, op[i]));
    return script_gpu(cfg, &s);
}

/* Advances to the first cycle at whose end the SM holds so many entries; 0: that never comes. */
static uint64_t until_held(struct mh_gpu *g, uint32_t entries)
{
    for (uint32_t patience = PATIENCE; g->sm[0].stores != entries && patience; patience--)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return g->sm[0].stores == entries ? mh_gpu_now(g) : 0;
}

/* One store after the other; the first finds nothing in the L2, the next ones the line. */
static void acknowledgement(const struct mh_config *preset)
{
    struct mh_config cfg = with_store_buffer(preset, 1);
    uint32_t sectors = cfg.memory.line_bytes / SECTOR;
    struct mh_op op[1 + MH_MAX_SECTORS] = {op_store(SCRIPT_BASE)};

    for (uint32_t n = 1; n <= sectors; n++)
        op[n] = op_lanes(MH_OP_STORE, 4, UINT64_MAX >> (64 - n * SECTOR / 4), SCRIPT_BASE, 4);
    LOCAL_GPU(g) = one_warp(&cfg, op, 1 + sectors);
    for (uint32_t n = 0; n <= sectors; n++) {
        uint32_t bytes = n ? n * SECTOR : SECTOR;
        uint64_t at = until_held(g, 1), cycles = until_held(g, 0) - at;

        table_exact(idle_store(&cfg, at, bytes) - at, cycles, "store of %u B, L2 %s: LSU to acknowledgement, cycles",
                    bytes, n ? "hit" : "miss");
    }
}

/* The look-up in the L2 of the last of five lines, a sector each, that a store hands over one a cycle from `at` on. */
static uint64_t fifth_lookup(const struct mh_config *cfg, uint64_t at)
{
    uint64_t gpu = cfg->clock.gpu_hz, noc = cfg->clock.noc_hz ? cfg->clock.noc_hz : gpu;
    uint32_t flits = idle_flits(cfg, SECTOR);

    if (cfg->l1d.store_buffer < 5) /* it takes the entry of the first, in the cycle in which that comes free */
        return idle_crossing(cfg, idle_store(cfg, at, SECTOR), flits);
    /* It follows the fourth on the wire. */
    return idle_cycle_after(idle_cycle_after(at, gpu, noc) + 4 * flits + idle_cycle_after(cfg->noc.latency, gpu, noc) +
                                flits - 1,
                            noc, gpu);
}

static void full(const struct mh_config *preset, uint32_t entries)
{
    struct mh_config cfg = with_store_buffer(preset, entries);
    struct mh_op op[] = {op_store(SCRIPT_BASE),
                         op_lanes(MH_OP_STORE, 4, 0x1f, SCRIPT_BASE + SCRIPT_PAGE, cfg.memory.line_bytes)};
    LOCAL_GPU(g) = one_warp(&cfg, op, 2);

    until_held(g, 1);
    until_held(g, 0);
    uint64_t first = until_held(g, 1);
    table_exact(entries - 1, until_held(g, entries) - first, "5 lines stored, %u entries: all taken after, cycles",
                entries);
    uint64_t lookup = script_until(g, &g->tenant[0].count.l2_access, 1 + 5);
    table_exact(fifth_lookup(&cfg, first) - first, lookup - first, "the same: look-up of the fifth after, cycles");
}

/* --- The rate. */

static bool stores(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)addr;
    *op = stream_lines(ctx, c, i, MH_OP_STORE);
    return true;
}

/* A mean over many: where the crossbar has its own clock, stores begin anywhere in its cycles. */
static double round_trip(const struct mh_config *cfg)
{
    uint32_t trips = 10000;
    uint64_t at = 0;

    for (uint32_t i = 0; i < trips; i++)
        at = idle_store(cfg, at, SECTOR);
    return (double)at / trips;
}

/* Little: entries / round trip, unless the wire, which carries a header and a sector for each, is slower. */
static void rate(const struct mh_config *preset, uint32_t entries)
{
    struct mh_config cfg = with_store_buffer(preset, entries);
    struct stream s = {.bytes = 512 << 10, .sms = 1, .warps = 4};
    double noc = (double)(cfg.clock.noc_hz ? cfg.clock.noc_hz : cfg.clock.gpu_hz), trip = round_trip(&cfg);
    double wire = noc / (double)cfg.clock.gpu_hz / idle_flits(&cfg, SECTOR);
    bool binds = entries / trip < wire;
    LOCAL_GPU(g) = stream_gpu(&cfg, &s, stores);

    table_within(binds ? entries / trip : wire, stream_rate(g, STREAM_COUNTER(l2_access), 60000, 120000), 1,
                 "store buffer of %u, round trip %.4g, %s: stores a cycle", entries, trip,
                 binds ? "binds" : "wire binds");
}

/* --- What a store does to the line that it hits. */

/* One warp loads a line `loads` times, each time when it is there, and stores it; and so on. Its loads that miss. */
static uint64_t misses(const struct mh_config *preset, const char *store_hit, uint32_t loads, uint32_t rounds)
{
    struct mh_config cfg = with_store_buffer(preset, preset->l1d.store_buffer);
    struct script *s = script_new();

    set_word(&cfg, "l1d.store_hit", store_hit);
    script_buffer(s, SCRIPT_BASE, 2 << 20);
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg.sm.lanes});
    for (uint32_t i = 0; i < rounds * (loads + 1); i++)
        script_add(s, 0, 0, 0, op_wait(i % (loads + 1) == loads ? op_store(SCRIPT_BASE) : op_load(SCRIPT_BASE)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.completions, 1);
    uint64_t missed = g->tenant[0].count.l1d_access - g->tenant[0].count.l1d_hit;

    return missed;
}

/* A line that stays misses once. One that each store drops misses once between two of them. */
static void hits(const struct mh_config *preset, uint32_t loads)
{
    enum { ROUNDS = 50 };

    table_exact(1, misses(preset, "keep", loads, ROUNDS),
                "L1D keeps it: a line is %u x loaded, then stored, %u times: misses", loads, ROUNDS);
    table_exact(ROUNDS, misses(preset, "drop", loads, ROUNDS), "L1D drops it: the same");
}

static void layer(const struct mh_config *cfg)
{
    acknowledgement(cfg);
    full(cfg, 4);
    full(cfg, 5);
    rate(cfg, 1);
    rate(cfg, 8);
    rate(cfg, 512);
    hits(cfg, 1);
    hits(cfg, 3);
    if (cfg->l1d.store_buffer)
        rate(cfg, cfg->l1d.store_buffer);
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, stream_preset, layer);
}
