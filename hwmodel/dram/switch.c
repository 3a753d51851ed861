#include "dram/direction.h"
#include "dram/priority.h"
#include "dram/watch.h"
#include "dram/writes.h"
#include "dram/pick.h"

#include <assert.h>

/* What tells requests apart is switched at a cycle, while they wait. */

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

/* The row was opened for a request of the present direction that has not gone, or not all of it. A refresh that is due
 * closes it. */
static bool bank_owes(const struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    uint32_t g = bank->hits[d->writing];

    if (g == MH_DQ_NIL || bank->due)
        return false;
    return bank->fresh || d->queue.entry[d->queue.group[g].head].hit != MH_DQ_WHOLE;
}

bool mh_direction_owes(const struct mh_dram *d)
{
    for (uint32_t b = 0; b < d->banks; b++)
        if (bank_owes(d, b))
            return true;
    return false;
}

void mh_direction_candidate(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];

    if (bank_owes(d, b)) {
        mh_pick_column(d, b, &d->queue, bank->hits[d->writing]);
    } else if (bank->hits[!d->writing] != MH_DQ_NIL) {
        mh_pick_none(d, b);
    } else {
        mh_pick_row(d, b, &d->queue, d->queue.list[b][!d->writing].first);
        d->ahead[b] = d->until_column[MH_KIND_NONE]; /* nobody is served before the turn */
    }
}

/* Candidates and column gates are those of one direction. */
static void turn(struct mh_dram *d)
{
    for (uint32_t m = d->units_ran; m; m &= m - 1) {
        uint32_t unit = (uint32_t)__builtin_ctz(m);

        mh_dram_raise(d, unit, d->ran[unit], !d->writing);
    }
    d->units_ran = 0;
    d->writing = !d->writing;
    mh_dram_load_timings(d);
    mh_dram_load_gates(d);
}

void mh_direction_set(struct mh_dram *d, uint32_t writing)
{
    bool turns = writing != d->writing, was = d->turning;

    d->turning = turns && d->t.opened_first && !d->tiered && mh_direction_owes(d);
    if (turns && !d->turning)
        turn(d);
    else if (d->turning == was)
        return;
    mh_dram_all_candidates(d);
}
