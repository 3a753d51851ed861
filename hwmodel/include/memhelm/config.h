/*
 * The one resolved configuration of a run: everything that determines its result, but for the firmware image.
 *
 * Plain data: no pointers, so it may be copied, compared and hashed field by field. `mh_config_load()` and friends
 * (memhelm/config_file.h) read it from YAML; presets are YAML files with a source for every value.
 */
#ifndef MEMHELM_CONFIG_H
#define MEMHELM_CONFIG_H

#include <stdint.h>

enum {
    MH_MAX_TENANTS = 8,
    MH_MAX_SMS = 128,
    MH_SM_WORDS = MH_MAX_SMS / 32, /**< of a mask of SMs */
    MH_MAX_WARPS = 64,             /**< resident warps per SM: one bit each in a 64-bit ready mask */
    MH_MAX_LANES = 64,
    MH_MAX_CHANNELS = 32,
    MH_MAX_DRAM_BANKS = 32,
    MH_MAX_L2_BANKS = 64,
    MH_MAX_WALKER_QUEUES = 128, /**< walkers that can have a queue of their own */
    MH_LINE_BYTES = 128,        /**< default request of a DRAM channel, and the line of workload statistics */
    MH_SECTOR_SHIFT = 5,        /**< sectors of 32 bytes: what the coalescer tells apart */
    MH_MAX_SECTORS = 4,         /**< of a line */
    MH_NAME_MAX = 64,
    MH_PATH_MAX = 512,
};

/** Clocks. The GPU core cycle is the time base of the whole model. */
struct mh_clock_cfg {
    uint64_t gpu_hz;  /**< GPU core clock, Hz: the time base */
    uint64_t noc_hz;  /**< crossbar and L2 clock, Hz; 0 = gpu_hz */
    uint64_t dram_hz; /**< DRAM command clock, Hz */
};

/** The management core and its coupling to the GPU. */
struct mh_mcu_cfg {
    uint64_t hz;            /**< core clock, Hz; 0 = infinitely fast: GPU time stands still unless the core sleeps */
    uint32_t bus_latency;   /**< core cycles that one access to the GPU window stalls the core, 0..100000 */
    uint32_t quantum;       /**< instructions between two catch-ups of the model while the core is awake, 1..64 */
    char core[MH_PATH_MAX]; /**< whose instruction times: a name, or a path; ipc1: one cycle each */
    uint32_t watchdog;      /**< thousandths of an epoch without a COMMIT after which the watchdog bites; 0 = never */
    char on_fault[8];       /**< stop: a fault or a bite ends the run; recover: safe knobs, and the core boots again */
};

/** SM front end. Resources are per SM. */
struct mh_sm_cfg {
    char scheduler[16];      /**< warp scheduler: gto, lrr or two-level */
    uint32_t group;          /**< warps of a fetch group of the two-level scheduler */
    uint32_t schedulers;     /**< issue ports; warp slot w belongs to scheduler w % schedulers, 1..4 */
    uint32_t issue_cycles;   /**< cycles that a warp instruction holds its port: lanes / SIMD width */
    uint32_t count;          /**< SMs, 1..MH_MAX_SMS */
    uint32_t share;          /**< 1: tenants may run on the same SMs; without ranges of their own all run on all */
    uint32_t lanes;          /**< threads per warp, 32 or 64 */
    uint32_t warps;          /**< resident warps, 1..MH_MAX_WARPS */
    uint32_t cta_slots;      /**< resident CTAs */
    uint32_t registers;      /**< 32-bit registers */
    uint32_t shared_bytes;   /**< shared memory, bytes */
    uint32_t loads_per_warp; /**< load instructions a warp may have outstanding, 1..8 */
    uint32_t lsu_queue;      /**< warp memory instructions waiting in the LSU */
    uint32_t pending;        /**< line transactions outstanding (waiting for a translation or for data) */
};

struct mh_l1d_cfg {
    uint32_t bytes, ways;  /**< geometry; lines of memory.line_bytes */
    uint32_t latency;      /**< cycles from look-up to data */
    uint32_t mshrs;        /**< lines outstanding */
    uint32_t miss_queue;   /**< requests waiting for the crossbar */
    uint32_t sector_bytes; /**< fetched at a miss: 32, 64, 128; 0 = line */
    uint32_t store_buffer; /**< stores sent and not acknowledged; 0 = posted: no acknowledgement */
};

struct mh_l1tlb_cfg {
    uint32_t entries; /**< fully associative, LRU */
    uint32_t latency; /**< cycles */
    uint32_t mshrs;   /**< pages outstanding */
    uint32_t ideal;   /**< 1: every access hits (MASK's `Ideal`; no translation) */
};

/** Two crossbars, SM+walker -> L2 bank and back. */
struct mh_noc_cfg {
    uint32_t flit_bytes;   /**< payload bytes per flit; a packet is 1 header flit + its payload */
    uint32_t latency;      /**< cycles of an empty crossbar, head flit in to head flit out */
    uint32_t bank_queue;   /**< packets an L2 bank accepts before it pushes back (credits) */
    uint32_t walker_ports; /**< ports of the page walkers into the crossbar; walk w uses port w modulo this */
    uint32_t tlb_latency;  /**< cycles from an SM to the L2 TLB, and back */
};

struct mh_l2_cfg {
    uint32_t bytes, ways, banks;
    uint32_t ports;     /**< look-ups a bank starts per cycle */
    uint32_t latency;   /**< cycles from start of look-up to data */
    uint32_t mshrs;     /**< lines outstanding, per bank */
    uint32_t partition; /**< 1: ways split equally between the tenants (MASK's `Static`) */
    uint32_t sample;    /**< 1 in so many sets is never bypassed (MASK) */
};

struct mh_l2tlb_cfg {
    uint32_t entries, ways;  /**< 0 entries = no L2 TLB */
    uint32_t ports;          /**< look-ups started per cycle */
    uint32_t latency;        /**< cycles */
    uint32_t mshrs;          /**< pages outstanding */
    uint32_t queue;          /**< requests accepted before it pushes back (credits) */
    uint32_t bypass_entries; /**< bypass cache (MASK), fully associative, LRU; 0 = none */
    uint32_t private;        /**< 1: each tenant has a full copy, MSHRs and queue included (S-TLB) */
};

struct mh_walk_cfg {
    uint32_t walkers;   /**< concurrent page walks; 0 = unlimited (written so): mh_config_walkers() */
    uint32_t buffer;    /**< walks waiting for a walker; 0 = l2tlb.mshrs */
    uint32_t levels;    /**< levels of the radix table: 4 for pages of 4 and 64 KiB, 3 for 2 MiB */
    uint32_t pwc_bytes; /**< page walk cache, 8 bytes an entry; 0 = none */
    uint32_t pwc_ways;
    uint32_t pwc_latency;   /**< cycles of one look-up */
    uint32_t uncached;      /**< 1: walks read from DRAM, past the L2 */
    uint32_t scan_latency;  /**< cycles of a search in the walk buffer, when the order of walks needs one */
    uint32_t fifo;          /**< walk arrivals that wait for firmware, when it gives the scores */
    uint32_t table_latency; /**< cycles of a walk's way into a queue of one walker, and of its way out (DWS's tables) */
    uint32_t private;       /**< 1: each tenant has a full copy of walkers, buffer and PWC (S-(TLB+PTW)) */
};

/** The IOMMU between the L2 TLB and the walkers (walk-scheduling paper, table I): two TLBs in front of the walk buffer.
 */
struct mh_iommu_cfg {
    uint32_t latency;    /**< GPU cycles between the L2 TLB and the IOMMU, each way */
    uint32_t l1_entries; /**< fully associative, LRU; 0 = no IOMMU */
    uint32_t l1_latency; /**< cycles */
    uint32_t l2_entries; /**< 0 = none */
    uint32_t l2_ways, l2_latency;
};

/** dram.mapping where a configuration says none. */
#define MH_DRAM_MAPPING "row rank bank group column"

/** One DRAM channel; timings in DRAM command-clock cycles. */
struct mh_dram_cfg {
    uint32_t channels, banks;
    uint32_t partition;             /**< 1: channels split equally between the tenants (MASK's `Static`) */
    uint32_t row_bytes;             /**< row (page) of one bank */
    uint32_t bus_bytes;             /**< data bus of one channel */
    uint32_t burst;                 /**< beats per column command */
    uint32_t data_rate;             /**< beats per command clock: 4 for GDDR5, 2 for DDR3 */
    uint32_t queue;                 /**< requests waiting in one channel */
    uint32_t golden;                /**< places of the golden queue, when queues are apart; 0 = they cannot be */
    uint32_t silver, normal;        /**< of the silver and of the normal queue then, in place of `queue` */
    uint32_t write_high, write_low; /**< write drain starts at / stops at this many waiting writes */
    uint32_t cl, cwl, rcd, rp, ras, rc, rrd, faw, wr, wtr, rtp, ccd, rtrs; /**< rtrs: bus turn-around gap */
    uint32_t refi, rfc; /**< refresh interval and duration; refi 0 = no refresh */
    /* What is 0 or empty below means a channel without it. */
    uint32_t ranks;               /**< per channel; `banks` are those of one. 0 = 1 */
    uint32_t groups;              /**< bank groups of a rank. 0 = 1 */
    uint32_t ccd_l, rrd_l, wtr_l; /**< within a bank group; ccd, rrd, wtr between two. 0 = as those */
    uint32_t rfc_bank;            /**< refresh of one bank; each in turn, all in `refi`. 0 = all banks at once, `rfc` */
    uint32_t rrefd;               /**< refresh of a bank to refresh or activate of another in its rank */
    uint32_t rank_gap;            /**< idle cycles of the data bus between bursts of two ranks */
    uint32_t request_bytes;       /**< of one request; 0 = a line of the L2; without one MH_LINE_BYTES */
    char mapping[96];             /**< address bits, most significant first (dram/map.h); empty = MH_DRAM_MAPPING */
    char permute[8];              /**< "xor" or empty: banks are XORed with the low bits of the row; "none" */
    char rows[8];                 /**< "open" or empty; "closed": a row is closed when no request waits for it */
    char scheduler[8];            /**< "fr-fcfs" or empty; "mpki": among tenants, the fewest misses first */
};

struct mh_memory_cfg {
    uint64_t bytes;      /**< physical memory, a power of two, at most 16 GiB; each address space owns one eighth */
    uint32_t page_bytes; /**< 4096, 65536 or 2097152 */
    uint32_t line_bytes; /**< cache line of L1D and L2: 64 or 128 */
    uint32_t latency;    /**< GPU cycles from an L2 bank to its channel and back, beside queues and DRAM timing */
};

/** One tenant: a workload in an address space of its own, on SMs sm_first .. sm_first + sm_count - 1. */
struct mh_tenant_cfg {
    char kernel[MH_PATH_MAX];    /**< a kernel's name, with @VARIANT, or `trace:FILE` */
    uint64_t size;               /**< problem size; 0 = the kernel's default */
    uint32_t asid;               /**< address space, 1..MH_MAX_TENANTS; also selects data and page placement */
    uint32_t sm_first, sm_count; /**< sm_count 0 in a file = an equal share, filled in when it is resolved */
    uint64_t arrive;             /**< GPU cycle at which it comes; 0 = there from the start */
    uint64_t leave;              /**< GPU cycle at which it is taken away, however far it is; 0 = never */
};

struct mh_run_cfg {
    uint64_t cycles;      /**< GPU cycles; statistics are latched there */
    uint32_t completions; /**< the run ends earlier when each tenant has finished this often; 0 = it does not */
    uint64_t seed;
    uint64_t epoch;         /**< GPU cycles of a policy epoch, offered to the firmware in CAP_EPOCH */
    uint64_t status_every;  /**< GPU cycles between HOST_STATUS events (firmware prints a line); 0 = never */
    uint32_t log_registers; /**< 1: the ordered register-access log is written */
    uint32_t log_epochs;    /**< 1: a row per epoch and tenant is written */
    uint32_t log_dram;      /**< 1: the requests that enter DRAM channel log_dram_channel are written */
    uint32_t log_dram_channel;
};

struct mh_config {
    char preset[MH_NAME_MAX], design[MH_NAME_MAX];
    struct mh_clock_cfg clock;
    struct mh_mcu_cfg mcu;
    struct mh_sm_cfg sm;
    struct mh_l1d_cfg l1d;
    struct mh_l1tlb_cfg l1tlb;
    struct mh_noc_cfg noc;
    struct mh_l2_cfg l2;
    struct mh_l2tlb_cfg l2tlb;
    struct mh_walk_cfg walk;
    struct mh_iommu_cfg iommu;
    struct mh_dram_cfg dram;
    struct mh_memory_cfg memory;
    struct mh_run_cfg run;
    struct mh_tenant_cfg tenants[MH_MAX_TENANTS];
    uint32_t tenants_count; /**< 1..MH_MAX_TENANTS */
};

/** Walks that may run at once: a walk has an MSHR of the L2 TLB, so as many walkers as those are enough for all. */
static inline uint32_t mh_config_walkers(const struct mh_config *cfg)
{
    return cfg->walk.walkers ? cfg->walk.walkers : cfg->l2tlb.mshrs;
}

/** Part `i` of `total` that is split equally into `parts`: those that are left over go to the first, one each. */
static inline uint32_t mh_config_part(uint32_t total, uint32_t parts, uint32_t i)
{
    return total / parts + (i < total % parts);
}

#endif
