/*
 * Streaming multiprocessor: warps and CTAs, issue, load-store unit with coalescer, L1 TLB and L1D.
 *
 * issue.c knows which warps are ready and issues, schedule.c keeps them in order and chooses among them, lsu.c
 * takes one line of one memory instruction a cycle through translation and L1D, lsu_hold.c chooses which where tenants
 * do not stop each other, quota.c what each may issue, cta.c places CTAs, coalesce.c turns lanes into lines, stalls.c
 * says why warps do not issue, umon.c whose lines the L1D replaces and what a tenant would hit with more ways.
 * Several tenants may share an SM: a warp carries its own.
 */
#ifndef MEMHELM_SM_SM_H
#define MEMHELM_SM_SM_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/align.h"
#include "engine/assoc.h"
#include "engine/gpu.h"
#include "engine/index.h"
#include "engine/request.h"
#include "engine/ring.h"
#include "engine/tags.h"
#include "engine/upstream.h"
#include "memhelm/config.h"
#include "sm/coalesce.h"
#include "sm/quota.h"
#include "sm/schedule.h"
#include "workload/workload.h"

struct mh_gpu;
struct mh_wide;

enum {
    MH_MAX_LOADS = 8,      /**< load slots of a warp */
    MH_MAX_SCHEDULERS = 4, /**< of an SM */
};

/** A load that is outstanding, in its slot of the warp. */
struct mh_load {
    uint64_t hit_at; /**< cycle at which its last L1D hit has its data */
    uint32_t issued; /**< cycle modulo 2^32; mh_load_issued() */
    uint16_t lines;  /**< still missing */
};

/**
 * Whatever issue needs of a warp is one cache line of the host, the stream's position the next, four loads the third:
 * the warps of a GPU are far more than its first-level cache holds.
 */
struct mh_warp {
    struct mh_op op;   /**< next operation; its gap first. The mask of a barrier or exit: all threads that exist */
    uint32_t gap_left; /**< instructions of the gap not yet issued, without the warp's stock */
    uint32_t order;    /**< load slots in the order of issue, newest in the lowest 4 bits */
    uint8_t tenant, port;
    uint8_t position;   /**< its bit in the SM's masks of what can issue */
    uint8_t active;     /**< lanes of op.mask: what op, and an instruction of its gap, counts for */
    uint8_t loads;      /**< loads outstanding */
    uint8_t free_slots; /**< bit s: load slot s is free */
    uint8_t needs;      /**< bit s: the op needs the load in slot s, which is outstanding */
    bool stopped;       /**< at a barrier, or until `result_at` */
    struct mh_cursor cursor __attribute__((aligned(MH_HOST_LINE)));
    struct mh_load load[MH_MAX_LOADS];
    uint64_t lanes;     /**< threads that exist */
    uint64_t result_at; /**< cycle in which it may go on, if a result stops it (sm/schedule.h); else 0 */
    uint8_t cta;
    uint64_t addr[MH_MAX_LANES] __attribute__((aligned(MH_HOST_LINE))); /**< of op when it is a list */
};

/** What is left of the gap when the loads in `needs` have to be there: all but the instructions that may go ahead. */
static inline uint32_t mh_warp_hold(const struct mh_warp *w)
{
    return w->op.gap - w->op.ahead;
}

/** Cycle at which the load was issued, less than 2^32 cycles ago. */
static inline uint64_t mh_load_issued(const struct mh_load *load, uint64_t now)
{
    return now - (uint32_t)((uint32_t)now - load->issued);
}

struct mh_cta {
    uint64_t warps; /**< resident warps of the CTA, bit per slot; 0 = CTA slot free */
    uint32_t at_barrier;
    uint32_t registers, shared_bytes;
    uint64_t age; /**< dispatch order: lower is older */
    uint8_t tenant;
};

/** The issue port of a scheduler. */
struct mh_issue_port {
    uint64_t warps;      /**< positions of the scheduler's warps */
    uint64_t busy_until; /**< cycle of its next issue, at the earliest */
    uint64_t burst_end;  /**< of the compute burst in progress, which is of warp `last` */
    uint32_t last;       /**< position that issued last; under GTO MH_NONE when it has exited */
    bool faults;         /**< some warp of the SM is `faulting` */
};

/** What the LSU does with a line, and for which warp. One word: it is passed and kept by value. */
struct mh_use {
    uint8_t warp, tenant;
    uint8_t slot : 4, kind : 4; /**< load slot; enum mh_op_kind or MH_USE_ATOMIC_READ */
    union {
        struct {
            uint8_t sectors : 4, full : 1; /**< of the line: those that it needs; every byte is written */
            uint8_t refused : 1;           /**< its request was refused for lack of a place in the miss queue */
        };
        uint8_t line; /**< all of that */
    };
};

/** `use` of an instruction, whose own sectors are 0, for a line of it. One store to what the host has in a register. */
static inline struct mh_use mh_use_of_line(struct mh_use use, const struct mh_line *l)
{
    use.line |= (uint8_t)(l->sectors | l->full << 4);
    return use;
}

/** `kind` of an atomic whose result is a load's data (MH_PC_RESULT), beside enum mh_op_kind's of memory operations. */
enum { MH_USE_ATOMIC_READ = MH_OP_ATOMIC + 1 };

/** It has a load slot of its warp until its data or its result are there. */
static inline bool mh_use_returns(struct mh_use use)
{
    return use.kind == MH_OP_LOAD || use.kind == MH_USE_ATOMIC_READ;
}

/** A memory instruction in the LSU. What each of its lines needs stands before them, in the same cache line. */
struct mh_lsu_op {
    int64_t ppn;   /**< translation of `page`, or -1: it missed, and waits in `tlb_mshr` */
    uint32_t page; /**< of the line before; MH_NO_PAGE = none yet */
    uint32_t tlb_mshr;
    uint32_t next;             /**< next line to process */
    struct mh_use use;         /**< sectors and full stand with each line */
    uint32_t instruction : 20; /**< its ID (translate/instruction.h) */
    bool token : 1;            /**< the warp held a TLB-fill token at issue */
    struct mh_lines lines;
} __attribute__((aligned(MH_HOST_LINE)));
#define MH_NO_PAGE UINT32_MAX

/** A line that waits: for its translation, then for its data. Four share a cache line of the host. */
struct mh_pending {
    uint32_t line; /**< virtual line; for its translation only */
    uint32_t ppn;  /**< its translation, when that has come; MH_NO_PAGE: that of the line before in the list */
    uint32_t next;
    struct mh_use use;
};

/**
 * One line; with sectors smaller than a line it may take several requests. The load that took the MSHR waits in it,
 * those that join wait in a list, newest first.
 */
struct mh_l1_mshr {
    uint32_t line;
    union {
        uint32_t head;      /**< pending lines */
        uint32_t next_free; /**< while it is free */
    };
    struct mh_use first;    /**< no sectors: it waits no longer, or in the list */
    uint8_t asked, arrived; /**< sectors */
};

/** What issue and LSU need at every instruction, but for slot_at, stands in the first two cache lines of the host. */
struct mh_sm {
    uint32_t id;
    uint32_t issue_cycles;
    uint64_t accept_at;   /**< first cycle at which the LSU takes another instruction */
    struct mh_warp *warp; /**< [warps] */
    uint8_t scheduler;    /**< enum mh_scheduler */
    uint8_t ports;
    uint8_t turn;  /**< port that is asked first: the one after the port whose memory instruction was the last */
    uint8_t group; /**< warps of a fetch group */
    /* LSU. */
    uint32_t lsu_head, lsu_count, lsu_size;
    struct mh_lsu_op *lsu; /**< ring [lsu_size]; sm/lsu.h */
    uint64_t lsu_free;     /**< first cycle at which it may process a line */
    bool lsu_event, lsu_stalled;
    uint8_t lsu_refused;  /**< bit per tenant: a line of it is stalled, and by the L1D, since its `refused_at` */
    bool count_stalls;    /**< sm.stall_reasons */
    bool monitored;       /**< L1D_MONITOR */
    bool count_loads;     /**< either */
    bool bursts;          /**< GTO, no `chains`, no WARP_QUOTA: a gap is one event */
    bool stocks;          /**< neither GTO nor lrr-gto nor `chains`, no WARP_QUOTA, no wait_reasons: there are stocks */
    bool fours;           /**< positions are slots, and there are four ports */
    bool tells_issue;     /**< rationed, chains, lrr-gto or sm.wait_reasons: each issue is reported */
    bool tells_loads;     /**< rationed, count_stalls or sm.wait_reasons: of each load that is done */
    bool lsu_apart;       /**< sm.lsu_order per-kernel (sm/lsu.h): a stall is of some tenants, maybe not of all */
    bool lsu_differs;     /**< lsu_apart, or sm.lsu_lines above 1: a step is not that of one line in order */
    bool rationed;        /**< some quota or limit is in force (sm/quota.h) */
    uint32_t replay_head; /**< lines whose translation has come */
    /* Issue. */
    /** Cycle of the issue event that counts; UINT64_MAX = none. */
    uint64_t issue_at __attribute__((aligned(MH_HOST_LINE)));
    /* Masks of positions: warps in the order of dispatch (mh_by_age()), oldest first, or slots. */
    uint64_t can_issue; /**< waits for nothing of its own */
    uint64_t memory;    /**< its next instruction is a memory instruction, which needs room in the LSU */
    uint64_t allowed;   /**< no throttle stops it */
    uint64_t then_can,
        then_memory;      /**< can_issue and memory as they are when it has used up its stock, if it has one */
    uint64_t held;        /**< WARP_QUOTA holds it */
    uint64_t held_memory; /**< MEM_LIMIT or lsu_order holds its memory instructions */
    struct mh_issue_port port[MH_MAX_SCHEDULERS];
    uint8_t stock[MH_MAX_WARPS];   /**< of the warp at a position: instructions of its gap that need no look at it */
    uint8_t slot_at[MH_MAX_WARPS]; /**< of the warp at a position */
    uint64_t standing;             /**< positions of resident warps */
    uint64_t of_tenant[MH_MAX_TENANTS];         /**< of those, the tenant's */
    struct mh_sm_turn turns[MH_MAX_SCHEDULERS]; /**< lrr-gto, by port */
    struct mh_quota quota;                      /**< in force while `rationed` */
    uint64_t faulting;      /**< of those that wait for a page that is not there, with sm.fault_last */
    uint32_t next_position; /**< GTO: of the next warp */
    /* CTAs. */
    struct mh_cta *cta; /**< [cta_slots] */
    uint64_t free_warps, free_ctas;
    uint64_t tenant_warps[MH_MAX_TENANTS]; /**< resident warps per tenant */
    uint32_t tenant_ctas[MH_MAX_TENANTS];
    uint64_t active_warps[MH_MAX_TENANTS]; /**< slots that the tenant has had warps in since the last SNAPSHOT; ours:
                                              MASK (sec. 7.4) counts from the first issue */
    uint32_t free_registers, free_shared;
    /* What is counted of those that wait. */
    struct mh_stalls *stalls;            /**< why warps do not issue (stalls.h); NULL without sm.stall_reasons */
    uint32_t refused_at[MH_MAX_TENANTS]; /**< cycle modulo 2^32: those before have been counted (RESERVATION_FAILS) */
    struct mh_lsu_order *lsu_order;      /**< NULL unless lsu_apart */
    struct mh_umon *umon;                /**< monitors of the L1D (umon.h) */
    struct mh_written *written;          /**< which bytes stores write (written.h); NULL without l2.sector_bytes */
    /* L1D: a cache line of the host for every look-up, the next one for what misses or waits. */
    struct mh_tags l1d __attribute__((aligned(MH_HOST_LINE)));
    struct mh_index l1_index; /**< line -> MSHR */
    struct mh_l1_mshr *l1_mshr;
    struct mh_pending *pending;
    uint32_t free_pending;
    uint32_t places; /**< sm.pending, less the lines that wait: in `pending` or in an L1D MSHR */
    uint32_t replay_tail;
    uint32_t replay_ppn; /**< translation of the line that was replayed last */
    uint32_t free_l1_mshr;
    uint32_t stores;                    /**< sent and not acknowledged */
    uint8_t fetch[1 << MH_MAX_SECTORS]; /**< sectors that a miss of these sectors fetches */
    /* L1 TLB. */
    struct mh_tlb_mshr *tlb_mshr;
    uint32_t free_tlb_mshr;
    bool tlb_waiting;         /**< for a credit of the L2 TLB */
    struct mh_assoc tlb;      /**< expects what its MSHRs wait for */
    struct mh_ring tlb_queue; /**< MSHRs to send to the L2 TLB */
    uint64_t shared_free;     /**< first cycle in which the banks of shared memory take another read */
    uint8_t root;             /**< tenant whose page table it uses; MH_NO_ROOT: none, or tenants share it */
    uint8_t next_root;        /**< draining: tenant that gets it */
    bool draining;            /**< gets no CTA until what it has is done, then has another root */
    bool chains;              /**< instructions wait for results (sm/schedule.h) */
    struct mh_wide *wide_tlb; /**< its translations with l1tlb.covers; NULL: they are in `tlb` */
    uint32_t results;         /**< lines of atomics whose result has not come; each has a place */
} __attribute__((aligned(MH_HOST_LINE)));

/** Instructions of the warp's gap that have not issued, bursts apart. */
static inline uint32_t mh_warp_gap(const struct mh_sm *sm, const struct mh_warp *w)
{
    return w->gap_left + sm->stock[w->position];
}

int mh_sm_init(struct mh_sm *sm, uint32_t id, const struct mh_config *cfg);
void mh_sm_free(struct mh_sm *sm);

/** A warp starts in the slot: gives it its position and its port. */
void mh_sm_enter(struct mh_sm *sm, uint32_t slot);

/** The warp in the slot has exited. */
void mh_sm_leave(struct mh_sm *sm, uint32_t slot);

/** Positions of the resident warps in `slots`. */
uint64_t mh_sm_positions(const struct mh_sm *sm, uint64_t slots);

/** Cycles before `now` in which no port is busy are no stall, or have been counted. */
/** From this cycle on no port is busy, as things are. */
uint64_t mh_sm_busy_until(const struct mh_sm *sm);

void mh_sm_no_stall(struct mh_sm *sm, uint64_t now);

/** Counts a stall that goes on, up to this cycle; on a shared SM for the tenant of the lowest warp. */
void mh_sm_count_stall(struct mh_gpu *g, struct mh_sm *sm);

/** Takes the next operation of the warp's stream. */
void mh_sm_fetch(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp);

/** A warp's circumstances have changed: recomputes whether it can issue, and makes the SM issue if it can. */
void mh_sm_update(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp);

/** The LSU has room again, or a throttle was lifted. */
void mh_sm_wake(struct mh_gpu *g, struct mh_sm *sm);

/**
 * The knobs SM_THROTTLE and CTA_THROTTLE, or the CTAs of the SM, have changed: which warps may issue from the next
 * cycle on. A burst of a warp that may no longer ends with the instruction of this cycle.
 */
void mh_sm_throttle(struct mh_gpu *g, struct mh_sm *sm);

/** Bursts end with the instruction of this cycle, and nothing is in stock. */
void mh_sm_cut_bursts(struct mh_gpu *g, struct mh_sm *sm);

/** SM_THROTTLE stops it. */
bool mh_sm_throttled(const struct mh_gpu *g, const struct mh_sm *sm);

/**
 * The tenant's CTAs on the SM are killed: from the next cycle on their warps issue nothing and exit, those with loads
 * outstanding when these have come. Throttles do not hold them. The tenant has left already.
 */
void mh_sm_kill(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant);

/**
 * Takes the warp's stock off the counts, and puts it back into its gap. What can issue is to be looked at anew, unless
 * there was none (false).
 */
bool mh_sm_unstock(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot);

/** Instructions of the port's compute burst that issue after cycle `now`. */
uint64_t mh_sm_burst_left(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t now);

/** The warp, which has no loads outstanding, ends. */
void mh_sm_exit(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp);

/** Every line of a load has arrived. */
void mh_sm_load_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot);

/** Takes the current operation of the warp into the LSU; there must be room. */
void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot);

/** Counts the cycles before `until` in which the L1D has refused a line. */
void mh_lsu_count_refused(struct mh_gpu *g, struct mh_sm *sm, uint64_t until);

/** Something that may have stopped the LSU has changed. */
void mh_lsu_kick(struct mh_gpu *g, struct mh_sm *sm);

/** The tenant has a line in the LSU, or one that waits for its translation. */
bool mh_lsu_serves(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant);

/** Invalidates every line of the L1D, of which none is on its way. */
void mh_l1d_flush(struct mh_sm *sm);

/** Places CTAs of all tenants wherever they fit. */
void mh_cta_dispatch(struct mh_gpu *g);

/** A warp has reached the end of its stream. */
void mh_cta_warp_exit(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp);

/** A warp has reached a barrier. */
void mh_cta_barrier(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp);

/** A word of SM_HOLDS or SM_CTAS, or what a CTA of a tenant's current launch takes: the register at this offset. */
uint32_t mh_cta_status(const struct mh_gpu *g, uint32_t offset);

/** L1 TLB MSHR that waits for the page; MH_NONE: none does. */
uint32_t mh_tlb_mshr_of(const struct mh_sm *sm, uint32_t key);

/** As mh_lsu_answer(), of a page that has migrated: it stays where it is until the lines have passed the L1D. */
void mh_lsu_answer_pinned(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle);

/** The tenant that waits in the L1 TLB MSHR of this ID has left: its lines are done without, the MSHR is free. */
void mh_lsu_cancel(struct mh_gpu *g, uint32_t id);

/** A pinned answer is on its way for one of the tenant's pages vpn .. vpn + pages - 1, or a line of them is replayed.
 */
bool mh_lsu_replays(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t vpn, uint32_t pages);

/** Calls for each line that waits to be replayed. */
void mh_lsu_each_replay(const struct mh_gpu *g, const struct mh_sm *sm,
                        void (*seen)(void *ctx, uint32_t tenant, uint32_t vpn), void *ctx);

/** A line for which the test is true is on its way to the L1D. */
bool mh_l1d_waits(const struct mh_gpu *g, const struct mh_sm *sm, mh_line_test *test, const void *ctx);

/** The L1D loses the lines of a physical page. */
void mh_l1d_drop_page(struct mh_sm *sm, uint32_t ppn, uint32_t page_shift);

#endif
