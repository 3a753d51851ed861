/*
 * Units that leave: no new translation leads to them, but lines whose translation came before are replayed, requests
 * are in the crossbar, lines on their way to the caches. When nothing is left, the unit goes.
 */
#include "cache/l2.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "uvm/internal.h"

void mh_uvm_look(struct mh_gpu *g, uint64_t cycle)
{
    if (g->uvm->drain_event)
        return;
    g->uvm->drain_event = true;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_UVM_DRAIN, 0));
}

void mh_uvm_leave(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;

    mh_unit_unmap(g, unit);
    m->unit[unit].state = MH_UNIT_DRAINING;
    m->leaving++;
    m->leaving_bytes += m->unit[unit].bytes;
    mh_unit_push(m, &m->draining, unit);
}

/* --- What is under way: one look at everything marks the units that it is for. */

static void use(struct mh_uvm *m, uint32_t unit)
{
    if (unit != MH_NONE)
        m->used[unit] = m->looks;
}

static bool uses(const void *ctx, uint32_t line)
{
    const struct mh_gpu *g = ctx;

    use(g->uvm, mh_unit_of_frame(g->uvm, line >> g->page_shift));
    return false; /* none is the one that is looked for: go on */
}

static void replays(void *ctx, uint32_t tenant, uint32_t vpn)
{
    struct mh_uvm *m = ctx;

    use(m, mh_unit_of(m, tenant, vpn));
}

static void look_at_all(struct mh_gpu *g)
{
    g->uvm->looks++;
    for (uint32_t s = 0; s < g->cfg.sm.count; s++) {
        mh_lsu_each_replay(g, &g->sm[s], replays, g->uvm);
        mh_l1d_waits(g, &g->sm[s], uses, g);
    }
    mh_noc_carries(g->noc, uses, g);
    mh_l2_waits(g, uses, g);
}

/* Its data are of no use to anybody, or the host has them. */
static bool needs_no_link(const struct mh_gpu *g, const struct mh_unit *u)
{
    return mh_unit_is_gone(g, u) || (!g->cfg.uvm.evict_clean && !u->dirty);
}

static void go(struct mh_gpu *g, uint32_t unit)
{
    if (!needs_no_link(g, &g->uvm->unit[unit])) {
        mh_uvm_send_home(g, unit);
        return;
    }
    mh_uvm_take_lines(g, unit);
    mh_uvm_has_left(g, unit);
}

/* Those that nothing uses any more go; the others are looked at again. */
void mh_uvm_drain(struct mh_gpu *g, uint32_t none)
{
    struct mh_uvm *m = g->uvm;

    (void)none;
    m->drain_event = false;
    look_at_all(g);
    for (uint32_t n = m->draining.count; n; n--) {
        uint32_t unit = mh_unit_pop(m, &m->draining);

        if (m->used[unit] == m->looks)
            mh_unit_push(m, &m->draining, unit);
        else
            go(g, unit);
    }
    mh_uvm_evict_overfull(g);
    if (m->draining.count)
        mh_uvm_look(g, g->wheel.now + MH_UVM_POLL);
    mh_uvm_hand_out(g);
}

/* --- A tenant that has left. */

void mh_uvm_drop(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_uvm *m = g->uvm;

    for (uint32_t i = 0; i < m->units; i++)
        if (m->unit[i].tenant == tenant && m->unit[i].state == MH_UNIT_HERE)
            mh_uvm_leave(g, i);
    if (m->draining.count)
        mh_uvm_look(g, g->wheel.now);
}
