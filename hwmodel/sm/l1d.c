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

/* The last hit of a load has its data last. */
static void hit(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use)
{
    struct mh_load *load = &sm->warp[use.warp].load[use.slot];

    load->hit_at = g->wheel.now + mh_l1d_latency(g);
    MH_CHECK(load->lines);
    if (!--load->lines)
        mh_l1d_done_at(g, sm, use, load->hit_at);
}

_Static_assert(MH_OP_LOAD == (int)MH_REQ_READ && MH_USE_ATOMIC_READ == (int)MH_REQ_ATOMIC_READ &&
                   MH_OP_STORE == (int)MH_REQ_WRITE && MH_OP_ATOMIC == (int)MH_REQ_ATOMIC,
               "an operation's kind is that of its requests");

static inline void send(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use, uint8_t sectors,
                        uint32_t owner)
{
    const uint32_t id = mh_noc_new(g->noc);
    g->req[id] = (struct mh_req){.line = line,
                                 .owner = owner,
                                 .port = (uint16_t)sm->id,
                                 .tenant = use.tenant,
                                 .full = use.full,
                                 .sectors = sectors,
                                 .kind = use.kind,
                                 .since = (uint32_t)g->wheel.now};
    if (__builtin_expect(g->subqueues, 0))
        mh_missq_push(g, id);
    else
        mh_noc_push(g, id);
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
static inline __attribute__((always_inline)) void drop(struct mh_sm *sm, uint32_t line)
{
    uint32_t *set = mh_l1d_set(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    if (way >= 0)
        mh_tags_drop(&sm->l1d, set, (uint32_t)way);
}

/* Sectors that the store covers whole are there from now on (l1d.store_miss allocate). */
static __attribute__((noinline)) void allocate_stored(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line,
                                                      struct mh_use use)
{
    const uint32_t whole = sm->written ? mh_bytes_whole(&sm->written->now) : use.full ? use.sectors : 0;

    if (whole && use.kind == MH_OP_STORE)
        mh_l1d_fill(g, sm, line, (uint8_t)whole);
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

static uint32_t slot_of(const struct mh_sm *sm, struct mh_use use)
{
    return (sm->id * MH_MAX_WARPS + use.warp) * MH_MAX_LOADS + use.slot;
}

/* An atomic with a result: a line of it has a place, as a line of a load that misses, but no MSHR. */
static __attribute__((noinline, cold)) enum mh_taken atomic_read(struct mh_gpu *g, struct mh_sm *sm, uint32_t line,
                                                                 struct mh_use use)
{
    if (!sm->places)
        return refuse(g, sm, use, MH_REFUSED);
    if (!room(g, sm, use))
        return refuse(g, sm, use, MH_NO_ROOM);
    drop(sm, line);
    sm->places--;
    sm->results++;
    g->tenant[use.tenant].count.requests++;
    send(g, sm, line, use, use.sectors, slot_of(sm, use));
    return MH_SENT;
}

/* Write through. A line that is on its way stays: it may come before the store or after it. */
static enum mh_taken write(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    if (__builtin_expect(use.kind == MH_USE_ATOMIC_READ, 0))
        return atomic_read(g, sm, line, use);
    if (g->noc->acks && sm->stores == g->cfg.l1d.store_buffer) {
        mh_waits_refused(g, sm->id, MH_STOP_ROOM);
        return MH_REFUSED; /* not for a miss: no reservation failure */
    }
    if (!room(g, sm, use))
        return refuse(g, sm, use, MH_NO_ROOM);
    if (drops(g, use))
        drop(sm, line);
    else if (__builtin_expect(g->store_allocates, 0))
        allocate_stored(g, sm, line, use);
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

static enum mh_taken load(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use)
{
    struct mh_counters *c = &g->tenant[use.tenant].count;
    uint32_t *set = mh_l1d_set(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    /* Of a line that is there in part only the rest is waited for. */
    use.sectors &= (uint8_t)~mh_l1d_sectors(set, way);
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
