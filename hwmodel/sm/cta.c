#include "control/control.h"
#include "engine/gpu.h"
#include "sm/lsu.h"
#include "sm/sm.h"
#include "sm/stalls.h"
#include "waits/waits.h"

/*
 * CTA dispatcher: a CTA goes to the next SM of its tenant, round robin, that has a CTA slot, warps, registers and
 * shared memory for it, is below the tenant's CTA limits and not throttled. Resources are given back when its last warp
 * exits. Where tenants share SMs, a place goes to the tenant with the fewest CTAs on the SM; of equals SM s begins with
 * tenant s % tenants (ours). Launches follow each other in the cycle in which the last CTA ends; then the workload
 * starts again, unless run.completions ends the run there.
 */

static uint32_t warps_of(const struct mh_gpu *g, const struct mh_launch *l)
{
    return (l->threads + g->cfg.sm.lanes - 1) / g->cfg.sm.lanes;
}

/* Of more SMs than have registers each takes what it has slots for. */
static uint32_t limit_of_sm(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    return g->cfg.sm.count <= MH_STEERED_SMS ? g->knobs.sm_cta_limit[tenant][sm->id] : g->cfg.sm.cta_slots;
}

static bool fits(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant, const struct mh_launch *l)
{
    return sm->free_ctas && !mh_sm_throttled(g, sm) && sm->tenant_ctas[tenant] < g->knobs.cta_limit[tenant] &&
           sm->tenant_ctas[tenant] < limit_of_sm(g, sm, tenant) && mh_bits(sm->free_warps) >= warps_of(g, l) &&
           sm->free_registers >= l->registers * l->threads && sm->free_shared >= l->shared_bytes;
}

static void start_warp(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t cta, uint32_t index)
{
    const struct mh_tenant *t = &g->tenant[sm->cta[cta].tenant];
    const struct mh_launch *l = &t->work->launches[t->launch];
    struct mh_warp *w = &sm->warp[warp];
    uint32_t lanes = g->cfg.sm.lanes, left = l->threads - index * lanes;

    w->cursor = (struct mh_cursor){.launch = t->launch, .cta = t->next_cta, .warp = index};
    w->lanes = ~0ull >> (64 - (left < lanes ? left : lanes));
    w->tenant = sm->cta[cta].tenant;
    w->cta = (uint8_t)cta;
    w->free_slots = (uint8_t)((1u << g->cfg.sm.loads_per_warp) - 1);
    w->order = 0;
    w->loads = 0;
    w->stopped = false;
    w->result_at = 0;
    mh_sm_enter(sm, warp);
    if (sm->count_stalls)
        mh_stalls_enter(g, sm, warp);
    sm->free_warps &= ~(1ull << warp);
    sm->cta[cta].warps |= 1ull << warp;
    sm->tenant_warps[w->tenant] |= 1ull << warp;
    sm->active_warps[w->tenant] |= 1ull << warp;
    t->work->start(t->work, &w->cursor);
    mh_sm_fetch(g, sm, warp);
}

static void place(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    struct mh_tenant *t = &g->tenant[tenant];
    const struct mh_launch *l = &t->work->launches[t->launch];
    uint32_t id = (uint32_t)__builtin_ctzll(sm->free_ctas), n = warps_of(g, l);
    struct mh_cta *cta = &sm->cta[id];

    *cta = (struct mh_cta){.registers = l->registers * l->threads,
                           .shared_bytes = l->shared_bytes,
                           .age = g->cta_age++,
                           .tenant = (uint8_t)tenant};
    if (!sm->standing) {
        mh_waits_empty(g, sm->id, tenant, mh_sm_busy_until(sm));
        mh_sm_no_stall(sm, g->wheel.now); /* it had no warps */
    }
    sm->free_ctas &= ~(1ull << id);
    sm->free_registers -= cta->registers;
    sm->free_shared -= cta->shared_bytes;
    sm->tenant_ctas[tenant]++;
    /* All warps stand before any may issue: a throttle looks at whole CTAs. */
    for (uint32_t i = 0; i < n; i++)
        start_warp(g, sm, (uint32_t)__builtin_ctzll(sm->free_warps), id, i);
    if (sm->lsu_apart)
        mh_lsu_order_close(sm);
    if (g->cta_throttle)
        mh_sm_throttle(g, sm);
    for (uint64_t m = cta->warps; m; m &= m - 1) {
        const uint32_t warp = (uint32_t)__builtin_ctzll(m);

        mh_waits_ready(g, sm->id, warp, MH_READY_START, 0);
        mh_sm_update(g, sm, warp);
    }
    t->next_cta++;
    t->ctas_running++;
    uint32_t held = mh_bits(sm->tenant_warps[tenant]);

    if (held > t->count.warps_peak)
        t->count.warps_peak = held;
}

static void may_fit_anywhere(struct mh_tenant *t)
{
    memcpy(t->may_fit, t->sms, sizeof t->may_fit);
}

/* The first of them from next_sm on, around the end; MH_NONE: none. */
static uint32_t next_that_may_fit(const struct mh_tenant *t)
{
    const uint32_t words = MH_MAX_SMS / 64, first = t->next_sm / 64;
    uint64_t from = ~0ull << t->next_sm % 64;

    for (uint32_t i = 0; i <= words; i++, from = ~0ull) {
        uint32_t word = (first + i) % words;
        uint64_t sms = t->may_fit[word] & t->sms[word] & from;

        if (sms)
            return word * 64 + (uint32_t)__builtin_ctzll(sms);
    }
    return MH_NONE;
}

/*
 * SMs of its own: wherever the next CTAs fit, one SM after the other. One that has no room is asked again when it has
 * given something back.
 */
static void dispatch_own(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_tenant *t = &g->tenant[tenant];
    const struct mh_launch *l = &t->work->launches[t->launch];
    uint32_t sm;

    if (t->presence != MH_PRESENT || g->wheel.overrun)
        return;
    while (t->next_cta < l->ctas && (sm = next_that_may_fit(t)) != MH_NONE)
        if (fits(g, &g->sm[sm], tenant, l)) {
            t->next_sm = (sm + 1) % MH_MAX_SMS;
            place(g, &g->sm[sm], tenant);
        } else {
            t->may_fit[sm / 64] &= ~(1ull << sm % 64);
        }
}

static bool runs_on(const struct mh_tenant *t, const struct mh_sm *sm)
{
    return t->presence == MH_PRESENT && t->sms[sm->id / 64] >> sm->id % 64 & 1;
}

/* The tenant whose CTA comes next to this SM, MH_NONE: none fits. Of equals a different one is first on each SM. */
static uint32_t next_tenant(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint32_t best = MH_NONE;

    for (uint32_t i = 0; i < g->tenants; i++) {
        uint32_t tenant = (sm->id + i) % g->tenants;
        const struct mh_tenant *t = &g->tenant[tenant];
        const struct mh_launch *l = &t->work->launches[t->launch];

        if (t->next_cta < l->ctas && runs_on(t, sm) && fits(g, sm, tenant, l) &&
            (best == MH_NONE || sm->tenant_ctas[tenant] < sm->tenant_ctas[best]))
            best = tenant;
    }
    return best;
}

static bool place_next(struct mh_gpu *g, struct mh_sm *sm)
{
    uint32_t tenant = g->wheel.overrun ? MH_NONE : next_tenant(g, sm);

    if (tenant != MH_NONE)
        place(g, sm, tenant);
    return tenant != MH_NONE;
}

/* Shared SMs: a CTA for each in turn, until nothing fits any more. */
static void dispatch_shared(struct mh_gpu *g)
{
    uint32_t refused = 0;

    for (uint32_t id = 0; refused < g->cfg.sm.count; id = (id + 1) % g->cfg.sm.count)
        refused = place_next(g, &g->sm[id]) ? 0 : refused + 1;
}

/* Knobs, tenants or roots have changed, so any SM may have room again. */
void mh_cta_dispatch(struct mh_gpu *g)
{
    if (g->shared_sms)
        dispatch_shared(g);
    for (uint32_t i = 0; i < g->tenants && !g->shared_sms; i++) {
        may_fit_anywhere(&g->tenant[i]);
        dispatch_own(g, i);
    }
}

void mh_cta_start(struct mh_gpu *g, uint32_t none)
{
    (void)none;
    mh_cta_dispatch(g);
}

/* A policy that divides an SM by what CTAs take has to know. */
static void tell_launch(struct mh_gpu *g, uint32_t tenant, const struct mh_launch *before)
{
    const struct mh_launch *l = &g->tenant[tenant].work->launches[g->tenant[tenant].launch];

    if (g->knobs.launch_events &&
        (l->threads != before->threads || l->registers != before->registers || l->shared_bytes != before->shared_bytes))
        mh_control_event(g->control, g->wheel.now, MH_EVENT_TENANT_LAUNCH, tenant, g->tenant[tenant].launch & 0xffff);
}

/*
 * An execution that takes no time is followed by the next one in this cycle, which would not end: no more is placed,
 * and gpu/blocks.c reports it.
 */
static void refuse_idle(struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_tenant *t = &g->tenant[tenant];

    if (!t->count.completions || t->completed.cycle != g->wheel.now)
        return;
    g->wheel.overrun = true;
    g->wheel.dropped = MH_EVENT(EV_START, tenant);
}

static void next_launch(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_tenant *t = &g->tenant[tenant];
    const struct mh_launch *before = &t->work->launches[t->launch];

    mh_launch_over(g, tenant, &t->count, true);
    t->count.launches++;
    t->next_cta = 0;
    /* The next launch may have smaller CTAs. */
    may_fit_anywhere(t);
    if (++t->launch == t->work->launch_count) {
        t->launch = 0;
        refuse_idle(g, tenant);
        t->count.completions++;
        t->completed = (struct mh_completed){g->wheel.now, t->count.lane_instr};
        mh_control_event(g->control, g->wheel.now, MH_EVENT_TENANT_DONE, tenant, t->count.completions & 0xffff);
        g->finished = mh_tenants_finished(g);
        g->attention |= g->finished;
    }
    tell_launch(g, tenant, before);
}

/*
 * What a CTA held is free again: on shared SMs only this one has room that it had not. The end of a launch makes work
 * for all SMs of the tenant.
 */
static void refill(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant, bool new_launch)
{
    if (!g->shared_sms)
        dispatch_own(g, tenant);
    else if (new_launch)
        dispatch_shared(g);
    else
        while (place_next(g, sm))
            ;
}

static void finish_cta(struct mh_gpu *g, struct mh_sm *sm, struct mh_cta *cta)
{
    struct mh_tenant *t = &g->tenant[cta->tenant];

    sm->free_ctas |= 1ull << (cta - sm->cta);
    sm->free_registers += cta->registers;
    sm->free_shared += cta->shared_bytes;
    sm->tenant_ctas[cta->tenant]--;
    t->ctas_running--;
    g->attention |= sm->draining | t->draining;
    if (g->cta_throttle)
        mh_sm_throttle(g, sm);
    /* A killed CTA does not count, nor does it end a launch. */
    if (t->presence == MH_LEFT) {
        refill(g, sm, cta->tenant, false);
        return;
    }
    t->count.ctas++;
    bool launch_done = !t->ctas_running && t->next_cta == t->work->launches[t->launch].ctas;

    if (launch_done)
        next_launch(g, cta->tenant);
    refill(g, sm, cta->tenant, launch_done);
}

static void release_barrier(struct mh_gpu *g, struct mh_sm *sm, struct mh_cta *cta)
{
    cta->at_barrier = 0;
    for (uint64_t m = cta->warps; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(m);

        sm->warp[warp].stopped = false;
        mh_waits_ready(g, sm->id, warp, MH_READY_BARRIER, 0);
        mh_sm_update(g, sm, warp);
    }
}

static bool all_at_barrier(const struct mh_cta *cta)
{
    return cta->at_barrier && cta->at_barrier == mh_bits(cta->warps);
}

/* With one warp less, others may have what was kept for its tenant. */
static void open_again(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->lsu_apart)
        mh_lsu_order_close(sm);
    if (sm->rationed)
        mh_quota_look(g, sm);
    mh_sm_wake(g, sm);
}

void mh_cta_warp_exit(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_cta *cta = &sm->cta[w->cta];
    struct mh_tenant *t = &g->tenant[w->tenant];
    uint64_t bit = 1ull << warp;

    MH_CHECK(!w->loads);
    t->may_fit[sm->id / 64] |= 1ull << sm->id % 64;
    if (sm->count_stalls)
        mh_stalls_leave(g, sm, warp);
    mh_sm_leave(sm, warp);
    cta->warps &= ~bit;
    sm->tenant_warps[w->tenant] &= ~bit;
    sm->free_warps |= bit;
    if (sm->lsu_apart || sm->rationed)
        open_again(g, sm);
    /* It may be the last of its CTA, or the one that the others at a barrier have waited for. */
    if (!cta->warps)
        finish_cta(g, sm, cta);
    else if (all_at_barrier(cta))
        release_barrier(g, sm, cta);
}

void mh_cta_barrier(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_cta *cta = &sm->cta[w->cta];

    w->stopped = true;
    cta->at_barrier++;
    mh_sm_update(g, sm, warp);
    if (all_at_barrier(cta))
        release_barrier(g, sm, cta);
}

/* --- What firmware reads of CTAs: holders, numbers, resources. */

static uint32_t holders(const struct mh_gpu *g, uint32_t word)
{
    uint32_t mask = 0;

    for (uint32_t s = 32 * word; s < 32 * word + 32 && s < g->cfg.sm.count; s++)
        mask |= (uint32_t)(g->sm[s].standing != 0) << s % 32;
    return mask;
}

static uint32_t residents(const struct mh_sm *sm, uint32_t word)
{
    uint32_t value = 0;

    for (uint32_t t = 0; t < 4; t++)
        value |= sm->tenant_ctas[4 * word + t] << 8 * t;
    return value;
}

static uint32_t launch_status(const struct mh_gpu *g, uint32_t offset)
{
    const struct mh_tenant *t = &g->tenant[(offset - MH_REG_CTA_THREADS) / MH_TENANT_STRIDE];
    const struct mh_launch *l = &t->work->launches[t->launch];

    switch ((offset - MH_REG_CTA_THREADS) % MH_TENANT_STRIDE + MH_REG_CTA_THREADS) {
    case MH_REG_CTA_THREADS:
        return l->threads;
    case MH_REG_CTA_REGISTERS:
        return l->registers * l->threads;
    default:
        return l->shared_bytes;
    }
}

uint32_t mh_cta_status(const struct mh_gpu *g, uint32_t offset)
{
    if (offset < MH_REG_SM_HOLDS)
        return launch_status(g, offset);
    if (offset < MH_REG_SM_CTAS_0)
        return holders(g, (offset - MH_REG_SM_HOLDS) / 4);
    offset -= MH_REG_SM_CTAS_0;
    return residents(&g->sm[offset / MH_REG_SM_CTAS_0_STRIDE], offset / 4 % 2);
}
