#include "engine/upstream.h"
#include "pages/page_table.h"
#include "translate/l2tlb.h"
#include "translate/steal.h"
#include "translate/walk.h"

bool mh_walk_should_tell(const struct mh_gpu *g)
{
    return g->paging || g->knobs.tlb_prefetch;
}

/* The walk itself is over by the time that the event comes: the key of its page stays. */
void mh_walk_found(struct mh_gpu *g, const struct mh_walk *w)
{
    if (g->paging)
        mh_uvm_used(g, w->tenant, w->vpn);
    if (!g->knobs.tlb_prefetch || w->head == MH_NONE)
        return;
    mh_ring_push(&g->l2tlb->found, w->key);
    mh_wheel_add(&g->wheel, g->wheel.now, MH_EVENT(EV_TLB_PREFETCH, 0));
}

static bool has(const struct mh_gpu *g, const struct mh_l2tlb_copy *copy, uint32_t key)
{
    if (mh_index_find(&g->l2tlb->index, key) >= 0 || mh_assoc_find(&copy->bypass, key) >= 0)
        return true;
    if (copy->wide)
        return mh_wide_has(copy->wide, key);
    return mh_tlb_way(&copy->tlb, mh_tlb_set(&copy->tlb, key), key) >= 0;
}

/* The small page behind the page of this key. */
static uint32_t next_page(const struct mh_gpu *g, uint32_t key)
{
    const uint32_t large = key & g->pages->large_bit, page = mh_page_of_key(key) - large + 1;

    return large ? page << g->pages->block_bits : page;
}

/* Numbers of pages end below the bit of large ones, if there are any. */
static bool is_mapped(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    const uint32_t end = g->pages->large_bit ? g->pages->large_bit : mh_page_of_key(UINT32_MAX);

    return vpn < end && mh_pt_translate(g->pages, g->tenant[tenant].page_root, vpn) != MH_PT_NONE;
}

static bool may_walk(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    return g->cfg.l2tlb.entries && !g->cfg.iommu.l1_entries && !g->steal->on && mh_walkers_of(g, tenant)->idle &&
           g->tenant[tenant].presence == MH_PRESENT && is_mapped(g, tenant, vpn);
}

void mh_walk_prefetch(struct mh_gpu *g, uint32_t none)
{
    const uint32_t found = mh_ring_pop(&g->l2tlb->found), tenant = mh_tenant_of_key(found), vpn = next_page(g, found);

    (void)none;
    if (!may_walk(g, tenant, vpn))
        return;
    const uint32_t key = mh_pt_key(g->pages, tenant, g->tenant[tenant].asid, vpn);

    if (!has(g, mh_l2tlb_copy_of(g, tenant), key))
        g->tenant[tenant].count.tlb_prefetches += mh_l2tlb_prefetch(g, key, vpn);
}
