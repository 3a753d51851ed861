#include "gpu/gpu.h"

#include "control/control.h"
#include "engine/gpu.h"
#include "missq/missq.h"
#include "sm/root.h"
#include "sm/sm.h"
#include "sm/umon.h"
#include "translate/walk.h"
#include "uvm/uvm.h"

static void find_next_change(struct mh_gpu *g)
{
    g->next_change = UINT64_MAX;
    for (uint32_t i = 0; i < g->tenants; i++) {
        const struct mh_tenant *t = &g->tenant[i];
        uint64_t next = t->presence == MH_ABSENT ? t->arrive : t->presence == MH_PRESENT ? t->leave : UINT64_MAX;

        g->next_change = next < g->next_change ? next : g->next_change;
    }
}

void mh_tenants_init(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->tenants; i++) {
        const struct mh_tenant_cfg *c = &g->cfg.tenants[i];
        struct mh_tenant *t = &g->tenant[i];

        t->arrive = c->arrive;
        t->leave = c->leave ? c->leave : UINT64_MAX;
        t->presence = t->arrive ? MH_ABSENT : MH_PRESENT;
    }
    mh_root_init(g);
    mh_missq_divide(g);
    find_next_change(g);
}

/* --- Coming and going. */

static void arrive(struct mh_gpu *g, uint32_t tenant)
{
    g->tenant[tenant].presence = MH_PRESENT;
    mh_uvm_arrive(g, tenant);
    mh_control_event(g->control, g->wheel.now, MH_EVENT_TENANT_ARRIVED, tenant, 0);
}

static void leave(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_tenant *t = &g->tenant[tenant];

    /* First: the SMs let warps of a tenant that has left exit, whatever throttles say. */
    t->presence = MH_LEFT;
    t->draining = true;
    /* Killed, not finished (ours): a kernel may run for ever. */
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        mh_sm_kill(g, &g->sm[s], tenant);
    mh_uvm_cancel(g, tenant);
    mh_control_event(g->control, g->wheel.now, MH_EVENT_TENANT_LEFT, tenant, 0);
    /* It may have been the last one that others waited for. */
    g->finished = mh_tenants_finished(g);
}

void mh_tenants_change(struct mh_gpu *g)
{
    const uint64_t now = g->wheel.now;

    /* Who leaves goes first: who comes finds the places free. */
    for (uint32_t i = 0; i < g->tenants; i++)
        if (g->tenant[i].presence == MH_PRESENT && g->tenant[i].leave == now)
            leave(g, i);
    for (uint32_t i = 0; i < g->tenants; i++)
        if (g->tenant[i].presence == MH_ABSENT && g->tenant[i].arrive == now)
            arrive(g, i);
    find_next_change(g);
    mh_missq_divide(g);
    mh_tenants_drain(g); /* one that had nothing is gone at once */
    mh_cta_dispatch(g);
}

/* --- Drains. While CTAs run there is nothing to watch: their end calls for attention. */

static bool anything_left(const struct mh_gpu *g, uint32_t tenant)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        if (mh_lsu_serves(g, &g->sm[s], tenant))
            return true;
    return false;
}

/* Flushed last: what is still on its way would fill the TLBs again. */
static void drain_tenant(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_tenant *t = &g->tenant[tenant];

    if (!t->draining || t->ctas_running)
        return;
    t->draining = anything_left(g, tenant);
    g->attention |= t->draining;
    if (t->draining)
        return;
    mh_flush_tenant(g, tenant);
    mh_uvm_drop(g, tenant);
    mh_missq_divide(g);
}

void mh_tenants_drain(struct mh_gpu *g)
{
    /* Each drain that is not done calls for attention again. */
    g->attention = g->finished;
    bool changed = mh_root_drain(g);

    for (uint32_t i = 0; i < g->tenants; i++)
        drain_tenant(g, i);
    if (changed)
        mh_cta_dispatch(g);
}

/* --- Registers. */

static uint32_t present(const struct mh_gpu *g)
{
    uint32_t mask = 0;

    for (uint32_t i = 0; i < g->tenants; i++)
        mask |= (uint32_t)(g->tenant[i].presence == MH_PRESENT) << i;
    return mask;
}

uint32_t mh_tenants_status(void *gpu, uint32_t offset)
{
    if (offset == MH_REG_TENANTS)
        return present(gpu);
    if (offset == MH_REG_UVM_FREE)
        return mh_uvm_free(gpu);
    if (offset >= MH_REG_SM_DRAINING && offset < MH_REG_SM_HOLDS)
        return mh_root_draining(gpu, (offset - MH_REG_SM_DRAINING) / 4);
    if (offset >= MH_REG_L1D_HITS_0 && offset < MH_REG_L1D_HITS_0 + MH_MAX_TENANTS * MH_REG_L1D_HITS_0_STRIDE)
        return mh_umon_status(gpu, offset);
    return mh_cta_status(gpu, offset);
}

/* Where tenants share SMs a root says nothing: an SM uses the page table of each warp's tenant. */
static bool set_root(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    if (g->shared_sms || g->tenant[tenant].presence != MH_PRESENT)
        return false;
    mh_root_set(g, sm, tenant);
    mh_tenants_drain(g);
    mh_cta_dispatch(g);
    return true;
}

void mh_tenants_give_back(struct mh_gpu *g)
{
    mh_root_give_back(g);
    mh_tenants_drain(g);
    mh_cta_dispatch(g);
}

/* On a shared SM, of all tenants that share it. */
static void flush(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        if (mh_root_is(g, sm, i))
            mh_flush_sm(g, sm->id, i);
}

bool mh_tenants_command(void *gpu, uint32_t offset, uint32_t value)
{
    struct mh_gpu *g = gpu;

    if (offset == MH_REG_TLB_FLUSH)
        flush(g, &g->sm[value]);
    else if (offset == MH_REG_PTE_CHANGED)
        mh_shootdown(g, value);
    else
        return set_root(g, &g->sm[(offset - MH_REG_SM_ROOT) / MH_REG_SM_ROOT_STRIDE], value);
    return true;
}
