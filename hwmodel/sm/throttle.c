#include "engine/gpu.h"
#include "sm/schedule.h"
#include "sm/sm.h"
#include "sm/stalls.h"
#include "waits/waits.h"

/*
 * Throttles: which warps may issue. CTA_THROTTLE leaves the oldest CTAs of a tenant active (CCBP sec. 5.4), SM_THROTTLE
 * stops an SM (ETC sec. 4.3). Only new instructions stop, from the cycle after the COMMIT on; loads, stores and
 * barriers under way go on. A release acts in the cycle of its COMMIT. And what no throttle holds: the warps of a
 * tenant that has left, which are killed.
 */

bool mh_sm_throttled(const struct mh_gpu *g, const struct mh_sm *sm)
{
    return sm->id < MH_STEERED_SMS && g->knobs.sm_throttle[sm->id / 32] >> (sm->id % 32) & 1;
}

/* Warps of the tenant's CTAs beyond the oldest `active`. */
static uint64_t warps_of_youngest(const struct mh_sm *sm, uint32_t tenant, uint32_t active, uint32_t cta_slots)
{
    uint64_t warps = sm->tenant_warps[tenant];

    for (; active; active--) {
        const struct mh_cta *oldest = NULL;

        for (uint32_t i = 0; i < cta_slots; i++)
            if (sm->cta[i].warps & warps && (!oldest || sm->cta[i].age < oldest->age))
                oldest = &sm->cta[i];
        if (!oldest)
            break;
        warps &= ~oldest->warps;
    }
    return warps;
}

static uint64_t allowed_positions(const struct mh_gpu *g, const struct mh_sm *sm)
{
    uint64_t stopped = 0, killed = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].presence == MH_LEFT)
            killed |= sm->tenant_warps[t];
        else if (sm->tenant_ctas[t] > g->knobs.cta_throttle[t])
            stopped |= warps_of_youngest(sm, t, g->knobs.cta_throttle[t], g->cfg.sm.cta_slots);
    /* Positions without a warp are allowed, too, but on a throttled SM, which gets no warps. */
    return mh_sm_throttled(g, sm) ? mh_sm_positions(sm, killed) : ~mh_sm_positions(sm, stopped);
}

/*
 * A burst was counted in advance. For a warp whose position is in `of`, the instructions from the next cycle on are
 * taken back, and are in its gap again.
 */
static void cut_burst(struct mh_gpu *g, struct mh_sm *sm, struct mh_issue_port *port, uint64_t of)
{
    uint64_t left = mh_sm_burst_left(sm, port, g->wheel.now);
    struct mh_warp *w;
    uint32_t slot;

    if (!left || !(of >> port->last & 1))
        return;
    slot = sm->slot_at[port->last];
    w = &sm->warp[slot];
    g->tenant[w->tenant].count.warp_instr -= left;
    g->tenant[w->tenant].count.lane_instr -= left * w->active;
    w->gap_left += (uint32_t)left;
    port->burst_end -= left * sm->issue_cycles;
    port->busy_until = port->burst_end;
    mh_chain_cut(g, sm, slot, left);
    if (sm->count_stalls)
        mh_stalls_cut(sm, w->port);
    mh_sm_update(g, sm, slot);
}

void mh_sm_cut_bursts(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->count_stalls)
        mh_stalls_settle(g, sm);
    for (uint32_t p = 0; p < sm->ports; p++)
        cut_burst(g, sm, &sm->port[p], ~0ull);
    for (uint64_t m = sm->standing; m; m &= m - 1) {
        const uint32_t slot = sm->slot_at[__builtin_ctzll(m)];

        if (mh_sm_unstock(g, sm, slot))
            mh_sm_update(g, sm, slot);
    }
}

/* Those that can issue at once have waited for this. */
static void tell_waits(struct mh_gpu *g, const struct mh_sm *sm, uint64_t let_go)
{
    for (uint64_t m = let_go & sm->standing & sm->can_issue; m; m &= m - 1)
        mh_waits_ready(g, sm->id, sm->slot_at[__builtin_ctzll(m)], MH_READY_THROTTLE, 0);
}

void mh_sm_throttle(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->count_stalls)
        mh_stalls_settle(g, sm);
    const uint64_t before = sm->allowed;

    sm->allowed = allowed_positions(g, sm);
    if (mh_waits_on(g))
        tell_waits(g, sm, sm->allowed & ~before);
    for (uint32_t p = 0; p < sm->ports; p++)
        cut_burst(g, sm, &sm->port[p], ~sm->allowed);
    if (sm->rationed)
        mh_quota_look(g, sm);
    mh_sm_wake(g, sm);
}

/*
 * Its next operation is its end. The mask stays, as `active` counts its lanes. All warps of the CTA go this way, so
 * no warp is left to wait at its barrier.
 */
static void cut_stream(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[slot];

    (void)mh_sm_unstock(g, sm, slot);
    w->op = (struct mh_op){.kind = MH_OP_EXIT, .mask = w->op.mask};
    w->gap_left = 0;
    w->needs = 0;
    w->stopped = false;
    w->result_at = 0;
    sm->cta[w->cta].at_barrier = 0;
}

void mh_sm_kill(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    const uint64_t killed = sm->tenant_warps[tenant];

    /* Bursts first: what they and stocks give back goes into the gap, which cut_stream() drops. */
    for (uint32_t p = 0; p < sm->ports; p++)
        cut_burst(g, sm, &sm->port[p], mh_sm_positions(sm, killed));
    for (uint64_t m = killed; m; m &= m - 1)
        cut_stream(g, sm, (uint32_t)__builtin_ctzll(m));
    /* From here on no throttle holds the killed warps. Those with loads exit when these have come. */
    mh_sm_throttle(g, sm);
    for (uint64_t m = killed; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctzll(m);

        if (sm->warp[warp].loads)
            mh_sm_update(g, sm, warp);
        else
            mh_sm_exit(g, sm, warp);
    }
}
