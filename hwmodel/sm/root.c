#include "sm/root.h"

#include "engine/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"
#include "sm/sm.h"

static uint64_t *word_of(struct mh_tenant *t, uint32_t sm)
{
    return &t->sms[sm / 64];
}

static void take_sms(struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_tenant_cfg *c = &g->cfg.tenants[tenant];

    for (uint32_t s = c->sm_first; s < c->sm_first + c->sm_count; s++) {
        *word_of(&g->tenant[tenant], s) |= 1ull << s % 64;
        /* A second tenant on one SM: tenants share SMs. */
        g->shared_sms |= g->sm[s].root != MH_NO_ROOT;
        g->sm[s].root = (uint8_t)tenant;
    }
}

/* With shared SMs a root says nothing, since each warp uses its own tenant's page table: there are none. */
void mh_root_init(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        take_sms(g, i);
    for (uint32_t s = 0; s < g->cfg.sm.count && g->shared_sms; s++)
        g->sm[s].root = MH_NO_ROOT;
}

void mh_root_set(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    sm->next_root = (uint8_t)tenant;
    sm->draining = tenant != sm->root;
    /* While it drains, the SM is not its tenant's for the dispatcher. */
    if (sm->root != MH_NO_ROOT) {
        uint64_t *word = word_of(&g->tenant[sm->root], sm->id), bit = 1ull << sm->id % 64;

        *word = sm->draining ? *word & ~bit : *word | bit;
    }
}

/* Loads are not looked for: a warp does not exit before its loads have come. */
static bool is_empty(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return !sm->standing && !sm->stores && mh_noc_idle(g->noc, sm->id) && mh_missq_idle(g, sm->id) &&
           (sm->root == MH_NO_ROOT || !mh_lsu_serves(g, sm, sm->root));
}

static void change_root(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->root != MH_NO_ROOT)
        mh_lsu_flush_tlb(g, sm->id, sm->root);
    mh_l1d_flush(sm);
    sm->root = sm->next_root;
    sm->draining = false;
    if (sm->root != MH_NO_ROOT)
        *word_of(&g->tenant[sm->root], sm->id) |= 1ull << sm->id % 64;
}

/* As the configuration has it. */
static uint32_t first_root(const struct mh_gpu *g, uint32_t sm)
{
    for (uint32_t i = 0; i < g->tenants; i++)
        if (sm - g->cfg.tenants[i].sm_first < g->cfg.tenants[i].sm_count)
            return i;
    return MH_NO_ROOT;
}

void mh_root_give_back(struct mh_gpu *g)
{
    for (uint32_t s = 0; s < g->cfg.sm.count && !g->shared_sms; s++) {
        struct mh_sm *sm = &g->sm[s];
        uint32_t first = first_root(g, s);

        if ((sm->draining ? sm->next_root : sm->root) != first)
            mh_root_set(g, sm, first);
    }
}

/*
 * While warps are there, nothing has to be watched: the end of a CTA calls for attention. What is left after the last
 * one calls for none, so it is looked at after each cycle with events.
 */
static bool drain(struct mh_gpu *g, struct mh_sm *sm)
{
    if (!sm->draining || sm->standing)
        return false;
    if (!is_empty(g, sm)) {
        g->attention = true;
        return false;
    }
    change_root(g, sm);
    return true;
}

bool mh_root_drain(struct mh_gpu *g)
{
    bool changed = false;

    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        changed |= drain(g, &g->sm[s]);
    return changed;
}

uint32_t mh_root_draining(const struct mh_gpu *g, uint32_t word)
{
    uint32_t mask = 0;

    for (uint32_t s = 32 * word; s < 32 * word + 32 && s < g->cfg.sm.count; s++)
        mask |= (uint32_t)g->sm[s].draining << s % 32;
    return mask;
}

bool mh_root_is(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant)
{
    return sm->root == tenant || (g->shared_sms && g->tenant[tenant].sms[sm->id / 64] >> sm->id % 64 & 1);
}
