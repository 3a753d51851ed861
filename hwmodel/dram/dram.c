/* One channel: arrival of requests, and how far its commands have come. */
#include "memhelm/dram.h"

#include <assert.h>

#include "dram/writes.h"
#include "dram/tiers.h"
#include "dram/watch.h"

static void insert_tiered(struct mh_dram *d, uint64_t cycle, uint32_t b, uint32_t row,
                          const struct mh_dram_request *req, enum mh_tier tier)
{
    d->tiers->watch->now = cycle;
    mh_tiers_push(d, b, row, req, tier);
    mh_direction_choose(d);
    mh_dram_candidate(d, b);
    mh_dram_scan(d);
}

/* Pre: no command is due before `cycle`. */
static void insert(struct mh_dram *d, uint64_t cycle, const struct mh_dram_request *req, enum mh_tier tier)
{
    uint32_t row = mh_dram_map_row(&d->map, req->addr), b = mh_dram_map_bank(&d->map, req->addr, row);
    struct mh_bank *bank = &d->bank[b];
    int created;

    if (mh_dram_writes(d) && mh_writes_take(d, cycle, b, row, req, tier))
        return;
    d->waiting[req->write]++;
    d->rank[bank->rank].waiting++;
    d->floor = mh_max64(d->floor, cycle); /* a command that it makes possible may go in its own cycle, not before */
    if (__builtin_expect(d->tiered, 0)) {
        insert_tiered(d, cycle, b, row, req, tier);
        return;
    }
    mh_writes_note(d, req);
    uint32_t g = mh_dq_push(&d->queue, req->write, b, row, req->tag, mh_dram_bursts(d, req), d->age++, &created);

    if (created && row == bank->row)
        bank->hits[req->write] = (uint16_t)g;
    uint32_t writing = d->writing;
    bool turning = d->turning;

    mh_direction_choose(d);
    if (d->writing == writing) {
        /* A request of the other direction, or behind something in the same bank, changes no candidate: what is next
         * stays next. With closed rows it may still keep the row open; while the direction turns, both have candidates.
         */
        bool behind = req->write != writing || !created || (mh_dram_kind(d, b) != MH_KIND_NONE && row != bank->row);

        if (behind && !d->closed && !(turning | d->turning))
            return;
        mh_dram_candidate(d, b);
    }
    mh_dram_scan(d);
}

/* The next command is a column command. */
static inline bool serves(const struct mh_dram *d)
{
    return d->next < d->refresh && mh_dram_kind(d, d->choice) == MH_KIND_COLUMN;
}

/* Next arrival or answer of a request that waits outside the queues. */
static uint64_t due_aside(const struct mh_dram *d)
{
    uint64_t arrival = d->inbox_count ? d->inbox[d->inbox_head].cycle : MH_DRAM_NEVER;

    return d->writes ? mh_min64(arrival, mh_writes_due(d->writes)) : arrival;
}

/* Row commands and refreshes are issued lazily: they have no effect outside before a request is served. */
static uint64_t due(const struct mh_dram *d)
{
    uint64_t at = d->waiting[0] + d->waiting[1] + d->inbox_count ? d->serve : MH_DRAM_NEVER;

    if (__builtin_expect(d->aside, 0))
        at = mh_min64(at, due_aside(d));
    if (d->hooks.command && d->told.next <= d->bundle.last)
        at = mh_min64(at, d->told.next);
    return at;
}

/* Its place is taken now, even if it has to wait in the inbox. */
static inline enum mh_tier admit(struct mh_dram *d, const struct mh_dram_request *req)
{
    if (__builtin_expect(d->tiered, 0))
        return mh_tiers_admit(d, req);
    if (mh_dram_writes(d)) {
        mh_writes_admit(d, req);
    } else {
        assert(d->free);
        d->free--;
    }
    return MH_NORMAL;
}

uint64_t mh_dram_push(struct mh_dram *d, uint64_t now, const struct mh_dram_request *req)
{
    enum mh_tier tier = admit(d, req);
    uint32_t latency = __builtin_expect(d->aside, 0) ? d->t.queue_latency : 0;

    /* Issues the row commands of before. A column command would call done(), which push() must not: the request then
     * waits in the inbox until step() has issued it. */
    while (d->next < now && !d->inbox_count && !serves(d))
        mh_dram_issue(d);
    if (__builtin_expect(d->next < now || d->inbox_count || latency, 0)) {
        uint32_t at = d->inbox_head + d->inbox_count++;

        d->inbox[at < d->inbox_size ? at : at - d->inbox_size] = (struct mh_arrival){now + latency, *req, tier};
    } else {
        insert(d, now, req, tier);
    }
    return due(d);
}

static void take_arrival(struct mh_dram *d)
{
    const struct mh_arrival *a = &d->inbox[d->inbox_head];

    d->inbox_head = d->inbox_head + 1 < d->inbox_size ? d->inbox_head + 1 : 0;
    d->inbox_count--;
    insert(d, a->cycle, &a->req, a->tier);
}

uint64_t mh_dram_step(struct mh_dram *d, uint64_t now)
{
    for (;;) {
        /* An arrival goes before a command of the same cycle: it may be what should be issued then. */
        if (d->inbox_count && d->inbox[d->inbox_head].cycle <= mh_min64(d->next, now))
            take_arrival(d);
        else if (mh_dram_writes(d) && mh_writes_due(d->writes) <= mh_min64(d->next, now))
            mh_writes_answer(d);
        else if (d->next <= now)
            mh_dram_issue(d);
        else
            break;
    }
    if (d->hooks.command)
        mh_dram_tell(d, now + 1);
    return due(d);
}

/* --- What waits. */

uint32_t mh_dram_free(const struct mh_dram *d)
{
    return d->free;
}

uint32_t mh_dram_waiting(const struct mh_dram *d)
{
    return d->waiting[0] + d->waiting[1] + d->inbox_count + (mh_dram_writes(d) ? d->writes->count : 0);
}

uint64_t mh_dram_arrivals(const struct mh_dram *d)
{
    /* A read that moved up to silver was given an age twice. */
    return d->age + d->inbox_count - d->tiers->moved;
}

static bool queued(const struct mh_dram *d, const struct mh_dq *q, uint32_t tag)
{
    for (uint32_t b = 0; b < d->banks; b++)
        if (mh_dq_holds(q, b, tag))
            return true;
    return false;
}

const char *mh_dram_holds(const struct mh_dram *d, uint32_t tag)
{
    const char *const name[MH_TIERS] = {"golden queue", "silver queue", d->tiered ? "normal queue" : "queue"};

    for (uint32_t t = d->tiered ? 0 : MH_NORMAL; t < MH_TIERS; t++)
        if (queued(d, t == MH_NORMAL ? &d->queue : &d->tiers->queue[t], tag))
            return name[t];
    for (uint32_t i = 0; i < d->inbox_count; i++) {
        const struct mh_arrival *a = &d->inbox[(d->inbox_head + i) % d->inbox_size];

        if (!a->req.write && a->req.tag == tag)
            return name[a->tier];
    }
    return d->writes && mh_writes_holds(d->writes, tag) ? "write queue" : NULL;
}

/* Conservation: every request that a channel has taken is in one place, and no place is taken twice. */

static uint32_t count_group(const struct mh_dq *q, uint32_t g)
{
    uint32_t n = 1;

    for (uint32_t e = q->group[g].head; e != q->group[g].tail; e = q->entry[e].next)
        n++;
    return n;
}

static uint32_t count_queued(const struct mh_dram *d, const struct mh_dq *q, uint32_t write)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < d->banks; b++)
        for (uint32_t g = q->list[b][write].first; g != MH_DQ_NIL; g = q->group[g].next)
            n += count_group(q, g);
    return n;
}

/* Places that the tier's reads or writes have. */
static uint32_t count_places(struct mh_dram *d, enum mh_tier tier, uint32_t write)
{
    uint32_t n = count_queued(d, mh_tiers_queue(d, tier), write);

    for (uint32_t i = 0; i < d->inbox_count; i++) {
        const struct mh_arrival *a = &d->inbox[(d->inbox_head + i) % d->inbox_size];

        n += a->tier == tier && a->req.write == write;
    }
    return n + (d->writes ? mh_writes_count(d->writes, tier, write) : 0);
}

/* Of a queue of their own, no more than it has; the shared one has them all. */
static bool writes_conserve(struct mh_dram *d)
{
    const struct mh_writes *w = d->writes;
    uint32_t reads = 0, writes = count_places(d, MH_NORMAL, 1);

    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++)
        reads += count_places(d, tier, 0);
    if (reads + writes != mh_dram_waiting(d) || d->waiting[1] != count_queued(d, &d->queue, 1))
        return false;
    return !w || (w->taken[0] == reads && w->taken[1] == writes && writes <= w->places[1]);
}

static bool tiers_conserve(struct mh_dram *d)
{
    const struct mh_tiers *t = d->tiers;
    uint32_t counted = 0, all = 0;

    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        uint32_t places = count_places(d, tier, 0) + (d->writes ? 0 : count_places(d, tier, 1));

        if (t->taken[tier] != places)
            return false;
        all += places;
    }
    /* Turns count data reads that came while there were three queues, no others: at most all. */
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        counted += t->turn.waiting[i];
    return counted <= all && d->free == mh_tiers_free(d) && d->golden == count_queued(d, &t->queue[MH_GOLDEN], 0);
}

bool mh_dram_check(struct mh_dram *d)
{
    if (!writes_conserve(d) || (d->turning && (d->tiered || !mh_direction_owes(d))))
        return false;
    if (d->tiered)
        return tiers_conserve(d);
    return !d->golden &&
           (d->writes ? d->free == mh_writes_free(d->writes) : d->free + mh_dram_waiting(d) == d->t.queue);
}
