#include "engine/gpu.h"
#include "sm/lsu.h"
#include "waits/waits.h"
#include "pages/page_table.h"
#include "translate/instruction.h"

/*
 * l1tlb.on_miss hold: a line whose page misses the L1 TLB is refused, and stops the LSU as any refused line does; with
 * sm.lsu_order per-kernel, for its tenant. When the page is there the same line is tried again, in the answer's cycle,
 * and hits. It has looked the page up once: later tries count nothing, and take no place among the pending lines.
 *
 * The instruction knows its MSHR. It keeps no list: nobody else can wait for that page, as no other line of the tenant
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
    if (use.kind == MH_OP_LOAD)
        mh_l1d_give_up(g, sm, use);
    return MH_TAKEN;
}

/* Not from the L1 TLB: a flush in this cycle may have emptied that, as it may a page's replays. */
void mh_lsu_unhold(const struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_lsu_op *op = mh_lsu_held(g, sm, mshr);

    if (op)
        op->ppn = sm->tlb_mshr[mshr].ppn;
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
 * What others ask of LSU and L1 TLB: whom they serve, and that they forget what they know of page tables that change,
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

/* Those whose lines the LSU takes, and those whose pages are on their way. In order, nobody has begun one behind the
 * head. */
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
}
