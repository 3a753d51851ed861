#include "gpu/gpu.h"
#include "sm/l1d.h"

/*
 * Load-store unit: one line a cycle through L1 TLB and L1D (l1d.c). A line whose page misses waits in the page's MSHR
 * while others go on; when the translation comes, it is replayed ahead of new work. Whatever cannot be taken (no MSHR,
 * no place in the miss queue) stops the LSU until something changes.
 */

struct mh_tlb_mshr *mh_tlb_mshr(struct mh_gpu *g, uint32_t id)
{
    uint32_t sm = mh_quotient(&g->l1tlb_mshrs, id);

    return &g->sm[sm].tlb_mshr[id - sm * g->l1tlb_mshrs.by];
}

static void schedule(struct mh_gpu *g, struct mh_sm *sm)
{
    uint64_t at = sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now;

    if (sm->lsu_event)
        return;
    sm->lsu_event = true;
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_LSU, sm->id));
}

void mh_lsu_kick(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->lsu_stalled)
        return;
    sm->lsu_stalled = false;
    schedule(g, sm);
}

/* TLB-fill tokens (MASK sec. 5.2): the n lowest warps of the tenant on this SM hold one each. */
static bool has_token(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t warp)
{
    uint64_t below = sm->tenant_warps[tenant] & ((1ull << warp) - 1);

    return warp < g->knobs.tokens[tenant] || mh_bits(below) < g->knobs.tokens[tenant];
}

void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_lsu_op *op = &sm->lsu[(sm->lsu_head + sm->lsu_count++) % sm->lsu_size];

    mh_coalesce(&w->op, w->addr, g->line_shift, g->page_shift, &op->lines);
    g->tenant[w->tenant].count.mem_lines += op->lines.count;
    op->next = 0;
    op->page = MH_NO_PAGE;
    op->warp = (uint8_t)warp;
    op->slot = (uint8_t)slot;
    op->kind = w->op.kind;
    op->tenant = w->tenant;
    op->token = has_token(g, sm, w->tenant, warp);
    if (op->kind == MH_OP_LOAD) {
        w->lines[slot] = (uint16_t)op->lines.count;
        w->hit_at[slot] = 0;
    }
    /* Issue takes a cycle; the LSU sees the instruction in the next. */
    if (sm->lsu_free <= g->wheel.now)
        sm->lsu_free = g->wheel.now + 1;
    if (!sm->lsu_stalled)
        schedule(g, sm);
}

static bool replay(struct mh_gpu *g, struct mh_sm *sm)
{
    uint32_t id = sm->replay_head, next = sm->pending[id].next;
    struct mh_pending p = sm->pending[id];

    if (!mh_l1d_access(g, sm, &p, id))
        return false;
    sm->replay_head = next;
    return true;
}

static bool tlb_allocate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t key)
{
    uint32_t m = sm->free_tlb_mshr;

    if (m == MH_NONE)
        return false;
    sm->free_tlb_mshr = sm->tlb_mshr[m].next_free;
    sm->tlb_mshr[m] =
        (struct mh_tlb_mshr){.key = key, .vpn = op->page, .head = MH_NONE, .tenant = op->tenant, .token = op->token};
    mh_index_put(&sm->tlb_index, key, m);
    mh_ring_push(&sm->tlb_queue, m);
    op->tlb_mshr = m;
    mh_l2tlb_send(g, sm);
    return true;
}

/* Physical page, or -1: the L1 TLB misses. An ideal one has every page of the page table. */
static int64_t l1tlb_lookup(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant, uint32_t page)
{
    if (!g->cfg.l1tlb.ideal)
        return mh_assoc_lookup(&sm->tlb, mh_page_key(tenant, page));
    return mh_pt_translate(&g->pages, g->tenant[tenant].page_root, page);
}

/* Translates the page of the op's next line. False: it misses and no MSHR is free. */
static bool translate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    uint32_t key = mh_page_key(op->tenant, page);
    struct mh_counters *c = &g->tenant[op->tenant].count;

    op->page = page;
    op->ppn = l1tlb_lookup(g, sm, op->tenant, page);
    if (op->ppn < 0) {
        int m = mh_index_find(&sm->tlb_index, key);

        if (m >= 0) {
            op->tlb_mshr = (uint32_t)m;
            sm->tlb_mshr[m].token |= op->token;
            c->l1tlb_merge++;
        } else if (!tlb_allocate(g, sm, op, key)) {
            op->page = MH_NO_PAGE;
            return false;
        }
    }
    c->l1tlb_access++;
    c->l1tlb_hit += op->ppn >= 0;
    return true;
}

static bool wait_for_translation(struct mh_sm *sm, const struct mh_pending *p, uint32_t mshr)
{
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    if (sm->free_pending == MH_NONE)
        return false;
    uint32_t id = mh_pending_take(sm, p);

    if (e->head == MH_NONE)
        e->head = id;
    else
        sm->pending[e->tail].next = id;
    e->tail = id;
    return true;
}

/* An MSHR that was waited for may have been answered since this op looked: then the page is in the TLB. */
static bool same_page(const struct mh_sm *sm, const struct mh_lsu_op *op, uint32_t page)
{
    if (page != op->page)
        return false;
    return op->ppn >= 0 || mh_index_find(&sm->tlb_index, mh_page_key(op->tenant, page)) == (int)op->tlb_mshr;
}

static bool process_head(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_lsu_op *op = &sm->lsu[sm->lsu_head];
    const struct mh_line *l = &op->lines.at[op->next];
    uint32_t page = l->line >> g->page_shift;

    if (!same_page(sm, op, page) && !translate(g, sm, op, page))
        return false;
    struct mh_pending p = {.line = l->line,
                           .ppn = (uint32_t)op->ppn,
                           .warp = op->warp,
                           .slot = op->slot,
                           .kind = op->kind,
                           .tenant = op->tenant,
                           .sectors = l->sectors,
                           .full = l->full};

    if (!(op->ppn >= 0 ? mh_l1d_access(g, sm, &p, MH_NONE) : wait_for_translation(sm, &p, op->tlb_mshr)))
        return false;
    if (++op->next == op->lines.count) {
        sm->lsu_head = (sm->lsu_head + 1) % sm->lsu_size;
        sm->lsu_count--;
        mh_sm_wake(g, sm);
    }
    return true;
}

void mh_lsu_step(struct mh_gpu *g, struct mh_sm *sm)
{
    bool ok;

    sm->lsu_event = false;
    if (sm->replay_head != MH_NONE)
        ok = replay(g, sm);
    else if (sm->lsu_count)
        ok = process_head(g, sm);
    else
        return;
    if (!ok) {
        sm->lsu_stalled = true;
        return;
    }
    sm->lsu_free = g->wheel.now + 1;
    if (sm->replay_head != MH_NONE || sm->lsu_count)
        schedule(g, sm);
}

void mh_lsu_translated(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    mh_assoc_fill(&sm->tlb, e->key, e->ppn);
    for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
        sm->pending[id].ppn = e->ppn;
    if (e->head != MH_NONE) {
        if (sm->replay_head == MH_NONE)
            sm->replay_head = e->head;
        else
            sm->pending[sm->replay_tail].next = e->head;
        sm->replay_tail = e->tail;
    }
    mh_index_del(&sm->tlb_index, e->key);
    e->next_free = sm->free_tlb_mshr;
    sm->free_tlb_mshr = mshr;
    sm->lsu_stalled = false;
    schedule(g, sm);
}
