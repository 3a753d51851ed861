#include "gpu/gpu.h"

/*
 * Load-store unit: one line a cycle through L1 TLB and L1D. A line whose page misses waits in the page's MSHR while
 * others go on; when the translation comes, it is replayed ahead of new work. Whatever cannot be taken (no MSHR, no
 * place in the miss queue) stops the LSU until something changes.
 */

struct mh_tlb_mshr *mh_tlb_mshr(struct mh_gpu *g, uint32_t id)
{
    return &g->sm[id / g->cfg.l1tlb.mshrs].tlb_mshr[id % g->cfg.l1tlb.mshrs];
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

    return (uint32_t)__builtin_popcountll(below) < g->knobs.tokens[tenant];
}

void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_lsu_op *op = &sm->lsu[(sm->lsu_head + sm->lsu_count++) % sm->lsu_size];

    mh_coalesce(&w->op, w->addr, g->page_shift, &op->lines);
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

/* L1 TLB, then L1D: what a line takes through the LSU. A miss pays it on its way back, together with the fill. */
static uint32_t look_up_latency(const struct mh_gpu *g)
{
    return g->cfg.l1tlb.latency + g->cfg.l1d.latency;
}

static void line_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot, uint64_t at)
{
    struct mh_warp *w = &sm->warp[warp];

    if (at > w->hit_at[slot])
        w->hit_at[slot] = at;
    MH_CHECK(w->lines[slot]);
    if (--w->lines[slot])
        return;
    if (w->hit_at[slot] > g->wheel.now)
        mh_wheel_add(&g->wheel, w->hit_at[slot],
                     MH_EVENT(EV_LOAD_DONE, (sm->id * MH_MAX_WARPS + warp) * MH_MAX_LOADS + slot));
    else
        mh_sm_load_done(g, sm, warp, slot);
}

static uint32_t take_pending(struct mh_sm *sm, const struct mh_pending *from)
{
    uint32_t id = sm->free_pending;

    sm->free_pending = sm->pending[id].next;
    sm->pending[id] = *from;
    sm->pending[id].next = MH_NONE;
    return id;
}

static void give_pending(struct mh_sm *sm, uint32_t id)
{
    sm->pending[id].next = sm->free_pending;
    sm->free_pending = id;
}

static struct mh_req request(const struct mh_sm *sm, const struct mh_pending *p, uint32_t line)
{
    return (struct mh_req){.line = line,
                           .port = (uint16_t)sm->id,
                           .tenant = p->tenant,
                           .full = p->full,
                           .kind = p->kind == MH_OP_LOAD    ? MH_REQ_READ
                                   : p->kind == MH_OP_STORE ? MH_REQ_WRITE
                                                            : MH_REQ_ATOMIC};
}

static uint32_t *l1d_set(const struct mh_sm *sm, uint32_t line)
{
    return mh_tags_set(&sm->l1d, line & (sm->l1d.sets - 1));
}

/* Write through, no allocate; an atomic is done in the L2, so the L1D's copy goes. */
static bool l1d_write(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t line)
{
    uint32_t *set = l1d_set(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);
    struct mh_req r = request(sm, p, line);

    if (!mh_noc_room(&g->noc, sm->id))
        return false;
    if (way >= 0 && p->kind == MH_OP_ATOMIC)
        set[way] = 0;
    mh_noc_send(g, &r);
    return true;
}

/* `id`: the pending entry the line already has, or MH_NONE. False: cannot go on now. */
static bool l1d_miss(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t line, uint32_t id)
{
    int m = mh_index_find(&sm->l1_index, line);
    bool fresh = m < 0;

    if (fresh && (sm->free_l1_mshr == MH_NONE || !mh_noc_room(&g->noc, sm->id)))
        return false;
    if (id == MH_NONE && sm->free_pending == MH_NONE)
        return false;
    if (id == MH_NONE)
        id = take_pending(sm, p);
    if (fresh) {
        struct mh_req r = request(sm, p, line);

        m = (int)sm->free_l1_mshr;
        sm->free_l1_mshr = sm->l1_mshr[m].next_free;
        sm->l1_mshr[m] = (struct mh_l1_mshr){.line = line, .head = MH_NONE};
        mh_index_put(&sm->l1_index, line, (uint32_t)m);
        r.owner = (uint32_t)m;
        mh_noc_send(g, &r);
    }
    sm->pending[id].next = sm->l1_mshr[m].head;
    sm->l1_mshr[m].head = id;
    return true;
}

static bool l1d_access(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t id)
{
    uint32_t line = p->ppn << g->page_shift | (p->line & (g->lines_per_page - 1));
    struct mh_counters *c = &g->tenant[p->tenant].count;

    MH_CHECK(g->pages.owner[p->ppn] == g->tenant[p->tenant].asid);
    if (p->kind != MH_OP_LOAD) {
        if (!l1d_write(g, sm, p, line))
            return false;
        if (id != MH_NONE)
            give_pending(sm, id);
        return true;
    }
    uint32_t *set = l1d_set(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    if (way < 0) {
        if (!l1d_miss(g, sm, p, line, id))
            return false;
        c->l1d_access++;
        return true;
    }
    mh_tags_front(set, (uint32_t)way, set[way]);
    c->l1d_access++;
    c->l1d_hit++;
    line_done(g, sm, p->warp, p->slot, g->wheel.now + look_up_latency(g));
    if (id != MH_NONE)
        give_pending(sm, id);
    return true;
}

static bool replay(struct mh_gpu *g, struct mh_sm *sm)
{
    uint32_t id = sm->replay_head, next = sm->pending[id].next;
    struct mh_pending p = sm->pending[id];

    if (!l1d_access(g, sm, &p, id))
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

/* Translates the page of the op's next line. False: it misses and no MSHR is free. */
static bool translate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    uint32_t key = mh_page_key(op->tenant, page);
    struct mh_counters *c = &g->tenant[op->tenant].count;

    op->page = page;
    op->ppn = mh_assoc_lookup(&sm->tlb, key);
    if (op->ppn < 0) {
        int m = mh_index_find(&sm->tlb_index, key);

        if (m >= 0) {
            op->tlb_mshr = (uint32_t)m;
            sm->tlb_mshr[m].token |= op->token;
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
    uint32_t id = take_pending(sm, p);

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
    uint32_t line = op->lines.line[op->next], page = line >> g->page_shift;

    if (!same_page(sm, op, page) && !translate(g, sm, op, page))
        return false;
    struct mh_pending p = {.line = line,
                           .ppn = (uint32_t)op->ppn,
                           .warp = op->warp,
                           .slot = op->slot,
                           .kind = op->kind,
                           .tenant = op->tenant,
                           .full = op->lines.full[op->next / 64] >> (op->next % 64) & 1};

    if (!(op->ppn >= 0 ? l1d_access(g, sm, &p, MH_NONE) : wait_for_translation(sm, &p, op->tlb_mshr)))
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

void mh_lsu_reply(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr, uint64_t cycle)
{
    mh_wheel_add(&g->wheel, cycle + look_up_latency(g), MH_EVENT(EV_L1_FILL, sm->id * g->cfg.l1d.mshrs + mshr));
}

void mh_lsu_filled(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];
    uint32_t *set = l1d_set(sm, e->line);
    uint32_t head = e->head;

    mh_tags_front(set, sm->l1d.ways - 1, e->line << MH_TAG_BITS | MH_TAG_VALID);
    mh_index_del(&sm->l1_index, e->line);
    e->next_free = sm->free_l1_mshr;
    sm->free_l1_mshr = mshr;
    for (uint32_t id = head, next; id != MH_NONE; id = next) {
        next = sm->pending[id].next;
        line_done(g, sm, sm->pending[id].warp, sm->pending[id].slot, g->wheel.now);
        give_pending(sm, id);
    }
    mh_lsu_kick(g, sm);
}
