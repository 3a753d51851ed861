#include "sm/schedule.h"

#include <string.h>

#include "engine/gpu.h"
#include "sm/lsu.h"

enum mh_scheduler mh_scheduler_named(const char *name)
{
    static const char *const names[] = {
        [MH_GTO] = "gto", [MH_LRR] = "lrr", [MH_LRR_GTO] = "lrr-gto", [MH_TWO_LEVEL] = "two-level"};
    uint32_t i = 0;

    while (i < MH_SCHEDULERS && strcmp(names[i], name) != 0)
        i++;
    return (enum mh_scheduler)i;
}

/* Slot w belongs to scheduler w % ports. So a fetch group of `group` warps lies in group * ports neighbouring slots. */
static uint32_t two_level(const struct mh_sm *sm, uint32_t last, uint64_t ready)
{
    uint32_t slots = sm->group * sm->ports, first = last - last % slots;
    uint64_t group = (slots < 64 ? (1ull << slots) - 1 : ~0ull) << first;

    if (ready & group)
        return mh_round_robin(last, ready & group);
    /* The next group is the one of the next ready warp after this group. */
    return mh_round_robin(first + slots - 1, ready);
}

static uint32_t lrr_gto(const struct mh_sm *sm, const struct mh_sm_turn *turn, uint64_t ready)
{
    uint32_t tenant = turn->tenant;
    uint64_t warps;

    do {
        tenant = (tenant + 1) % MH_MAX_TENANTS;
        warps = ready & sm->of_tenant[tenant];
    } while (!warps);
    return mh_greedy_then_oldest(turn->greedy[tenant], warps);
}

void mh_sm_turn(struct mh_sm *sm, uint32_t port, uint32_t tenant, uint32_t position)
{
    sm->turns[port].tenant = (uint8_t)tenant;
    sm->turns[port].greedy[tenant] = (uint8_t)position;
}

uint32_t mh_sm_choose(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t ready)
{
    uint32_t last = port->last;

    if (sm->scheduler == MH_GTO)
        return mh_greedy_then_oldest(last, ready);
    if (sm->scheduler == MH_LRR_GTO)
        return lrr_gto(sm, &sm->turns[port - sm->port], ready);
    if (sm->scheduler == MH_LRR || last == MH_NONE)
        return mh_round_robin(last, ready);
    return two_level(sm, last, ready);
}

void mh_sm_fault_last(const struct mh_gpu *g, struct mh_sm *sm)
{
    uint64_t slots = 0;

    if (!g->cfg.sm.fault_last)
        return;
    for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++) {
        const struct mh_tlb_mshr *e = &sm->tlb_mshr[m];

        if (mh_tlb_mshr_of(sm, e->key) != m || !mh_uvm_faults(g, e->tenant, e->vpn))
            continue;
        for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
            slots |= 1ull << sm->pending[id].use.warp;
        const struct mh_lsu_op *held = mh_lsu_held(g, sm, m);

        slots |= held ? 1ull << held->use.warp : 0;
    }
    sm->faulting = mh_sm_positions(sm, slots);
    for (uint32_t p = 0; p < sm->ports; p++)
        sm->port[p].faults = slots != 0;
}
