/* The golden, silver and normal queues of a channel: which requests enter each, and what each serves. */
#include "dram/tiers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dram/pick.h"
#include "dram/priority.h"
#include "dram/watch.h"
#include "dram/writes.h"

struct mh_tiers *mh_tiers_create(const struct mh_dram_cfg *cfg)
{
    /* By entry of the channel's own queue, which has room for either size. */
    const uint32_t entries[MH_TIERS] = {mh_max32(cfg->golden, 1), mh_max32(cfg->silver, 1), mh_dram_entries(cfg)};
    struct mh_tiers *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->places[MH_GOLDEN] = cfg->golden;
    t->places[MH_SILVER] = cfg->silver;
    t->places[MH_NORMAL] = cfg->normal;
    t->moves = cfg->silver_moves;
    t->fifo = calloc(entries[MH_GOLDEN], sizeof *t->fifo);
    t->silver = malloc(entries[MH_SILVER]);
    t->normal.read = calloc(entries[MH_NORMAL], sizeof *t->normal.read);
    memset(t->hits, 0xff, sizeof t->hits);
    t->by_tenant = cfg->scheduler == MH_DRAM_MPKI;
    t->priority = mh_priority_create(cfg, entries);
    t->watch = mh_watch_create(entries);
    if (mh_dq_init(&t->queue[MH_GOLDEN], entries[MH_GOLDEN]) || mh_dq_init(&t->queue[MH_SILVER], entries[MH_SILVER]) ||
        !t->fifo || !t->silver || !t->normal.read || !t->priority || !t->watch) {
        mh_tiers_destroy(t);
        return NULL;
    }
    return t;
}

void mh_tiers_destroy(struct mh_tiers *t)
{
    if (!t)
        return;
    mh_dq_free(&t->queue[MH_GOLDEN]);
    mh_dq_free(&t->queue[MH_SILVER]);
    free(t->silver);
    free(t->normal.read);
    free(t->fifo);
    mh_priority_destroy(t->priority);
    mh_watch_destroy(t->watch);
    free(t);
}

/* --- Places. */

/* A queue may have more requests than places after a switch. */
static uint32_t room(const struct mh_tiers *t, enum mh_tier tier)
{
    return t->places[tier] > t->taken[tier] ? t->places[tier] - t->taken[tier] : 0;
}

static uint32_t free_to_reads(const struct mh_dram *d)
{
    const struct mh_tiers *t = d->tiers;
    uint32_t all = t->taken[MH_GOLDEN] + t->taken[MH_SILVER] + t->taken[MH_NORMAL];

    if (!t->apart)
        return d->t.queue > all ? d->t.queue - all : 0;
    return mh_min32(room(t, MH_GOLDEN), room(t, MH_NORMAL));
}

uint32_t mh_tiers_free(const struct mh_dram *d)
{
    const struct mh_writes *w = mh_dram_writes(d);

    return w ? mh_min32(free_to_reads(d), mh_writes_room(w, 1)) : free_to_reads(d);
}

/* Queue of a request that arrives now. A page walk waits for its place: spilled, it would go after all data. */
static enum mh_tier tier_of(const struct mh_tiers *t, const struct mh_dram_request *req)
{
    if (!t->apart || req->write)
        return MH_NORMAL;
    if (req->walk)
        return MH_GOLDEN;
    return room(t, MH_SILVER) && mh_turn_is(&t->turn, req->tenant) ? MH_SILVER : MH_NORMAL;
}

bool mh_dram_takes(const struct mh_dram *d, const struct mh_dram_request *read, uint32_t writes)
{
    const struct mh_writes *w = mh_dram_writes(d);
    bool apart = d->tiered && d->tiers->apart;

    if (w && mh_writes_room(w, 1) < writes)
        return false;
    if (!apart)
        return w ? mh_writes_room(w, 0) >= (read != NULL) : d->free >= writes + (read != NULL);
    enum mh_tier tier = read ? tier_of(d->tiers, read) : MH_NORMAL;
    uint32_t normal = (w ? 0 : writes) + (read && tier == MH_NORMAL);

    return room(d->tiers, MH_NORMAL) >= normal && (tier == MH_NORMAL || room(d->tiers, tier));
}

enum mh_tier mh_tiers_admit(struct mh_dram *d, const struct mh_dram_request *req)
{
    struct mh_tiers *t = d->tiers;

    assert(mh_dram_takes(d, req->write ? NULL : req, req->write));
    enum mh_tier tier = tier_of(t, req); /* first: the arrival itself may pass the turn on */
    struct mh_writes *w = mh_dram_writes(d);

    t->taken[tier] += !(req->write && w);
    if (w)
        w->taken[req->write]++;
    if (t->apart && !req->write && !req->walk) {
        mh_turn_arrive(&t->turn, req->tenant);
        if (tier == MH_SILVER)
            mh_turn_sent(&t->turn);
    }
    d->free = (uint16_t)mh_tiers_free(d);
    return tier;
}

void mh_tiers_uncount(struct mh_dram *d, const struct mh_dram_request *req)
{
    if (d->tiers->apart && !req->write && !req->walk)
        mh_turn_leave(&d->tiers->turn, req->tenant);
}

/* --- The queues. */

/* Notes the request's tenant for its entry, for counts and ranks by tenant. */
static void entered(struct mh_dram *d, uint32_t b, const struct mh_dram_request *req, enum mh_tier tier, uint32_t entry)
{
    struct mh_tiers *t = d->tiers;

    mh_priority_enter(t->priority, tier, entry, req->tenant);
    if (t->watch->on)
        mh_watch_enter(t->watch, tier, entry, b, req);
}

static void push_golden(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req)
{
    struct mh_tiers *t = d->tiers;
    int created;

    entered(d, b, req, MH_GOLDEN, t->queue[MH_GOLDEN].free_entry);
    mh_dq_push(&t->queue[MH_GOLDEN], 0, b, row, req->tag, mh_dram_bursts(d, req), d->age++, &created);
    t->fifo[(t->fifo_head + d->golden++) % t->places[MH_GOLDEN]] = (uint8_t)b;
}

/* Returns the entry. */
static uint32_t push_silver(struct mh_dram *d, uint32_t b, uint32_t row, uint32_t tag, uint32_t tenant, uint32_t bursts)
{
    struct mh_tiers *t = d->tiers;
    struct mh_dq *q = &t->queue[MH_SILVER];
    uint32_t entry = q->free_entry;
    int created;
    uint32_t g = mh_dq_push(q, 0, b, row, tag, bursts, d->age++, &created);

    t->silver[entry] = (uint8_t)tenant;
    if (created && row == d->bank[b].row)
        t->hits[b] = (uint16_t)g;
    return entry;
}

static void push_normal(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req)
{
    struct mh_tiers *t = d->tiers;
    uint32_t entry = d->queue.free_entry;
    int created;

    mh_writes_note(d, req);
    uint32_t g = mh_dq_push(&d->queue, req->write, b, row, req->tag, mh_dram_bursts(d, req), d->age++, &created);

    entered(d, b, req, MH_NORMAL, entry);
    if (t->apart && !req->write && !req->walk)
        mh_reads_add(&t->normal, entry, req->tenant, b, row);
    else
        t->normal.read[entry].tenant = MH_READ_OTHER;
    if (created && row == d->bank[b].row)
        d->bank[b].hits[req->write] = (uint16_t)g;
}

/* Takes a data read out of the normal queue, whatever its place in it. */
static void take_normal(struct mh_dram *d, uint32_t entry)
{
    const struct mh_read *r = &d->tiers->normal.read[entry];
    uint16_t *hits = &d->bank[r->bank].hits[0];
    uint32_t g = mh_dq_find(&d->queue, 0, r->bank, r->row);
    int emptied;

    mh_reads_remove(&d->tiers->normal, entry);
    if (d->queue.group[g].head != entry) {
        mh_dq_take_younger(&d->queue, g, entry);
        return;
    }
    /* Without its oldest request the group may be out of order, and the open row's group may be already: mh_dq_sort()
     * needs all others in order. */
    if (*hits != MH_DQ_NIL)
        mh_dq_sort(&d->queue, *hits);
    mh_dq_pop(&d->queue, g, &emptied);
    if (!emptied)
        mh_dq_sort(&d->queue, g);
    else if (*hits == g)
        *hits = MH_DQ_NIL;
}

/* Its new age puts it behind what silver holds. A line that is begun keeps what it has got (bank groups). */
static void move_up(struct mh_dram *d, uint32_t entry)
{
    struct mh_tiers *t = d->tiers;
    struct mh_dq_entry was = d->queue.entry[entry];
    struct mh_read r = t->normal.read[entry];

    take_normal(d, entry);
    uint32_t silver = push_silver(d, r.bank, r.row, was.tag, r.tenant, was.left);
    struct mh_dq_entry *now = &t->queue[MH_SILVER].entry[silver];

    mh_priority_enter(t->priority, MH_SILVER, silver, r.tenant);
    if (t->watch->on)
        mh_watch_move(t->watch, entry, silver);
    now->hit = was.hit;
    t->taken[MH_NORMAL]--;
    t->taken[MH_SILVER]++;
    t->moved++;
    mh_turn_sent(&t->turn);
    mh_dram_candidate(d, r.bank);
}

/*
 * The reads of the tenant whose turn it is, oldest first. Left in normal they wait behind their tenant's newer ones:
 * with 32 L1 TLB MSHRs in `mask`, SCAN:16777216+CONS lost 26 % of its total IPC under MASK-DRAM, and 15 % with this.
 */
static void fill_silver(struct mh_dram *d)
{
    struct mh_tiers *t = d->tiers;

    while (t->moves && t->apart && room(t, MH_SILVER) && mh_turn_is(&t->turn, t->turn.owner) &&
           t->normal.oldest[t->turn.owner] != MH_DQ_NIL)
        move_up(d, t->normal.oldest[t->turn.owner]);
    d->free = (uint16_t)mh_tiers_free(d);
}

void mh_tiers_push(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req, enum mh_tier tier)
{
    if (tier == MH_GOLDEN)
        push_golden(d, b, row, req);
    else if (tier == MH_SILVER)
        entered(d, b, req, MH_SILVER,
                push_silver(d, b, row, req->tag, req->walk ? MH_READ_OTHER : req->tenant, mh_dram_bursts(d, req)));
    else
        push_normal(d, b, row, req);
    fill_silver(d);
}

void mh_tiers_give(struct mh_dram *d, enum mh_tier tier, bool write)
{
    d->tiers->taken[tier] -= !(write && mh_dram_writes(d));
    mh_tiers_settle(d);
}

/* Back to one queue as soon as what is left fits into it. */
void mh_tiers_settle(struct mh_dram *d)
{
    const struct mh_tiers *t = d->tiers;

    d->tiered = t->by_tenant || t->watch->on || t->apart || t->taken[MH_GOLDEN] || t->taken[MH_SILVER] ||
                t->taken[MH_NORMAL] > d->t.queue;
    fill_silver(d);
}

static void pop_golden(struct mh_dram *d, uint32_t g, bool emptied)
{
    struct mh_tiers *t = d->tiers;

    /* Sorted at once, not when the row closes: golden goes in order of arrival, whatever row is open. Only the bank of
     * the oldest may have a column command as its candidate: the next one's has to be found. */
    t->fifo_head = (t->fifo_head + 1) % t->places[MH_GOLDEN];
    if (!emptied)
        mh_dq_sort(&t->queue[MH_GOLDEN], g);
    if (--d->golden)
        mh_dram_candidate(d, mh_tiers_head(d));
}

static void pop_data(struct mh_dram *d, uint32_t b, enum mh_tier tier, uint32_t entry, bool emptied)
{
    struct mh_tiers *t = d->tiers;
    uint32_t tenant = tier == MH_SILVER ? t->silver[entry] : t->normal.read[entry].tenant;

    if (tier == MH_NORMAL && tenant != MH_READ_OTHER)
        mh_reads_remove(&t->normal, entry);
    if (emptied)
        *(tier == MH_SILVER ? &t->hits[b] : &d->bank[b].hits[d->writing]) = MH_DQ_NIL;
    if (tenant != MH_READ_OTHER)
        mh_turn_leave(&t->turn, tenant);
}

uint32_t mh_tiers_pop(struct mh_dram *d, uint32_t b, uint32_t g)
{
    enum mh_tier tier = mh_tiers_top(d, b);
    struct mh_dq *q = mh_tiers_queue(d, tier);
    uint32_t entry = q->group[g].head;
    int emptied;
    uint32_t tag = mh_dram_take(d, q, b, g, &emptied);

    if (d->tiers->watch->on)
        mh_watch_leave(d->tiers->watch, tier, entry, b, d->bank[b].row, d->bundle.first);
    if (tier == MH_GOLDEN)
        pop_golden(d, g, emptied);
    else
        pop_data(d, b, tier, entry, emptied);
    mh_tiers_give(d, tier, d->writing);
    return tag;
}

enum mh_tier mh_tiers_top(const struct mh_dram *d, uint32_t b)
{
    for (enum mh_tier tier = MH_GOLDEN; tier < MH_NORMAL && !d->writing; tier++)
        if (d->tiers->queue[tier].list[b][0].first != MH_DQ_NIL)
            return tier;
    return MH_NORMAL;
}

uint32_t mh_tiers_hits(const struct mh_dram *d, uint32_t b)
{
    switch (mh_tiers_top(d, b)) {
    case MH_GOLDEN:
        return d->tiers->queue[MH_GOLDEN].list[b][0].first;
    case MH_SILVER:
        return d->tiers->hits[b];
    default:
        return d->bank[b].hits[d->writing];
    }
}

uint32_t mh_tiers_open(struct mh_dram *d, uint32_t b)
{
    struct mh_tiers *t = d->tiers;
    enum mh_tier tier = mh_tiers_top(d, b);
    const struct mh_dq *q = mh_tiers_queue(d, tier);
    bool by_tenant = t->by_tenant && tier != MH_GOLDEN;
    uint32_t g = by_tenant ? mh_priority_group(d, b, tier) : q->list[b][mh_tiers_write(d, tier)].first;
    uint32_t row = q->group[g].row;

    /* Requests of the other queues and of the other direction may wait for the row, too. */
    for (uint32_t w = 0; w < 2; w++)
        d->bank[b].hits[w] = (uint16_t)mh_dq_find(&d->queue, w, b, row);
    t->hits[b] = (uint16_t)mh_dq_find(&t->queue[MH_SILVER], 0, b, row);
    return row;
}

void mh_tiers_close(struct mh_dram *d, uint32_t b)
{
    struct mh_tiers *t = d->tiers;

    if (t->hits[b] != MH_DQ_NIL)
        mh_dq_sort(&t->queue[MH_SILVER], t->hits[b]);
    t->hits[b] = MH_DQ_NIL;
}

/* --- The next command. */

/* Oldest first in each bank, whatever row is open; data go in order of arrival, whatever bank is ready. */
static void pick_golden(struct mh_dram *d, uint32_t b)
{
    const struct mh_dq *q = &d->tiers->queue[MH_GOLDEN];
    const struct mh_bank *bank = &d->bank[b];
    uint32_t g = q->list[b][0].first;

    if (bank->row == MH_NO_ROW)
        mh_pick_set(d, b, q, MH_KIND_ACT, bank->act, MH_KEY_ACT, g);
    else if (bank->row != q->group[g].row)
        mh_pick_set(d, b, q, MH_KIND_PRE, bank->pre, MH_KEY_PRE, g);
    else if (b == mh_tiers_head(d))
        mh_pick_column(d, b, q, g);
    else
        mh_pick_none(d, b);
}

void mh_tiers_candidate(struct mh_dram *d, uint32_t b)
{
    struct mh_tiers *t = d->tiers;
    enum mh_tier tier = mh_tiers_top(d, b);

    if (d->bank[b].due) {
        tier = MH_GOLDEN; /* no request, but nothing may go before it */
        mh_pick_refresh(d, b);
    } else if (tier == MH_GOLDEN) {
        pick_golden(d, b);
    } else if (t->by_tenant) {
        mh_priority_candidate(d, b, tier);
    } else {
        mh_pick_fr_fcfs(d, b, mh_tiers_queue(d, tier), mh_tiers_write(d, tier), mh_tiers_hits(d, b));
    }
    for (enum mh_tier i = MH_GOLDEN; i < MH_TIERS; i++)
        t->banks[i] &= ~(1ull << b);
    t->banks[tier] |= d->active & 1ull << b;
}

struct mh_found mh_tiers_scan(const struct mh_dram *d, uint64_t floor)
{
    enum { CYCLE_SHIFT = MH_KEY_SHIFT + 1 }; /* two ticks */
    struct mh_found all = {UINT64_MAX, MH_DRAM_NEVER};

    for (enum mh_tier tier = MH_GOLDEN; tier < MH_TIERS; tier++) {
        bool by_tenant = d->tiers->by_tenant && tier != MH_GOLDEN;
        uint64_t banks = d->tiers->banks[tier];
        struct mh_found f = by_tenant ? mh_priority_among(d, banks, floor) : mh_pick_among(d, banks, floor);

        /* By whole cycles, so the higher tier goes first whatever the class of its command, and keeps no other one from
         * a cycle that it cannot use. */
        if (f.best >> CYCLE_SHIFT < all.best >> CYCLE_SHIFT)
            all.best = f.best;
        all.serve = mh_min64(all.serve, f.serve);
    }
    return all;
}
