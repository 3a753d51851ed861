#include "gpu/gpu.h"

/*
 * Issue: one warp instruction a cycle. Under GTO a gap of compute instructions is one burst on the issue port: the
 * greedy warp keeps the port until it stalls, so nothing could come between, and the port is free again exactly when
 * the burst ends.
 */

static void wake(struct mh_gpu *g, struct mh_sm *sm)
{
    uint64_t at = sm->busy_until > g->wheel.now ? sm->busy_until : g->wheel.now;

    if (sm->issue_event)
        return;
    sm->issue_event = true;
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_ISSUE, sm->id));
}

static bool lsu_room(const struct mh_sm *sm)
{
    return sm->lsu_count < sm->lsu_size;
}

void mh_sm_wake(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->can_compute | (lsu_room(sm) ? sm->can_mem : 0))
        wake(g, sm);
}

void mh_sm_update(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    uint64_t bit = 1ull << warp;
    bool needs_data = w->op.wait || (w->op.kind == MH_OP_EXIT && !w->gap_left);

    sm->can_compute &= ~bit;
    sm->can_mem &= ~bit;
    if (w->at_barrier || (needs_data && w->loads))
        return;
    if (w->gap_left || w->op.kind >= MH_OP_BARRIER)
        sm->can_compute |= bit;
    else if (w->op.kind != MH_OP_LOAD || w->free_slots)
        sm->can_mem |= bit;
    mh_sm_wake(g, sm);
}

void mh_sm_fetch(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    const struct mh_workload *work = g->tenant[w->tenant].work;

    work->next(work, &w->cursor, &w->op, w->addr);
    w->gap_left = w->op.gap;
    MH_CHECK(w->op.kind >= MH_OP_BARRIER || w->op.mask);
}

static uint32_t active_lanes(const struct mh_warp *w)
{
    return (uint32_t)__builtin_popcountll(w->op.kind >= MH_OP_BARRIER || !w->op.mask ? w->lanes : w->op.mask);
}

static void count_issue(struct mh_gpu *g, const struct mh_warp *w, uint32_t instructions)
{
    struct mh_counters *c = &g->tenant[w->tenant].count;

    c->warp_instr += instructions;
    c->lane_instr += (uint64_t)instructions * active_lanes(w);
}

/* Round robin comes back to a warp only after the others that are ready: one instruction at a time. */
static void compute(struct mh_gpu *g, struct mh_sm *sm, struct mh_warp *w)
{
    uint32_t burst = sm->scheduler == MH_GTO ? w->gap_left : 1;

    sm->busy_until = sm->burst_end = g->wheel.now + burst;
    sm->burst_tenant = w->tenant;
    sm->burst_lanes = active_lanes(w);
    count_issue(g, w, burst);
    w->gap_left -= burst;
}

static void memory(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    uint32_t slot = 0;

    if (w->op.kind == MH_OP_LOAD) {
        slot = (uint32_t)__builtin_ctz(w->free_slots);
        w->free_slots &= (uint8_t) ~(1u << slot);
        w->loads++;
    }
    count_issue(g, w, 1);
    g->tenant[w->tenant].count.mem_instr++;
    sm->busy_until = g->wheel.now + 1;
    mh_lsu_accept(g, sm, warp, slot);
    mh_sm_fetch(g, sm, warp);
}

/* True: the port is free in this cycle still. */
static bool issue_one(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];

    sm->last = warp;
    if (w->gap_left) {
        compute(g, sm, w);
    } else if (w->op.kind == MH_OP_EXIT) {
        if (sm->scheduler == MH_GTO)
            sm->last = MH_NONE; /* whoever gets this slot next is young */
        mh_cta_warp_exit(g, sm, warp);
        return true;
    } else if (w->op.kind == MH_OP_BARRIER) {
        count_issue(g, w, 1);
        sm->busy_until = g->wheel.now + 1;
        mh_sm_fetch(g, sm, warp);
        mh_cta_barrier(g, sm, warp);
        return false;
    } else {
        memory(g, sm, warp);
    }
    mh_sm_update(g, sm, warp);
    return false;
}

void mh_sm_issue(struct mh_gpu *g, struct mh_sm *sm)
{
    bool again = true;

    sm->issue_event = true; /* what happens below must not schedule a second one */
    while (again) {
        uint64_t ready = sm->can_compute | (lsu_room(sm) ? sm->can_mem : 0);

        if (!ready)
            break;
        again = issue_one(g, sm, mh_sm_choose(sm, ready));
    }
    sm->issue_event = false;
    mh_sm_wake(g, sm);
}

void mh_sm_load_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[warp];

    MH_CHECK(w->loads && !(w->free_slots >> slot & 1));
    w->free_slots |= (uint8_t)(1u << slot);
    w->loads--;
    mh_sm_update(g, sm, warp);
}
