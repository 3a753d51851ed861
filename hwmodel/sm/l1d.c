#include "sm/l1d.h"

#include "engine/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"
#include "sm/stalls.h"
#include "sm/umon.h"
#include "sm/coalesce.h"
#include "waits/waits.h"

struct mh_sets mh_l1d_sets(const struct mh_config *cfg)
{
    uint32_t sets = cfg->l1d.bytes / cfg->memory.line_bytes / cfg->l1d.ways;
    enum mh_set_rule rule = cfg->l1d.index;

    return mh_sets_of_memory(sets, rule == MH_SETS_FOLD && (sets == 32 || sets == 64) ? MH_SETS_FERMI : rule,
                             cfg->memory.bytes / cfg->memory.line_bytes);
}

/*
 * L1 TLB, then L1D: what a line takes through the LSU. A miss pays it on its way back, together with the fill, so that
 * look-up and fill cost what a hit costs (ours). A load that merges with a line on its way has it when the others do,
 * be it a cycle after its own look-up (ours).
 */
static uint32_t look_up_latency(const struct mh_gpu *g)
{
    return g->cfg.l1tlb.latency + g->cfg.l1d.latency;
}

/* Every line of a load has been looked up or has come; those that hit have their data at `at`, at the latest. */
static void load_done_at(struct mh_gpu *g, const struct mh_sm *sm, struct mh_use use, uint64_t at)
{
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_LOAD_DONE, (sm->id * MH_MAX_WARPS + use.warp) * MH_MAX_LOADS + use.slot));
}

/* The last hit of a load has its data last. */
static void hit(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    struct mh_load *load = &sm->warp[use.warp].load[use.slot];

    load->hit_at = g->wheel.now + look_up_latency(g);
    MH_CHECK(load->lines);
    if (!--load->lines)
        load_done_at(g, sm, use, load->hit_at);
}

/* A line of a load has come. If all have, a line that hit may have its data later still. */
static void arrived(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    struct mh_load *load = &sm->warp[use.warp].load[use.slot];

    MH_CHECK(load->lines);
    if (--load->lines)
        return;
    if (load->hit_at > g->wheel.now)
        load_done_at(g, sm, use, load->hit_at);
    else
        mh_sm_load_done(g, sm, use.warp, use.slot);
}

void mh_l1d_give_up(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    arrived(g, sm, use);
}

static uint32_t *set_of(const struct mh_sm *sm, uint32_t line)
{
    return mh_tags_set_of(&sm->l1d, line);
}

static inline struct mh_req request(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t line, struct mh_use use,
                                    uint8_t sectors, uint32_t mshr)
{
    _Static_assert(MH_OP_LOAD == (int)MH_REQ_READ && MH_OP_STORE == (int)MH_REQ_WRITE &&
                       MH_OP_ATOMIC == (int)MH_REQ_ATOMIC,
                   "an operation's kind is that of its requests");
    return (struct mh_req){.line = line,
                           .owner = mshr,
                           .port = (uint16_t)sm->id,
                           .tenant = use.tenant,
                           .full = use.full,
                           .sectors = sectors,
                           .kind = use.kind,
                           .since = (uint32_t)g->wheel.now};
}

/* Out of line: a request in memory. */
static __attribute__((noinline)) uint32_t send_apart(struct mh_gpu *g, struct mh_req r)
{
    return mh_missq_send(g, &r);
}

static inline void send(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use, uint8_t sectors,
                        uint32_t mshr)
{
    uint32_t id;

    if (__builtin_expect(g->subqueues, 0)) {
        id = send_apart(g, request(g, sm, line, use, sectors, mshr));
    } else {
        id = mh_noc_new(g->noc);
        g->req[id] = request(g, sm, line, use, sectors, mshr);
        mh_noc_push(g, id);
    }
    if (__builtin_expect(sm->written != NULL, 0) && use.kind == MH_OP_STORE)
        g->req_bytes[id] = sm->written->now;
}

/* Where there are sub-queues the port's own queue is shut: the miss queue is before it. */
static inline bool room(struct mh_gpu *g, const struct mh_sm *sm, struct mh_use use)
{
    return mh_noc_room(g->noc, sm->id) || (__builtin_expect(g->subqueues, 0) && mh_missq_room(g, sm->id, use.tenant));
}

/* An atomic is done in the L2, so the L1D's copy is old. */
static bool drops(const struct mh_gpu *g, struct mh_use use)
{
    return use.kind == MH_OP_ATOMIC || (use.kind == MH_OP_STORE && g->store_drops);
}

/* The emptied way is filled next, as in GPGPU-Sim (tag_array::probe). */
static void drop(struct mh_sm *sm, uint32_t line)
{
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    if (way >= 0)
        mh_tags_drop(&sm->l1d, set, (uint32_t)way);
}

/* Out of line: a line that is taken does not come here. The LSU counts from now on (mh_lsu_count_refused()). */
static __attribute__((noinline, cold)) enum mh_taken refuse(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use,
                                                            enum mh_taken why)
{
    mh_waits_refused(g, sm->id, why == MH_NO_ROOM ? MH_STOP_ROOM : MH_STOP_LINE);
    sm->lsu_refused |= (uint8_t)(1u << use.tenant);
    sm->refused_at[use.tenant] = (uint32_t)g->wheel.now;
    return why;
}

/* Write through, no allocate. A line that is on its way stays: it may come before the store or after it. */
static enum mh_taken write(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    if (g->noc->acks && sm->stores == g->cfg.l1d.store_buffer) {
        mh_waits_refused(g, sm->id, MH_STOP_ROOM);
        return MH_REFUSED; /* not for a miss: no reservation failure */
    }
    if (!room(g, sm, use))
        return refuse(g, sm, use, MH_NO_ROOM);
    if (drops(g, use))
        drop(sm, line);
    sm->stores += g->noc->acks;
    g->tenant[use.tenant].count.requests++;
    send(g, sm, line, use, use.sectors, 0);
    return MH_SENT;
}

void mh_l1d_acknowledged(struct mh_gpu *g, uint32_t id)
{
    struct mh_sm *sm = &g->sm[id];

    MH_CHECK(sm->stores);
    sm->stores--;
    mh_lsu_kick(g, sm);
}

/* Takes an MSHR, in which the line waits. */
static struct mh_l1_mshr *allocate(struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    uint32_t m = sm->free_l1_mshr;
    struct mh_l1_mshr *e = &sm->l1_mshr[m];

    sm->free_l1_mshr = e->next_free;
    *e = (struct mh_l1_mshr){.line = line, .head = MH_NONE, .first = use};
    sm->places--;
    mh_index_put(&sm->l1_index, line, m);
    return e;
}

static struct mh_l1_mshr *join(struct mh_sm *sm, struct mh_l1_mshr *e, struct mh_use use)
{
    uint32_t id = mh_pending_take(sm);

    sm->pending[id].next = e->head;
    sm->pending[id].use = use;
    e->head = id;
    return e;
}

/*
 * Joins the MSHR of the line, or takes one; asks for the sectors that have not been asked for. What an MSHR has
 * received it keeps until it is free. False: something is missing, and nothing has changed.
 */
static enum mh_taken miss(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use, struct mh_counters *c)
{
    int found = mh_index_find(&sm->l1_index, line);
    uint8_t ask = sm->fetch[use.sectors] & (uint8_t) ~(found < 0 ? 0 : sm->l1_mshr[found].asked);

    if ((found < 0 && sm->free_l1_mshr == MH_NONE) || !sm->places)
        return refuse(g, sm, use, MH_REFUSED);
    if (ask && !room(g, sm, use))
        return refuse(g, sm, use, MH_NO_ROOM);
    struct mh_l1_mshr *e = found < 0 ? allocate(sm, line, use) : join(sm, &sm->l1_mshr[found], use);

    e->asked |= ask;
    if (!ask)
        return MH_TAKEN;
    c->request_reads++;
    send(g, sm, line, use, ask, (uint32_t)(e - sm->l1_mshr));
    return MH_SENT;
}

/* Sectors of the line that the L1D has. */
static uint8_t sectors_in(const uint32_t *set, int way)
{
    return way < 0 ? 0 : set[way] & MH_TAG_STATE;
}

static enum mh_taken load(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    struct mh_counters *c = &g->tenant[use.tenant].count;
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    /* Of a line that is there in part only the rest is waited for. */
    use.sectors &= (uint8_t)~sectors_in(set, way);
    if (use.sectors) {
        enum mh_taken taken = miss(g, sm, line, use, c);

        if (taken < MH_TAKEN)
            return taken;
        c->l1d_access++;
        return taken;
    }
    mh_tags_front(set, (uint32_t)way, set[way]);
    c->l1d_access++;
    c->l1d_hit++;
    hit(g, sm, use);
    return MH_TAKEN;
}

void mh_l1d_read_counts(struct mh_counters *c)
{
    c->requests += c->request_reads;
    c->issue_demand += c->requests;
}

static inline enum mh_taken take(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    return use.kind == MH_OP_LOAD ? load(g, sm, line, use) : write(g, sm, line, use);
}

/* A load that is taken and is no hit has missed. */
static __attribute__((noinline)) enum mh_taken take_counted(struct mh_gpu *g, struct mh_sm *sm, uint32_t line,
                                                            struct mh_use use)
{
    const uint64_t *hits = &g->tenant[use.tenant].count.l1d_hit, before = *hits;
    enum mh_taken taken = take(g, sm, line, use);

    if (taken < MH_TAKEN)
        return taken;
    if (sm->count_stalls && use.kind == MH_OP_LOAD && *hits == before)
        mh_stalls_missed(g, sm, use);
    if (sm->monitored && use.kind == MH_OP_LOAD)
        mh_umon_load(sm->umon, line, use.tenant, use.sectors, sm->fetch[use.sectors]);
    else if (sm->monitored && drops(g, use))
        mh_umon_drop(sm->umon, line, use.tenant);
    return taken;
}

enum mh_taken mh_l1d_access(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    return sm->count_loads ? take_counted(g, sm, line, use) : take(g, sm, line, use);
}

void mh_l1d_reply(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint8_t sectors, uint64_t cycle)
{
    uint32_t id = sm * g->cfg.l1d.mshrs + mshr;

    mh_wheel_add(&g->wheel, cycle + look_up_latency(g), MH_EVENT(EV_L1_FILL, id << MH_MAX_SECTORS | sectors));
}

/*
 * Fills the line, or adds sectors to what is there of it. What makes room is never dirty. The first sectors may be gone
 * by now: replaced, or dropped by an atomic or a store.
 */
static void fill(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line, uint8_t sectors)
{
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    sectors |= sectors_in(set, way);
    if (way < 0)
        way = __builtin_expect(g->l1d_apart, 0) ? (int)mh_ways_victim(g, set, line) : (int)sm->l1d.ways - 1;
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | sectors);
}

/* Those whose sectors have all arrived are served; the rest stay. */
static uint32_t serve(struct mh_gpu *g, struct mh_sm *sm, uint32_t head, uint8_t there)
{
    uint32_t rest = MH_NONE;

    for (uint32_t id = head, next; id != MH_NONE; id = next) {
        struct mh_pending *p = &sm->pending[id];

        next = p->next;
        if (p->use.sectors & ~there) {
            p->next = rest;
            rest = id;
            continue;
        }
        mh_pending_give(sm, id);
        arrived(g, sm, p->use);
    }
    return rest;
}

/*
 * What waits in the MSHR itself goes to the end of its list, where serve() looks at it. The place that it has had
 * becomes that of the entry.
 */
static void queue_first(struct mh_sm *sm, struct mh_l1_mshr *e)
{
    uint32_t *last = &e->head;

    while (*last != MH_NONE)
        last = &sm->pending[*last].next;
    sm->places++;
    *last = mh_pending_take(sm);
    sm->pending[*last].next = MH_NONE;
    sm->pending[*last].use = e->first;
    e->first.sectors = 0;
}

/* All that was asked for is there. */
static void finish(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr)
{
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    mh_index_del(&sm->l1_index, e->line);
    if (e->head != MH_NONE)
        serve(g, sm, e->head, e->arrived);
    if (e->first.sectors) {
        sm->places++;
        arrived(g, sm, e->first);
    }
    e->next_free = sm->free_l1_mshr;
    sm->free_l1_mshr = mshr;
}

/* Those that do not have all that they need yet are told again. */
static __attribute__((noinline, cold)) void tell_waits(struct mh_gpu *g, const struct mh_sm *sm, uint32_t mshr)
{
    const struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    mh_waits_back(g, sm->id, mshr, g->wheel.now - look_up_latency(g));
    if (e->first.sectors)
        mh_waits_line(g, sm->id, mshr, e->first.warp, e->first.slot);
    for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
        mh_waits_line(g, sm->id, mshr, sm->pending[id].use.warp, sm->pending[id].use.slot);
}

void mh_l1d_filled(struct mh_gpu *g, uint32_t arrived_there)
{
    const uint8_t sectors = arrived_there & ((1u << MH_MAX_SECTORS) - 1);
    const uint32_t id = arrived_there >> MH_MAX_SECTORS, at = mh_quotient(&g->l1d_mshrs, id);
    const uint32_t mshr = id - at * g->l1d_mshrs.by;
    struct mh_sm *sm = &g->sm[at];
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    fill(g, sm, e->line, sectors);
    e->arrived |= sectors;
    if (mh_waits_on(g))
        tell_waits(g, sm, mshr);
    if (e->arrived == e->asked) {
        finish(g, sm, mshr);
    } else {
        if (e->first.sectors)
            queue_first(sm, e);
        e->head = serve(g, sm, e->head, e->arrived);
    }
    mh_lsu_kick(g, sm);
}

void mh_l1d_flush(struct mh_sm *sm)
{
    memset(sm->l1d.entry, 0, (size_t)sm->l1d.sets * sm->l1d.stride * sizeof *sm->l1d.entry);
    mh_umon_clear(sm->umon);
}

bool mh_l1d_waits(const struct mh_gpu *g, const struct mh_sm *sm, mh_line_test *test, const void *ctx)
{
    for (uint32_t m = 0; m < g->cfg.l1d.mshrs; m++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[m].line) == (int)m && test(ctx, sm->l1_mshr[m].line))
            return true;
    return false;
}

void mh_l1d_drop_page(struct mh_sm *sm, uint32_t ppn, uint32_t page_shift)
{
    const struct mh_tags *tags = &sm->l1d;

    for (uint32_t i = 0; i < tags->sets; i++) {
        uint32_t *set = mh_tags_set(tags, i);

        for (uint32_t w = tags->ways; w--;)
            if (set[w] && mh_tags_line(tags, i, set[w]) >> page_shift == ppn)
                mh_tags_drop(tags, set, w);
    }
    if (sm->monitored)
        mh_umon_drop_page(sm->umon, ppn, page_shift);
}
