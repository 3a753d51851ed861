#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/block.h"
#include "sm/sm.h"
#include "sm/stalls.h"
#include "sm/umon.h"
#include "sm/lsu.h"

#include <string.h>

/* The SMs as a block: all of them together (engine/block.h). */

static int init(struct mh_gpu *g)
{
    const struct mh_config *c = &g->cfg;

    g->l1d_mshrs = mh_divisor(c->l1d.mshrs);
    g->l1tlb_mshrs = mh_divisor(c->l1tlb.mshrs);
    g->store_allocates = c->l1d.store_miss == MH_STORE_MISS_ALLOCATE;
    g->store_drops = c->l1d.store_hit == MH_STORE_HIT_DROP;
    g->misses_hold = c->l1tlb.on_miss == MH_ON_MISS_HOLD;
    g->l1tlb_apart = c->l1tlb.ideal || c->l1tlb.covers > 1 || c->memory.large_bytes || c->sm.wait_reasons;
    g->asks_gpctlb = c->gpctlb.entries;
    g->tlb_answer = MH_EVENT(c->gpctlb.entries ? EV_GPCTLB_FILL : EV_TLB_FILL, 0);
    g->sm = mh_aligned_zeros(c->sm.count * sizeof *g->sm);
    for (uint32_t i = 0; g->sm && i < c->sm.count; i++)
        if (mh_sm_init(&g->sm[i], i, c))
            return -1;
    return g->sm ? 0 : -1;
}

static void free_all(struct mh_gpu *g)
{
    for (uint32_t i = 0; g->sm && i < g->cfg.sm.count; i++)
        mh_sm_free(&g->sm[i]);
    free(g->sm);
}

static bool quotas_changed(const struct mh_knobs *k, const struct mh_knobs *before)
{
    return memcmp(k->warp_quota, before->warp_quota, sizeof k->warp_quota) ||
           memcmp(k->mem_quota, before->mem_quota, sizeof k->mem_quota) ||
           memcmp(k->mem_limit, before->mem_limit, sizeof k->mem_limit);
}

static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (memcmp(before->l1d_ways, g->knobs.l1d_ways, sizeof before->l1d_ways))
        mh_ways_apply(g);
    if (before->l1d_monitor != g->knobs.l1d_monitor)
        mh_umon_apply(g);
    if (quotas_changed(&g->knobs, before))
        for (uint32_t i = 0; i < g->cfg.sm.count; i++)
            mh_quota_apply(g, &g->sm[i], before);
    /* Where no tenant is throttled, CTAs start and end without a look at the throttle. */
    g->cta_throttle = false;
    for (uint32_t i = 0; i < g->tenants; i++)
        g->cta_throttle |= g->knobs.cta_throttle[i] < g->cfg.sm.cta_slots;
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        mh_sm_throttle(g, &g->sm[i]);
    /* A limit or a throttle may be gone, and an SM have room for CTAs. */
    mh_cta_dispatch(g);
}

/* sm.lsu_lines: the line that the L1D has refused comes to it in a later cycle only. It is the only one. */
static bool refused_ahead(const struct mh_gpu *g, const struct mh_sm *sm)
{
    if (g->cfg.sm.lsu_lines == 1 || !sm->lsu_refused)
        return false;
    return (int32_t)((uint32_t)g->wheel.now - sm->refused_at[__builtin_ctz(sm->lsu_refused)]) < 0;
}

static void settle(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        struct mh_sm *sm = &g->sm[i];

        mh_sm_count_stall(g, sm);
        if (!refused_ahead(g, sm))
            mh_lsu_count_refused(g, sm, g->wheel.now);
        if (sm->count_stalls)
            mh_stalls_settle(g, sm);
    }
}

static void take_burst(const struct mh_gpu *g, const struct mh_sm *sm, const struct mh_issue_port *port,
                       struct mh_counters *out)
{
    uint64_t left = mh_sm_burst_left(sm, port, g->wheel.now);
    const struct mh_warp *w;

    if (!left)
        return;
    w = &sm->warp[sm->slot_at[port->last]];
    out[w->tenant].warp_instr -= left;
    out[w->tenant].lane_instr -= left * w->active;
}

/*
 * Bursts are counted when they start: what lies after this cycle is taken off again. The instruction of this cycle has
 * issued, as a memory instruction of this cycle has.
 */
static void read_counts(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        out[t].warps_active = out[t].mem_peak = 0;
        mh_l1d_read_counts(&out[t]);
    }
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        const struct mh_sm *sm = &g->sm[i];

        for (uint32_t t = 0; t < g->tenants; t++) {
            out[t].warps_active = mh_max64(out[t].warps_active, mh_bits(sm->active_warps[t]));
            out[t].mem_peak = mh_max64(out[t].mem_peak, sm->quota.peak[t]);
        }
        for (uint32_t p = 0; p < sm->ports; p++)
            take_burst(g, sm, &sm->port[p], out);
    }
    mh_sm_less_stocks(g, out);
    if (g->cfg.sm.stall_reasons)
        mh_stalls_read(g, out);
}

/* Warps that are there count again, whether or not they issue. */
static void restart(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        for (uint32_t t = 0; t < g->tenants; t++)
            g->sm[i].active_warps[t] = g->sm[i].tenant_warps[t];
        mh_quota_restart(&g->sm[i]);
    }
}

const struct mh_block mh_block_sm = {.init = init,
                                     .free = free_all,
                                     .apply = apply,
                                     .check = mh_sm_check,
                                     .oldest = mh_sm_oldest,
                                     .left = mh_sm_left,
                                     .settle = settle,
                                     .read = read_counts,
                                     .restart = restart};

/* Every pending line, warp and CTA is free, or has exactly the holder that it names. */
#ifdef MH_DEBUG

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
    MH_CHECK(sm->places + held + first_loads(g, sm) + sm->results == g->cfg.sm.pending);
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

/* A warp with a stock can issue, but no memory instruction. No other warp has a stock. */
static void check_stocks(const struct mh_sm *sm)
{
    for (uint32_t p = 0; p < MH_MAX_WARPS; p++) {
        const uint64_t bit = 1ull << p;

        if (sm->standing & bit && !sm->warp[sm->slot_at[p]].stopped && sm->stock[p])
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
