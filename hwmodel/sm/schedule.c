#include "sm/schedule.h"
#include "engine/gpu.h"
#include "sm/lsu.h"
#include "sm/ready.h"
#include "sm/stalls.h"
#include "waits/waits.h"

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

/* What makes a warp ready, or no longer, but an issue: its data have come, a barrier has opened, a knob has changed. */

/* With an issue event due in this cycle, or running, there is nothing to do: it looks at all ports at its end. */
void mh_sm_wake(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->issue_at > g->wheel.now)
        wake_ports(g, sm);
}

void mh_sm_update(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    const struct mh_warp *w = &sm->warp[warp];

    refresh(sm, w);
    if (sm->count_stalls)
        mh_stalls_update(g, sm, warp);
    wake_for(g, sm, w);
}

static inline void load_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];

    MH_CHECK(w->loads && !(w->free_slots >> slot & 1));
    w->free_slots |= (uint8_t)(1u << slot);
    w->needs &= (uint8_t) ~(1u << slot);
    w->loads--;
    /* Its next instruction is the one that it was: `memory` stays. */
    refresh_can(sm, w);
    wake_for(g, sm, w);
}

/* Apart, so that nothing has to be kept for it where it is not asked for. */
static __attribute__((noinline)) void load_done_told(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    const uint64_t position = 1ull << sm->warp[warp].position, could = sm->can_issue & position;

    load_done(g, sm, warp, slot);
    if (!could && sm->can_issue & position)
        mh_waits_ready(g, sm->id, warp, MH_READY_LOAD, slot);
    if (sm->count_stalls)
        mh_stalls_loaded(g, sm, warp, slot);
    if (sm->rationed)
        mh_quota_done(g, sm, sm->warp[warp].tenant);
}

void mh_sm_load_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    if (sm->tells_loads)
        load_done_told(g, sm, warp, slot);
    else
        load_done(g, sm, warp, slot);
}

void mh_sm_loaded(struct mh_gpu *g, uint32_t id)
{
    const uint32_t warp = id / MH_MAX_LOADS;

    mh_sm_load_done(g, &g->sm[warp / MH_MAX_WARPS], warp % MH_MAX_WARPS, id % MH_MAX_LOADS);
}

/*
 * Positions under GTO and lrr-gto: a new warp stands behind all others, and one that exits leaves a gap. When the end
 * is reached, the others move up; with half of the positions in use that is once in 32 warps.
 */

/* The bits of `mask` at the places that are set in `kept`, moved together. */
static uint64_t squeeze(uint64_t mask, uint64_t kept)
{
    uint64_t out = 0;

    for (uint32_t to = 0; kept; kept &= kept - 1, to++)
        out |= (mask >> __builtin_ctzll(kept) & 1) << to;
    return out;
}

static void move_port(struct mh_issue_port *port, uint64_t kept)
{
    port->warps = squeeze(port->warps, kept);
    if (port->last != MH_NONE)
        port->last = mh_bits(kept & ((1ull << port->last) - 1));
}

static void move_turn(struct mh_sm_turn *turn, uint64_t kept)
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        if (turn->greedy[t] != MH_NOBODY)
            turn->greedy[t] = (uint8_t)mh_bits(kept & ((1ull << turn->greedy[t]) - 1));
}

static void close_gaps(struct mh_sm *sm)
{
    const uint64_t kept = sm->standing;
    uint32_t to = 0;

    for (uint64_t m = kept; m; m &= m - 1, to++) {
        sm->slot_at[to] = sm->slot_at[__builtin_ctzll(m)];
        sm->warp[sm->slot_at[to]].position = (uint8_t)to;
    }
    sm->can_issue = squeeze(sm->can_issue, kept);
    sm->memory = squeeze(sm->memory, kept);
    sm->faulting = squeeze(sm->faulting, kept);
    /* Inverted: the places that become free are allowed, as those of warps to come are. */
    sm->allowed = ~squeeze(~sm->allowed, kept);
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        sm->of_tenant[t] = squeeze(sm->of_tenant[t], kept);
    for (uint32_t p = 0; p < sm->ports; p++) {
        move_port(&sm->port[p], kept);
        move_turn(&sm->turns[p], kept);
    }
    sm->standing = (1ull << to) - 1;
    sm->next_position = to;
}

/* Round robin goes by slots: their order is all that it needs. */
static uint32_t new_position(struct mh_sm *sm, uint32_t slot)
{
    if (!mh_by_age(sm->scheduler))
        return slot;
    if (sm->next_position == MH_MAX_WARPS)
        close_gaps(sm);
    return sm->next_position++;
}

void mh_sm_enter(struct mh_sm *sm, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[slot];
    uint32_t position = new_position(sm, slot);

    w->position = (uint8_t)position;
    w->port = (uint8_t)(slot % sm->ports);
    sm->slot_at[position] = (uint8_t)slot;
    sm->standing |= 1ull << position;
    sm->port[w->port].warps |= 1ull << position;
    sm->of_tenant[w->tenant] |= 1ull << position;
    if (sm->rationed)
        mh_quota_hold(sm);
}

void mh_sm_leave(struct mh_sm *sm, uint32_t slot)
{
    const struct mh_warp *w = &sm->warp[slot];
    uint8_t *greedy = &sm->turns[w->port].greedy[w->tenant];
    uint64_t bit = 1ull << w->position;

    sm->can_issue &= ~bit;
    sm->faulting &= ~bit;
    sm->standing &= ~bit;
    sm->port[w->port].warps &= ~bit;
    sm->of_tenant[w->tenant] &= ~bit;
    if (*greedy == w->position)
        *greedy = MH_NOBODY; /* the next warp at this position is young */
    if (sm->rationed)
        mh_quota_hold(sm);
}

uint64_t mh_sm_positions(const struct mh_sm *sm, uint64_t slots)
{
    uint64_t positions = 0;

    if (!mh_by_age(sm->scheduler))
        return slots;
    for (; slots; slots &= slots - 1)
        positions |= 1ull << sm->warp[__builtin_ctzll(slots)].position;
    return positions;
}

/* --- Instructions that wait for results. */

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
