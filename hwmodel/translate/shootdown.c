
#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/upstream.h"
#include "translate/gpctlb.h"
#include "translate/iommu.h"
#include "pages/page_table.h"
#include "translate/walk.h"

static void flush_copy(struct mh_l2tlb_copy *copy, uint32_t tenant)
{
    if (copy->wide)
        mh_wide_flush(copy->wide, tenant);
    mh_tlb_flush(&copy->tlb, tenant);
    mh_assoc_flush(&copy->bypass, tenant);
}

void mh_flush_sm(struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    mh_lsu_flush_tlb(g, sm, tenant);
    mh_gpctlb_flush_sm(g, sm, tenant);
    flush_copy(mh_l2tlb_copy_of(g, tenant), tenant);
}

/* A tag of the page walk cache begins with its node, and a node lies in a frame of its address space. */
static uint32_t tenant_of_pwc_entry(const struct mh_gpu *g, uint32_t entry)
{
    uint32_t node = (entry >> MH_TAG_BITS) / MH_PT_ENTRIES;

    return g->tenant_of_asid[g->pages->owner[g->pages->node[node].line[0] >> g->page_shift]];
}

/* Pinned entries go, too. A walk that has pinned one finds no count to lower, or stops at 0. */
static void flush_pwc(struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_tags *pwc = &g->walkers[g->walkers_of[tenant]].pwc;

    for (size_t i = 0; i < (size_t)pwc->sets * pwc->stride; i++)
        if (pwc->entry[i] & MH_TAG_VALID && tenant_of_pwc_entry(g, pwc->entry[i]) == tenant)
            pwc->entry[i] = 0;
}

void mh_flush_tenant(struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        mh_lsu_flush_tlb(g, s, tenant);
    mh_gpctlb_flush(g, tenant);
    flush_copy(mh_l2tlb_copy_of(g, tenant), tenant);
    mh_assoc_flush(&g->iommu->l1, tenant);
    mh_tlb_flush(&g->iommu->l2, tenant);
    flush_pwc(g, tenant);
}

/*
 * All walks of the tenant, whatever they have read. One that has not begun, or has no answer yet, drops the mark when
 * it begins or gets one: what it then reads is new.
 */
static void restart_walks(struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t i = 0; i < g->l2tlb->mshrs; i++) {
        struct mh_walk *w = &g->l2tlb->walk[i];

        w->restart |= w->tenant == tenant && mh_index_find(&g->l2tlb->index, w->key) == (int)i;
    }
}

void mh_shootdown(struct mh_gpu *g, uint32_t tenant)
{
    mh_flush_tenant(g, tenant);
    /* "All contents of the TLB" (MASK sec. 5.2): other tenants' entries, too. */
    for (uint32_t t = 0; t < g->tenants; t++)
        flush_copy(mh_l2tlb_copy_of(g, tenant), t);
    restart_walks(g, tenant);
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        mh_lsu_forget(g, s, tenant);
    /* Last: no request uses the old frames any more. */
    mh_pt_free_left(g->pages, g->tenant[tenant].asid);
}

void mh_flush_page(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    struct mh_l2tlb_copy *copy = mh_l2tlb_copy_of(g, tenant);
    uint32_t key = mh_page_key(tenant, vpn);
    int walk = mh_index_find(&g->l2tlb->index, key);

    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        mh_lsu_forget_page(g, s, key);
    mh_gpctlb_drop(g, key);
    if (copy->wide)
        mh_wide_drop(copy->wide, key);
    mh_tlb_drop(&copy->tlb, key);
    mh_assoc_drop(&copy->bypass, key);
    if (g->cfg.iommu.l1_entries)
        mh_assoc_drop(&g->iommu->l1, key);
    if (g->iommu->l2.sets)
        mh_tlb_drop(&g->iommu->l2, key);
    if (walk >= 0)
        g->l2tlb->walk[walk].restart = true;
}
