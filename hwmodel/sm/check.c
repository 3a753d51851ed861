#include "sm/report.h"

/* Every pending line, warp and CTA is free, or held by exactly who says so. */
#ifdef MH_DEBUG
#include <string.h>

#include "engine/gpu.h"
#include "sm/lsu.h"

static uint32_t count_pending(const struct mh_sm *sm, uint32_t head)
{
    uint32_t n = 0;

    for (uint32_t id = head; id != MH_NONE; id = sm->pending[id].next)
        n++;
    return n;
}

static uint32_t held_pending(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint32_t held = count_pending(sm, sm->replay_head);

    for (uint32_t i = 0; i < g->cfg.l1tlb.mshrs; i++)
        if (mh_tlb_mshr_of(sm, sm->tlb_mshr[i].key) == i)
            held += count_pending(sm, sm->tlb_mshr[i].head);
    for (uint32_t i = 0; i < g->cfg.l1d.mshrs; i++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[i].line) == (int)i)
            held += count_pending(sm, sm->l1_mshr[i].head);
    return held;
}

/* Loads that wait in an L1D MSHR itself. */
static uint32_t first_loads(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->cfg.l1d.mshrs; i++)
        n += mh_index_find(&sm->l1_index, sm->l1_mshr[i].line) == (int)i && sm->l1_mshr[i].first.sectors;
    return n;
}

static void check_sm(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint64_t warps = 0, ctas = 0;

    for (uint32_t i = 0; i < g->cfg.sm.cta_slots; i++) {
        if (sm->free_ctas >> i & 1)
            continue;
        MH_CHECK(sm->cta[i].warps && !(warps & sm->cta[i].warps));
        warps |= sm->cta[i].warps;
        ctas++;
    }
    MH_CHECK((warps & sm->free_warps) == 0);
    MH_CHECK((warps | sm->free_warps) == ~0ull >> (64 - g->cfg.sm.warps));
    uint64_t by_tenant = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        by_tenant += sm->tenant_ctas[t];
    MH_CHECK(by_tenant == ctas);
    MH_CHECK(mh_sm_positions(sm, warps) == sm->standing);
    for (uint64_t m = warps; m; m &= m - 1)
        MH_CHECK(sm->slot_at[sm->warp[__builtin_ctzll(m)].position] == (uint32_t)__builtin_ctzll(m));
    uint32_t held = held_pending(g, sm);

    /* A load that waits in an L1D MSHR itself has a place, but no entry. */
    MH_CHECK(count_pending(sm, sm->free_pending) + held == g->cfg.sm.pending);
    MH_CHECK(sm->places + held + first_loads(g, sm) == g->cfg.sm.pending);
}

/* With an order of its own the LSU's places are all there, and each tenant holds what it is said to. */
static void check_order(const struct mh_sm *sm)
{
    const struct mh_lsu_order *o = sm->lsu_order;
    uint64_t places = 0;
    uint32_t held[MH_MAX_TENANTS] = {0};

    for (uint32_t i = 0; i < sm->lsu_size; i++)
        places += 1ull << o->place[i].at % 64;
    for (uint32_t i = 0; i < sm->lsu_size; i++)
        places -= 1ull << i % 64;
    MH_CHECK(!places);
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        held[o->place[i].tenant]++;
        MH_CHECK(o->place[i].tenant == mh_lsu_at(sm, i)->use.tenant);
    }
    MH_CHECK(!memcmp(held, o->held, sizeof held));
    MH_CHECK(sm->lsu_stalled || sm->lsu_event || (!sm->lsu_count && sm->replay_head == MH_NONE));
}

/* What may issue, and what is in flight, is what the SM's warps and LSU say. */
static void check_quota(const struct mh_gpu *g, const struct mh_sm *sm)
{
    const struct mh_quota *q = &sm->quota;
    uint64_t held = 0, held_memory = 0;

    for (uint32_t t = 0; t < g->tenants; t++) {
        const uint32_t quota = g->knobs.warp_quota[t], mem_quota = g->knobs.mem_quota[t];

        MH_CHECK(mh_sm_positions(sm, sm->tenant_warps[t]) == sm->of_tenant[t]);
        held |= q->spent >> t & 1 ? sm->of_tenant[t] : 0;
        held_memory |= q->full >> t & 1 ? sm->of_tenant[t] : 0;
        MH_CHECK(q->in_flight[t] == mh_quota_count(g, sm, t) && q->peak[t] >= q->in_flight[t]);
        if (g->tenant[t].presence == MH_LEFT)
            continue;
        MH_CHECK(q->left[t] <= quota && (q->spent >> t & 1) == (quota && !q->left[t]));
        MH_CHECK(q->mem_left[t] <= mem_quota && (q->mem_spent >> t & 1) == (mem_quota && !q->mem_left[t]));
    }
    MH_CHECK(sm->held == held && q->held_memory == held_memory);
    MH_CHECK(sm->held_memory == (held_memory | (sm->lsu_apart ? sm->lsu_order->closed : 0)));
}

/* Whoever has a stock can issue, and no memory instruction, whatever comes then. Nobody else has one. */
static void check_stocks(const struct mh_sm *sm)
{
    for (uint32_t p = 0; p < MH_MAX_WARPS; p++) {
        const uint64_t bit = 1ull << p;

        if (sm->standing & bit && !sm->warp[sm->slot_at[p]].at_barrier && sm->stock[p])
            MH_CHECK(sm->stocks && sm->can_issue & bit && !(sm->memory & bit));
        else
            MH_CHECK(!sm->stock[p] || (sm->standing & bit && sm->stocks));
    }
}

void mh_sm_check(const struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        check_sm(g, &g->sm[i]);
        check_stocks(&g->sm[i]);
        check_quota(g, &g->sm[i]);
        if (g->sm[i].lsu_apart)
            check_order(&g->sm[i]);
    }
}

#endif
