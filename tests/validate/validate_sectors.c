/*
 * An L2 with sectors, in every preset: what loads of one and of two sectors cost on an idle GPU, and the bytes that
 * scattered updates, stores and streams move, counted by DRAM. A sector is the smaller of 32 and 64 bytes that is whole
 * bursts. Where that is the line, sectors change nothing, and the rows say so, too.
 */
#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "idle_read.h"
#include "validate/stream.h"
#include "validate/table.h"
#include "script.h"

/* Large pages keep translation out of it, and walks out of the sums. */
static struct mh_config with_sectors(const struct mh_config *preset, const char *partial_stores)
{
    struct mh_config cfg = *preset;
    uint32_t burst = cfg.dram.bus_bytes * cfg.dram.burst;

    set_page_size(&cfg, 2 << 20);
    cfg.l1tlb.entries = 64;
    cfg.dram.refi = 0;
    cfg.l2.sector_bytes = burst > 32 ? burst : 32;
    set_word(&cfg, "l2.partial_stores", partial_stores);
    return cfg;
}

static struct mh_config without(struct mh_config cfg)
{
    cfg.l2.sector_bytes = 0;
    cfg.l2.partial_stores = MH_PARTIAL_FETCH;
    return cfg;
}

/* --- Latency: lines 0 to 2 are in one row of a bank, line 3 is in another row of it. */

enum { ROW_LINES = 3, CHOSEN = ROW_LINES + 1, BUFFER = 64 << 20 };

static bool in_a_bank(const struct mh_gpu *g, uint32_t line, const struct stream *s)
{
    static struct script_place first;
    struct script_place p = script_place(g, line);

    /* The rest of its row lies behind it, in the same page. */
    if (!s->addresses && (p.column || line % g->lines_per_page > g->lines_per_page / 2))
        return false;
    if (!s->addresses)
        first = p;
    if (p.channel != first.channel || p.bank != first.bank)
        return false;
    return s->addresses < ROW_LINES ? p.row == first.row : p.row != first.row;
}

/* Two lanes, a sector apart. */
static struct mh_op two_sectors(const struct mh_config *cfg, uint64_t address)
{
    return op_wait(op_lanes(MH_OP_LOAD, 4, 3, address, cfg->l2.sector_bytes));
}

/* From issue to data: what leaves the port a cycle later, and the SM's own caches on the way back. */
static uint64_t cost(const struct mh_config *cfg, enum idle_found where, uint64_t issued, uint32_t bytes)
{
    struct mh_dram_cfg part = cfg->dram;

    part.request_bytes = bytes;
    struct dram_sums sums = dram_sums(&part);
    uint64_t at = issued + 1;

    at = where == IDLE_L2 ? idle_l2_hit(cfg, at, bytes) : idle_dram_read(cfg, &sums, where, at, bytes);
    return at + cfg->l1tlb.latency + cfg->l1d.latency - issued;
}

struct step {
    const char *what;
    enum idle_found where;
    uint32_t warp, index, sectors;
};

static void latency(const struct mh_config *preset)
{
    /* The first loads of each warp bring the translations. */
    static const struct step steps[] = {
        {"line miss, row open: a sector", IDLE_ROW_OPEN, 0, 2, 1},
        {"sector miss of the line: another", IDLE_ROW_OPEN, 0, 3, 1},
        {"line miss, other row open: a sector", IDLE_CONFLICT, 0, 4, 1},
        {"line miss, other row open: two sectors of it", IDLE_CONFLICT, 0, 5, 2},
        {"both hit, of another SM", IDLE_L2, 1, 1, 2},
    };
    struct mh_config cfg = with_sectors(preset, "fetch");
    struct stream chosen = {.bytes = BUFFER};
    uint32_t sector = cfg.l2.sector_bytes;

    if (2 * sector > cfg.memory.line_bytes)
        return;
    cfg.l1d.sector_bytes = sector;
    stream_choose(&cfg, &chosen, CHOSEN, in_a_bank);
    struct script *s = script_new();
    const uint64_t *a = chosen.address;

    script_buffer(s, SCRIPT_BASE, BUFFER);
    script_launch(s, (struct mh_launch){.ctas = 2, .threads = cfg.sm.lanes});
    script_ops(s, 0, 0, 0, op_wait(op_load(a[3] - a[3] % cfg.memory.page_bytes)), op_wait(op_load(a[0])),
               op_wait(op_load(a[1])), op_wait(op_load(a[1] + sector)), op_wait(op_load(a[3])), two_sectors(&cfg, a[2]),
               op_wait(op_barrier()));
    script_ops(s, 0, 1, 0, op_after(50000, op_load(a[0])), two_sectors(&cfg, a[2]), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);

    script_until(g, &g->tenant[0].count.completions, 1);
    for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct step *t = &steps[i];
        uint64_t at = script_issued(s, 0, t->warp, 0, t->index);

        table_exact(cost(&cfg, t->where, at, t->sectors * sector), script_issued(s, 0, t->warp, 0, t->index + 1) - at,
                    "sectors of %u B, %s, cycles", sector, t->what);
    }
    free(chosen.address);
}

/* --- Bytes. Each line comes once in a round that is far longer than the L2. */

struct moved {
    double read, written; /* bytes of DRAM for each request that the L2 looks up */
    uint64_t data_reads;
};

static struct moved moved(struct mh_config cfg, enum mh_op_kind kind, script_next *next)
{
    struct stream s = {.bytes = 64 << 20, .sms = cfg.sm.count < 8 ? cfg.sm.count : 8, .step = kind};
    struct mh_counters a, b;

    /* Sixteen sets a bank: full of dirty lines after a short while. */
    cfg.l2.bytes = cfg.l2.banks * cfg.l2.ways * 16 * cfg.memory.line_bytes;
    struct mh_gpu *g = stream_gpu(&cfg, &s, next);

    mh_gpu_advance(g, 60000);
    mh_blocks_counters(g, &a);
    mh_gpu_advance(g, 160000);
    mh_blocks_counters(g, &b);
    mh_gpu_destroy(g);
    double requests = (double)(b.l2_access - a.l2_access);

    return (struct moved){32 * (double)(b.dram_read_sectors - a.dram_read_sectors) / requests,
                          32 * (double)(b.dram_write_sectors - a.dram_write_sectors) / requests,
                          b.dram_read - a.dram_read};
}

/* Each lane has a word of a line of its own, and no other SM has that line. */
static bool scattered(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t first = (i * s->warps * s->sms + stream_warp(s, c)) * s->lanes * s->line;

    (void)addr;
    *op = op_lanes((enum mh_op_kind)s->step, 4, stream_mask(s), SCRIPT_BASE + first % s->bytes, s->line);
    return true;
}

/* Neighbouring lanes, four or eight bytes each: whole lines. */
static bool whole_lines(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;
    uint64_t bytes = 8 * s->lanes, block = i * s->warps * s->sms + stream_warp(s, c);

    (void)addr;
    *op = op_lanes((enum mh_op_kind)s->step, 8, stream_mask(s), SCRIPT_BASE + block * bytes % s->bytes, 8);
    return true;
}

static void row_of(const char *what, const char *how, double read, double written, struct moved m)
{
    table_within(read, m.read, 2, "%s, %s: bytes read for each", what, how);
    table_within(written, m.written, 2, "%s, %s: bytes written", what, how);
}

static void bytes(const struct mh_config *preset)
{
    struct mh_config fetch = with_sectors(preset, "fetch"), lazy = with_sectors(preset, "lazy"), lines = without(fetch);
    double sector = fetch.l2.sector_bytes, line = fetch.memory.line_bytes;

    row_of("atomics on 4 B of a line each", "lines", line, line, moved(lines, MH_OP_ATOMIC, scattered));
    row_of("atomics on 4 B of a line each", "sectors", sector, sector, moved(fetch, MH_OP_ATOMIC, scattered));
    row_of("stores of 4 B of a line each", "sectors, fetch", sector, sector, moved(fetch, MH_OP_STORE, scattered));
    struct moved stores = moved(lazy, MH_OP_STORE, scattered);

    table_exact(0, stores.data_reads, "the same, lazy: reads");
    table_within(sector, stores.written, 2, "the same, lazy: bytes written for each");
    row_of("loads of whole lines", "sectors", line, 0, moved(fetch, MH_OP_LOAD, whole_lines));
    stores = moved(fetch, MH_OP_STORE, whole_lines);
    table_exact(0, stores.data_reads, "stores of whole lines, sectors: reads");
    table_within(line, stores.written, 2, "the same: bytes written for each");
}

static void layer(const struct mh_config *preset)
{
    latency(preset);
    bytes(preset);
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, stream_preset, layer);
}
