/*
 * The one resolved configuration of a run: everything that determines its result, but for the firmware image. Each
 * value's type, range, unit and meaning stand in its row of config.def.
 *
 * Plain data: no pointers, so it may be copied, compared and hashed field by field. `mh_config_load()` and friends
 * (memhelm/config_file.h) read it from YAML; presets are YAML files with a source for every value.
 */
#ifndef MEMHELM_CONFIG_H
#define MEMHELM_CONFIG_H

#include <stdint.h>

#include "memhelm/config_words.h"

enum {
    MH_MAX_TENANTS = 8,
    MH_MAX_SMS = 256,
    MH_STEERED_SMS = 128,              /**< most SMs of a GPU that has registers per SM; one with more has none */
    MH_SM_WORDS = MH_STEERED_SMS / 32, /**< of a mask of SMs in registers */
    MH_MAX_WARPS = 64,                 /**< resident warps per SM: one bit each in a 64-bit ready mask */
    MH_MAX_LANES = 64,
    MH_MAX_CHANNELS = 256,
    MH_MAX_DRAM_BANKS = 64,  /**< of a channel, all ranks together: one bit each in a 64-bit mask */
    MH_MAX_DRAM_RANKS = 8,   /**< of a channel; stack IDs of HBM3 are ranks */
    MH_MAX_DRAM_GROUPS = 32, /**< bank groups of a channel, all ranks together */
    MH_MAX_L2_BANKS = 256,
    MH_MAX_WALKER_QUEUES = 128, /**< walkers that can have a queue of their own */
    MH_LINE_BYTES = 128,        /**< default request of a DRAM channel, and the line of workload statistics */
    MH_SECTOR_SHIFT = 5,        /**< sectors of 32 bytes: what the coalescer tells apart */
    MH_MAX_SECTORS = 4,         /**< of a line */
    MH_ALL_SECTORS = (1 << MH_MAX_SECTORS) - 1, /**< their mask */
    MH_NAME_MAX = 64,
    MH_HINTS_MAX = 128,
    MH_PATH_MAX = 512,
};

/** struct mh_clock_cfg and so on, one for each section of config.def, whose rows are their members. */
#define MH_SECTION(section, ...)                                                                                       \
    struct mh_##section##_cfg {                                                                                        \
        __VA_ARGS__                                                                                                    \
    };
#define MH_FIELD(section, member, type, ...) __typeof__(type) member;
#define MH_WORD(section, member, type, ...)  type member;
#include "memhelm/config.def"

/** One tenant: a workload in an address space of its own, on SMs sm_first .. sm_first + sm_count - 1. */
struct mh_tenant_cfg {
#define MH_TENANT_FIELD(member, type, ...) __typeof__(type) member;
#include "memhelm/config.def"
};

/** `preset` and `design`, a member for each section, and the tenants. */
struct mh_config {
#define MH_TOP_FIELD(member, type, ...) __typeof__(type) member;
#define MH_SECTION(section, ...)        struct mh_##section##_cfg section;
#include "memhelm/config.def"
    struct mh_tenant_cfg tenants[MH_MAX_TENANTS];
    uint32_t tenants_count; /**< 1..MH_MAX_TENANTS */
};

/** dram.mapping where a configuration says none. */
#define MH_DRAM_MAPPING "row rank bank group column"

/** Walks that may run at once: a walk has an MSHR of the L2 TLB, so as many walkers as those are enough for all. */
static inline uint32_t mh_config_walkers(const struct mh_config *cfg)
{
    return cfg->walk.walkers ? cfg->walk.walkers : cfg->l2tlb.mshrs;
}

/** Sets of walkers: one, or one for each tenant. */
static inline uint32_t mh_config_walk_sets(const struct mh_config *cfg)
{
    return cfg->walk.private ? cfg->tenants_count : 1;
}

/**
 * Requests that an L2 bank accepts before it pushes back: noc.bank_queue, and what the pipeline in front of it holds (a
 * request per NoC cycle of l2.queue_latency and port).
 */
static inline uint32_t mh_config_bank_places(const struct mh_config *cfg)
{
    uint64_t gpu = cfg->clock.gpu_hz, noc = cfg->clock.noc_hz ? cfg->clock.noc_hz : gpu;

    return cfg->noc.bank_queue + cfg->l2.ports * (uint32_t)((cfg->l2.queue_latency * noc + gpu - 1) / gpu);
}

/** Part `i` of `total` that is split equally into `parts`: those that are left over go to the first, one each. */
static inline uint32_t mh_config_part(uint32_t total, uint32_t parts, uint32_t i)
{
    return total / parts + (i < total % parts);
}

#endif
