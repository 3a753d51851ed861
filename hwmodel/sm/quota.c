#include "sm/quota.h"

#include <string.h>

#include "engine/gpu.h"
#include "sm/lsu.h"

static void put(uint32_t *tenants, uint32_t tenant, bool in)
{
    *tenants = (*tenants & ~(1u << tenant)) | (uint32_t)in << tenant;
}

/* --- Masks. */

static uint64_t of_tenants(const struct mh_sm *sm, uint32_t tenants)
{
    uint64_t warps = 0;

    for (; tenants; tenants &= tenants - 1)
        warps |= sm->of_tenant[__builtin_ctz(tenants)];
    return warps;
}

void mh_quota_hold(struct mh_sm *sm)
{
    sm->held = of_tenants(sm, sm->quota.spent);
    sm->quota.held_memory = of_tenants(sm, sm->quota.full);
    mh_lsu_hold_memory(sm);
}

uint64_t mh_quota_late(const struct mh_sm *sm, uint64_t warps)
{
    return warps & sm->memory & of_tenants(sm, sm->quota.mem_spent);
}

/* --- Rounds. */

/* Tenants that keep a round from ending as long as they have quota left. */
static uint32_t holders(const struct mh_gpu *g, const struct mh_sm *sm, const uint32_t *quota)
{
    uint32_t tenants = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        if (quota[t] && g->tenant[t].presence != MH_LEFT && sm->of_tenant[t] & sm->allowed)
            tenants |= 1u << t;
    return tenants;
}

uint32_t mh_quota_holders(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return holders(g, sm, g->knobs.warp_quota);
}

static void end_round(const struct mh_gpu *g, const struct mh_sm *sm, const uint32_t *quota, uint32_t *spent,
                      uint32_t *left)
{
    if (!*spent || holders(g, sm, quota) & ~*spent)
        return;
    memcpy(left, quota, MH_MAX_TENANTS * sizeof *left);
    *spent = 0;
}

void mh_quota_look(const struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_quota *q = &sm->quota;

    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].presence == MH_LEFT) {
            put(&q->spent, t, false);
            put(&q->mem_spent, t, false);
            put(&q->full, t, false);
        }
    end_round(g, sm, g->knobs.warp_quota, &q->spent, q->left);
    end_round(g, sm, g->knobs.mem_quota, &q->mem_spent, q->mem_left);
    mh_quota_hold(sm);
}

bool mh_quota_first(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    return g->knobs.mem_quota[tenant] && !(sm->quota.mem_spent >> tenant & 1);
}

/* --- In flight. */

static void limit(const struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    const uint32_t most = g->knobs.mem_limit[tenant];
    struct mh_quota *q = &sm->quota;

    put(&q->full, tenant, most && q->in_flight[tenant] >= most && g->tenant[tenant].presence != MH_LEFT);
}

static void enter(const struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    struct mh_quota *q = &sm->quota;

    if (!g->knobs.mem_limit[tenant])
        return;
    if (++q->in_flight[tenant] > q->peak[tenant])
        q->peak[tenant] = q->in_flight[tenant];
    limit(g, sm, tenant);
}

void mh_quota_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    if (!g->knobs.mem_limit[tenant])
        return;
    MH_CHECK(sm->quota.in_flight[tenant]);
    sm->quota.in_flight[tenant]--;
    limit(g, sm, tenant);
    mh_quota_hold(sm);
    mh_sm_wake(g, sm);
}

uint32_t mh_quota_count(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    uint32_t n = 0;

    for (uint64_t m = sm->tenant_warps[tenant]; m; m &= m - 1)
        n += sm->warp[__builtin_ctzll(m)].loads;
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_use use = mh_lsu_at(sm, i)->use;

        n += use.tenant == tenant && !mh_use_returns(use);
    }
    return g->knobs.mem_limit[tenant] ? n : 0;
}

void mh_quota_restart(struct mh_sm *sm)
{
    memcpy(sm->quota.peak, sm->quota.in_flight, sizeof sm->quota.peak);
}

/* --- Issue. */

static void spend(uint32_t *spent, uint32_t *left, uint32_t tenant)
{
    if (left[tenant] && --left[tenant] == 0)
        put(spent, tenant, true);
}

void mh_quota_issue(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w)
{
    struct mh_quota *q = &sm->quota;
    const uint32_t spent = q->spent, mem_spent = q->mem_spent;

    spend(&q->spent, q->left, w->tenant);
    if (!w->gap_left && w->op.kind < MH_OP_BARRIER) {
        spend(&q->mem_spent, q->mem_left, w->tenant);
        enter(g, sm, w->tenant);
    }
    if (q->spent != spent || q->mem_spent != mem_spent)
        mh_quota_look(g, sm);
    else
        mh_quota_hold(sm);
}

/* --- Knobs. */

static bool any(const struct mh_gpu *g, const uint32_t *knob)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        if (knob[t])
            return true;
    return false;
}

static void new_round(const uint32_t *before, const uint32_t *quota, uint32_t *spent, uint32_t *left)
{
    if (!memcmp(before, quota, MH_MAX_TENANTS * sizeof *quota))
        return;
    memcpy(left, quota, MH_MAX_TENANTS * sizeof *left);
    *spent = 0;
}

static void new_limits(const struct mh_gpu *g, struct mh_sm *sm, const uint32_t *before)
{
    struct mh_quota *q = &sm->quota;

    for (uint32_t t = 0; t < g->tenants; t++) {
        /* With no limit it was not counted. */
        if (!before[t] != !g->knobs.mem_limit[t])
            q->in_flight[t] = q->peak[t] = mh_quota_count(g, sm, t);
        limit(g, sm, t);
    }
}

void mh_quota_tell(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->tells_issue = sm->scheduler == MH_LRR_GTO || sm->rationed || sm->chains || cfg->sm.wait_reasons;
    sm->tells_loads = sm->count_stalls || sm->rationed || cfg->sm.wait_reasons;
}

void mh_quota_bursts(struct mh_sm *sm, const struct mh_config *cfg, bool quotas)
{
    const bool alone = quotas || sm->chains;

    sm->bursts = sm->scheduler == MH_GTO && !alone;
    sm->stocks = !mh_by_age(sm->scheduler) && !alone && !cfg->sm.wait_reasons;
}

void mh_quota_apply(struct mh_gpu *g, struct mh_sm *sm, const struct mh_knobs *before)
{
    const struct mh_knobs *k = &g->knobs;
    const bool quotas = any(g, k->warp_quota);

    new_round(before->warp_quota, k->warp_quota, &sm->quota.spent, sm->quota.left);
    new_round(before->mem_quota, k->mem_quota, &sm->quota.mem_spent, sm->quota.mem_left);
    new_limits(g, sm, before->mem_limit);
    sm->rationed = quotas || any(g, k->mem_quota) || any(g, k->mem_limit);
    mh_quota_bursts(sm, &g->cfg, quotas);
    mh_quota_tell(sm, &g->cfg);
    mh_quota_hold(sm);
    /* A burst that was counted in advance would be more than its tenant may issue. */
    if (quotas)
        mh_sm_cut_bursts(g, sm);
}
