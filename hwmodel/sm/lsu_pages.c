#include "engine/gpu.h"
#include "sm/sm.h"
#include "translate/page_table.h"

/*
 * What the LSU and the L1 TLB know of page tables that change: after a shootdown of a tenant, or of one page that
 * migrates.
 */

/* Only the instruction at the head has looked anything up; where its page missed, it waits as before. */
void mh_lsu_forget(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    struct mh_lsu_op *head = &sm->lsu[sm->lsu_head];

    if (sm->lsu_count && head->use.tenant == tenant && head->ppn >= 0)
        head->page = MH_NO_PAGE;
    for (uint32_t id = sm->replay_head; id != MH_NONE; id = sm->pending[id].next) {
        struct mh_pending *p = &sm->pending[id];

        if (p->use.tenant == tenant)
            p->ppn = mh_pt_translate(g->pages, g->tenant[tenant].page_root, p->line >> g->page_shift);
    }
    /* Also those without an answer yet, and free ones: an answer, or the next page, takes the mark off. */
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++)
        sm->tlb_mshr[m].stale |= sm->tlb_mshr[m].tenant == tenant;
}

void mh_lsu_forget_page(struct mh_sm *sm, uint32_t key)
{
    struct mh_lsu_op *head = &sm->lsu[sm->lsu_head];
    uint32_t mshr = mh_tlb_mshr_of(sm, key);

    if (sm->lsu_count && head->ppn >= 0 && head->page != MH_NO_PAGE && mh_page_key(head->use.tenant, head->page) == key)
        head->page = MH_NO_PAGE;
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
    return false;
}

void mh_lsu_flush_tlb(struct mh_sm *sm, uint32_t tenant)
{
    mh_assoc_flush(&sm->tlb, tenant);
}
