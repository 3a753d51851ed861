#include "engine/gpu.h"
#include "sm/lsu.h"
#include "pages/page_table.h"
#include "translate/tlb.h"
#include "translate/gpctlb.h"
#include "translate/walk.h"
#include "waits/waits.h"

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

struct mh_lsu_page mh_lsu_page(const struct mh_gpu *g, uint32_t tenant, uint32_t page)
{
    const uint32_t asid = g->tenant[tenant].asid;

    return (struct mh_lsu_page){mh_pt_key(g->pages, tenant, asid, page), mh_pt_first(g->pages, asid, page)};
}

bool mh_lsu_same_large(struct mh_gpu *g, const struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    if (op->page == MH_NO_PAGE || g->cfg.l1tlb.ideal)
        return false;
    const struct mh_lsu_page p = mh_lsu_page(g, op->use.tenant, page);

    if (p.key != mh_lsu_page(g, op->use.tenant, op->page).key)
        return false;
    if (op->ppn >= 0)
        op->ppn += (int64_t)page - op->page;
    else if (mh_tlb_mshr_of(sm, p.key) != op->tlb_mshr)
        return false;
    op->page = page;
    return true;
}

/* `tlb` still tells which pages are expected. With l1tlb.covers it has none that are there. */
int64_t mh_lsu_tlb_apart(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    const struct mh_lsu_page p = mh_lsu_page(g, op->use.tenant, page);

    if (g->cfg.l1tlb.ideal)
        return mh_pt_translate(g->pages, g->tenant[op->use.tenant].page_root, page);
    int64_t ppn = sm->wide_tlb ? mh_wide_lookup(sm->wide_tlb, p.key) : -1;
    int at = ppn < 0 ? mh_assoc_find(&sm->tlb, p.key) : -1;

    if (at >= 0 && at < sm->tlb.capacity)
        ppn = mh_assoc_touch(&sm->tlb, (uint16_t)at);
    op->tlb_mshr = at < 0 ? MH_NONE : (uint32_t)at - sm->tlb.capacity;
    return ppn < 0 ? ppn : ppn + page - p.first;
}

void mh_lsu_credit(struct mh_gpu *g, uint32_t sm)
{
    g->sm[sm].tlb_waiting = false;
    send(g, &g->sm[sm]);
}

uint32_t mh_lsu_next_tenant(const struct mh_gpu *g, uint32_t sm)
{
    return g->sm[sm].tlb_mshr[mh_ring_peek(&g->sm[sm].tlb_queue)].tenant;
}

bool mh_lsu_queues(const struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    return mh_ring_has(&g->sm[sm].tlb_queue, mshr);
}

static inline void ask_l2tlb(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    mh_ring_push(&sm->tlb_queue, mshr);
    send(g, sm);
}

void mh_lsu_ask_l2tlb(struct mh_gpu *g, uint32_t id)
{
    const uint32_t at = mh_quotient(&g->l1tlb_mshrs, id);

    ask_l2tlb(g, &g->sm[at], id - at * g->l1tlb_mshrs.by);
}

void mh_lsu_ask(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    if (__builtin_expect(g->asks_gpctlb, 0))
        mh_gpctlb_ask(g, sm->id, sm->id * g->cfg.l1tlb.mshrs + mshr);
    else
        ask_l2tlb(g, sm, mshr);
}

static inline void answer(struct mh_gpu *g, uint32_t event, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    mh_check_translation(g, e->tenant, e->vpn, ppn);
    e->ppn = ppn;
    /* The answer is of this cycle: only a later change makes it stale. */
    e->stale = false;
    mh_wheel_add(&g->wheel, cycle, event);
}

void mh_lsu_pass(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    answer(g, MH_EVENT(EV_TLB_FILL, id), e, ppn, cycle);
}

void mh_lsu_answer(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    answer(g, g->tlb_answer | id, e, ppn, cycle);
}

void mh_lsu_answer_pinned(struct mh_gpu *g, uint32_t id, struct mh_tlb_mshr *e, uint32_t ppn, uint64_t cycle)
{
    e->pins = true;
    mh_lsu_answer(g, id, e, ppn, cycle);
}

/* An MSHR is free: that may be what the LSU was stopped for. */
static void release(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    e->pins = false;
    e->instruction = MH_NO_INSTRUCTION;
    e->next_free = sm->free_tlb_mshr;
    sm->free_tlb_mshr = mshr;
    mh_waits_page(g, sm->id, mshr);
    mh_lsu_again(g, sm);
    mh_lsu_soon(g, sm);
}

/* Loads whose lines have waited for the page. */
static __attribute__((noinline, cold)) void tell_waits(struct mh_gpu *g, const struct mh_sm *sm, uint32_t id,
                                                       const struct mh_tlb_mshr *e)
{
    const struct mh_lsu_op *held = mh_lsu_held(g, sm, (uint32_t)(e - sm->tlb_mshr));

    if (held && mh_use_returns(held->use))
        mh_waits_translated(g, id, sm->id, held->use.warp, held->use.slot);
    for (uint32_t line = e->head; line != MH_NONE; line = sm->pending[line].next)
        if (mh_use_returns(sm->pending[line].use))
            mh_waits_translated(g, id, sm->id, sm->pending[line].use.warp, sm->pending[line].use.slot);
}

/* Lines that wait for a large page lie in small pages of it: each has its own frame, the MSHR now the first one's. */
static void place_lines(const struct mh_gpu *g, const struct mh_sm *sm, struct mh_tlb_mshr *e)
{
    for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
        sm->pending[id].ppn = e->ppn + (sm->pending[id].line >> g->page_shift) - e->vpn;
    if (e->head != MH_NONE)
        e->ppn = sm->pending[e->head].ppn;
}

static __attribute__((noinline)) void fill_apart(struct mh_gpu *g, struct mh_sm *sm, uint32_t id, struct mh_tlb_mshr *e)
{
    if (sm->wide_tlb) {
        mh_assoc_unexpect(&sm->tlb, e->key);
        mh_wide_fill(sm->wide_tlb, e->key, e->ppn);
    } else {
        mh_assoc_arrive(&sm->tlb, e->key, e->ppn);
    }
    if (mh_waits_on(g))
        tell_waits(g, sm, id, e);
    if (g->cfg.memory.large_bytes)
        place_lines(g, sm, e);
}

void mh_lsu_translated(struct mh_gpu *g, uint32_t id)
{
    const uint32_t at = mh_quotient(&g->l1tlb_mshrs, id), mshr = id - at * g->l1tlb_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    /* Page table entries have changed since the answer was read: the request goes out again, and its lines wait. */
    if (e->stale) {
        mh_lsu_ask(g, sm, mshr);
        return;
    }
    if (__builtin_expect(g->l1tlb_apart, 0))
        fill_apart(g, sm, id, e);
    else
        mh_assoc_arrive(&sm->tlb, e->key, e->ppn);
    if (e->head != MH_NONE) {
        /* The translation stands with the first line; those behind it, of the same page, take it from there. */
        sm->pending[e->head].ppn = e->ppn;
        if (sm->replay_head == MH_NONE)
            sm->replay_head = e->head;
        else
            sm->pending[sm->replay_tail].next = e->head;
        sm->replay_tail = e->tail;
    } else {
        mh_lsu_unhold(g, sm, mshr);
    }
    release(g, sm, mshr);
}

/* Those of other SMs that wait behind it in the GPC's TLB. */
static void cancel_joined(struct mh_gpu *g, uint32_t id)
{
    if (!g->asks_gpctlb)
        return;
    for (uint32_t m = mh_gpctlb_cancel(g, id), next; m != MH_NONE; m = next) {
        next = mh_tlb_mshr(g, m)->next_waiter;
        mh_lsu_cancel(g, m);
    }
}

void mh_lsu_cancel(struct mh_gpu *g, uint32_t id)
{
    const uint32_t at = mh_quotient(&g->l1tlb_mshrs, id), mshr = id - at * g->l1tlb_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    cancel_joined(g, id);
    mh_assoc_unexpect(&sm->tlb, e->key);
    mh_lsu_hold_cancel(g, sm, mshr);
    for (uint32_t line = e->head, next; line != MH_NONE; line = next) {
        struct mh_use use = sm->pending[line].use;

        next = sm->pending[line].next;
        mh_pending_give(sm, line);
        if (mh_use_returns(use))
            mh_l1d_give_up(g, sm, use);
    }
    release(g, sm, mshr);
}
