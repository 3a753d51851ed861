/*
 * Which warps of an SM can issue, and the event at which it looks for one. Private to sm/: issue.c and schedule.c.
 *
 * An SM has one issue event, at the earliest cycle at which one of its ports can do something. When a port can earlier
 * than it said, a second event is scheduled and the first one, late, is told by its cycle.
 */
#ifndef MEMHELM_SM_READY_H
#define MEMHELM_SM_READY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu.h"
#include "sm/sm.h"

/* Which issue ports can issue, a bit each: inlined, as it is asked in every cycle. */

/* Ports, a bit each, that are not busy in this cycle. `busy`: up to which the last of them is. */
static inline uint32_t free_ports(const struct mh_gpu *g, const struct mh_sm *sm, uint64_t busy)
{
    uint32_t ports = 0;

    if (busy <= g->wheel.now)
        return (1u << sm->ports) - 1;
    for (uint32_t p = 0; p < sm->ports; p++)
        ports |= (uint32_t)(sm->port[p].busy_until <= g->wheel.now) << p;
    return ports;
}

/*
 * Ports, a bit each, that one of `warps` belongs to. Those that the SM has not have none. Where positions are slots,
 * four ports have them in turn: then no port need be looked at.
 */
static inline uint32_t ports_of(const struct mh_sm *sm, uint64_t warps)
{
    uint32_t ports = 0;

    if (sm->fours) {
        warps |= warps >> 32;
        warps |= warps >> 16;
        warps |= warps >> 8;
        return (uint32_t)(warps | warps >> 4) & 15;
    }
#pragma GCC unroll 4
    for (uint32_t p = 0; p < MH_MAX_SCHEDULERS; p++)
        ports |= (uint32_t)((sm->port[p].warps & warps) != 0) << p;
    return ports;
}

/*
 * Those of the ports `free` that can issue one of `warps`: bit i is port first + i, around the end. All are looked at
 * together: which of them can is not to be foreseen, and a wrong guess costs the host more than the look.
 */
static inline uint32_t in_turn(const struct mh_sm *sm, uint64_t warps, uint32_t free, uint32_t first)
{
    if (sm->ports == 1)
        return free & (uint32_t)((sm->port[0].warps & warps) != 0);
    uint32_t ports = ports_of(sm, warps) & free;

    return (ports | ports << sm->ports) >> first & ((1u << sm->ports) - 1);
}

/* Which warps may not issue now, whatever they wait for of their own: positions, for issue.c alone. */
/** For one more memory instruction. */
static inline bool mh_lsu_room(const struct mh_sm *sm)
{
    return sm->lsu_count < sm->lsu_size;
}

/** The mask, or 0. */
static inline uint64_t mh_if_not(bool condition, uint64_t mask)
{
    return mask & ((uint64_t)condition - 1);
}

/** Warps that may not issue, or whose next instruction, a memory instruction, the LSU does not take. */
static inline uint64_t mh_shut_out(const struct mh_sm *sm, bool accepts)
{
    return mh_if_not(mh_lsu_room(sm) & accepts, sm->memory) | sm->held | (sm->held_memory & sm->memory);
}

static inline void wake_at(struct mh_gpu *g, struct mh_sm *sm, uint64_t cycle)
{
    if (sm->issue_at <= cycle)
        return;
    sm->issue_at = cycle;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_ISSUE, sm->id));
}

/*
 * The next cycle at which the port has something to issue, as things are; UINT64_MAX: none. A memory instruction also
 * needs a place in the LSU and the cycle in which the LSU takes it. Masks, no branches: what is ready cannot be
 * foreseen.
 */
static inline uint64_t next_issue(const struct mh_gpu *g, const struct mh_sm *sm, const struct mh_issue_port *port)
{
    uint64_t may = port->warps & sm->allowed & sm->can_issue & ~mh_shut_out(sm, true);
    bool none = !may, lsu = !(may & ~sm->memory);
    uint64_t free = mh_max64(port->busy_until, g->wheel.now);

    return mh_max64(free, sm->accept_at & -(uint64_t)lsu) | -(uint64_t)none;
}

/* From this cycle on no port is busy. Later cycles without an issue are stalls: no warp can issue. */
static inline uint64_t busy_until(const struct mh_sm *sm)
{
    uint64_t busy = sm->port[0].busy_until;

    for (uint32_t p = 1; p < sm->ports; p++)
        busy = mh_max64(busy, sm->port[p].busy_until);
    return busy;
}

/*
 * As above for all ports, where nothing takes longer than a cycle, the LSU included: this cycle or the next one. All
 * ports are looked at together.
 */
static inline uint64_t next_of_fours(const struct mh_gpu *g, const struct mh_sm *sm)
{
    const uint64_t may = sm->allowed & sm->can_issue & ~mh_shut_out(sm, true);
    const uint64_t at_once = may & ~mh_if_not(sm->accept_at <= g->wheel.now, sm->memory);
    uint32_t ports = ports_of(sm, at_once);

#pragma GCC unroll 4
    for (uint32_t p = 0; p < MH_MAX_SCHEDULERS; p++)
        ports &= ~((uint32_t)(sm->port[p].busy_until > g->wheel.now) << p);
    return (g->wheel.now + !ports) | -(uint64_t)!may;
}

static inline __attribute__((always_inline)) void wake_ports(struct mh_gpu *g, struct mh_sm *sm)
{
    if (sm->fours && sm->issue_cycles == 1) {
        wake_at(g, sm, next_of_fours(g, sm));
        return;
    }
    uint64_t first = next_issue(g, sm, &sm->port[0]);

    for (uint32_t p = 1; p < sm->ports; p++) {
        uint64_t cycle = next_issue(g, sm, &sm->port[p]);

        first = cycle < first ? cycle : first;
    }
    wake_at(g, sm, first);
}

/* Of values, without branches: which it is cannot be foreseen. */
static inline bool waits(const struct mh_warp *w)
{
    bool for_data = (w->needs != 0) & (w->gap_left <= mh_warp_hold(w));
    bool for_slot = (w->op.kind == MH_OP_LOAD) & (w->free_slots == 0);
    bool for_end = (w->op.kind == MH_OP_EXIT) & (w->loads != 0);

    return w->stopped | for_data | ((w->gap_left == 0) & (for_slot | for_end));
}

static inline void set(uint64_t *mask, uint32_t bit, bool value)
{
    *mask = (*mask & ~(1ull << bit)) | (uint64_t)value << bit;
}

/* A warp with a stock can issue, unless it is at a barrier: its other waits come after the stock. */
static inline void refresh_can(struct mh_sm *sm, const struct mh_warp *w)
{
    const bool can = !waits(w);

    if (!sm->stocks) {
        set(&sm->can_issue, w->position, can);
        return;
    }
    const bool stocked = sm->stock[w->position] != 0;

    set(&sm->then_can, w->position, can);
    set(&sm->can_issue, w->position, can | (stocked & !w->stopped));
}

/* After an issue. */
static inline void refresh(struct mh_sm *sm, const struct mh_warp *w)
{
    const bool memory = (w->gap_left == 0) & (w->op.kind < MH_OP_BARRIER);

    if (sm->stocks)
        set(&sm->then_memory, w->position, memory);
    set(&sm->memory, w->position, memory & !(sm->stocks && sm->stock[w->position]));
    refresh_can(sm, w);
}

static inline void count_issue(struct mh_tenant *t, const struct mh_warp *w, uint32_t instructions)
{
    t->count.warp_instr += instructions;
    t->count.lane_instr += (uint64_t)instructions * w->active;
}

/* Of its gap, those that may issue before loads are needed that are not there yet. */
static inline uint32_t free_gap(const struct mh_warp *w)
{
    return w->gap_left - (w->needs ? mh_warp_hold(w) : 0);
}

static inline void wake_for(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w)
{
    if (sm->issue_at > g->wheel.now)
        wake_at(g, sm, next_issue(g, sm, &sm->port[w->port]));
}

#endif
