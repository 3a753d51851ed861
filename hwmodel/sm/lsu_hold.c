#include "engine/gpu.h"
#include "sm/lsu.h"
#include "waits/waits.h"
#include "pages/page_table.h"
#include "translate/instruction.h"
#include "translate/tlb.h"
#include "sm/l1d.h"
#include "sm/coalesce.h"

/*
 * l1tlb.on_miss hold: a line whose page misses the L1 TLB is refused, and stops the LSU as any refused line does; with
 * sm.lsu_order per-kernel, for its tenant. When the page is there the same line is tried again, in the answer's cycle,
 * and hits. It has looked the page up once: later tries count nothing, and take no place among the pending lines.
 *
 * The instruction knows its MSHR. It keeps no list: nothing else can wait for that page, as no other line of the tenant
 * is looked up meanwhile.
 */
struct mh_lsu_op *mh_lsu_held(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    for (uint32_t i = 0; g->misses_hold && i < sm->lsu_count; i++) {
        struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (op->page != MH_NO_PAGE && op->ppn < 0 && op->tlb_mshr == mshr)
            return op;
    }
    return NULL;
}

enum mh_taken mh_lsu_hold(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use, uint32_t mshr)
{
    if (mshr != MH_NONE) {
        mh_waits_refused(g, sm->id, MH_STOP_PAGE + mshr);
        return MH_REFUSED;
    }
    if (mh_use_returns(use))
        mh_l1d_give_up(g, sm, use);
    return MH_TAKEN;
}

/* Not from the L1 TLB: a flush in this cycle may have emptied that, as it may a page's replays. */
void mh_lsu_unhold(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_lsu_op *op = mh_lsu_held(g, sm, mshr);

    if (op)
        op->ppn = sm->tlb_mshr[mshr].ppn + (op->page - sm->tlb_mshr[mshr].vpn);
}

void mh_lsu_hold_cancel(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_lsu_op *op = mh_lsu_held(g, sm, mshr);

    if (op)
        op->tlb_mshr = MH_NONE;
}

bool mh_lsu_hold_pins(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t vpn, uint32_t pages)
{
    for (uint32_t i = 0; g->misses_hold && i < sm->lsu_count; i++) {
        const struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (mh_lsu_has_page(op) && op->use.tenant == tenant && op->page - vpn < pages)
            return true;
    }
    return false;
}

/*
 * What other blocks ask of LSU and L1 TLB: which tenants they serve, and to forget translations that have changed,
 * after a shootdown of a tenant, or of one page that migrates.
 */

bool mh_lsu_serves(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++)
        if (mh_lsu_at(sm, i)->use.tenant == tenant)
            return true;
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next)
        if (sm->pending[id].use.tenant == tenant)
            return true;
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++)
        if (sm->tlb_mshr[m].tenant == tenant && mh_tlb_mshr_of(sm, sm->tlb_mshr[m].key) == m)
            return true;
    return false;
}

/* Those whose lines the LSU takes, and those whose pages are on their way. In order, no instruction behind the
 * head has begun. */
void mh_lsu_mark(struct mh_gpu *g, uint32_t id)
{
    const struct mh_sm *sm = &g->sm[id];

    for (uint32_t i = 0; i < sm->lsu_count && (i == 0 || sm->lsu_apart); i++)
        mh_instruction_mark(g->instructions, mh_lsu_at(sm, i)->instruction);
    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        mh_instruction_mark(g->instructions, sm->tlb_mshr[i].instruction);
}

/* Where the page of an instruction missed, it waits as before. */
void mh_lsu_forget(struct mh_gpu *g, uint32_t id, uint32_t tenant)
{
    struct mh_sm *sm = &g->sm[id];

    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (op->use.tenant == tenant && mh_lsu_has_page(op))
            op->page = MH_NO_PAGE;
    }
    for (uint32_t line = sm->replay_head; line != MH_NONE; line = sm->pending[line].next) {
        struct mh_pending *p = &sm->pending[line];

        if (p->use.tenant == tenant)
            p->ppn = mh_pt_translate(g->pages, g->tenant[tenant].page_root, p->line >> g->page_shift);
    }
    /* Also those without an answer yet, and free ones: an answer, or the next page, takes the mark off. */
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++)
        sm->tlb_mshr[m].stale |= sm->tlb_mshr[m].tenant == tenant;
}

void mh_lsu_forget_page(struct mh_gpu *g, uint32_t id, uint32_t key)
{
    struct mh_sm *sm = &g->sm[id];
    uint32_t mshr = mh_tlb_mshr_of(sm, key);

    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        struct mh_lsu_op *op = mh_lsu_at(sm, i);

        if (mh_lsu_has_page(op) && mh_page_key(op->use.tenant, op->page) == key)
            op->page = MH_NO_PAGE;
    }
    if (mshr != MH_NONE)
        sm->tlb_mshr[mshr].stale = true;
    mh_assoc_drop(&sm->tlb, key);
    if (sm->wide_tlb)
        mh_wide_drop(sm->wide_tlb, key);
}

void mh_lsu_each_replay(const struct mh_gpu *g, const struct mh_sm *sm,
                        void (*seen)(void *ctx, uint32_t tenant, uint32_t vpn), void *ctx)
{
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next)
        seen(ctx, sm->pending[id].use.tenant, sm->pending[id].line >> g->page_shift);
}

bool mh_lsu_replays(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, uint32_t vpn, uint32_t pages)
{
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++) {
        const struct mh_tlb_mshr *e = &sm->tlb_mshr[m];

        if (e->pins && e->tenant == tenant && e->vpn - vpn < pages)
            return true;
    }
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next)
        if (sm->pending[id].use.tenant == tenant && (sm->pending[id].line >> g->page_shift) - vpn < pages)
            return true;
    return mh_lsu_hold_pins(g, sm, tenant, vpn, pages);
}

void mh_lsu_flush_tlb(struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    mh_assoc_flush(&g->sm[sm].tlb, tenant);
    if (g->sm[sm].wide_tlb)
        mh_wide_flush(g->sm[sm].wide_tlb, tenant);
}

int mh_lsu_order_init(struct mh_sm *sm, const struct mh_config *cfg)
{
    struct mh_lsu_order *o = mh_aligned_zeros(sizeof *o + cfg->sm.lsu_queue * sizeof *o->place);

    if (!o)
        return -1;
    for (uint32_t i = 0; i < cfg->sm.lsu_queue; i++)
        o->place[i].at = (uint16_t)i;
    sm->lsu_order = o;
    sm->lsu_apart = sm->lsu_differs = true;
    return 0;
}

/* --- Places. */

/* Slots of tenants with an instruction in the LSU; *without: tenants that have warps, but none. */
static uint64_t slots_of_holders(const struct mh_sm *sm, uint32_t *without)
{
    uint64_t slots = 0;

    *without = 0;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        if (sm->lsu_order->held[t])
            slots |= sm->tenant_warps[t];
        else
            *without += sm->tenant_warps[t] != 0;
    return slots;
}

void mh_lsu_order_close(struct mh_sm *sm)
{
    struct mh_lsu_order *o = sm->lsu_order;
    uint32_t free = sm->lsu_size - sm->lsu_count, without;

    o->closed = 0;
    if (free < MH_MAX_TENANTS) {
        uint64_t slots = slots_of_holders(sm, &without);

        o->closed = free <= without ? mh_sm_positions(sm, slots) : 0;
    }
    mh_lsu_hold_memory(sm);
}

void mh_lsu_order_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    sm->lsu_order->place[sm->lsu_count - 1].tenant = (uint8_t)tenant;
    sm->lsu_order->held[tenant]++;
    mh_lsu_order_close(sm);
    mh_lsu_again(g, sm);
}

static void leave(struct mh_gpu *g, struct mh_sm *sm, uint32_t i)
{
    struct mh_lsu_order *o = sm->lsu_order;
    const struct mh_lsu_place place = o->place[i];
    const struct mh_use use = sm->lsu[place.at].use;

    sm->lsu_count--;
    o->held[use.tenant]--;
    for (; i < sm->lsu_count; i++)
        o->place[i] = o->place[i + 1];
    o->place[i] = place;
    mh_lsu_order_close(sm);
    if (sm->rationed && !mh_use_returns(use))
        mh_quota_done(g, sm, use.tenant);
    mh_sm_wake(g, sm);
}

/* --- Choice. */

static bool is_stopped(const struct mh_sm *sm, uint32_t tenant)
{
    return sm->lsu_order->stopped >> tenant & 1;
}

static void stop(struct mh_sm *sm, uint32_t tenant)
{
    sm->lsu_order->stopped |= 1u << tenant;
}

/*
 * The line leaves the list; `before` is the one before it, or MH_NONE. The translation of a page stands with the first
 * of its lines that is there.
 */
static void unlink_replay(struct mh_sm *sm, uint32_t before, uint32_t id, uint32_t next, uint32_t ppn)
{
    if (next != MH_NONE && sm->pending[next].ppn == MH_NO_PAGE)
        sm->pending[next].ppn = ppn;
    if (before == MH_NONE)
        sm->replay_head = next;
    else
        sm->pending[before].next = next;
    if (sm->replay_tail == id)
        sm->replay_tail = before;
}

static bool replay_first(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint32_t id = sm->replay_head, before = MH_NONE, next; id != MH_NONE; before = id, id = next) {
        const struct mh_pending *p = &sm->pending[id];
        uint32_t tenant = p->use.tenant, ppn = p->ppn;

        next = p->next;
        if (is_stopped(sm, tenant))
            continue;
        if (mh_lsu_replay(g, sm, id)) {
            unlink_replay(sm, before, id, next, ppn);
            return true;
        }
        stop(sm, tenant);
    }
    return false;
}

static bool process_first(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_lsu_place place = sm->lsu_order->place[i];
        struct mh_lsu_op *op = &sm->lsu[place.at];

        if (is_stopped(sm, place.tenant))
            continue;
        if (mh_lsu_process(g, sm, op)) {
            if (op->next == op->lines.count)
                leave(g, sm, i);
            return true;
        }
        stop(sm, place.tenant);
    }
    return false;
}

void mh_lsu_order_step(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_lsu_order *o = sm->lsu_order;

    if (!sm->lsu_stalled)
        o->stopped = 0;
    bool taken = replay_first(g, sm) || process_first(g, sm);

    sm->lsu_stalled = o->stopped != 0;
    if (sm->lsu_stalled && !taken)
        mh_waits_stopped(g, sm->id);
    if (!taken)
        return;
    sm->lsu_free = g->wheel.now + 1;
    if (sm->replay_head != MH_NONE || sm->lsu_count)
        mh_lsu_step_at(g, sm, sm->lsu_free);
}

/* A memory instruction enters the LSU. */

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

void mh_lsu_accept(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_lsu_op *op = mh_lsu_at(sm, sm->lsu_count++);

    mh_coalesce(&w->op, w->addr, g->line_shift, g->page_shift, &op->lines);
    if (__builtin_expect(sm->written != NULL, 0) && w->op.kind == MH_OP_STORE)
        mh_written_lines(&w->op, w->addr, g->line_shift, &op->lines, mh_lsu_written(sm, op));
    g->tenant[w->tenant].count.mem_lines += op->lines.count;
    op->next = 0;
    op->page = MH_NO_PAGE;
    op->use = (struct mh_use){.warp = (uint8_t)warp, .tenant = w->tenant, .slot = slot, .kind = w->op.kind};
    op->instruction = mh_instruction_next(g->instructions);
    op->token = has_token(g, sm, w->tenant, warp);
    if (w->op.kind == MH_OP_LOAD) {
        w->load[slot].lines = (uint16_t)op->lines.count;
        w->load[slot].hit_at = 0;
        if (__builtin_expect(w->op.pc & MH_PC_RESULT, 0))
            op->use.kind = MH_USE_ATOMIC_READ;
    }
    /* Issue takes a cycle; the LSU sees the instruction in the next. */
    sm->lsu_free = sm->lsu_free > g->wheel.now ? sm->lsu_free : g->wheel.now + 1;
    if (__builtin_expect(sm->lsu_apart, 0))
        mh_lsu_order_enter(g, sm, w->tenant);
    if (!sm->lsu_stalled)
        mh_lsu_soon(g, sm);
}
