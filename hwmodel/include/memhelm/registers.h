/*
 * Offsets and constants of the register table, for model, firmware, QEMU and tests alike. Freestanding C.
 *
 * MH_REG_<NAME> is the byte offset of copy 0; MH_REG_<NAME>_STRIDE the distance to the next copy (0 = single).
 * MH_COUNTER_<NAME> is the index of a per-tenant counter; MH_MACHINE_<NAME> an offset in the machine block;
 * MH_SOURCE_<NAME> the number of an event source.
 */
#ifndef MEMHELM_REGISTERS_H
#define MEMHELM_REGISTERS_H

#define MH_REGISTERS_VERSION 6
#define MH_WINDOW_BYTES      0x10000
#define MH_TENANT_STRIDE     0x100 /**< of knobs per tenant */
#define MH_TENANT_SM_STRIDE  0x200 /**< of knobs per tenant and SM, from tenant to tenant: a word per SM */
#define MH_COUNTER_BASE      0x4000
#define MH_COUNTER_STRIDE    0x400
#define MH_TIMERS            3 /**< 0 makes epochs, the others are for policies */
#define MH_EVENT_FIFO        64
#define MH_PAGE_FAULT_FIFO   64

/* Bits of IRQ_PENDING and IRQ_ENABLE. */
#define MH_IRQ_TIMER0       1u
#define MH_IRQ_TIMER1       2u
#define MH_IRQ_EVENT        4u
#define MH_IRQ_WALK_EPOCH   8u
#define MH_IRQ_WALK_ARRIVAL 16u
#define MH_IRQ_PAGE_FAULT   32u
#define MH_IRQ_TIMER2       64u

/** Values of SNAPSHOT. */
enum mh_snapshot { MH_SNAPSHOT_EPOCH = 1, MH_SNAPSHOT_WINDOW = 2 };

/* Bits of CAP_FEATURES. */
#define MH_FEATURE_TOKENS       1u
#define MH_FEATURE_PWC          2u
#define MH_FEATURE_CTA_LIMIT    4u
#define MH_FEATURE_CTA_THROTTLE 8u
#define MH_FEATURE_SM_THROTTLE  16u
#define MH_FEATURE_L2_BYPASS    0x20u
#define MH_FEATURE_DRAM_QUEUES  0x40u
#define MH_FEATURE_WALK_ORDER   0x80u
#define MH_FEATURE_WALK_SCORES  0x100u
#define MH_FEATURE_WALK_QUEUES  0x200u
#define MH_FEATURE_SM_ROOT      0x400u
#define MH_FEATURE_UVM          0x800u
#define MH_FEATURE_MISS_QUEUES  0x1000u
#define MH_FEATURE_QUOTAS       0x2000u
#define MH_FEATURE_L1D_WAYS     0x4000u
#define MH_FEATURE_DRAM_RANK    0x8000u

/** SM_ROOT of an SM that no tenant, or more than one, runs on. */
#define MH_NO_ROOT 0xffu

/** Values of WALK_ORDER. */
enum mh_walk_order { MH_WALK_FCFS = 0, MH_WALK_RANDOM = 1, MH_WALK_SIMT = 2, MH_WALK_SCORED = 3 };

/* Fields of WALK_ARRIVAL and WALK_SCORE. */
#define MH_WALK_ARRIVAL_VALID  0x80000000u
#define MH_WALK_ARRIVAL_READS  28 /**< shift; 3 bits */
#define MH_WALK_ARRIVAL_TENANT 24 /**< shift; 4 bits */
#define MH_WALK_INSTR_BITS     20
#define MH_WALK_SCORE_MAX      256u

/* Fields of PAGE_FAULT. */
#define MH_PAGE_FAULT_VALID   0x80000000u
#define MH_PAGE_FAULT_COME    0x40000000u
#define MH_PAGE_FAULT_EVICTED 0x20000000u
#define MH_PAGE_FAULT_TENANT  24 /**< shift; 4 bits */
#define MH_PAGE_FAULT_SM      16 /**< shift; 8 bits */

/* Bits of FAULT_EVENTS. */
#define MH_FAULT_RAISED 1u
#define MH_FAULT_COME   2u

/** Bits of the SMs 32 * word .. 32 * word + 31 that exist among `sms`. */
#define MH_SM_MASK(sms, word)                                                                                          \
    ((sms) >= 32u * (word) + 32 ? 0xffffffffu : (sms) > 32u * (word) ? (1u << ((sms)-32u * (word))) - 1 : 0u)

/** 1 if the bit is among the features, else 0: the greatest value of a knob that switches it on. */
#define MH_FLAG(features, bit) (((features) & (bit)) != 0)

/* Kinds of event, bits 7..0 of EVENT_POP. */
enum mh_event_kind {
    MH_EVENT_NONE = 0,
    MH_EVENT_TENANT_DONE = 1, /**< a tenant finished its workload and was relaunched; argument = completions mod 2^16 */
    MH_EVENT_HOST_STATUS = 2, /**< the host asks for a status line on the uart */
    MH_EVENT_HOST_STOP = 3,   /**< statistics are latched: report and write EXIT */
    MH_EVENT_TENANT_ARRIVED = 4, /**< a tenant has come during the run; its first CTAs start in this cycle */
    MH_EVENT_TENANT_LEFT = 5,    /**< a tenant issues nothing from now on; its CTAs are killed, its requests drain */
    MH_EVENT_TENANT_LAUNCH = 6,  /**< a launch began whose CTAs take other resources than before (LAUNCH_EVENTS);
                                    argument = number of the launch mod 2^16 */
};

/* Values of WALK_STEAL. */
enum mh_walk_steal { MH_STEAL_NEVER = 0, MH_STEAL_DWS = 1, MH_STEAL_DWSPP = 2 };

/** EVICT_FREE at reset, 2 MB, in units of so many bytes; 0 without demand paging. */
#define MH_EVICT_FREE(unit) ((unit) ? 0x200000u / (unit) : 0u)

/** DIFF_THRES: no difference is large enough. */
#define MH_DIFF_NEVER 0xffffu

/** ISSUE_RATE: no limit. */
#define MH_RATE_FREE 0xffffu

/** Most that a quota, or MEM_LIMIT, of instructions can be: 0 where no SM is shared. */
#define MH_QUOTA_MAX(features) (MH_FLAG(features, MH_FEATURE_QUOTAS) * 0xffffu)

/** A whole request in units of ISSUE_RATE. */
#define MH_RATE_ONE 256u

/** Positions of a set that the L1D's monitors tell apart: MH_REG_L1D_HITS_0 and the words behind it. */
#define MH_L1D_POSITIONS 16u

/* Memory map of the machine `memhelm`. */
#define MH_ITCM_BASE     0x00100000u
#define MH_ITCM_BYTES    0x8000u
#define MH_DTCM_BASE     0x00200000u
#define MH_DTCM_BYTES    0x4000u
#define MH_ACLINT_BASE   0x02000000u
#define MH_UART_BASE     0x10000000u
#define MH_MACHINE_BASE  0x10001000u
#define MH_MACHINE_BYTES 0x1000u
#define MH_GPU_BASE      0x40000000u

/** Words of STATE in the machine block. */
#define MH_STATE_WORDS 64u

enum mh_register_offset {
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    MH_REG_##name = offset, MH_REG_##name##_STRIDE = stride,
#include "memhelm/registers.def"
};

enum mh_counter_index {
#define MH_TENANT_COUNTER(name, field, unit, doc) MH_COUNTER_##name,
#include "memhelm/registers.def"
    MH_COUNTERS
};

enum mh_machine_offset {
#define MH_MACHINE_REG(name, offset, width, access, unit, doc) MH_MACHINE_##name = offset,
#include "memhelm/registers.def"
};

/** What firmware has to answer: the MH_SOURCE rows, in order. */
enum mh_source {
#define MH_SOURCE(name, field, irq, register, raised, missed) MH_SOURCE_##name,
#include "memhelm/registers.def"
    MH_SOURCES
};

#endif
