/*
 * The register window: decode and range checks from the register table, snapshot, shadow + COMMIT, interval timers,
 * interrupts, event FIFO, epoch rows.
 */
#ifndef MEMHELM_CONTROL_H
#define MEMHELM_CONTROL_H

#include "memhelm/hwmodel.h"

struct mh_control;

/** What the capability registers and the ranges of the table are computed from: CAP(x) is .x here. */
struct mh_caps {
    uint32_t sms, tenants, warps, lanes, cta_slots, sm_registers, sm_shared, walkers, levels, l2tlb_entries,
        bypass_entries, channels, l1d_ways, dram_banks;
    uint32_t walk_queue;     /**< places of the walk buffer */
    uint32_t walk_queues;    /**< 1: each walker can have a queue of its own */
    uint32_t walker_owners;  /**< walkers that have an owner then; 0 if they cannot */
    uint32_t uvm, uvm_unit;  /**< demand paging: units that memory holds, bytes of one; 0 without it */
    uint32_t rate_interval;  /**< of ISSUE_RATE, 1/256 GPU cycles; 0: there is none */
    uint32_t issue_patience; /**< ISSUE_PATIENCE at reset, intervals */
    uint32_t reply_bytes, line_bytes;
    uint32_t noc_peak, dram_peak; /**< bytes per 1024 GPU cycles */
    uint32_t features, epoch, gpu_khz, mcu_khz;
    uint32_t present;                /**< bit t: tenant t is there from the start */
    uint8_t sm_root[MH_STEERED_SMS]; /**< SM_ROOT at the start */
    /** CTA_LIMIT of each tenant at reset; 0: cta_slots. As long as a row may have copies. */
    uint8_t cta_limit[MH_STEERED_SMS];
    uint32_t alone_ipc[MH_STEERED_SMS]; /**< ALONE_IPC of each tenant. As long */
    uint32_t arrivals;                  /**< places of the FIFO of walk arrivals; no register says it */
    uint32_t fault_cycles;              /**< latency of a page fault; no register says it */
};

/** The GPU behind the window. */
struct mh_control_ops {
    void *gpu;
    /** Writes the live counters of all tenants to out[]. */
    void (*counters)(void *gpu, struct mh_counters *out);
    /** All counters were latched: gauges that count since the SNAPSHOT before start anew. */
    void (*restart)(void *gpu);
    /** New knobs take effect at this cycle. */
    void (*apply)(void *gpu, const struct mh_knobs *knobs);
    /** The status register at this offset: TENANTS, UVM_FREE, of SMs and of CTAs; L1D_HITS, when they are latched. */
    uint32_t (*status)(void *gpu, uint32_t offset);
    /** A value in range for SM_ROOT, TLB_FLUSH or PTE_CHANGED. False: refused, and counted as dropped. */
    bool (*command)(void *gpu, uint32_t offset, uint32_t value);
    /** WALK_SCORE: true if a walk of the instruction waits, whose score it then is. */
    bool (*score)(void *gpu, uint32_t instruction, uint32_t score);
};

/** Both are copied. NULL when memory is short. Knobs start at their reset values; ops->apply is not called for them. */
struct mh_control *mh_control_create(const struct mh_caps *caps, const struct mh_control_ops *ops);
void mh_control_destroy(struct mh_control *c);
void mh_control_observe(struct mh_control *c, const struct mh_observer *obs);

/** Cycle of the next timer expiry; UINT64_MAX when no timer runs. */
uint64_t mh_control_next(const struct mh_control *c);

/**
 * Lets the timers that are due at cycle `now` expire. Called at exactly mh_control_next(), before an access at the
 * same cycle.
 */
void mh_control_tick(struct mh_control *c, uint64_t now);

/**
 * Queues an event (enum mh_event_kind) at cycle `now` and raises its interrupt bit; counts it as lost when the FIFO is
 * full. Only MH_EVENT_HOST_STOP has one entry more, of its own, so that a run can end after an overflow. An
 * acknowledged bit is not raised again by events that still wait: firmware acknowledges, then pops until it gets kind
 * 0.
 */
void mh_control_event(struct mh_control *c, uint64_t now, uint32_t kind, uint32_t tenant, uint32_t argument);

/** Queues a walk arrival (the word that WALK_ARRIVAL gives) as an event is queued, but in the FIFO of its own. */
void mh_control_arrival(struct mh_control *c, uint64_t now, uint32_t word);

/**
 * A page fault of the tenant was raised, or `come`: its unit has come. If knob FAULT_EVENTS wants it, it is queued as
 * an event is, but in the FIFO of its own. `sm`: of the first request.
 */
void mh_control_page_fault(struct mh_control *c, uint64_t now, bool come, uint32_t tenant, uint32_t sm);

/** Latches that the eviction of a unit of the tenant has been requested (ETC sec. 4.3), until EVICT_ARM. */
void mh_control_evicted(struct mh_control *c, uint32_t tenant);

/**
 * A walk epoch has ended at cycle `now`: latches WALK_ENQ, raises the interrupt bit and asks for an answer. The answer
 * is the first COMMIT after firmware has read one of the new WALK_ENQ; if the next epoch ends first, it is missed.
 */
void mh_control_walk_epoch(struct mh_control *c, uint64_t now, const uint32_t enq[MH_MAX_TENANTS]);

/**
 * The firmware is gone: every knob is at its reset value and in force, and other registers are as the table's
 * MH_REG_MCU_RESET rows say; what is not knobs the GPU does itself (SM roots, scores). What was asked or taken and not
 * answered is missed.
 */
void mh_control_safe(struct mh_control *c);

/**
 * Another firmware takes over, which knows nothing of the one before. Knobs stay in force; their shadows are at their
 * reset values, so that the next COMMIT takes back what it does not set. Counters read as from 0. All else is as after
 * mh_control_safe().
 */
void mh_control_swap(struct mh_control *c);

bool mh_control_irq(const struct mh_control *c);

/** Takes from `c` what `before` has counted, but for gauges. */
void mh_counters_leave_out(struct mh_counters *c, const struct mh_counters *before);

/** In force now; knobs of tenants that are not there are 0. */
const struct mh_knobs *mh_control_knobs(const struct mh_control *c);
const struct mh_control_stats *mh_control_stats(const struct mh_control *c);

/** As mh_gpu_refused(). */
bool mh_control_refused(const struct mh_control *c, char *text, size_t size);

/** mh_gpu_describe(). */
void mh_control_describe(const struct mh_control *c, uint32_t offset, char *text, size_t size);

/** As mh_gpu_read/write/peek, at cycle `now`. A write that is dropped (BAD_WRITES) is still MH_ACCESS_OK. */
enum mh_access mh_control_read(struct mh_control *c, uint64_t now, uint32_t offset, uint32_t size, uint32_t *value);
enum mh_access mh_control_write(struct mh_control *c, uint64_t now, uint32_t offset, uint32_t size, uint32_t value);
enum mh_access mh_control_peek(const struct mh_control *c, uint32_t offset, uint32_t size, uint32_t *value);

#endif
