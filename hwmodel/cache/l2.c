/* L2: look-ups and fills of a bank, and what it does when it cannot go on. */
#include "cache/l2_bank.h"
#include "pages/page_table.h"

/* Makes room in the set for a line in state `state`. The caller has checked that it can be done. */
static inline void replace(struct mh_gpu *g, uint32_t bank, uint32_t *set, int way, uint32_t line, uint32_t state,
                           bool wide)
{
    if (set[way] & MH_TAG_DIRTY)
        mh_mem_write(g, bank, wide ? mh_l2_wide_line(g->l2, set, set[way]) : set[way] >> MH_TAG_BITS, 0, 0);
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | state);
}

static void merge(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];
    int m = mh_index_find(&b->index, g->req[req].line);

    MH_CHECK(m >= 0);
    mh_l2_wait(g, bank, &b->mshr[m], req);
}

/*
 * The least recently used of the tenant's own lines, or an empty way if it has fewer of them than its part of the set.
 * Such a way exists: the parts add up to the ways, and no tenant has more than its part. Empty ways stand last.
 */
int mh_l2_own_victim(const struct mh_gpu *g, uint32_t tenant, const uint32_t *set)
{
    uint32_t ways = g->l2->tags.ways, own = 0;
    int oldest = -1;

    for (uint32_t w = 0; w < ways && set[w]; w++) {
        if (mh_line_tenant(g, mh_l2_line(g->l2, set, set[w])) != tenant)
            continue;
        own++;
        if (!(set[w] & MH_TAG_PENDING))
            oldest = (int)w;
    }
    if (own == mh_config_part(ways, g->tenants, tenant))
        return oldest;
    MH_CHECK(!set[ways - 1]);
    return (int)ways - 1;
}

/* A write of the whole line needs nothing of what the line was: no MSHR, no read. */
static bool fetches(const struct mh_req *r)
{
    return !(r->kind == MH_REQ_WRITE && r->full);
}

/* What goes to DRAM in the cycle of the miss: what the request stores, or a dirty victim; there are none then. */
static inline bool writes(const struct mh_gpu *g, const struct mh_req *r, const uint32_t *set, int way)
{
    return set[way] & MH_TAG_DIRTY || mh_l2_writes_through(g, r);
}

/* Places in the channel's queue. */
static uint32_t places(const struct mh_gpu *g, const struct mh_req *r, const uint32_t *set, int way)
{
    return (uint32_t)fetches(r) + writes(g, r, set, way);
}

static inline enum mh_l2_need need_of(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r,
                                      const uint32_t *set, int way)
{
    if (way < 0)
        return MH_L2_NEEDS_WAY;
    if (fetches(r) && g->l2->bank[bank].free_mshr == MH_NONE)
        return MH_L2_NEEDS_MSHR;
    return mh_l2_room(g, bank, r, fetches(r), writes(g, r, set, way));
}

enum mh_l2_need mh_l2_need(const struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_tags *tags = &g->l2->tags;
    const struct mh_req *r = &g->req[req];

    if (r->bypass)
        return mh_l2_bypass_need(g, bank, r);
    const uint32_t *set = mh_l2_any_set(g->l2, bank, r->tenant, r->line);

    if (g->l2->sectors)
        return mh_l2_sector_need(g, bank, req, set);
    if (mh_tags_find(tags, set, r->line) >= 0)
        return mh_l2_writes_through(g, r) ? mh_l2_room(g, bank, r, false, true) : MH_L2_NEEDS_NOTHING;
    return need_of(g, bank, r, set, mh_l2_victim(g, r->tenant, set));
}

/* A store that hits, or merges. False: the channel has no room for it. */
static __attribute__((noinline)) bool write_through(struct mh_gpu *g, uint32_t bank, struct mh_req *r)
{
    if (mh_l2_room(g, bank, r, false, true) != MH_L2_NEEDS_NOTHING) {
        g->l2->bank[bank].places = mh_l2_one_queue(g);
        return false;
    }
    r->caused = mh_l2_caused(g, r, true, NULL, 0);
    mh_mem_write(g, bank, r->line, 0, 0);
    return true;
}

static inline __attribute__((always_inline)) bool miss_in(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set,
                                                          bool wide)
{
    struct mh_req *r = &g->req[req];
    struct mh_l2_bank *b = &g->l2->bank[bank];
    int way = mh_l2_victim(g, r->tenant, set);
    enum mh_l2_need need = need_of(g, bank, r, set, way);
    bool fetch = fetches(r);

    if (need != MH_L2_NEEDS_NOTHING) {
        b->places = need != MH_L2_NEEDS_DRAM ? UINT32_MAX : mh_l2_one_queue(g) ? places(g, r, set, way) : 0;
        return false;
    }
    mh_l2_count(g, r, false);
    bool through = mh_l2_writes_through(g, r);

    r->caused = mh_l2_caused(g, r, fetch, set, set[way]) + (through ? mh_l2_caused(g, r, true, NULL, 0) : 0);
    replace(g, bank, set, way, r->line, fetch ? MH_TAG_PENDING : MH_TAG_VALID | (through ? 0 : MH_TAG_DIRTY), wide);
    if (through)
        mh_mem_write(g, bank, r->line, 0, 0);
    if (fetch)
        mh_l2_ask(g, bank, req, &b->index);
    else
        mh_l2_answer(g, bank, req);
    return true;
}

static __attribute__((noinline)) bool miss(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set)
{
    return miss_in(g, bank, req, set, false);
}

static inline __attribute__((always_inline)) bool look_up_in(struct mh_gpu *g, uint32_t bank, uint32_t req,
                                                             uint32_t *set, bool wide)
{
    struct mh_req *r = &g->req[req];
    int way = mh_tags_find(&g->l2->tags, set, r->line);

    if (way < 0)
        return wide ? miss_in(g, bank, req, set, true) : miss(g, bank, req, set);
    uint32_t entry = set[way];
    bool through = mh_l2_writes_through(g, r);

    if (through && !write_through(g, bank, r))
        return false;
    /* A line on its way cannot be dirty yet: its MSHR keeps that (mh_l2_wait). A request that merges is no hit. */
    if (mh_l2_is_write(r) && entry & MH_TAG_VALID && !through)
        entry |= MH_TAG_DIRTY;
    mh_tags_front(set, (uint32_t)way, entry);
    mh_l2_count(g, r, entry & MH_TAG_VALID);
    if (entry & MH_TAG_PENDING) {
        merge(g, bank, req);
        return true;
    }
    if (r->kind == MH_REQ_READ)
        mh_waits_l2(g, r->port, r->owner, r->since);
    mh_l2_answer(g, bank, req);
    return true;
}

static __attribute__((noinline)) bool look_up_apart(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->req[req];
    uint32_t *set = mh_l2_any_set(g->l2, bank, r->tenant, r->line);

    return g->l2->sectors ? mh_l2_sector_look_up(g, bank, req, set) : look_up_in(g, bank, req, set, true);
}

/* False: the bank cannot take it now. */
static inline __attribute__((always_inline)) bool look_up(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->req[req];

    if (__builtin_expect(g->l2->apart, 0))
        return look_up_apart(g, bank, req);
    return look_up_in(g, bank, req, mh_l2_set(g->l2, bank, r->tenant, r->line), false);
}

/* A bank stops in order: behind a stalled request all others wait, hits, too. Each keeps its credit meanwhile, so the
 * crossbar stops before `stalled` overflows. */
void mh_l2_access(struct mh_gpu *g, uint32_t req)
{
    uint32_t bank = g->req[req].bank;

    if (__builtin_expect(g->compressing, 0) && mh_l2_is_write(&g->req[req]))
        mh_uvm_stored(g, g->req[req].line);
    if (!g->l2->stops[bank] && look_up(g, bank, req)) {
        mh_noc_credit(g, bank);
        return;
    }
    mh_ring_push(&g->l2->bank[bank].stalled, req);
    g->l2->stops[bank] = true;
}

static bool retry(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    return g->req[req].bypass ? mh_l2_pass(g, bank, req) : look_up(g, bank, req);
}

/*
 * Look-ups of stalled requests in this cycle. With a clock of its own the NoC may have several cycles to it. They claim
 * no port: in the cycle in which a stall ends as many may start in addition to those that arrive (ours).
 */
static uint32_t most_retries(const struct mh_gpu *g)
{
    uint64_t cycles = mh_clock_seen(&g->l2->clock, g->wheel.now) -
                      (g->wheel.now ? mh_clock_seen(&g->l2->clock, g->wheel.now - 1) : 0);

    return g->l2->ports * (cycles ? (uint32_t)cycles : 1);
}

/*
 * Stalled requests try again, in order. While the first is stalled, only a line that comes or leaves changes the tags.
 * So what it needs stays the same until then, and a channel without enough places need not be asked.
 */
void mh_l2_retry(struct mh_gpu *g, uint32_t bank)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];

    b->retry_event = false;
    mh_l2_bypass_retry(g, bank);
    if (__builtin_expect(g->l2->copies != NULL, 0) && !mh_l2_forwarded_retry(g, bank))
        return;
    if (!b->stalled.count)
        return;
    if (mh_mem_free(g, bank) < b->places) {
        MH_CHECK(mh_l2_need(g, bank, mh_ring_peek(&b->stalled)) != MH_L2_NEEDS_NOTHING);
        return;
    }
    uint32_t done = 0, most = most_retries(g);

    b->places = 0;
    while (b->stalled.count && done < most && retry(g, bank, mh_ring_peek(&b->stalled))) {
        mh_ring_pop(&b->stalled);
        mh_noc_credit(g, bank);
        done++;
    }
    g->l2->stops[bank] = b->stalled.count;
    /* The ports of this cycle are used up. If it is the first request that cannot go on, a kick comes. */
    if (b->stalled.count && done == most) {
        uint64_t next = mh_clock_leave(&g->l2->clock, mh_clock_seen(&g->l2->clock, g->wheel.now) + 1);

        b->retry_event = true;
        mh_wheel_add(&g->wheel, next, MH_EVENT(EV_L2_RETRY, bank));
    }
}

void mh_l2_kick(struct mh_gpu *g, uint32_t bank)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];

    if ((g->l2->stops[bank] || b->passing.count) && !b->retry_event) {
        b->retry_event = true;
        mh_wheel_add(&g->wheel, mh_clock_leave(&g->l2->clock, mh_clock_enter(&g->l2->clock, g->wheel.now)),
                     MH_EVENT(EV_L2_RETRY, bank));
    }
}

void mh_l2_ask_anew(struct mh_gpu *g, uint32_t bank)
{
    if (g->l2->bank[bank].places != UINT32_MAX)
        g->l2->bank[bank].places = 0;
    mh_l2_kick(g, bank);
}

void mh_l2_rooms_changed(struct mh_gpu *g)
{
    for (uint32_t b = 0; b < g->l2->banks; b++)
        mh_l2_ask_anew(g, b);
}

static inline __attribute__((always_inline)) void fill_in(struct mh_gpu *g, uint32_t mshr, bool wide)
{
    uint32_t bank = mh_quotient(&g->l2->by_mshrs, mshr), m = mshr - bank * g->l2->mshrs;
    const struct mh_l2_mshr *e = &g->l2->bank[bank].mshr[m];
    uint32_t *set = wide ? mh_l2_any_set(g->l2, bank, e->tenant, e->line) : mh_l2_set(g->l2, bank, e->tenant, e->line);
    int way = mh_tags_find(&g->l2->tags, set, e->line);

    MH_CHECK(way >= 0 && set[way] & MH_TAG_PENDING);
    /* It keeps its place in the order of use: it was used when it was asked for, and when others merged. */
    set[way] = e->line << MH_TAG_BITS | MH_TAG_VALID | (e->dirty ? MH_TAG_DIRTY : 0u);
    mh_l2_deliver(g, bank, m, &g->l2->bank[bank].index);
}

static __attribute__((noinline)) void fill_apart(struct mh_gpu *g, uint32_t mshr)
{
    if (g->l2->sectors)
        mh_l2_sector_fill(g, mshr);
    else
        fill_in(g, mshr, true);
}

void mh_l2_fill(struct mh_gpu *g, uint32_t mshr)
{
    if (__builtin_expect(g->l2->apart, 0))
        fill_apart(g, mshr);
    else
        fill_in(g, mshr, false);
}

/* --- What comes from DRAM. */

/* A request that joins from now on has not waited in the queue. */
static __attribute__((noinline, cold)) void tell_waits(struct mh_gpu *g, const struct mh_l2_mshr *e)
{
    for (uint32_t id = e->head; id != MH_NONE; id = g->req[id].next)
        if (g->req[id].kind == MH_REQ_READ)
            mh_waits_picked(g, g->req[id].port, g->req[id].owner);
}

/* MSHR of a read's tag. */
static inline const struct mh_l2_mshr *asker(const struct mh_l2 *l2, uint32_t asked)
{
    uint32_t id = asked & MH_ASKED_MSHR, bank = mh_quotient(&l2->by_mshrs, id);

    return &l2->bank[bank].mshr[id - bank * l2->mshrs];
}

void mh_l2_decided(struct mh_gpu *g, uint32_t asked, bool row_hit)
{
    const struct mh_l2_mshr *e = asker(g->l2, asked);

    g->tenant[e->tenant].count.dram_row_hit += row_hit;
    if (mh_waits_on(g))
        tell_waits(g, e);
}

void mh_l2_coming(struct mh_gpu *g, uint32_t asked, uint64_t at)
{
    const struct mh_l2_mshr *e = asker(g->l2, asked);
    struct mh_counters *c = &g->tenant[e->tenant].count;
    const uint64_t since = g->l2->sectors ? mh_l2_sector_asked_at(g->l2, asked) : e->since;

    c->dram_read_sectors += g->memory->sectors[asked >> MH_ASKED_SECTORS];
    *(e->walk ? &c->dram_walk : &c->dram_read) += 1;
    *(e->walk ? &c->dram_walk_cycles : &c->dram_cycles) += at - since;
    mh_wheel_add(&g->wheel, at, MH_EVENT(e->bypass ? EV_BYPASS_FILL : EV_L2_FILL, asked));
}

bool mh_l2_drop(struct mh_gpu *g, uint32_t tenant, uint32_t line)
{
    uint32_t bank = mh_interleave_bank(&g->l2->interleave[tenant], line),
             *set = mh_l2_any_set(g->l2, bank, tenant, line);
    int way = mh_tags_find(&g->l2->tags, set, line);

    if (g->l2->copies)
        mh_l2_drop_copy(g, bank, tenant, line);
    if (way < 0)
        return false;
    bool dirty = set[way] & MH_TAG_DIRTY;

    MH_CHECK(!(set[way] & MH_TAG_PENDING));
    mh_tags_drop(&g->l2->tags, set, (uint32_t)way);
    if (g->l2->sectors)
        mh_l2_sector_drop(g->l2, set, (uint32_t)way);
    mh_l2_ask_anew(g, bank);
    return dirty;
}

/* What is stalled at a bank is a request of the crossbar still. */
bool mh_l2_waits(const struct mh_gpu *g, mh_line_test *test, const void *ctx)
{
    for (uint32_t b = 0; b < g->l2->banks; b++)
        for (uint32_t m = 0; m < g->l2->mshrs; m++)
            if (mh_l2_mshr_used(g->l2, b, m) && test(ctx, g->l2->bank[b].mshr[m].line))
                return true;
    return false;
}
