/*
 * Demand paging in tests: units of 64 KB, which are 16 pages of 4 KB, and chains of loads over them. Closed forms take
 * cycles from the configuration's parameters alone; bytes over a link are counted in 128 bits, as a link whose rate is
 * no multiple of the clock must not drift.
 */
#ifndef TESTS_UVM_FIXTURE_H
#define TESTS_UVM_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "idle_read.h"
#include "script.h"
#include "uvm/uvm.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/** script_config() with GPU memory for `units` units. */
static inline struct mh_config paging_config(uint32_t sms, uint32_t tenants, uint32_t units)
{
    struct mh_config cfg = script_config(sms, tenants);

    set_word(&cfg, "uvm.mode", "on");
    snprintf(cfg.uvm.capacity, sizeof cfg.uvm.capacity, "%u", units * MH_UVM_UNIT_BYTES);
    return cfg;
}

static inline uint64_t in_unit(uint32_t unit, uint64_t offset)
{
    return SCRIPT_BASE + (uint64_t)unit * MH_UVM_UNIT_BYTES + offset;
}

/** A warp with a buffer of `units` units that does nothing yet. */
static inline struct script *paging_script(uint32_t units)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, (uint64_t)units * MH_UVM_UNIT_BYTES);
    script_warps(s, 1);
    return s;
}

/** Adds a load of each unit of list[], each of which waits for the one before. */
static inline void paging_loads(struct script *s, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(in_unit(list[i], 0))));
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
}

/** The GPU of one tenant, with such a chain. */
static inline struct mh_gpu *paging_chain(const struct mh_config *cfg, uint32_t units, const uint32_t *list,
                                          uint32_t count)
{
    struct script *s = paging_script(units);
    paging_loads(s, list, count);
    return script_gpu(cfg, &s);
}

/** Until every tenant has finished. */
static inline void paging_run(struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        script_until(g, &g->tenant[t].count.completions, 1);
    mh_gpu_check(g);
}

/** Units of tenants stand in the order of their addresses, tenant by tenant. */
static inline uint8_t unit_state(const struct mh_gpu *g, uint32_t unit)
{
    return g->uvm->unit[unit].state;
}

/** Demand paging of everything, with this much GPU memory ("unlimited", bytes, "50%"). Nothing comes by itself. */
static inline void uvm_on(struct mh_config *cfg, const char *capacity)
{
    cfg->uvm.mode = MH_UVM_ON;
    cfg->uvm.prefetch = MH_PREFETCH_NONE;
    strcpy(cfg->uvm.capacity, capacity);
}

/** Demand paging with GPU memory for so many units. */
static inline void uvm_units(struct mh_config *cfg, uint32_t units)
{
    uint32_t unit = cfg->memory.page_bytes > 65536 ? cfg->memory.page_bytes : 65536;

    cfg->uvm.mode = MH_UVM_ON;
    cfg->uvm.prefetch = MH_PREFETCH_NONE;
    snprintf(cfg->uvm.capacity, sizeof cfg->uvm.capacity, "%llu", (unsigned long long)units * unit);
}

/** Bytes that migrate at a time: 64 KB, or a page that is larger. */
static inline uint64_t uvm_unit(const struct mh_config *cfg)
{
    return cfg->memory.page_bytes > 65536 ? cfg->memory.page_bytes : 65536;
}

/** First cycle of the GPU at which so many ns have passed. */
static inline uint64_t uvm_cycles(const struct mh_config *cfg, uint64_t ns)
{
    return idle_cycle_after(ns, 1000000000, cfg->clock.gpu_hz);
}

/** First cycle by which a link can have moved so many bytes since cycle 0. */
static inline uint64_t uvm_moved(const struct mh_config *cfg, uint64_t rate, uint64_t bytes)
{
    return idle_cycle_after(bytes, rate, cfg->clock.gpu_hz);
}

/** Bytes that it can have moved by a cycle. */
static inline uint64_t uvm_bytes_by(const struct mh_config *cfg, uint64_t rate, uint64_t cycle)
{
    return (uint64_t)((mh_u128)cycle * rate / cfg->clock.gpu_hz);
}

/** Unit number `n` (from 1 on) of those that follow each other over the link from cycle `at` on: when it is there. */
static inline uint64_t uvm_arrives(const struct mh_config *cfg, uint64_t at, uint64_t n)
{
    uint64_t bytes = uvm_bytes_by(cfg, cfg->uvm.in_rate, at) + n * uvm_unit(cfg);

    return uvm_moved(cfg, cfg->uvm.in_rate, bytes) + uvm_cycles(cfg, cfg->uvm.link_ns);
}

/** Unit number `n` of those that leave: when its frames are free. The unit is then on the link, not at its end. */
static inline uint64_t uvm_leaves(const struct mh_config *cfg, uint64_t at, uint64_t n)
{
    return uvm_moved(cfg, cfg->uvm.out_rate, uvm_bytes_by(cfg, cfg->uvm.out_rate, at) + n * uvm_unit(cfg));
}

/** A walk of an idle GPU that finds nothing in any TLB, from the issue of its load to the leaf entry: `found` says
 * where each entry is. */
static inline uint64_t uvm_walked(const struct mh_config *cfg, uint64_t issued, enum idle_found found)
{
    struct dram_sums sums = idle_dram_sums(cfg);
    uint64_t at = issued + 1 + cfg->l1tlb.latency + cfg->noc.tlb_latency + cfg->l2tlb.latency;

    at += cfg->walk.pwc_bytes ? cfg->walk.pwc_latency : 0;
    for (uint32_t depth = 1; depth <= cfg->walk.levels; depth++)
        at = found == IDLE_L2 ? idle_l2_hit(cfg, at, 8) : idle_dram_read(cfg, &sums, found, at, 8);
    return at;
}

/** From the arrival of its unit to the data of a load that was parked with it, in a row that the migration left open.
 */
static inline uint64_t uvm_loaded(const struct mh_config *cfg, uint64_t there)
{
    struct dram_sums sums = idle_dram_sums(cfg);
    uint64_t at = there + cfg->noc.tlb_latency;

    return idle_dram_read(cfg, &sums, IDLE_ROW_OPEN, at, cfg->memory.line_bytes) + cfg->l1tlb.latency +
           cfg->l1d.latency;
}

#endif
