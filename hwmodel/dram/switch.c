/* What tells requests apart is switched at a cycle, while they wait. */
#include <assert.h>

#include "dram/direction.h"
#include "dram/priority.h"
#include "dram/watch.h"
#include "dram/writes.h"

/* Requests are told apart from now on: those that wait are nobody's. */
static void begin(struct mh_dram *d)
{
    if (d->tiered)
        return;
    uint32_t entries = mh_dram_entries(&d->t);

    d->tiers->taken[MH_NORMAL] = mh_dram_writes(d) ? d->writes->taken[0] : mh_dram_waiting(d);
    mh_reads_forget(&d->tiers->normal, entries);
    memset(d->tiers->turn.waiting, 0, sizeof d->tiers->turn.waiting); /* reads of an earlier time */
    mh_priority_forget(d->tiers->priority, entries);
}

/* What came while there was one queue keeps its place in it, and no turn counts it. */
static void tell_apart(struct mh_dram *d)
{
    struct mh_tiers *t = d->tiers;

    memset(t->silver, MH_READ_OTHER, d->t.silver);
    mh_reads_forget(&t->normal, mh_dram_entries(&d->t));
    memset(t->turn.waiting, 0, sizeof t->turn.waiting);
    t->turn.owner = t->turn.sent = 0;
}

/* With dram.queue_latency some have come and are in no queue. From now on they are as page walks in the normal queue,
 * of which turns know nothing. */
static void forget_arrivals(struct mh_dram *d)
{
    for (uint32_t i = 0; i < d->inbox_count; i++) {
        struct mh_dram_request *req = &d->inbox[(d->inbox_head + i) % d->inbox_size].req;

        mh_tiers_uncount(d, req);
        req->walk = 1;
    }
}

static uint64_t settle(struct mh_dram *d, uint64_t now)
{
    mh_tiers_settle(d);
    if (d->turning) {
        d->floor = mh_max64(d->floor, now); /* it might have turned before */
        mh_direction_choose(d);
    }
    mh_dram_all_candidates(d);
    mh_dram_scan(d);
    return mh_dram_step(d, now);
}

uint64_t mh_dram_set_queues(struct mh_dram *d, uint64_t now, bool apart)
{
    struct mh_tiers *t = d->tiers;
    uint64_t next = mh_dram_step(d, now); /* what is due goes by the rules of before */

    assert(d->t.golden || !apart);
    if (t->apart == apart)
        return next;
    begin(d);
    forget_arrivals(d);
    if (apart)
        tell_apart(d);
    t->apart = apart;
    return settle(d, now);
}

void mh_dram_set_turns(struct mh_dram *d, const uint32_t thresh[MH_MAX_TENANTS])
{
    memcpy(d->tiers->turn.thresh, thresh, sizeof d->tiers->turn.thresh);
    mh_turn_pass(&d->tiers->turn);
}

uint64_t mh_dram_set_priorities(struct mh_dram *d, uint64_t now, const uint8_t priority[MH_MAX_TENANTS])
{
    assert(d->tiers->by_tenant && !d->tiers->priority->ranked);
    mh_dram_step(d, now); /* what is due goes in the order of before */
    memcpy(d->tiers->priority->of, priority, MH_MAX_TENANTS);
    mh_dram_all_candidates(d);
    mh_dram_scan(d);
    return mh_dram_step(d, now);
}

uint64_t mh_dram_set_ranks(struct mh_dram *d, uint64_t now, const uint32_t rank[MH_MAX_TENANTS])
{
    struct mh_priority *p = d->tiers->priority;
    bool differ = false;

    assert(!d->tiers->by_tenant || p->ranked);
    mh_dram_step(d, now);
    d->floor = mh_max64(d->floor, now); /* a PRE under hits might have been possible before */
    begin(d);
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        p->of[t] = 0;
        for (uint32_t other = 0; other < MH_MAX_TENANTS; other++)
            p->of[t] += rank[other] > rank[t];
        differ |= p->of[t];
    }
    d->tiers->by_tenant = p->ranked = differ;
    return settle(d, now);
}

uint64_t mh_dram_set_watch(struct mh_dram *d, uint64_t now, bool on)
{
    mh_dram_step(d, now);
    begin(d);
    mh_watch_set(d->tiers->watch, now, on);
    return settle(d, now);
}
