/* What makes a warp ready, or no longer, but an issue: its data have come, a barrier has opened, a knob has changed. */
#include "sm/ready.h"
#include "sm/stalls.h"
#include "waits/waits.h"

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
