#include "engine/gpu.h"
#include "sm/lsu.h"
#include "translate/check.h"
#include "translate/walk.h"

/* Misses of the L1 TLB: requests to the L2 TLB, and its answers. */

/* In order: without a credit for the first request the others wait, whosever they are. */
static void send(struct mh_gpu *g, struct mh_sm *sm)
{
    while (sm->tlb_queue.count && !sm->tlb_waiting) {
        uint32_t mshr = mh_ring_peek(&sm->tlb_queue);

        if (mh_l2tlb_ask(g, sm->id, sm->id * g->cfg.l1tlb.mshrs + mshr, sm->tlb_mshr[mshr].tenant))
            mh_ring_pop(&sm->tlb_queue);
        else
            sm->tlb_waiting = true;
    }
}

void mh_lsu_credit(struct mh_gpu *g, struct mh_sm *sm)
{
    sm->tlb_waiting = false;
    send(g, sm);
}

uint32_t mh_lsu_next_tenant(const struct mh_sm *sm)
{
    return sm->tlb_mshr[mh_ring_peek(&sm->tlb_queue)].tenant;
}

void mh_lsu_ask(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    mh_ring_push(&sm->tlb_queue, mshr);
    send(g, sm);
}

void mh_lsu_answer(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    mh_check_translation(g, e->tenant, e->vpn, ppn);
    e->ppn = ppn;
    /* The answer is of this cycle: only a later change makes it stale. */
    e->stale = false;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_TLB_FILL, id));
}

void mh_lsu_answer_pinned(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    e->pins = true;
    mh_lsu_answer(g, id, e, ppn, cycle);
}
