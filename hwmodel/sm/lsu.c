#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/stalls.h"
#include "translate/check.h"
#include "translate/page_table.h"
#include "translate/walk.h"
#include "uvm/uvm.h"

/*
 * Load-store unit: one line a cycle through L1 TLB and L1D (l1d.c). A line whose page misses waits in the page's MSHR
 * while others go on; when the translation comes, it is replayed ahead of new work. Whatever cannot be taken (no MSHR,
 * no place in the miss queue) stops the LSU until something changes.
 */

struct mh_tlb_mshr *mh_tlb_mshr(const struct mh_gpu *g, uint32_t id)
{
    uint32_t sm = mh_quotient(&g->l1tlb_mshrs, id);

    return &g->sm[sm].tlb_mshr[id - sm * g->l1tlb_mshrs.by];
}

uint32_t mh_tlb_mshr_of(const struct mh_sm *sm, uint32_t key)
{
    int at = mh_assoc_find(&sm->tlb, key);

    return at < (int)sm->tlb.capacity ? MH_NONE : (uint32_t)at - sm->tlb.capacity;
}

static void step_at(struct mh_gpu *g, struct mh_sm *sm, uint64_t cycle)
{
    sm->lsu_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_LSU, sm->id));
}

static uint64_t next_step(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now;
}

static void schedule(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->lsu_event)
        step_at(g, sm, next_step(g, sm));
}

void mh_lsu_count_refused(struct mh_gpu *g, struct mh_sm *sm, uint64_t until)
{
    for (uint32_t m = sm->lsu_refused; m; m &= m - 1) {
        uint32_t tenant = (uint32_t)__builtin_ctz(m);

        g->tenant[tenant].count.reservation_fails += (uint32_t)until - sm->refused_at[tenant];
        sm->refused_at[tenant] = (uint32_t)until;
    }
}

/* It tries again: if its line is refused once more, that counts from then on. */
static inline void go_on(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->lsu_refused)
        mh_lsu_count_refused(g, sm, next_step(g, sm));
    sm->lsu_refused = 0;
    sm->lsu_stalled = false;
    schedule(g, sm);
}

void mh_lsu_kick(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->lsu_stalled)
        go_on(g, sm);
}

/*
 * TLB-fill tokens (MASK sec. 5.2): the n lowest warps of the tenant on this SM hold one each. Below slot w there are at
 * most w warps, so the first n slots need no count.
 */
static bool has_token(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t warp)
{
    uint32_t tokens = g->knobs.tokens[tenant];

    if (warp < tokens)
        return true;
    return mh_bits(sm->tenant_warps[tenant] & ((1ull << warp) - 1)) < tokens;
}

/* Place of the i-th instruction in the ring. */
static uint32_t place(const struct mh_sm *sm, uint32_t i)
{
    uint32_t at = sm->lsu_head + i;

    return at < sm->lsu_size ? at : at - sm->lsu_size;
}

void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_lsu_op *op = &sm->lsu[place(sm, sm->lsu_count++)];

    mh_coalesce(&w->op, w->addr, g->line_shift, g->page_shift, &op->lines);
    g->tenant[w->tenant].count.mem_lines += op->lines.count;
    op->next = 0;
    op->page = MH_NO_PAGE;
    op->use = (struct mh_use){.warp = (uint8_t)warp, .tenant = w->tenant, .slot = slot, .kind = w->op.kind};
    op->instruction = mh_instruction_next(g->instructions);
    op->token = has_token(g, sm, w->tenant, warp);
    if (w->op.kind == MH_OP_LOAD) {
        w->load[slot].lines = (uint16_t)op->lines.count;
        w->load[slot].hit_at = 0;
    }
    /* Issue takes a cycle; the LSU sees the instruction in the next. */
    sm->lsu_free = sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now + 1;
    if (!sm->lsu_stalled)
        schedule(g, sm);
}

/* The one place at which a translation is used. */
static bool use_translation(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, uint32_t ppn, struct mh_use use)
{
    mh_check_translation(g, use.tenant, line >> g->page_shift, ppn);
    bool taken = mh_l1d_access(g, sm, ppn << g->page_shift | (line & (g->lines_per_page - 1)), use);

    if (__builtin_expect(g->watch_units, 0) && taken)
        mh_uvm_access(g, ppn, use.kind != MH_OP_LOAD);
    return taken;
}

/* Its pending entry is free while the line is looked up: when that misses, it takes the same one again. */
static bool replay(struct mh_gpu *g, struct mh_sm *sm)
{
    uint32_t id = sm->replay_head;
    struct mh_pending *p = &sm->pending[id];
    uint32_t next = p->next, ppn = p->ppn == MH_NO_PAGE ? sm->replay_ppn : p->ppn;

    mh_pending_give(sm, id);
    if (!use_translation(g, sm, p->line, ppn, p->use)) {
        mh_pending_take(sm);
        p->next = next;
        return false;
    }
    sm->replay_head = next;
    sm->replay_ppn = ppn;
    return true;
}

/* --- Requests to the L2 TLB. */

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

static void ask(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
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

static bool tlb_allocate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op)
{
    uint32_t m = sm->free_tlb_mshr, key = mh_page_key(op->use.tenant, op->page);

    if (m == MH_NONE)
        return false;
    sm->free_tlb_mshr = sm->tlb_mshr[m].next_free;
    sm->tlb_mshr[m] = (struct mh_tlb_mshr){.key = key,
                                           .vpn = op->page,
                                           .head = MH_NONE,
                                           .instruction = op->instruction,
                                           .tenant = op->use.tenant,
                                           .warp = op->use.warp,
                                           .token = op->token,
                                           .warps = 1};
    mh_assoc_expect(&sm->tlb, key, m);
    op->tlb_mshr = m;
    ask(g, sm, m);
    return true;
}

/*
 * Physical page, or -1: the L1 TLB misses, and the op has the MSHR that waits for the page, or MH_NONE. An ideal L1 TLB
 * has every page of the page table.
 */
static int64_t l1tlb_lookup(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    if (g->cfg.l1tlb.ideal)
        return mh_pt_translate(g->pages, g->tenant[op->use.tenant].page_root, page);
    int at = mh_assoc_find(&sm->tlb, mh_page_key(op->use.tenant, page));

    if (at >= 0 && at < sm->tlb.capacity)
        return mh_assoc_touch(&sm->tlb, (uint16_t)at);
    op->tlb_mshr = at < 0 ? MH_NONE : (uint32_t)at - sm->tlb.capacity;
    return -1;
}

/* Translates the page of the op's next line. False: it misses and no MSHR is free. Then nothing is counted. */
static bool translate(struct mh_gpu *g, struct mh_sm *sm, struct mh_lsu_op *op, uint32_t page)
{
    struct mh_counters *c = &g->tenant[op->use.tenant].count;

    op->page = page;
    op->ppn = l1tlb_lookup(g, sm, op, page);
    if (op->ppn >= 0) {
        c->l1tlb_hit++;
    } else if (op->tlb_mshr != MH_NONE) {
        sm->tlb_mshr[op->tlb_mshr].token |= op->token;
        sm->tlb_mshr[op->tlb_mshr].warps++;
        c->l1tlb_merge++;
    } else if (!tlb_allocate(g, sm, op)) {
        op->page = MH_NO_PAGE;
        return false;
    }
    c->l1tlb_access++;
    return true;
}

static bool wait_for_translation(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use,
                                 uint32_t mshr)
{
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    if (!sm->places)
        return false;
    uint32_t id = mh_pending_take(sm);

    sm->pending[id] = (struct mh_pending){.line = line, .ppn = MH_NO_PAGE, .next = MH_NONE, .use = use};
    if (e->head == MH_NONE)
        e->head = id;
    else
        sm->pending[e->tail].next = id;
    e->tail = id;
    mh_sm_fault_last(g, sm);
    return true;
}

/*
 * The op knows the page of the line before. If it waits for an MSHR that has been answered since, it looks again: the
 * page is in the L1 TLB now.
 */
static bool same_page(const struct mh_sm *sm, const struct mh_lsu_op *op, uint32_t page)
{
    if (page != op->page)
        return false;
    return op->ppn >= 0 || mh_tlb_mshr_of(sm, mh_page_key(op->use.tenant, page)) == op->tlb_mshr;
}

static __attribute__((noinline)) void room_again(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->count_stalls)
        mh_stalls_lsu(g, sm);
    mh_sm_wake(g, sm);
}

/* Only a full LSU keeps warps from issuing. */
static void leave(struct mh_gpu *g, struct mh_sm *sm)
{
    bool full = sm->lsu_count-- == sm->lsu_size;

    sm->lsu_head = place(sm, 1);
    if (full)
        room_again(g, sm);
}

static bool process_head(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_lsu_op *op = &sm->lsu[sm->lsu_head];
    const struct mh_line *l = &op->lines.at[op->next];
    uint32_t page = l->line >> g->page_shift;
    struct mh_use use = op->use;

    if (!same_page(sm, op, page) && !translate(g, sm, op, page))
        return false;
    use.sectors = l->sectors;
    use.full = l->full;
    /* A line that cannot be taken leaves `page` and `ppn` as they are: same_page() spares the next try the look-up. */
    if (!(op->ppn >= 0 ? use_translation(g, sm, l->line, (uint32_t)op->ppn, use)
                       : wait_for_translation(g, sm, l->line, use, op->tlb_mshr)))
        return false;
    if (++op->next == op->lines.count)
        leave(g, sm);
    return true;
}

void mh_lsu_step(struct mh_gpu *g, uint32_t id)
{
    struct mh_sm *sm = &g->sm[id];

    sm->lsu_event = false;
    if (sm->replay_head == MH_NONE && !sm->lsu_count)
        return;
    /* A replay that cannot be taken stops new lines, too: nothing overtakes it. */
    if (!(sm->replay_head != MH_NONE ? replay(g, sm) : process_head(g, sm))) {
        sm->lsu_stalled = true;
        return;
    }
    sm->lsu_free = g->wheel.now + 1;
    if (sm->replay_head != MH_NONE || sm->lsu_count)
        step_at(g, sm, sm->lsu_free);
}

/* An MSHR is free: that may be what the LSU was stopped for. */
static void release(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    e->pins = false;
    e->instruction = MH_NO_INSTRUCTION;
    e->next_free = sm->free_tlb_mshr;
    sm->free_tlb_mshr = mshr;
    go_on(g, sm);
}

void mh_lsu_translated(struct mh_gpu *g, uint32_t id)
{
    const uint32_t at = mh_quotient(&g->l1tlb_mshrs, id), mshr = id - at * g->l1tlb_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    /* Page table entries have changed since the answer was read: the request goes out again, and its lines wait. */
    if (e->stale) {
        ask(g, sm, mshr);
        return;
    }
    mh_assoc_arrive(&sm->tlb, e->key, e->ppn);
    if (e->head != MH_NONE) {
        /* The translation stands with the first line; those behind it, of the same page, take it from there. */
        sm->pending[e->head].ppn = e->ppn;
        if (sm->replay_head == MH_NONE)
            sm->replay_head = e->head;
        else
            sm->pending[sm->replay_tail].next = e->head;
        sm->replay_tail = e->tail;
    }
    release(g, sm, mshr);
}

void mh_lsu_cancel(struct mh_gpu *g, uint32_t id)
{
    const uint32_t at = mh_quotient(&g->l1tlb_mshrs, id), mshr = id - at * g->l1tlb_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_tlb_mshr *e = &sm->tlb_mshr[mshr];

    mh_assoc_unexpect(&sm->tlb, e->key);
    for (uint32_t line = e->head, next; line != MH_NONE; line = next) {
        struct mh_use use = sm->pending[line].use;

        next = sm->pending[line].next;
        mh_pending_give(sm, line);
        if (use.kind == MH_OP_LOAD)
            mh_l1d_give_up(g, sm, use);
    }
    release(g, sm, mshr);
}

bool mh_lsu_serves(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++)
        if (sm->lsu[place(sm, i)].use.tenant == tenant)
            return true;
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next)
        if (sm->pending[id].use.tenant == tenant)
            return true;
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++)
        if (sm->tlb_mshr[m].tenant == tenant && mh_tlb_mshr_of(sm, sm->tlb_mshr[m].key) == m)
            return true;
    return false;
}

/* The one whose lines the LSU takes, and those whose pages are on their way; behind the head nobody has begun. */
void mh_lsu_mark(struct mh_gpu *g, const struct mh_sm *sm)
{
    if (sm->lsu_count)
        mh_instruction_mark(g->instructions, sm->lsu[sm->lsu_head].instruction);
    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        mh_instruction_mark(g->instructions, sm->tlb_mshr[i].instruction);
}
