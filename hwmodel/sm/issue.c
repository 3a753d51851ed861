#include "engine/gpu.h"
#include "sm/schedule.h"
#include "sm/ready.h"
#include "sm/sm.h"
#include "sm/stalls.h"
#include "waits/waits.h"

/*
 * Issue: one warp instruction per port and `issue_cycles`. Under GTO a gap of compute instructions is one burst on the
 * port: the greedy warp keeps it until it stalls, so nothing could come between, and the port is free again exactly
 * when the burst ends. Counters are exact in the middle of it. A warp's end takes no issue slot.
 *
 * Where warps take turns a gap is issued one by one, but the warps of a GPU are more than the host's first-level cache
 * holds: what may issue without a look at the warp is its stock, which is counted when it is laid and taken off again
 * where counters are read.
 *
 * Memory instructions go to the one LSU, which takes one a cycle, from the ports in turn (ours). A warp issues again in
 * the cycle of the last load that it needs; it does not wait for stores and atomics.
 */

/* Load slots that are outstanding, but for the newest `spared` loads. */
static uint8_t outstanding(const struct mh_gpu *g, const struct mh_warp *w, uint32_t spared)
{
    uint32_t slots = ((1u << g->cfg.sm.loads_per_warp) - 1) & ~(uint32_t)w->free_slots;

    for (uint32_t order = w->order; spared; spared--, order >>= 4)
        slots &= ~(1u << (order & 15));
    return (uint8_t)slots;
}

static inline __attribute__((always_inline)) void fetch(const struct mh_gpu *g, const struct mh_tenant *t,
                                                        struct mh_warp *w)
{
    const uint64_t counted = w->op.mask;

    t->work->next(t->work, &w->cursor, &w->op, w->addr);
    MH_CHECK(w->op.kind >= MH_OP_BARRIER || w->op.mask);
    MH_CHECK(w->op.wait <= MH_WAIT_MAX && w->op.ahead <= w->op.gap);
    if (w->op.kind >= MH_OP_BARRIER)
        w->op.mask = w->lanes;
    /* Mostly the same lanes as before: no need to count them again. */
    if (w->op.mask != counted)
        w->active = (uint8_t)mh_bits(w->op.mask);
    w->gap_left = w->op.gap;
    w->needs = w->op.wait ? outstanding(g, w, w->op.wait - 1) : 0;
}

/* While its line is at hand. */
static inline void lay_stock(struct mh_tenant *t, struct mh_sm *sm, struct mh_warp *w)
{
    if (!sm->stocks)
        return;
    const uint32_t stock = mh_min32(free_gap(w), UINT8_MAX);

    sm->stock[w->position] = (uint8_t)stock;
    count_issue(t, w, stock);
    w->gap_left -= stock;
}

bool mh_sm_unstock(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot)
{
    struct mh_warp *w = &sm->warp[slot];
    struct mh_counters *c = &g->tenant[w->tenant].count;
    const uint32_t stock = sm->stock[w->position];

    c->warp_instr -= stock;
    c->lane_instr -= stock * w->active;
    w->gap_left += stock;
    sm->stock[w->position] = 0;
    return stock != 0;
}

static void less_stocks(const struct mh_sm *sm, struct mh_counters *out)
{
    for (uint64_t m = sm->standing; m; m &= m - 1) {
        const uint32_t position = (uint32_t)__builtin_ctzll(m), stock = sm->stock[position];
        const struct mh_warp *w = &sm->warp[sm->slot_at[position]];

        if (!stock)
            continue;
        out[w->tenant].warp_instr -= stock;
        out[w->tenant].lane_instr -= stock * w->active;
    }
}

void mh_sm_less_stocks(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        if (g->sm[i].stocks)
            less_stocks(&g->sm[i], out);
}

void mh_sm_fetch(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];
    struct mh_tenant *t = &g->tenant[w->tenant];

    fetch(g, t, w);
    lay_stock(t, sm, w);
}

/*
 * From cycle `start` on. A burst ends where loads are needed that are not there yet. Where warps take turns, or may not
 * issue all that they could, it is one instruction, and what follows may be stock.
 */
static inline void compute(struct mh_tenant *t, struct mh_sm *sm, struct mh_issue_port *port, struct mh_warp *w,
                           uint64_t start)
{
    uint32_t burst = sm->bursts ? free_gap(w) : 1;

    port->busy_until = port->burst_end = start + (uint64_t)burst * sm->issue_cycles;
    count_issue(t, w, burst);
    w->gap_left -= burst;
    lay_stock(t, sm, w);
}

/* Whose stocks are used up now: what they can issue is what was known before. */
static inline void used_up(struct mh_sm *sm, uint64_t positions)
{
    sm->can_issue &= sm->then_can | ~positions;
    sm->memory |= sm->then_memory & positions;
}

/* An instruction of a stock. */
static inline void take_stock(const struct mh_gpu *g, struct mh_sm *sm, struct mh_issue_port *port, uint32_t position)
{
    const uint8_t left = --sm->stock[position];

    port->busy_until = g->wheel.now + sm->issue_cycles;
    used_up(sm, (uint64_t)!left << position);
}

uint64_t mh_sm_burst_left(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t now)
{
    return port->burst_end > now + 1 ? (port->burst_end - (now + 1)) / sm->issue_cycles : 0;
}

static uint32_t next_port(const struct mh_sm *sm, uint32_t port)
{
    return port + 1 < sm->ports ? port + 1 : 0;
}

static uint32_t take_slot(struct mh_warp *w, uint64_t now)
{
    uint32_t slot = (uint32_t)__builtin_ctz(w->free_slots);

    w->free_slots &= (uint8_t)(w->free_slots - 1);
    w->order = w->order << 4 | slot;
    w->load[slot].issued = (uint32_t)now;
    w->loads++;
    return slot;
}

static inline __attribute__((always_inline)) void memory(struct mh_gpu *g, struct mh_tenant *t, struct mh_sm *sm,
                                                         uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];

    count_issue(t, w, 1);
    t->count.mem_instr++;
    sm->accept_at = g->wheel.now + 1;
    sm->turn = (uint8_t)next_port(sm, w->port);
    mh_lsu_accept(g, sm, warp, w->op.kind == MH_OP_LOAD ? take_slot(w, g->wheel.now) : 0);
    fetch(g, t, w);
    lay_stock(t, sm, w);
}

static void barrier(struct mh_gpu *g, struct mh_tenant *t, struct mh_sm *sm, uint32_t warp)
{
    struct mh_warp *w = &sm->warp[warp];

    count_issue(t, w, 1);
    /* Before the barrier may open: whether the warp can issue then depends on its next operation. */
    fetch(g, t, w);
    lay_stock(t, sm, w);
    mh_cta_barrier(g, sm, warp);
}

/*
 * The greedy warp keeps the port. So the burst after its memory instruction is counted and timed along with it, without
 * an event of its own.
 */
static inline void go_on(struct mh_tenant *t, struct mh_sm *sm, struct mh_issue_port *port, struct mh_warp *w)
{
    if (sm->bursts && w->gap_left && !(w->needs && w->gap_left <= mh_warp_hold(w)))
        compute(t, sm, port, w, port->busy_until);
}

/* Takes no time: the port is free in this cycle still. */
void mh_sm_exit(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp)
{
    const struct mh_warp *w = &sm->warp[warp];

    if (mh_by_age(sm->scheduler) && sm->port[w->port].last == w->position)
        sm->port[w->port].last = MH_NONE; /* the next warp in this slot is young */
    mh_cta_warp_exit(g, sm, warp);
}

/* Reports an issue to waits/, lrr-gto and quotas. A warp's end is no instruction. */
static void tell_issue(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w)
{
    /* A gap in which counters were read may end without another cycle. */
    mh_waits_gap(g, sm->id, sm->slot_at[w->position], w->tenant, sm->memory >> w->position & 1, g->wheel.now);
    if (!w->gap_left && w->op.kind == MH_OP_EXIT)
        return;
    if (sm->scheduler == MH_LRR_GTO)
        mh_sm_turn(sm, w->port, w->tenant, w->position);
    if (sm->rationed)
        mh_quota_issue(g, sm, w);
}

/* True: it has issued, as an instruction of a chain. */
static __attribute__((noinline, cold)) bool issue_told(struct mh_gpu *g, struct mh_sm *sm, struct mh_warp *w)
{
    tell_issue(g, sm, w);
    if (!sm->chains || !w->gap_left)
        return false;
    mh_chain_issue(g, sm, w);
    return true;
}

static __attribute__((noinline)) void count_stalled(struct mh_gpu *g, const struct mh_sm *sm, uint32_t position,
                                                    uint64_t cycles)
{
    const uint32_t slot = sm->slot_at[position], tenant = sm->warp[slot].tenant;

    g->tenant[tenant].count.sm_stalls += cycles;
    mh_waits_gap(g, sm->id, slot, tenant, sm->memory >> position & 1, g->wheel.now - cycles);
}

/* True: for the other ports nothing has changed. `told`, here and below: sm->tells_issue, a constant. */
static inline __attribute__((always_inline)) bool issue_one(struct mh_gpu *g, struct mh_sm *sm,
                                                            struct mh_issue_port *port, uint32_t position, bool told)
{
    uint32_t warp = sm->slot_at[position];
    struct mh_warp *w = &sm->warp[warp];
    struct mh_tenant *t = &g->tenant[w->tenant];

    if (told && issue_told(g, sm, w))
        return false;
    if (w->gap_left) {
        compute(t, sm, port, w, g->wheel.now);
        if (!w->gap_left || w->needs || sm->stocks) /* else it can issue, as before */
            refresh(sm, w);
        return !(told && sm->rationed);
    }
    if (w->op.kind == MH_OP_EXIT) {
        port->busy_until = g->wheel.now; /* what came before has been counted */
        mh_sm_exit(g, sm, warp);
        return false;
    }
    port->busy_until = g->wheel.now + sm->issue_cycles;
    if (w->op.kind == MH_OP_BARRIER) {
        barrier(g, t, sm, warp);
        return false;
    }
    memory(g, t, sm, warp);
    go_on(t, sm, port, w);
    refresh(sm, w);
    return false;
}

static inline __attribute__((always_inline)) uint32_t choose(const struct mh_sm *sm, const struct mh_issue_port *port,
                                                             uint64_t warps)
{
    if (__builtin_expect(port->faults && warps & ~sm->faulting, 0))
        warps &= ~sm->faulting;
    if (sm->scheduler == MH_GTO)
        return mh_greedy_then_oldest(port->last, warps);
    return sm->scheduler == MH_LRR ? mh_round_robin(port->last, warps) : mh_sm_choose(sm, port, warps);
}

/*
 * Memory instructions of tenants without MEM_QUOTA that wait in this cycle: all if, without them, a free port would
 * choose one of a tenant with MEM_QUOTA left.
 */
static __attribute__((noinline, cold)) uint64_t let_first(const struct mh_gpu *g, const struct mh_sm *sm,
                                                          uint64_t warps)
{
    const uint64_t spent = mh_quota_late(sm, warps), rest = warps & ~spent;

    for (uint32_t p = 0; spent && p < sm->ports; p++) {
        const struct mh_issue_port *port = &sm->port[p];

        if (port->busy_until > g->wheel.now || !(rest & port->warps))
            continue;
        uint32_t at = choose(sm, port, rest & port->warps);

        if (sm->memory >> at & 1 && mh_quota_first(g, sm, sm->warp[sm->slot_at[at]].tenant))
            return spent;
    }
    return 0;
}

static inline __attribute__((always_inline)) uint64_t ready(const struct mh_gpu *g, const struct mh_sm *sm, bool told)
{
    uint64_t warps = sm->can_issue & sm->allowed & ~mh_shut_out(sm, sm->accept_at <= g->wheel.now);

    if (told && sm->rationed)
        warps &= ~let_first(g, sm, warps);
    return warps;
}

static inline __attribute__((always_inline)) bool issue_at(struct mh_gpu *g, struct mh_sm *sm,
                                                           struct mh_issue_port *port, uint32_t position, bool told)
{
    port->last = position;
    if (!sm->stocks || !sm->stock[position])
        return issue_one(g, sm, port, position, told);
    take_stock(g, sm, port, position);
    return !(told && sm->rationed);
}

/* An SM with one port that tells nobody: nothing takes turns. Warps that end leave the port free. */
static inline void issue_port(struct mh_gpu *g, struct mh_sm *sm, struct mh_issue_port *port)
{
    for (uint64_t warps; port->busy_until <= g->wheel.now && (warps = ready(g, sm, false) & port->warps);) {
        const uint32_t position = choose(sm, port, warps);

        if (port->busy_until < g->wheel.now)
            count_stalled(g, sm, position, g->wheel.now - port->busy_until);
        issue_at(g, sm, port, position, false);
    }
}

/* Each port in its turn, from `first` on, until it has nothing to issue in this cycle. */
static inline __attribute__((always_inline)) void issue_ports(struct mh_gpu *g, struct mh_sm *sm, uint32_t first,
                                                              bool told)
{
    uint64_t warps = ready(g, sm, told), busy = busy_until(sm), stall = mh_max64(busy, g->wheel.now) - busy;
    uint32_t free = free_ports(g, sm, busy), turns = in_turn(sm, warps, free, first);

    while (turns) {
        const uint32_t turn = (uint32_t)__builtin_ctz(turns), at = first + turn;
        const uint32_t p = at < sm->ports ? at : at - sm->ports;
        struct mh_issue_port *port = &sm->port[p];
        const uint32_t position = choose(sm, port, warps & port->warps);

        if (stall)
            count_stalled(g, sm, position, stall);
        stall = 0; /* the port is busy in this cycle, or was up to it */
        const bool same = issue_at(g, sm, port, position, told);

        free &= ~((uint32_t)(port->busy_until > g->wheel.now) << p);
        turns &= turns - 1;
        if (same)
            continue;
        warps = ready(g, sm, told);
        turns = in_turn(sm, warps, free, first) & ~0u << turn;
    }
}

static __attribute__((noinline)) void issue_ports_quiet(struct mh_gpu *g, struct mh_sm *sm)
{
    issue_ports(g, sm, sm->turn, false);
}

static __attribute__((noinline)) void issue_ports_told(struct mh_gpu *g, struct mh_sm *sm)
{
    issue_ports(g, sm, sm->turn, true);
}

void mh_sm_issue(struct mh_gpu *g, uint32_t id)
{
    struct mh_sm *sm = &g->sm[id];

    /* While it is this cycle, what happens below schedules nothing. */
    if (sm->issue_at != g->wheel.now)
        return;
    if (__builtin_expect(sm->tells_issue, 0))
        issue_ports_told(g, sm);
    else if (sm->ports == 1)
        issue_port(g, sm, &sm->port[0]);
    else
        issue_ports_quiet(g, sm);
    if (sm->count_stalls)
        mh_stalls_issued(g, sm);
    sm->issue_at = UINT64_MAX;
    wake_ports(g, sm);
}
