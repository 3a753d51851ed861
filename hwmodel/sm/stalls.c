#include "sm/stalls.h"

#include "engine/gpu.h"
#include "sm/ready.h"
#include "waits/waits.h"

enum reason { OTHER, RAW_LONG, LSU_FULL };

enum { NOBODY = UINT8_MAX };

/** A warp slot. */
struct stall {
    uint64_t from; /**< RAW_LONG: first cycle that is not counted; LSU_FULL: what its tenant's sum was then */
    uint8_t reason;
    uint8_t missed; /**< bit s: the load in slot s is outstanding, and a line of it has missed the L1D */
};

/** Whether memory instructions of a tenant find room in the LSU. */
struct room {
    uint64_t cycles;  /**< without, up to `changed` */
    uint64_t changed; /**< last cycle in which there was none any more, or some again */
};

struct mh_stalls {
    struct room room[MH_MAX_TENANTS];
    uint32_t shut; /**< bit per tenant: it finds none */
    /** By port: the slot of a warp that waits for the LSU once it has issued: its `from` is that cycle yet. */
    uint8_t issuing[MH_MAX_SCHEDULERS];
    uint64_t busy[MH_MAX_SCHEDULERS];  /**< busy_until of the ports when the last issue event ended */
    uint64_t resident[MH_MAX_TENANTS]; /**< sum over warps of the cycle of their end, less that of their start */
    struct stall warp[MH_MAX_WARPS];
};

int mh_stalls_init(struct mh_sm *sm, const struct mh_config *cfg)
{
    sm->count_stalls = sm->count_loads = cfg->sm.stall_reasons;
    if (!sm->count_stalls)
        return 0;
    sm->stalls = mh_aligned_zeros(sizeof *sm->stalls);
    if (sm->stalls)
        memset(sm->stalls->issuing, NOBODY, sizeof sm->stalls->issuing);
    return sm->stalls ? 0 : -1;
}

/* Cycles that the tenant had found no room at `cycle`, which is no earlier than the last change. */
static inline uint64_t shut_at(const struct mh_stalls *st, uint32_t tenant, uint64_t cycle)
{
    const struct room *r = &st->room[tenant];

    return r->cycles + (st->shut >> tenant & 1 ? cycle - r->changed : 0);
}

/* The port's warp has issued by now. As its room has not changed since, the sum of then is known. */
static void issued(const struct mh_sm *sm, uint32_t port)
{
    struct mh_stalls *st = sm->stalls;
    struct stall *s = &st->warp[st->issuing[port]];

    s->from = shut_at(st, sm->warp[st->issuing[port]].tenant, s->from);
    st->issuing[port] = NOBODY;
}

/* Tenants whose memory instructions find no room, bit each. */
static uint32_t shut_out(const struct mh_sm *sm)
{
    return sm->lsu_count == sm->lsu_size ? (1u << MH_MAX_TENANTS) - 1 : 0;
}

void mh_stalls_lsu(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_stalls *st = sm->stalls;
    const uint32_t shut = shut_out(sm), changed = shut ^ st->shut;
    const uint64_t now = g->wheel.now;

    if (!changed)
        return;
    for (uint32_t p = 0; p < sm->ports; p++)
        if (st->issuing[p] != NOBODY && st->warp[st->issuing[p]].from <= now)
            issued(sm, p);
    for (uint32_t t = 0; t < g->tenants; t++)
        if (changed >> t & 1)
            st->room[t] = (struct room){shut_at(st, t, now), now};
    st->shut = shut;
}

static inline uint64_t allowed(const struct mh_sm *sm, const struct mh_warp *w, uint64_t cycles)
{
    return sm->allowed >> w->position & 1 ? cycles : 0;
}

static void count_raw(struct mh_gpu *g, const struct mh_sm *sm, const struct mh_warp *w, struct stall *s)
{
    const uint64_t now = g->wheel.now;

    if (s->from >= now) /* it issues yet */
        return;
    g->tenant[w->tenant].count.stall_raw_long += allowed(sm, w, now - s->from);
    s->from = now;
}

static void count_lsu(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w, struct stall *s)
{
    struct mh_stalls *st = sm->stalls;
    const uint64_t now = g->wheel.now, full = shut_at(st, w->tenant, now);

    if (st->issuing[w->port] == s - st->warp) {
        if (s->from >= now)
            return;
        issued(sm, w->port);
    }
    g->tenant[w->tenant].count.stall_lsu_full += allowed(sm, w, full - s->from);
    s->from = full;
}

/* Adds the cycles before this one. */
static inline void count(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w, struct stall *s)
{
    if (s->reason == RAW_LONG)
        count_raw(g, sm, w, s);
    else if (s->reason == LSU_FULL)
        count_lsu(g, sm, w, s);
}

/* Load slots that it waits for. For a slot or for its end it waits for any: `missed` has those outstanding alone. */
static uint8_t awaited(const struct mh_warp *w)
{
    bool for_slot = w->op.kind == MH_OP_LOAD && !w->free_slots;
    bool for_end = w->op.kind == MH_OP_EXIT && w->loads;

    if (w->gap_left == 0 && (for_slot || for_end))
        return UINT8_MAX;
    return w->gap_left <= mh_warp_hold(w) ? w->needs : 0;
}

static enum reason reason_of(const struct mh_sm *sm, const struct mh_warp *w, uint8_t missed)
{
    if (sm->can_issue >> w->position & 1)
        return sm->memory >> w->position & 1 ? LSU_FULL : OTHER;
    return !w->stopped && awaited(w) & missed ? RAW_LONG : OTHER;
}

/* The warp's port is its own until some later cycle. */
static bool issues(const struct mh_sm *sm, const struct mh_warp *w, uint64_t now)
{
    const struct mh_issue_port *port = &sm->port[w->port];

    return port->last == w->position && port->busy_until > now;
}

static void begin_lsu(struct mh_sm *sm, const struct mh_warp *w, struct stall *s, uint64_t now)
{
    struct mh_stalls *st = sm->stalls;

    if (!issues(sm, w, now)) {
        s->from = shut_at(st, w->tenant, now);
        return;
    }
    /* The warp that issued there before has issued by now. */
    if (st->issuing[w->port] != NOBODY)
        issued(sm, w->port);
    st->issuing[w->port] = (uint8_t)(s - st->warp);
    s->from = sm->port[w->port].busy_until;
}

static void end_lsu(struct mh_stalls *st, const struct mh_warp *w, const struct stall *s)
{
    if (st->issuing[w->port] == s - st->warp)
        st->issuing[w->port] = NOBODY;
}

void mh_stalls_update(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot)
{
    const struct mh_warp *w = &sm->warp[slot];
    struct stall *s = &sm->stalls->warp[slot];
    const uint64_t now = g->wheel.now;
    enum reason reason = reason_of(sm, w, s->missed);

    count(g, sm, w, s);
    if (s->reason == LSU_FULL)
        end_lsu(sm->stalls, w, s);
    s->reason = (uint8_t)reason;
    if (reason == RAW_LONG)
        s->from = issues(sm, w, now) ? sm->port[w->port].busy_until : now;
    else if (reason == LSU_FULL)
        begin_lsu(sm, w, s, now);
}

/* From one instruction of a gap to the next nothing changes. */
void mh_stalls_issued(struct mh_gpu *g, struct mh_sm *sm)
{
    struct mh_stalls *st = sm->stalls;
    const uint64_t computes = sm->can_issue & ~sm->memory;

    for (uint32_t p = 0; p < sm->ports; p++) {
        const struct mh_issue_port *port = &sm->port[p];

        if (port->busy_until == st->busy[p])
            continue;
        st->busy[p] = port->busy_until;
        if (port->busy_until <= g->wheel.now || port->last >= MH_MAX_WARPS)
            continue; /* of one that has exited, or was killed */
        const uint32_t slot = sm->slot_at[port->last];

        if (!(computes >> port->last & 1) || st->warp[slot].reason != OTHER)
            mh_stalls_update(g, sm, slot);
    }
    mh_stalls_lsu(g, sm);
}

/* The next instruction may end when the burst would have: it is seen all the same. */
void mh_stalls_cut(struct mh_sm *sm, uint32_t port)
{
    sm->stalls->busy[port] = sm->port[port].busy_until;
}

void mh_stalls_enter(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot)
{
    sm->stalls->warp[slot] = (struct stall){.reason = OTHER};
    sm->stalls->resident[sm->warp[slot].tenant] -= g->wheel.now;
}

void mh_stalls_leave(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot)
{
    const struct mh_warp *w = &sm->warp[slot];
    struct stall *s = &sm->stalls->warp[slot];

    const uint64_t now = g->wheel.now;

    count(g, sm, w, s);
    end_lsu(sm->stalls, w, s);
    s->reason = OTHER;
    /* Killed in the middle of an instruction, which counts as a whole: so does the warp, until it has issued. */
    sm->stalls->resident[w->tenant] += issues(sm, w, now) ? sm->port[w->port].busy_until : now;
}

void mh_stalls_missed(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    struct stall *s = &sm->stalls->warp[use.warp];
    const uint8_t bit = (uint8_t)(1u << use.slot);

    if (s->missed & bit)
        return;
    s->missed |= bit;
    mh_stalls_update(g, sm, use.warp);
}

void mh_stalls_loaded(struct mh_gpu *g, struct mh_sm *sm, uint32_t slot, uint32_t load)
{
    sm->stalls->warp[slot].missed &= (uint8_t) ~(1u << load);
    mh_stalls_update(g, sm, slot);
}

void mh_stalls_settle(struct mh_gpu *g, struct mh_sm *sm)
{
    for (uint64_t m = sm->standing; m; m &= m - 1) {
        const uint32_t slot = sm->slot_at[__builtin_ctzll(m)];

        count(g, sm, &sm->warp[slot], &sm->stalls->warp[slot]);
    }
}

/* Cycles from this one on for which the port's instruction, which counts as issued, holds it yet. */
static uint64_t ahead(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t now)
{
    return port->busy_until - now - mh_sm_burst_left(sm, port, now) * sm->issue_cycles;
}

static void read_sm(const struct mh_gpu *g, const struct mh_sm *sm, struct mh_counters *out)
{
    const uint64_t now = g->wheel.now;

    for (uint32_t t = 0; t < g->tenants; t++)
        out[t].stall_other += sm->stalls->resident[t] + mh_bits(sm->tenant_warps[t]) * now;
    for (uint32_t p = 0; p < sm->ports; p++) {
        const struct mh_issue_port *port = &sm->port[p];

        if (port->busy_until > now && port->last < MH_MAX_WARPS && sm->standing >> port->last & 1)
            out[sm->warp[sm->slot_at[port->last]].tenant].stall_other += ahead(sm, port, now);
    }
}

void mh_stalls_read(const struct mh_gpu *g, struct mh_counters *out)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        read_sm(g, &g->sm[i], out);
    for (uint32_t t = 0; t < g->tenants; t++)
        out[t].stall_other -=
            out[t].warp_instr * g->cfg.sm.issue_cycles + out[t].stall_raw_long + out[t].stall_lsu_full;
}

/* --- Cycles without an issue. */

uint64_t mh_sm_quiet_from(const struct mh_gpu *g, uint32_t sm)
{
    return mh_sm_busy_until(&g->sm[sm]);
}

uint32_t mh_sm_first_tenant(const struct mh_gpu *g, uint32_t sm)
{
    const struct mh_sm *s = &g->sm[sm];

    return s->standing ? s->warp[s->slot_at[__builtin_ctzll(s->standing)]].tenant : MH_NONE;
}

uint64_t mh_sm_busy_until(const struct mh_sm *sm)
{
    return busy_until(sm);
}

void mh_sm_no_stall(struct mh_sm *sm, uint64_t now)
{
    for (uint32_t p = 0; p < sm->ports; p++)
        sm->port[p].busy_until = mh_max64(sm->port[p].busy_until, now);
}

void mh_sm_count_stall(struct mh_gpu *g, struct mh_sm *sm)
{
    const uint64_t busy = busy_until(sm);

    if (!sm->standing)
        return;
    uint32_t tenant = sm->warp[sm->slot_at[__builtin_ctzll(sm->standing)]].tenant;

    g->tenant[tenant].count.sm_stalls += mh_max64(busy, g->wheel.now) - busy;
    mh_waits_open(g, sm->id, busy);
    mh_sm_no_stall(sm, g->wheel.now);
}
