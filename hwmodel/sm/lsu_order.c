#include "sm/lsu_order.h"

#include "engine/gpu.h"
#include "sm/l1d.h"
#include "sm/lsu.h"
#include "waits/waits.h"

int mh_lsu_order_init(struct mh_sm *sm, const struct mh_config *cfg)
{
    struct mh_lsu_order *o = mh_aligned_zeros(sizeof *o + cfg->sm.lsu_queue * sizeof *o->place);

    if (!o)
        return -1;
    for (uint32_t i = 0; i < cfg->sm.lsu_queue; i++)
        o->place[i].at = (uint16_t)i;
    sm->lsu_order = o;
    sm->lsu_apart = true;
    return 0;
}

/* --- Places. */

/* Slots of tenants with an instruction in the LSU; *without: tenants that have warps, but none. */
static uint64_t slots_of_holders(const struct mh_sm *sm, uint32_t *without)
{
    uint64_t slots = 0;

    *without = 0;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        if (sm->lsu_order->held[t])
            slots |= sm->tenant_warps[t];
        else
            *without += sm->tenant_warps[t] != 0;
    return slots;
}

void mh_lsu_order_close(struct mh_sm *sm)
{
    struct mh_lsu_order *o = sm->lsu_order;
    uint32_t free = sm->lsu_size - sm->lsu_count, without;

    o->closed = 0;
    if (free < MH_MAX_TENANTS) {
        uint64_t slots = slots_of_holders(sm, &without);

        o->closed = free <= without ? mh_sm_positions(sm, slots) : 0;
    }
    mh_lsu_hold_memory(sm);
}

void mh_lsu_order_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant)
{
    sm->lsu_order->place[sm->lsu_count - 1].tenant = (uint8_t)tenant;
    sm->lsu_order->held[tenant]++;
    mh_lsu_order_close(sm);
    mh_lsu_again(g, sm);
}

static void leave(struct mh_gpu *g, struct mh_sm *sm, uint32_t i)
{
    struct mh_lsu_order *o = sm->lsu_order;
    const struct mh_lsu_place place = o->place[i];
    const struct mh_use use = sm->lsu[place.at].use;

    sm->lsu_count--;
    o->held[use.tenant]--;
    for (; i < sm->lsu_count; i++)
        o->place[i] = o->place[i + 1];
    o->place[i] = place;
    mh_lsu_order_close(sm);
    if (sm->rationed && use.kind != MH_OP_LOAD)
        mh_quota_done(g, sm, use.tenant);
    mh_sm_wake(g, sm);
}

/* --- Choice. */

static bool is_stopped(const struct mh_sm *sm, uint32_t tenant)
{
    return sm->lsu_order->stopped >> tenant & 1;
}

static void stop(struct mh_sm *sm, uint32_t tenant)
{
    sm->lsu_order->stopped |= 1u << tenant;
}

/*
 * The line leaves the list; `before` is the one before it, or MH_NONE. The translation of a page stands with the first
 * of its lines that is there.
 */
static void unlink_replay(struct mh_sm *sm, uint32_t before, uint32_t id, uint32_t next, uint32_t ppn)
{
    if (next != MH_NONE && sm->pending[next].ppn == MH_NO_PAGE)
        sm->pending[next].ppn = ppn;
    if (before == MH_NONE)
        sm->replay_head = next;
    else
        sm->pending[before].next = next;
    if (sm->replay_tail == id)
        sm->replay_tail = before;
}

static bool replay_first(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint32_t id = sm->replay_head, before = MH_NONE, next; id != MH_NONE; before = id, id = next) {
        const struct mh_pending *p = &sm->pending[id];
        uint32_t tenant = p->use.tenant, ppn = p->ppn;

        next = p->next;
        if (is_stopped(sm, tenant))
            continue;
        if (mh_lsu_replay(g, sm, id)) {
            unlink_replay(sm, before, id, next, ppn);
            return true;
        }
        stop(sm, tenant);
    }
    return false;
}

static bool process_first(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint32_t i = 0; i < sm->lsu_count; i++) {
        const struct mh_lsu_place place = sm->lsu_order->place[i];
        struct mh_lsu_op *op = &sm->lsu[place.at];

        if (is_stopped(sm, place.tenant))
            continue;
        if (mh_lsu_process(g, sm, op)) {
            if (op->next == op->lines.count)
                leave(g, sm, i);
            return true;
        }
        stop(sm, place.tenant);
    }
    return false;
}

void mh_lsu_order_step(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_lsu_order *o = sm->lsu_order;

    if (!sm->lsu_stalled)
        o->stopped = 0;
    bool taken = replay_first(g, sm) || process_first(g, sm);

    sm->lsu_stalled = o->stopped != 0;
    if (sm->lsu_stalled && !taken)
        mh_waits_stopped(g, sm->id);
    if (!taken)
        return;
    sm->lsu_free = g->wheel.now + 1;
    if (sm->replay_head != MH_NONE || sm->lsu_count)
        mh_lsu_step_at(g, sm, sm->lsu_free);
}
