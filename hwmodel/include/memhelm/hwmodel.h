/*
 * The public header of the model: a GPU memory system behind a register window.
 *
 * Create it from a configuration, advance it to a cycle, read and write registers, take the statistics, destroy it.
 * Everything is single-threaded and deterministic: the same configuration and the same register accesses at the same
 * cycles give the same results. Nothing here knows QEMU, firmware or the command line.
 */
#ifndef MEMHELM_HWMODEL_H
#define MEMHELM_HWMODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"
#include "memhelm/registers.h"

struct mh_gpu;
struct mh_workload;

/** Counters of one tenant since cycle 0; the fields are the MH_TENANT_COUNTER rows of the register table, in order. */
struct mh_counters {
#define MH_TENANT_COUNTER(name, field, unit, doc) uint64_t field;
#include "memhelm/registers.def"
};

/** Knobs in force: a member for each MH_KNOB row of the register table, which says what it means; words alone. */
struct mh_knobs {
#define MH_KNOB_WORDS_TENANT [MH_MAX_TENANTS]
#define MH_KNOB_WORDS_GPU
#define MH_KNOB_WORDS_SM_MASK            [MH_SM_WORDS] /* bit s % 32 of word s / 32: SM s */
#define MH_KNOB_WORDS_WALKER             [MH_MAX_WALKER_QUEUES]
#define MH_KNOB_WORDS_TENANT_SM          [MH_MAX_TENANTS][MH_STEERED_SMS]
#define MH_KNOB(name, field, shape, ...) uint32_t field MH_KNOB_WORDS_##shape;
#include "memhelm/registers.def"
};

/**
 * An event source of the register table (MH_SOURCE): how often it asked, how often firmware answered in time and how
 * often not. raised = answered + missed + those that are still open. Latencies, of those that were answered, in GPU
 * cycles.
 */
struct mh_source_stats {
    uint64_t raised, answered, missed;
    uint64_t latency_sum, latency_max;
};

/** What the register window saw, and how late decisions came. Times in GPU cycles; those of timer epochs and of walk
 * epochs apart. */
struct mh_control_stats {
    uint32_t snapshots, commits, rejects, last_reject; /**< last_reject: offset of the register, 0 = none */
    uint32_t bad_accesses, bad_writes, events_lost;
    uint32_t arrivals_lost, scores_late;
    uint32_t page_faults_lost;
    uint64_t epochs;                                  /**< expiries of timer 0 */
    uint64_t missed;                                  /**< expiries with no answer before the next one */
    uint64_t latency_count, latency_sum, latency_max; /**< timer 0 expiry to the COMMIT that answers it */
    uint64_t walk_epochs;                             /**< ends of walk epochs */
    uint64_t walk_missed;                             /**< of them, those with no answer before the next one */
    uint64_t walk_latency_count, walk_latency_sum, walk_latency_max; /**< end of a walk epoch to its answer */
    struct mh_source_stats source[MH_SOURCES];                       /**< by enum mh_source; epochs are there, too */
};

/** When a tenant's workload finished last, and what the tenant had done by then. */
struct mh_completed {
    uint64_t cycle;      /**< 0: it has not */
    uint64_t lane_instr; /**< thread instructions */
};

/**
 * What an SM waited for in a cycle in which it issued nothing (sm.wait_reasons), as the load that ended the wait
 * passed. EMPTY: it had no warps; all others together are SM_STALLS.
 */
enum mh_wait {
    MH_WAIT_LSU,        /**< for its turn in the load-store unit, which takes a line a cycle */
    MH_WAIT_L1,         /**< latency of L1 TLB and L1D */
    MH_WAIT_TLB,        /**< to the L2 TLB and back, its queue and look-up; with an IOMMU its TLBs, too */
    MH_WAIT_WALK_QUEUE, /**< for a walker */
    MH_WAIT_WALK,       /**< for the walk */
    MH_WAIT_FAULT,      /**< for a page that was not there */
    MH_WAIT_NOC,        /**< in miss queue and crossbar, both ways, before a bank that could not go on, and while the
                             LSU has stopped for want of a place in the miss queue */
    MH_WAIT_L2,         /**< its latency */
    MH_WAIT_DRAM_QUEUE, /**< in a channel's queue, up to the request's column command */
    MH_WAIT_DRAM,       /**< from there to the line in the L2 */
    MH_WAIT_BARRIER,
    MH_WAIT_THROTTLE,
    MH_WAIT_OTHER, /**< the scheduler's and quotas' doing, and gaps that had not ended */
    MH_WAIT_EMPTY,
    MH_WAIT_CAUSES,
    /** Of the above, while the LSU had stopped for want of an MSHR of the L1 TLB: how much its number costs. */
    MH_WAIT_OF_TLB_MSHR = MH_WAIT_CAUSES,
    MH_WAIT_OF_MSHR, /**< the same: of an MSHR of the L1D, or of a pending entry */
    MH_WAITS
};

/** Names of enum mh_wait as results have them: lsu, l1, .. */
extern const char *const mh_wait_names[MH_WAITS];

/**
 * Latched at the end of the run (cycle limit or mh_gpu_latch()), live before. With run.warmup, once that has passed,
 * `cycles` and the tenants' counters are those since then; all else is of the whole run.
 */
struct mh_stats {
    uint64_t cycles;
    uint64_t warmup; /**< GPU cycles before them: run.warmup, 0 until that has passed */
    uint32_t tenants;
    uint32_t walker_queues; /**< walkers that knobs.walker_owner describes; 0: there is no queue per walker */
    struct mh_counters tenant[MH_MAX_TENANTS];
    struct mh_knobs knobs;
    struct mh_control_stats control;
    uint64_t moved[MH_MAX_TENANTS]; /**< addresses of lanes in the tenant's recording that lie outside its buffers and
                                       were moved into them (workload.trace_lenient) */
    struct mh_completed completed[MH_MAX_TENANTS]; /**< with run.completions */
    uint64_t waits[MH_MAX_TENANTS][MH_WAITS];      /**< SM cycles; with sm.wait_reasons, else 0 */
    uint64_t events;                               /**< events the engine ran: for benchmarks, not a result */
};

/** One row of the epoch log: what a tenant did between two decisions. */
struct mh_epoch_row {
    uint64_t epoch;   /**< 0, 1, .. */
    uint64_t cycle;   /**< cycle of the timer 0 expiry that asked for the decision */
    uint64_t latency; /**< GPU cycles from there to COMMIT; UINT64_MAX: no COMMIT before the next expiry */
    uint32_t tenant;
    struct mh_counters delta;     /**< difference of the SNAPSHOT of this decision to that of the one before */
    const struct mh_knobs *knobs; /**< in force after the COMMIT */
};

enum {
    MH_SERIES_COLUMNS = 0
#define MH_SERIES(field) +1
#include "memhelm/series.def"
};

/** What a tenant did in the last run.log_series cycles: the growth of the counters of series.def, in its order. */
struct mh_series_row {
    uint64_t cycle; /**< the last of them */
    uint32_t tenant;
    uint64_t delta[MH_SERIES_COLUMNS];
};

/** The GPU at a cycle (run.log_timeline). */
struct mh_timeline_sample {
    uint64_t cycle;
    const struct mh_counters *tenant; /**< of each tenant, as a SNAPSHOT would read them */
    uint32_t channels;
    uint32_t queued[MH_MAX_CHANNELS]; /**< requests in the queues of the DRAM channel */
};

/** A page fault that is over: its unit has come. Times in GPU cycles. */
struct mh_page_fault {
    uint64_t cycle;      /**< at which the first walk ended at a page of the unit that was not there */
    uint64_t latency;    /**< from there to the arrival of the unit */
    uint64_t address;    /**< virtual, of the unit's first byte */
    uint32_t tenant, sm; /**< SM of the first request */
    uint32_t evicted;    /**< units that began to leave because of it */
    uint32_t prefetched; /**< units that the prefetcher sent for because of it */
};

/** A tenant's launch that is over: finished, or cut off by the end of the run or of the tenant. */
struct mh_launch_row {
    uint32_t tenant;
    uint64_t number;     /**< of the tenant's launches, from 0 on; a workload that starts again goes on counting */
    const char *name;    /**< of its kernel; lives as long as the GPU */
    uint64_t from, to;   /**< GPU cycles: from the end of the launch before to the end of its last CTA */
    uint64_t lane_instr; /**< thread instructions */
    bool finished;
};

/** How an access ended. */
enum mh_access {
    MH_ACCESS_OK = 0,
    MH_ACCESS_ERROR = 1, /**< undefined register or wrong size: the bus answers with an error */
};

/** Called in order, from inside the call that caused it. Any member may be NULL. */
struct mh_observer {
    void *ctx;
    void (*access)(void *ctx, uint64_t cycle, bool write, uint32_t offset, uint32_t value, enum mh_access result);
    void (*epoch)(void *ctx, const struct mh_epoch_row *row);
    void (*fault)(void *ctx, const struct mh_page_fault *fault);
    void (*series)(void *ctx, const struct mh_series_row *row);           /**< run.log_series */
    void (*timeline)(void *ctx, const struct mh_timeline_sample *sample); /**< run.log_timeline */
    void (*launch)(void *ctx, const struct mh_launch_row *row);
    /** run.log_dram: a request enters the channel. Cycles of the DRAM clock; `addr` is a byte inside the channel. */
    void (*dram_enter)(void *ctx, uint64_t cycle, uint64_t addr, bool write);
    /** run.log_dram: a request was served; `finish` = cycle after its last beat, `entered` is 0 for a write. */
    void (*dram_serve)(void *ctx, uint64_t entered, uint64_t finish, bool write, bool row_hit);
};

/**
 * Whether the tenants' buffers can fit physical memory, as far as the sizes of their problems tell: nothing is built.
 * 0, or -1 and `err`, which names the tenant that does not fit. mh_gpu_create() asks it first, and looks at every
 * workload as soon as it is made.
 */
int mh_gpu_fits(const struct mh_config *cfg, struct mh_error *err);

/**
 * Whether every tenant has an SM with room for one CTA of each tenant that is there at the same time (sm.share 1). Of
 * each resource a tenant's launch counts that takes least of it. 0, or -1 and `err` with the numbers: some might never
 * run.
 */
int mh_gpu_fits_together(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err);

/**
 * Builds the GPU of `cfg` with its tenants' workloads, at cycle 0 with every knob at reset.
 * Returns NULL and fills `err` when the configuration cannot work, a kernel is unknown or a trace is bad.
 */
struct mh_gpu *mh_gpu_create(const struct mh_config *cfg, struct mh_error *err);

/**
 * As mh_gpu_create(), from workloads made before (memhelm/kernels.h): work[t] with the same tenant t, seed, sm.lanes
 * and memory. The caller owns them, may give them to many GPUs, and keeps them while one of these exists.
 */
struct mh_gpu *mh_gpu_create_of(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err);
void mh_gpu_destroy(struct mh_gpu *gpu);

/** `obs` is copied; pass before the first access. */
void mh_gpu_observe(struct mh_gpu *gpu, const struct mh_observer *obs);

/**
 * Runs every event up to and including cycle `until`, but stops at the first cycle where the interrupt line changes,
 * and at the end of the run. Returns the cycle reached (= mh_gpu_now()). A cycle in the past does nothing.
 * A deadlock of the model (mh_gpu_deadlock()) ends the run where it is found.
 * Reaching cfg.run.cycles latches the statistics, queues MH_EVENT_HOST_STOP and freezes GPU time.
 */
uint64_t mh_gpu_advance(struct mh_gpu *gpu, uint64_t until);

uint64_t mh_gpu_now(const struct mh_gpu *gpu);

/** Level of the one interrupt line. */
bool mh_gpu_irq(const struct mh_gpu *gpu);

/** True once a COMMIT has been accepted. */
bool mh_gpu_committed(const struct mh_gpu *gpu);

/** How many epochs (expiries of timer 0) a COMMIT has answered before the next one came. */
uint64_t mh_gpu_epochs_answered(const struct mh_gpu *gpu);

/** True once the statistics are latched. */
bool mh_gpu_ended(const struct mh_gpu *gpu);

/**
 * NULL, or why the model has stopped: requests are outstanding that nothing will ever answer. One sentence with the
 * path of the oldest. Statistics are latched at the cycle at which it was found; it is a fault of the model or of its
 * configuration, and the run has no result.
 */
const char *mh_gpu_deadlock(const struct mh_gpu *gpu);

/**
 * Moves a page of a tenant (virtual address / page size) to a fresh frame, as a driver does that migrates it. Walks
 * find it there at once; TLBs have the old frame until the firmware writes PTE_CHANGED, and may use it until then. 0,
 * or -1 when the page is not mapped, the address space's share of memory is used up, or there is demand paging, which
 * migrates pages itself.
 */
int mh_gpu_remap(struct mh_gpu *gpu, uint32_t tenant, uint32_t vpn);

/**
 * The firmware is gone: from this cycle on knobs, SM roots, scores and registers are as if no policy had ever run (the
 * MH_REG_MCU_RESET rows of registers.def), and decisions that were asked for are missed. FIFOs and timer 0 go on.
 * Nothing after the end of the run.
 */
void mh_gpu_safe(struct mh_gpu *gpu);

/**
 * Another firmware takes over at this cycle, as on an mcu that boots another image while the GPU works. Knobs stay in
 * force up to its first COMMIT, which takes back those that it does not set; its counters begin at 0. All else is as
 * mh_gpu_safe() leaves it. Nothing after the end of the run.
 */
void mh_gpu_swap(struct mh_gpu *gpu);

/** Ends the run now: latches the statistics at the current cycle. A second call does nothing. */
void mh_gpu_latch(struct mh_gpu *gpu);

/**
 * One access of the mcu at the current cycle; registers are 4 bytes, aligned. On an error *value is 0.
 * `mh_gpu_peek` reads without any side effect and without being counted (debuggers).
 */
enum mh_access mh_gpu_read(struct mh_gpu *gpu, uint32_t offset, uint32_t size, uint32_t *value);
enum mh_access mh_gpu_write(struct mh_gpu *gpu, uint32_t offset, uint32_t size, uint32_t value);
enum mh_access mh_gpu_peek(const struct mh_gpu *gpu, uint32_t offset, uint32_t size, uint32_t *value);

/** Valid until the GPU is destroyed. */
const struct mh_stats *mh_gpu_stats(struct mh_gpu *gpu);

/** Thread instructions of all tenants since cycle 0, with those of the warm-up. */
uint64_t mh_gpu_lane_instr(struct mh_gpu *gpu);

/** What the last rejected COMMIT found: "knob TOKENS[1] was 65, allowed are 1..64". False: there was none. */
bool mh_gpu_refused(const struct mh_gpu *gpu, char *text, size_t size);

/** What is at an offset of the window: "register TOKENS[2], which this GPU does not have: .."; "no register". */
void mh_gpu_describe(const struct mh_gpu *gpu, uint32_t offset, char *text, size_t size);

/** Names of the counters, in the order of struct mh_counters; MH_COUNTERS entries. */
extern const char *const mh_counter_names[];

#endif
