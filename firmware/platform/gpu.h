/*
 * The GPU behind the window, as policies see it: capabilities, latched counters, knobs, events.
 *
 * A read of a 64-bit counter is two bus accesses and each may stall the mcu: a policy reads what it decides from and
 * no more, and the low word alone where a difference is all it wants. Counters are cumulative since reset; a policy
 * keeps its last value and subtracts.
 */
#ifndef FIRMWARE_GPU_H
#define FIRMWARE_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "mmio.h"

/** Tenants that policies have room for; the boot refuses a GPU with more. Not less than MH_MAX_TENANTS. */
#define GPU_MAX_TENANTS 8

/** SMs that policies have room for: the registers' most, a word of a mask for 32. */
#define GPU_MAX_SMS  128
#define GPU_SM_WORDS (GPU_MAX_SMS / 32)

/** Status of gpu_probe() and gpu_commit(). */
enum gpu_status {
    GPU_OK = 0,
    GPU_NO_WINDOW = -1,        /**< ID does not read MHEL */
    GPU_WRONG_VERSION = -2,    /**< the window has another register table than this image */
    GPU_TOO_MANY_TENANTS = -3, /**< more than GPU_MAX_TENANTS, or none */
    GPU_REJECTED = -4,         /**< COMMIT applied nothing: a shadow register was illegal */
};

/** The capability registers, read once at boot. Units as in the register table. */
struct gpu_caps {
    uint32_t sms, tenants, warps, lanes, cta_slots, walkers, levels, l2tlb, bypass, channels, features;
    uint32_t epoch;         /**< GPU cycles of a policy epoch */
    uint32_t walk_queue;    /**< entries of the walk buffer */
    uint32_t uvm, uvm_unit; /**< demand paging: units that GPU memory holds, 0 = there is none; bytes of a unit */
};

/** What a CTA of a tenant's current launch takes of an SM. */
struct gpu_cta {
    uint32_t threads;
    uint32_t registers; /**< of gpu_cap(SM_REGISTERS) */
    uint32_t shared;    /**< bytes, of gpu_cap(SM_SHARED) */
};

/** One entry of the event FIFO. */
struct gpu_event {
    uint8_t kind; /**< enum mh_event_kind */
    uint8_t tenant;
    uint16_t argument; /**< meaning depends on the kind */
};

/** Modes of an interval timer. */
enum gpu_timer_mode { GPU_TIMER_OFF = 0, GPU_TIMER_ONE_SHOT = 1, GPU_TIMER_PERIODIC = 2 };

/** One entry of the FIFO of walk arrivals. */
struct gpu_arrival {
    uint32_t instruction; /**< ID of the memory instruction, 20 bits */
    uint8_t tenant;
    uint8_t reads; /**< page table reads that the walk is estimated to need, 1..4 */
};

/** One entry of the FIFO of page faults. */
struct gpu_page_fault {
    uint8_t tenant;
    uint8_t sm;   /**< of the first request */
    bool come;    /**< its unit has come; else it was raised */
    bool evicted; /**< an eviction from the tenant had been requested since gpu_arm_eviction() */
};

/** Checks that this is a GPU the image can drive and fills `caps`. */
enum gpu_status gpu_probe(struct gpu_caps *caps);

/** A capability that struct gpu_caps has not: gpu_cap(LINE_BYTES) is CAP_LINE_BYTES. A bus access: for init. */
#define gpu_cap(NAME) reg_read(MH_REG_CAP_##NAME)

/**
 * Latches all counters at one cycle; gpu_counter() reads that snapshot. Gauges that count since the one before restart,
 * and the next COMMIT answers the epoch: it is for the end of an epoch, before on_epoch.
 */
void gpu_snapshot(void);

/**
 * Snapshot for a policy's own window, in any other hook: gauges go on, so that on_epoch finds the maximum of its
 * epoch, and the epoch stays open. gpu_counter() reads it up to the next snapshot of either kind.
 */
void gpu_snapshot_window(void);

/**
 * GPU cycle of the last snapshot. Divide by a difference of two: a window is as long as it came out. It may be 0: GPU
 * time stands still when the run has ended, and what is pending then is served all the same.
 */
static inline uint64_t gpu_snap_cycle(void)
{
    uint32_t low = reg_read(MH_REG_SNAP_CYCLE_LO);

    return (uint64_t)reg_read(MH_REG_SNAP_CYCLE_HI) << 32 | low;
}

/** Its low word: one bus access. A difference of two is exact modulo 2^32, for windows below 2^32 cycles. */
static inline uint32_t gpu_snap_cycle_low(void)
{
    return reg_read(MH_REG_SNAP_CYCLE_LO);
}

/** One counter of a tenant at the last snapshot. */
uint64_t gpu_counter(uint32_t tenant, enum mh_counter_index counter);

/**
 * Its low word: one bus access. A difference of two is exact modulo 2^32, and no counter moves by as much in an epoch;
 * gauges fit. It matters: with eight tenants an epoch of `mask` took 11 217 cycles of ibex with counts and rates of 64
 * bits, 4991 with 32.
 */
static inline uint32_t gpu_count(uint32_t tenant, enum mh_counter_index counter)
{
    return reg_read(MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * (uint32_t)counter);
}

/** Offset of a knob's register; NAME as in the register table, `copy` counts its copies: mostly the tenant. */
#define GPU_KNOB(NAME, copy) (MH_REG_##NAME + (copy) * (uint32_t)MH_REG_##NAME##_STRIDE)

/** Shadow of a knob: gpu_knob(TOKENS, tenant). Setting one is for policies: policy.h. */
#define gpu_knob(NAME, copy) reg_read(GPU_KNOB(NAME, copy))

/** Sets every shadow to its reset value: hardware restricts no tenant. */
void gpu_reset_knobs(void);

/** Walks of a tenant that began in the last walk epoch that has ended. */
static inline uint32_t gpu_walk_enq(uint32_t tenant)
{
    return reg_read(MH_REG_WALK_ENQ + tenant * (uint32_t)MH_REG_WALK_ENQ_STRIDE);
}

/** Applies all shadow registers at one cycle. GPU_OK, or GPU_REJECTED with the first illegal register in `offset`. */
enum gpu_status gpu_commit(uint32_t *offset);

/** Takes the oldest event; false when there was none (then `event` is MH_EVENT_NONE). */
bool gpu_pop_event(struct gpu_event *event);

/** Takes the oldest walk arrival; false when there was none. */
bool gpu_pop_arrival(struct gpu_arrival *arrival);

/** SMs 32 * word .. 32 * word + 31 that hold CTAs now, a bit each. */
static inline uint32_t gpu_sm_holds(uint32_t word)
{
    return reg_read(MH_REG_SM_HOLDS + 4 * word);
}

/** CTAs that SM `sm` holds now of tenants 4 * word .. 4 * word + 3, a byte each. */
static inline uint32_t gpu_sm_ctas(uint32_t sm, uint32_t word)
{
    return reg_read(MH_REG_SM_CTAS_0 + sm * (uint32_t)MH_REG_SM_CTAS_0_STRIDE + 4 * word);
}

/** What a CTA of the tenant's current launch takes. Knob LAUNCH_EVENTS: MH_EVENT_TENANT_LAUNCH tells of a change. */
void gpu_read_cta(uint32_t tenant, struct gpu_cta *cta);

/** IPC of the tenant alone, 1/2^16 warp instructions per GPU cycle, as the host has measured it; 0: not known. */
static inline uint32_t gpu_alone_ipc(uint32_t tenant)
{
    return reg_read(MH_REG_ALONE_IPC + tenant * MH_REG_ALONE_IPC_STRIDE);
}

/** Tenant of an SM; MH_NO_ROOT: tenants share it, or it has none. */
static inline uint32_t gpu_sm_root(uint32_t sm)
{
    return reg_read(MH_REG_SM_ROOT + 4 * sm);
}

/** Ways of a set of the L1D: the most that L1D_WAYS may be. */
static inline uint32_t gpu_l1d_ways(void)
{
    return reg_read(MH_REG_CAP_L1D_WAYS);
}

/** Banks of a DRAM channel. */
static inline uint32_t gpu_dram_banks(void)
{
    return reg_read(MH_REG_CAP_DRAM_BANKS);
}

/**
 * Look-ups of the tenant in the sampled sets, up to the last snapshot, that it would hit at this position in order of
 * last use, below MH_L1D_POSITIONS; modulo 2^32. Knob L1D_MONITOR lets them count.
 */
static inline uint32_t gpu_l1d_hits(uint32_t tenant, uint32_t position)
{
    return reg_read(MH_REG_L1D_HITS_0 + tenant * (uint32_t)MH_REG_L1D_HITS_0_STRIDE + 4 * position);
}

/** Takes the oldest page fault; false when there was none. Knob FAULT_EVENTS says which are queued. */
bool gpu_pop_page_fault(struct gpu_page_fault *fault);

/** Clears the tenant's latch of requested evictions. */
static inline void gpu_arm_eviction(uint32_t tenant)
{
    reg_write(MH_REG_EVICT_ARM, tenant);
}

/** Gives the instruction's waiting walks a score, 1..MH_WALK_SCORE_MAX: lowest first. Takes effect at once. */
void gpu_score_walks(uint32_t instruction, uint32_t score);

/** Starts or stops interval timer `timer`; false when the window refused the interval. */
bool gpu_timer_start(uint32_t timer, uint32_t interval, enum gpu_timer_mode mode);

/** Stops it. */
static inline void gpu_timer_stop(uint32_t timer)
{
    reg_write(MH_REG_TIMER_CTRL + timer * (uint32_t)MH_REG_TIMER_CTRL_STRIDE, GPU_TIMER_OFF);
}

/** The interval timer has not expired. */
static inline bool gpu_timer_runs(uint32_t timer)
{
    return reg_read(MH_REG_TIMER_CTRL + timer * (uint32_t)MH_REG_TIMER_CTRL_STRIDE) != GPU_TIMER_OFF;
}

/** Pending interrupts (MH_IRQ_*), acknowledged by the same call. */
uint32_t gpu_take_irqs(void);

/** Acknowledges the interrupts in `mask` (MH_IRQ_*), pending or not. */
void gpu_clear_irqs(uint32_t mask);

/** Lets through the interrupts in `mask` (MH_IRQ_*) and no others. */
void gpu_enable_irqs(uint32_t mask);

#endif
