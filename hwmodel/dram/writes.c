#include "dram/writes.h"
#include "dram/tiers.h"
#include "engine/arith.h"
#include "dram/priority.h"
#include "dram/watch.h"
#include "dram/pick.h"

#include <assert.h>
#include <stdlib.h>

struct mh_writes *mh_writes_create(const struct mh_dram_cfg *cfg)
{
    struct mh_writes *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    uint32_t bytes = cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES;

    w->line = ~(uint64_t)(bytes - 1);
    /* Requests of other sizes have no sectors. */
    w->all = (uint8_t)((1u << mh_min32(mh_max32(bytes >> MH_SECTOR_SHIFT, 1), MH_MAX_SECTORS)) - 1);
    w->places[0] = cfg->queue;
    w->places[1] = cfg->write_queue;
    w->size = mh_dram_places(cfg);
    w->wanted = calloc(mh_dram_entries(cfg), sizeof *w->wanted);
    w->answer = calloc(w->size, sizeof *w->answer);
    if (!w->wanted || !w->answer) {
        mh_writes_destroy(w);
        return NULL;
    }
    return w;
}

void mh_writes_destroy(struct mh_writes *w)
{
    if (!w)
        return;
    free(w->wanted);
    free(w->answer);
    free(w);
}

void mh_writes_admit(struct mh_dram *d, const struct mh_dram_request *req)
{
    assert(mh_writes_room(d->writes, req->write));
    d->writes->taken[req->write]++;
    d->free = mh_writes_free(d->writes);
}

/* The write of that entry writes this, too. False: some of it would be new, and its first command is gone. */
static bool merge(struct mh_dram *d, uint32_t entry, const struct mh_wanted *also)
{
    struct mh_writes *w = d->writes;
    struct mh_wanted *write = &w->wanted[entry];
    struct mh_dq_entry *e = &d->queue.entry[entry];
    uint32_t more = mh_bits(also->parts & ~(uint32_t)write->parts);

    if (more && e->hit != MH_DQ_WHOLE)
        return false;
    e->left = (uint8_t)(e->left + more * d->columns / mh_bits(w->all));
    write->parts |= also->parts;
    write->filled |= also->filled;
    return true;
}

static bool has(const struct mh_wanted *write, const struct mh_wanted *read)
{
    return !(read->parts & ~(uint32_t)write->filled);
}

/* A row has few lines, and few writes of it wait. */
static bool served_by_waiting(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req)
{
    const struct mh_writes *w = d->writes;
    struct mh_wanted want = mh_writes_wanted(w, req);
    uint32_t g = mh_dq_find(&d->queue, 1, b, row);

    if (g == MH_DQ_NIL)
        return false;
    for (uint32_t e = d->queue.group[g].head; e != MH_DQ_NIL; e = d->queue.entry[e].next)
        if (!((w->wanted[e].addr ^ req->addr) & w->line) &&
            (req->write ? merge(d, e, &want) : has(&w->wanted[e], &want)))
            return true;
    return false;
}

bool mh_writes_take(struct mh_dram *d, uint64_t cycle, uint32_t b, uint32_t row, const struct mh_dram_request *req,
                    enum mh_tier tier)
{
    struct mh_writes *w = d->writes;

    if (!served_by_waiting(d, b, row, req))
        return false;
    uint32_t at = w->head + w->count++;

    w->answer[at < w->size ? at : at - w->size] = (struct mh_answer){cycle + 1, req->tag, tier, req->write};
    d->age++; /* it has come */
    if (d->tiered)
        mh_tiers_uncount(d, req);
    return true;
}

void mh_writes_answer(struct mh_dram *d)
{
    struct mh_writes *w = d->writes;
    struct mh_answer a = w->answer[w->head];

    w->head = w->head + 1 < w->size ? w->head + 1 : 0;
    w->count--;
    w->taken[a.write]--;
    if (d->tiered) {
        mh_tiers_give(d, a.tier, a.write);
        d->floor = mh_max64(d->floor, a.cycle); /* reads may have moved up: their commands are of this cycle or later */
        mh_dram_scan(d);
    } else {
        d->free = mh_writes_free(w);
    }
    d->hooks.done(d->hooks.ctx, a.tag, a.cycle, false);
}

static const struct mh_answer *answer_at(const struct mh_writes *w, uint32_t i)
{
    return &w->answer[(w->head + i) % w->size];
}

bool mh_writes_holds(const struct mh_writes *w, uint32_t tag)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (!answer_at(w, i)->write && answer_at(w, i)->tag == tag)
            return true;
    return false;
}

uint32_t mh_writes_count(const struct mh_writes *w, enum mh_tier tier, bool write)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->count; i++)
        n += answer_at(w, i)->write == write && answer_at(w, i)->tier == tier;
    return n;
}

/* What tells requests apart is switched at a cycle, while they wait. */

/* Requests are told apart from now on: those that wait belong to no queue. */
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
        d->ahead[b] = d->until_column[MH_KIND_NONE]; /* no request is served before the turn */
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
