#include "sm/schedule.h"

#include "engine/gpu.h"
#include "sm/ready.h"
#include "sm/sm.h"
#include "waits/waits.h"

void mh_chain_init(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->chains = cfg->sm.alu_latency > cfg->sm.issue_cycles || cfg->sm.shared_latency;
}

/* Cycles from an instruction that computes to the next one of its warp. */
static uint32_t apart(const struct mh_gpu *g)
{
    return mh_max32(g->cfg.sm.alu_latency, g->cfg.sm.issue_cycles);
}

static bool has_quotas(const struct mh_gpu *g, const struct mh_sm *sm)
{
    for (uint32_t t = 0; sm->rationed && t < g->tenants; t++)
        if (g->knobs.warp_quota[t])
            return true;
    return false;
}

/* Without latency, warps that take turns do so at each instruction. */
static uint32_t burst_of(const struct mh_gpu *g, const struct mh_sm *sm, const struct mh_warp *w)
{
    const bool greedy = sm->scheduler == MH_GTO, waits = apart(g) > sm->issue_cycles;
    const uint32_t most = waits ? MH_CHAIN : greedy ? UINT32_MAX : 1;

    return has_quotas(g, sm) ? 1 : mh_min32(free_gap(w), most);
}

/* Cycle at which a read that issues now has its data. */
static uint64_t read_shared(const struct mh_gpu *g, struct mh_sm *sm, uint32_t ways)
{
    const uint64_t start = mh_max64(g->wheel.now, sm->shared_free);
    const uint64_t more = (uint64_t)(ways - 1) * g->cfg.sm.conflict_cycles;

    sm->shared_free = start + 1 + more;
    return start + g->cfg.sm.shared_latency + more;
}

static void stop(struct mh_gpu *g, const struct mh_sm *sm, uint32_t slot, uint64_t until)
{
    struct mh_warp *w = &sm->warp[slot];

    w->stopped = true;
    w->result_at = until;
    mh_wheel_add(&g->wheel, until, MH_EVENT(EV_RESULT, sm->id * MH_MAX_WARPS + slot));
}

void mh_chain_issue(struct mh_gpu *g, struct mh_sm *sm, struct mh_warp *w)
{
    struct mh_issue_port *port = &sm->port[w->port];
    const uint64_t now = g->wheel.now;
    const bool reads = w->op.ways && g->cfg.sm.shared_latency;
    const uint32_t burst = reads ? 1 : burst_of(g, sm, w);
    const uint64_t until = reads ? read_shared(g, sm, w->op.ways) : now + (uint64_t)burst * apart(g);

    port->busy_until = port->burst_end = now + (uint64_t)burst * sm->issue_cycles;
    count_issue(&g->tenant[w->tenant], w, burst);
    w->gap_left -= burst;
    if (until > port->busy_until)
        stop(g, sm, sm->slot_at[w->position], until);
    refresh(sm, w);
}

/* Reads are not cut: they are bursts of one. */
void mh_chain_cut(struct mh_gpu *g, const struct mh_sm *sm, uint32_t slot, uint64_t left)
{
    const uint64_t until = sm->warp[slot].result_at;

    if (until)
        stop(g, sm, slot, until - left * apart(g));
}

/* The event of a burst that was cut, or of a warp that was killed, comes in another cycle than the warp's. */
void mh_sm_result(struct mh_gpu *g, uint32_t id)
{
    struct mh_sm *sm = &g->sm[id / MH_MAX_WARPS];
    const uint32_t slot = id % MH_MAX_WARPS;
    struct mh_warp *w = &sm->warp[slot];

    if (w->result_at != g->wheel.now)
        return;
    w->result_at = 0;
    w->stopped = false;
    mh_sm_update(g, sm, slot);
    if (sm->can_issue >> w->position & 1)
        mh_waits_ready(g, sm->id, slot, MH_READY_RESULT, 0);
}
