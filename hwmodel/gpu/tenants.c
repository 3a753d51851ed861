#include "gpu/gpu.h"
#include "control/control.h"
#include "engine/gpu.h"
#include "missq/missq.h"
#include "sm/block.h"
#include "sm/sm.h"
#include "sm/umon.h"
#include "translate/walk.h"
#include "uvm/uvm.h"
#include "memhelm/hwmodel.h"
#include "memhelm/kernels.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
        t->launched.cycle = t->arrive;
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
    mh_launch_over(g, tenant, &t->count, false);
    mh_uvm_cancel(g, tenant);
    mh_control_event(g->control, g->wheel.now, MH_EVENT_TENANT_LEFT, tenant, 0);
    /* It may have been the last one that others waited for. */
    g->finished = mh_tenants_finished(g);
}

void mh_tenants_change(struct mh_gpu *g)
{
    const uint64_t now = g->wheel.now;

    /* Tenants that leave go first: those that come find the places free. */
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

static const struct resource {
    const char *name, *key;
    size_t at;
} resources[] = {
    {"CTA slots", "sm.cta_slots", offsetof(struct mh_cta_room, slots)},
    {"warps", "sm.warps", offsetof(struct mh_cta_room, warps)},
    {"registers", "sm.registers", offsetof(struct mh_cta_room, registers)},
    {"bytes of shared memory", "sm.shared_bytes", offsetof(struct mh_cta_room, shared_bytes)},
};
enum { RESOURCES = sizeof resources / sizeof *resources };

/* Of each resource what the launch that takes least of it takes: which launches meet is the run's business. */
struct least {
    uint64_t of[MH_MAX_TENANTS][RESOURCES];
};

struct mh_cta_room mh_room_of_sm(const struct mh_config *cfg)
{
    return (struct mh_cta_room){cfg->sm.cta_slots, cfg->sm.warps, cfg->sm.registers, cfg->sm.shared_bytes};
}

struct mh_cta_room mh_room_of_cta(const struct mh_config *cfg, const struct mh_launch *l)
{
    return (struct mh_cta_room){1, (l->threads + cfg->sm.lanes - 1) / cfg->sm.lanes,
                                (uint64_t)l->registers * l->threads, l->shared_bytes};
}

static uint64_t amount(const struct mh_cta_room *room, const struct resource *r)
{
    return *(const uint64_t *)((const char *)room + r->at);
}

static void find_least(struct least *least, const struct mh_config *cfg, struct mh_workload *const work[])
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        for (uint32_t l = 0; l < work[t]->launch_count; l++) {
            const struct mh_cta_room needs = mh_room_of_cta(cfg, &work[t]->launches[l]);

            for (uint32_t r = 0; r < RESOURCES; r++) {
                uint64_t n = amount(&needs, &resources[r]);

                least->of[t][r] = l && least->of[t][r] < n ? least->of[t][r] : n;
            }
        }
}

static bool is_there(const struct mh_tenant_cfg *t, uint32_t sm, uint64_t cycle)
{
    return sm - t->sm_first < t->sm_count && t->arrive <= cycle && (!t->leave || cycle < t->leave);
}

/* Of those that are on the SM in the cycle. */
static uint64_t sum(const struct least *least, const struct mh_config *cfg, uint32_t r, uint32_t sm, uint64_t cycle)
{
    uint64_t sum = 0;

    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        sum += is_there(&cfg->tenants[t], sm, cycle) ? least->of[t][r] : 0;
    return sum;
}

/* The resource of which the SM has too little for a CTA of each; RESOURCES: of none. */
static uint32_t lacking(const struct least *least, const struct mh_config *cfg, uint32_t sm, uint64_t cycle)
{
    const struct mh_cta_room has = mh_room_of_sm(cfg);
    uint32_t r = 0;

    while (r < RESOURCES && sum(least, cfg, r, sm, cycle) <= amount(&has, &resources[r]))
        r++;
    return r;
}

static int refuse(const struct least *least, const struct mh_config *cfg, uint32_t sm, uint64_t cycle,
                  struct mh_error *err)
{
    const uint32_t r = lacking(least, cfg, sm, cycle);
    const struct mh_cta_room has = mh_room_of_sm(cfg);
    char who[512] = "";

    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (is_there(&cfg->tenants[t], sm, cycle)) {
            size_t used = strlen(who);

            snprintf(who + used, sizeof who - used, "%s%s", used ? "+" : "", cfg->tenants[t].kernel);
        }
    return mh_fail(
        err,
        "%s: one CTA of each does not fit an SM that they share: they need %" PRIu64 " %s, an SM has %" PRIu64
        ": raise %s, or set sm.share to 0, and each has SMs of its own, or to 2, and they take turns",
        who, sum(least, cfg, r, sm, cycle), resources[r].name, amount(&has, &resources[r]), resources[r].key);
}

/* One of the tenant's SMs is enough. */
static int check(const struct least *least, const struct mh_config *cfg, uint32_t tenant, uint64_t cycle,
                 struct mh_error *err)
{
    const struct mh_tenant_cfg *t = &cfg->tenants[tenant];

    if (!is_there(t, t->sm_first, cycle))
        return 0;
    for (uint32_t sm = t->sm_first; sm < t->sm_first + t->sm_count; sm++)
        if (lacking(least, cfg, sm, cycle) == RESOURCES)
            return 0;
    return refuse(least, cfg, t->sm_first, cycle, err);
}

/* SMs are fullest just after a tenant arrives. */
int mh_gpu_fits_together(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err)
{
    struct least least = {0};

    if (cfg->sm.share != 1)
        return 0;
    find_least(&least, cfg, work);
    for (uint32_t came = 0; came < cfg->tenants_count; came++)
        for (uint32_t t = 0; t < cfg->tenants_count; t++)
            if (check(&least, cfg, t, cfg->tenants[came].arrive, err))
                return -1;
    return 0;
}
