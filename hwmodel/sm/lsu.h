/* The LSU's instructions and lines, for the files of the LSU and for reports. */
#ifndef MEMHELM_SM_LSU_H
#define MEMHELM_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/lsu_order.h"
#include "sm/sm.h"

/** Place in the ring of the i-th instruction; with an order of its own, of the i-th that came. */
static inline uint32_t mh_lsu_place(const struct mh_sm *sm, uint32_t i)
{
    uint32_t at = sm->lsu_head + i;

    if (__builtin_expect(sm->lsu_apart, 0))
        return sm->lsu_order->place[i];
    return at < sm->lsu_size ? at : at - sm->lsu_size;
}

/** The i-th oldest of lsu_count instructions. */
static inline struct mh_lsu_op *mh_lsu_at(const struct mh_sm *sm, uint32_t i)
{
    return &sm->lsu[mh_lsu_place(sm, i)];
}

/** The LSU's next step is at `cycle`; no step is due. */
void mh_lsu_step_at(struct mh_gpu *g, struct mh_sm *sm, uint64_t cycle);

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

/** Sends the request of an L1 TLB MSHR, or queues it behind others. */
void mh_lsu_ask(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr);

#endif
