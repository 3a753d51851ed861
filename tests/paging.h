/* Demand paging in tests: units of 64 KB, which are 16 pages of 4 KB, and chains of loads over them. */
#ifndef TESTS_PAGING_H
#define TESTS_PAGING_H

#include <stdio.h>
#include <string.h>

#include "set_word.h"
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

#endif
