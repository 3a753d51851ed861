/*
 * Demand paging by hand: cycles from the configuration's parameters alone. What a byte needs is counted in 128 bits, as
 * a link whose rate is no multiple of the clock must not drift. script.h comes first.
 */
#ifndef TESTS_UVM_SUMS_H
#define TESTS_UVM_SUMS_H

#include <string.h>

#include "idle_read.h"
#include "script.h"

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
