/* The LSU's instructions and lines, for the files of the LSU and for reports. */
#ifndef MEMHELM_SM_LSU_H
#define MEMHELM_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu.h"
#include "engine/wheel.h"
#include "memhelm/config.h"
#include "sm/l1d.h"
#include "sm/sm.h"

/*
 * sm.lsu_order per-kernel: tenants of an SM do not stop each other in the LSU.
 *
 * In order, a line that cannot be taken stops all that came later, whosever it is: a tenant whose sub-queue is full
 * would stop the others, and the sub-queues would be for show (ours; the paper does not describe the LSU).
 *
 * Each step takes one line, as in order: the first that can be taken of the lines that wait to be replayed, in their
 * order, and of the next lines of instructions, in the order of issue. A tenant of which one could not be taken,
 * whatever it lacked, is passed over from there on, until something has changed (mh_lsu_kick()): of one tenant nothing
 * overtakes anything. Trying costs no cycle. After a change all are tried again, the oldest first: so the one
 * that has waited longest gets what has become free.
 *
 * The LSU's places: while no more of them are free than there are tenants with warps on the SM and no instruction in
 * the LSU, only these may put one in. So a tenant that is stopped does not fill the LSU.
 */

/** Whose instruction it is stands with its place: those that are passed over are not looked at. */
struct mh_lsu_place {
    uint16_t at;
    uint8_t tenant; /**< undefined while it is free */
};

struct mh_lsu_order {
    uint64_t closed;               /**< positions of warps whose memory instructions find no place in the LSU */
    uint32_t stopped;              /**< tenants that are passed over, bit each */
    uint32_t held[MH_MAX_TENANTS]; /**< instructions in the LSU */
    struct mh_lsu_place place[];   /**< [lsu_size] those of the instructions, in the order of issue, then free ones */
};

/** Place in the ring of the i-th instruction; with an order of its own, of the i-th that came. */
static inline uint32_t mh_lsu_place(const struct mh_sm *sm, uint32_t i)
{
    uint32_t at = sm->lsu_head + i;

    if (__builtin_expect(sm->lsu_apart, 0))
        return sm->lsu_order->place[i].at;
    return at < sm->lsu_size ? at : at - sm->lsu_size;
}

/** The i-th oldest of lsu_count instructions. */
static inline struct mh_lsu_op *mh_lsu_at(const struct mh_sm *sm, uint32_t i)
{
    return &sm->lsu[mh_lsu_place(sm, i)];
}

/** The set of memory instructions held back has changed: of tenants at their MEM_LIMIT, or by lsu_order. */
static inline void mh_lsu_hold_memory(struct mh_sm *sm)
{
    sm->held_memory = sm->quota.held_memory | (sm->lsu_apart ? sm->lsu_order->closed : 0);
}

/** The LSU's next step is at `cycle`; no step is due. */
static inline void mh_lsu_step_at(struct mh_gpu *g, struct mh_sm *sm, uint64_t cycle)
{
    sm->lsu_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_LSU, sm->id));
}

/** First cycle from now on in which it may take a line. */
static inline uint64_t mh_lsu_next_step(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now;
}

/** Its next step is as early as may be, if none is due. */
static inline void mh_lsu_soon(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->lsu_event)
        mh_lsu_step_at(g, sm, mh_lsu_next_step(g, sm));
}

/** Its bytes go with each line: an L2 with sectors wants to know what a store writes. */
static inline bool mh_lsu_marked(const struct mh_sm *sm, struct mh_use use)
{
    return __builtin_expect(sm->written != NULL, 0) && use.kind == MH_OP_STORE;
}

/** What a store in the LSU writes, line by line. */
static inline struct mh_bytes *mh_lsu_written(const struct mh_sm *sm, const struct mh_lsu_op *op)
{
    return &sm->written->op[(size_t)(op - sm->lsu) * MH_MAX_LINES];
}

/** What it has refused is tried in its next step. Until then it counts (RESERVATION_FAILS); another refusal counts on.
 */
void mh_lsu_again(struct mh_gpu *g, struct mh_sm *sm);

/** Looks up the next line of the instruction. False: it cannot be taken now. */
bool mh_lsu_process(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op);

/**
 * Looks up a line that was waiting for its translation, which stands with it; the caller takes it off its list. False:
 * it cannot be taken now, and waits as before.
 */
bool mh_lsu_replay(struct mh_gpu *g, struct mh_sm *sm, uint32_t id);

/** The instruction has a translation, of the page of the line that it takes next or of the one before. */
static inline bool mh_lsu_has_page(const struct mh_lsu_op *op)
{
    return op->page != MH_NO_PAGE && op->ppn >= 0;
}

/** The page of a translation, which may be a large one (memory.large_bytes). */
struct mh_lsu_page {
    uint32_t key;
    uint32_t first; /**< small page at its start */
};

struct mh_lsu_page mh_lsu_page(const struct mh_gpu *g, uint32_t tenant, uint32_t page);

/**
 * The small page lies in the page of the line before, whose translation the instruction has or still waits for: it is
 * the page's, without a look-up.
 */
bool mh_lsu_same_large(struct mh_gpu *g, const struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page);

/** What a look-up of the page in the L1 TLB gives (lsu.c) while g->l1tlb_apart. */
int64_t mh_lsu_tlb_apart(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page);

/** Sends the request of an L1 TLB MSHR, or queues it behind others. */
void mh_lsu_ask(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr);

/* --- l1tlb.on_miss hold (lsu_hold.c). */

/** The instruction whose next line stays in the LSU until the MSHR has its page; NULL: there is none. */
struct mh_lsu_op *mh_lsu_held(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr);

/** A line whose page misses is refused; if the page will never come (MH_NONE), the line is given up. */
enum mh_taken mh_lsu_hold(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use, uint32_t mshr);

/** The page of the MSHR is in the L1 TLB: the instruction that stays in the LSU for it has its translation. */
void mh_lsu_unhold(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr);

/** The MSHR's page will never come: the instruction gives its lines up, each when the LSU comes to it. */
void mh_lsu_hold_cancel(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr);

/** Some instruction in the LSU has the translation of one of these pages, which stay until its line is taken. */
bool mh_lsu_hold_pins(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t vpn, uint32_t pages);

/** For per-kernel order. 0, or -1 when memory ran out. */
int mh_lsu_order_init(struct mh_sm *sm, const struct mh_config *cfg);

/* What follows is for SMs with lsu_apart. */

/** The newest of lsu_count instructions is the tenant's: all are tried in the next step. */
void mh_lsu_order_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant);

/** Updates which warps may add to the LSU, after a change of warps, positions or occupancy. */
void mh_lsu_order_close(struct mh_sm *sm);

/** A step of the LSU, which has something to do. */
void mh_lsu_order_step(struct mh_gpu *g, struct mh_sm *sm);

#endif
