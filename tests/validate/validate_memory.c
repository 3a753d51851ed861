/*
 * What the whole GPU asks of memory, in every preset: requests that merge on their way, and the bounds of one DRAM
 * channel seen from the SMs, in DRAM's own cycles.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram_oracle.h"
#include "gpu/gpu.h"
#include "validate/stream.h"
#include "script.h"
#include "validate/table.h"

/* --- Merging. */

/* One load of each warp; lane 0 reads line `step` * warp. */
static bool one_load(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;

    (void)addr;
    *op = op_load(SCRIPT_BASE + s->step * c->warp * s->line);
    return i == 0;
}

static struct mh_counters after_one_load(const struct mh_config *cfg, uint32_t sms, uint32_t warps, uint32_t step)
{
    struct stream s = {.bytes = 2 << 20, .sms = sms, .warps = warps, .step = step};
    struct mh_counters count;
    LOCAL_GPU(g) = stream_gpu(cfg, &s, one_load);

    mh_gpu_advance(g, 20000);
    mh_blocks_counters(g, &count);
    return count;
}

static void merging(const struct mh_config *preset)
{
    struct mh_config ours = *preset, *cfg = &ours;
    uint32_t sms = cfg->sm.count, warps = cfg->sm.warps < 16 ? cfg->sm.warps : 16;

    ours.l1tlb.ideal = 0;
    struct mh_counters c = after_one_load(cfg, 1, warps, 0);

    table_exact(1, c.l2_access, "%u warps of an SM want one line: requests to the L2", warps);
    c = after_one_load(cfg, 1, warps, 1);
    table_exact(warps, c.l2_access, "%u warps want lines of one page: requests to the L2", warps);
    table_exact(1, c.l2tlb_access, "the same: requests to the L2 TLB");
    c = after_one_load(cfg, sms, 1, 0);
    table_exact(sms, c.l2tlb_access, "%u SMs want one line: requests to the L2 TLB", sms);
    table_exact(1, c.walks, "the same: walks");
    table_exact(sms, c.l2_access, "the same: requests to the L2");
    table_exact(1, c.dram_read, "the same: reads of DRAM");
}

/* --- One DRAM channel. */

/* Large pages keep translation out of it. */
static struct mh_config one_channel(const struct mh_config *preset, bool refresh)
{
    struct mh_config cfg = *preset;

    cfg.dram.channels = 1;
    cfg.dram.request_bytes = cfg.memory.line_bytes;
    set_page_size(&cfg, 2 << 20);
    if (!refresh)
        cfg.dram.refi = 0;
    cfg.l1tlb.entries = 256;
    cfg.l1d.mshrs = 512;
    cfg.l2.mshrs = 256;
    cfg.dram.queue = 256;
    return cfg;
}

/* DRAM cycles for each line that the SMs read. */
static double cycles_per_read(const struct mh_config *cfg, struct stream *s, script_next *next)
{
    LOCAL_GPU(g) = stream_gpu(cfg, s, next);
    double rate = stream_rate(g, STREAM_COUNTER(dram_read), 20000, 120000);

    return (double)cfg->clock.dram_hz / (double)cfg->clock.gpu_hz / rate;
}

/* Blocks of 512 bytes: all warps together go through the buffer from end to end, and again. */
static bool blocks(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t block = i * s->warps * s->sms + stream_warp(s, c), bytes = 8 * s->lanes;

    (void)addr;
    *op = op_lanes(MH_OP_LOAD, 8, stream_mask(s), SCRIPT_BASE + block * bytes % s->bytes, 8);
    return true;
}

/* Of the data bus, in percent. */
static double sequential_share(const struct mh_config *preset, bool refresh)
{
    struct mh_config cfg = one_channel(preset, refresh);
    struct stream s = {.bytes = 64 << 20, .sms = cfg.sm.count < 4 ? cfg.sm.count : 4};

    return 100 * dram_sums(&cfg.dram).bus / cycles_per_read(&cfg, &s, blocks);
}

/* A refresh takes tRFC. Before it the rows are closed; after it they are opened, each a tRRD or tFAW / 4 later. */
static double most_for_refresh(const struct mh_dram_cfg *dram)
{
    double activates = fmax(dram->rrd, dram->faw / 4.0) * dram->banks;

    return 100 * (dram->rfc + dram->rp + dram->rcd + activates) / dram->refi;
}

static void sequential(const struct mh_config *preset)
{
    double share = sequential_share(preset, true), without = sequential_share(preset, false);

    table_at_least(98, without, "one channel, sequential, no refresh, %% of the DRAM bus");
    table_at_most(most_for_refresh(&preset->dram), 100 * (1 - share / without),
                  "the same, %% of it that refresh takes");
    table_at_least(100 * dram_sums(&preset->dram).refresh_share, 100 - share, "the same, %% of the bus, at least");
}

static bool scattered(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t rng = stream_warp(s, c) << 32 | i;

    for (uint32_t l = 0; l < s->lanes; l++)
        addr[l] = SCRIPT_BASE + random_next(&rng) % s->bytes / s->line * s->line;
    *op = op_lanes(MH_OP_LOAD, 4, stream_mask(s), 0, 0);
    op->list = true;
    return true;
}

static void random_reads(const struct mh_config *preset)
{
    struct mh_config cfg = one_channel(preset, false);
    struct stream s = {.bytes = 256 << 20}; /* few requests that wait find another for their row */
    struct dram_sums sum = dram_sums(&cfg.dram);

    cfg.dram.rank_gap = 0;
    table_within(sum.random, cycles_per_read(&cfg, &s, scattered), 1, "one channel, random lines: %s, DRAM cycles each",
                 sum.random_bound);
}

/* The first line of each row of bank 0 of the channel. */
static bool row_of_dram_bank_0(const struct mh_gpu *g, uint32_t line, const struct stream *s)
{
    struct script_place p = script_place(g, line);

    (void)s;
    return !p.bank && !p.column;
}

static bool one_bank(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t rng = stream_warp(s, c) << 32 | i;

    for (uint32_t l = 0; l < s->lanes; l++)
        addr[l] = s->address[random_next(&rng) % s->addresses];
    *op = op_lanes(MH_OP_LOAD, 4, stream_mask(s), 0, 0);
    op->list = true;
    return true;
}

/* One line of each row, so that no row is of use twice, and an L2 that does not hold them either. */
static void row_misses(const struct mh_config *preset)
{
    struct mh_config cfg = one_channel(preset, false);
    struct stream s = {.bytes = 256 << 20};
    uint32_t ranks = cfg.dram.ranks ? cfg.dram.ranks : 1;

    stream_choose(&cfg, &s, (256 << 20) / cfg.dram.row_bytes / (cfg.dram.banks * ranks) / 2, row_of_dram_bank_0);
    cfg.l2.ways = 16;
    cfg.l2.bytes = cfg.l2.banks * cfg.l2.ways * cfg.memory.line_bytes;
    table_within(dram_sums(&cfg.dram).row_cycle, cycles_per_read(&cfg, &s, one_bank), 1,
                 "one bank, rows in turn: tRC, DRAM cycles each");
    free(s.address);
}

static void layer(const struct mh_config *cfg)
{
    merging(cfg);
    sequential(cfg);
    random_reads(cfg);
    row_misses(cfg);
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, stream_preset, layer);
}
