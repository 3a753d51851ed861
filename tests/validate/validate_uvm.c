/*
 * Demand paging in every preset, with units of 64 KB and of a page of 2 MB: what a fault takes, alone and behind an
 * eviction; what a batch takes, by its faults and blocks of 2 MB; what the driver's prefetch brings; the rates of the
 * link; Little's law on the faults, over a run that begins and ends without any.
 */
#include <stdio.h>
#include <string.h>

#include "memhelm/config_file.h"
#include "random.h"
#include "uvm_fixture.h"
#include "validate/stream.h"
#include "validate/table.h"
#include "script.h"

enum { UNITS = 48, ROOM = 24, WARPS = 2 };

static struct mh_config with_paging(const char *preset, uint32_t page, uint32_t units)
{
    struct mh_config cfg = stream_preset(preset, 1, 1);

    set_page_size(&cfg, page);
    cfg.dram.refi = 0; /* a refresh may meet the last line that leaves */
    cfg.l1tlb.ideal = 0;
    uvm_units(&cfg, units);
    return cfg;
}

static struct mh_gpu *gpu_of(const struct mh_config *cfg, struct script *s)
{
    return script_gpu(cfg, &s);
}

/* Two loads of different units, each of which waits for the one before. */
static struct mh_gpu *two_loads(const struct mh_config *cfg)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, 2 * uvm_unit(cfg));
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg->sm.lanes});
    for (uint32_t i = 0; i < 2; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(SCRIPT_BASE + i * uvm_unit(cfg))));
    return gpu_of(cfg, s);
}

/* From the cycle of the walk's end to that in which the unit is there. */
static void faults(struct mh_config cfg)
{
    LOCAL_GPU(g) = two_loads(&cfg);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t handler = uvm_cycles(&cfg, cfg.uvm.fault_ns), unit = uvm_unit(&cfg);

    for (uint64_t n = 1; n <= 2; n++) {
        uint64_t at = script_until(g, &c->uvm_faults, n), there = script_until(g, &c->uvm_in_bytes, n * unit);
        uint64_t placed = n == 1 ? at + handler : uvm_leaves(&cfg, at + handler, 1);

        table_exact(uvm_arrives(&cfg, placed, 1) - at, there - at, "%s",
                    n == 1 ? "isolated fault: handler, unit / rate, link" : "behind an eviction: unit / rate more");
    }
}

/* Two warps, one load a lane, each of a unit of its own: the first fills memory, the second begins when it is full. */
static struct mh_gpu *two_bursts(struct mh_config *cfg)
{
    uint64_t addr[MH_MAX_LANES] = {0};
    struct script *s = script_new();
    uint32_t gap = (uint32_t)uvm_arrives(cfg, 3 * uvm_cycles(cfg, cfg->uvm.fault_ns), ROOM);

    cfg->l1tlb.mshrs = cfg->l2tlb.mshrs = cfg->l2tlb.queue = UNITS;
    cfg->walk.buffer = 0;
    script_buffer(s, SCRIPT_BASE, UNITS * uvm_unit(cfg));
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = WARPS * cfg->sm.lanes});
    for (uint32_t w = 0; w < WARPS; w++) {
        for (uint32_t l = 0; l < ROOM; l++)
            addr[l] = SCRIPT_BASE + (w * ROOM + l) * uvm_unit(cfg);
        script_add_list(s, 0, 0, w, op_after(w * gap, op_lanes(MH_OP_LOAD, 4, (1ull << ROOM) - 1, 0, 0)), addr);
    }
    return gpu_of(cfg, s);
}

/* A fault on the last unit; while the handler has it, one on each unit of list[]: the second batch. */
static struct mh_gpu *one_then_batch(struct mh_config *cfg, const uint32_t *list, uint32_t count)
{
    uint64_t addr[MH_MAX_LANES] = {0};
    struct script *s = script_new();

    cfg->l1tlb.mshrs = cfg->l2tlb.mshrs = cfg->l2tlb.queue = UNITS;
    cfg->walk.buffer = 0;
    for (uint32_t i = 0; i < count; i++)
        addr[i] = SCRIPT_BASE + list[i] * uvm_unit(cfg);
    script_buffer(s, SCRIPT_BASE, UNITS * uvm_unit(cfg));
    script_launch(s, (struct mh_launch){.ctas = 1, .threads = cfg->sm.lanes});
    script_add(s, 0, 0, 0, op_load(SCRIPT_BASE + (UNITS - 1) * uvm_unit(cfg)));
    script_add_list(s, 0, 0, 0, op_after(3000, op_lanes(MH_OP_LOAD, 4, (1ull << count) - 1, 0, 0)), addr);
    return gpu_of(cfg, s);
}

static uint64_t handler(const struct mh_config *cfg, uint32_t faults_of_batch, uint32_t blocks)
{
    return uvm_cycles(cfg, cfg->uvm.fault_ns + (uint64_t)faults_of_batch * cfg->uvm.fault_each_ns +
                               (uint64_t)blocks * cfg->uvm.block_ns);
}

/* Units 0, 4 .. 40 lie in two blocks, or each in one of its own. The queue is empty when the handler has the batch. */
static void batches(struct mh_config cfg)
{
    enum { FAULTS = 11 };
    uint32_t list[FAULTS], blocks = uvm_unit(&cfg) == 2 << 20 ? FAULTS : 2;

    for (uint32_t i = 0; i < FAULTS; i++)
        list[i] = 4 * i;
    cfg.uvm.fault_each_ns = 1234;
    cfg.uvm.block_ns = 5678;
    LOCAL_GPU(g) = one_then_batch(&cfg, list, FAULTS);
    uint64_t first = script_until(g, &g->tenant[0].count.uvm_faults, 1) + handler(&cfg, 1, 1);

    mh_gpu_advance(g, first + 1);
    while (g->uvm->queued[0])
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    table_exact(handler(&cfg, FAULTS, blocks), mh_gpu_now(g) - first,
                "batch of %u faults in %u blocks: constant + faults + blocks", FAULTS, blocks);
}

/* Units that come for the faults in `set` of the units [first, first + span), as bits: all of them if more than 51 %
 * have one, else what comes for each half. From the root down, where the model goes up from each fault. */
static uint32_t brought(uint32_t set, uint32_t first, uint32_t span)
{
    uint32_t mask = (uint32_t)(((1ull << span) - 1) << first);

    if (100 * (uint32_t)__builtin_popcount(set & mask) > 51 * span)
        return mask;
    return span == 1 ? 0 : brought(set, first, span / 2) | brought(set, first + span / 2, span / 2);
}

/* Random sets of faults of one block, in one batch. */
static void prefetches(struct mh_config cfg)
{
    uint64_t rng = 51, expected = 0, measured = 0;

    cfg.uvm.prefetch = MH_PREFETCH_DRIVER;
    for (uint32_t run = 0; run < 8; run++) {
        uint32_t list[32], n = 0, set = 0;

        for (uint32_t unit = 0; unit < 32; unit++)
            if (random_next(&rng) % 8 <= run % 5 && n < 24)
                list[n++] = unit, set |= 1u << unit;
        LOCAL_GPU(g) = one_then_batch(&cfg, list, n);
        script_until(g, &g->tenant[0].count.completions, 1);
        expected += (uint32_t)__builtin_popcount(brought(set, 0, 32) & ~set);
        measured += g->tenant[0].count.uvm_prefetches;
    }
    table_exact(expected, measured, "driver's prefetch: units for 8 random sets of faults in a block of 2 MB");
}

static double rate(struct mh_gpu *g, const uint64_t *counter, uint64_t first, uint64_t last)
{
    uint64_t start = script_until(g, counter, first), end = script_until(g, counter, last);

    return (double)(last - first) / (double)(end - start);
}

/* Units that follow each other. Those that come while others leave are slow, so that DRAM is not what limits. */
static void links(struct mh_config cfg)
{
    uint64_t unit = uvm_unit(&cfg);
    struct mh_gpu *g = two_bursts(&cfg);

    table_within((double)cfg.uvm.in_rate / (double)cfg.clock.gpu_hz,
                 rate(g, &g->tenant[0].count.uvm_in_bytes, 2 * unit, ROOM * unit), 0.1,
                 "bytes a cycle from the host: in_rate / gpu_hz");
    mh_gpu_destroy(g);
    cfg.uvm.in_rate /= 8;
    cfg.uvm.evict_amount = MH_EVICT_MOST; /* one at a time they leave gaps on the link */
    g = two_bursts(&cfg);
    table_within((double)cfg.uvm.out_rate / (double)cfg.clock.gpu_hz,
                 rate(g, &g->tenant[0].count.uvm_out_bytes, unit, 20 * unit), 0.1,
                 "bytes a cycle to the host: out_rate / gpu_hz");
    mh_gpu_destroy(g);
}

/* Units that somebody is parked with. */
static uint32_t parked(const struct mh_uvm *m)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->units; i++)
        n += m->unit[i].head != MH_NONE;
    return n;
}

/* Looked at in every cycle, from the first fault to the last answer: units x cycles are what the counter adds up. */
static void little(struct mh_config cfg)
{
    uint64_t sum = 0, faults = 0, seen = 0;
    uint32_t before = 0;

    cfg.uvm.batch = 3;
    cfg.uvm.buffer = 2;
    LOCAL_GPU(g) = two_bursts(&cfg);
    const struct mh_counters *c = &g->tenant[0].count;

    while (!c->completions) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        uint32_t now = parked(g->uvm);

        sum += now;
        seen += now > before ? now - before : 0;
        before = now;
    }
    faults = c->uvm_faults;
    double cycles = (double)mh_gpu_now(g);
    table_exact(sum, c->uvm_fault_cycles,
                "faults: %.4f parked x %.0f cycles = %llu faults x %.0f cycles (both counted)", (double)sum / cycles,
                cycles, (unsigned long long)faults, (double)c->uvm_fault_cycles / (double)faults);
    table_at_least((double)seen, (double)faults, "faults that were counted: units that were seen to be parked");
    table_exact(c->uvm_in_bytes - c->uvm_out_bytes,
                (uint64_t)g->uvm->here * uvm_unit(&cfg) +
                    (c->uvm_evictions - c->uvm_out_bytes / uvm_unit(&cfg)) * uvm_unit(&cfg),
                "bytes that came and did not leave: units in memory");
}

int main(int argc, char **argv)
{
    static const uint32_t pages[] = {4 << 10, 64 << 10, 2 << 20};

    table_open(argc, argv);
    for (const char *const *name = mh_preset_names(); *name; name++)
        for (uint32_t p = 0; p < 3; p++) {
            table_layer("%s uvm, %u KiB", *name, pages[p] >> 10);
            faults(with_paging(*name, pages[p], 1));
            batches(with_paging(*name, pages[p], UNITS));
            if (pages[p] > 65536)
                continue;
            prefetches(with_paging(*name, pages[p], UNITS));
            links(with_paging(*name, pages[p], ROOM));
            little(with_paging(*name, pages[p], ROOM));
        }
    return table_close();
}
