/* What each command does to the timers of its channel, refreshes among them. */
#include "dram/writes.h"
#include "dram/tiers.h"

/* --- Trace. Column commands of a bundle are told in their turn. */

void mh_dram_tell(struct mh_dram *d, uint64_t before)
{
    struct mh_told *u = &d->told;

    for (; u->next <= d->bundle.last && u->next < before; u->next += d->stride)
        d->hooks.command(d->hooks.ctx, u->next, u->write ? MH_DRAM_WR : MH_DRAM_RD, u->bank, u->row);
}

static inline void trace(struct mh_dram *d, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    if (!d->hooks.command)
        return;
    mh_dram_tell(d, cycle);
    d->hooks.command(d->hooks.ctx, cycle, cmd, bank, row);
}

/* --- Commands. */

/* First cycle for the next ACT after one at `at`, by t32AW; 0: there is none, or not as many ACTs yet. */
static uint64_t window_of_many(struct mh_dram *d, struct mh_rank *r, uint64_t at)
{
    if (!d->t.aw32)
        return 0;
    r->many[r->activations % MH_DRAM_MANY] = at + d->t.aw32;
    return r->many[(r->activations + 1) % MH_DRAM_MANY];
}

/*
 * tFAW, t32AW and tRRD hold within a rank. The ring has the last four ACTs, so its oldest entry says when a fifth may
 * follow.
 * A refresh of a single bank keeps tRRD after an ACT, too, but is none of the four.
 */
static void activate_timing(struct mh_dram *d, uint32_t b, uint64_t at)
{
    uint32_t unit = d->bank[b].unit, rank = d->bank[b].rank;
    struct mh_rank *r = &d->rank[rank];
    uint64_t fifth = window_of_many(d, r, at);

    r->window[r->activations++ % 4] = at + d->faw;
    fifth = mh_max64(fifth, r->window[r->activations % 4]);
    for (uint32_t u = rank * d->groups; u < (rank + 1) * d->groups; u++) {
        uint64_t *gate = &d->gate[mh_dram_gate(u, MH_KIND_ACT)], *refresh = &d->gate[mh_dram_gate(u, MH_KIND_REF)];
        uint64_t apart = MH_TICKS * (at + d->act_gap[d->relation[unit][u]]);

        *gate = mh_max64(mh_max64(*gate, MH_TICKS * fifth), apart);
        *refresh = mh_max64(*refresh, apart);
    }
}

/*
 * Returns the row. The groups of both directions are looked up: when the direction turns, the row that is open then
 * serves the other one, too.
 */
static uint32_t open_oldest(struct mh_dram *d, uint32_t b)
{
    uint32_t next = d->writing ^ d->turning; /* direction */
    uint32_t oldest = d->queue.list[b][next].first, row = d->queue.group[oldest].row;

    d->bank[b].hits[next] = (uint16_t)oldest;
    d->bank[b].hits[!next] = (uint16_t)mh_dq_find(&d->queue, !next, b, row);
    return row;
}

static void activate(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];
    uint32_t row = d->tiered ? mh_tiers_open(d, b) : open_oldest(d, b);

    trace(d, at, MH_DRAM_ACT, b, row);
    bank->row = row;
    bank->fresh = true;
    bank->passed = 0;
    bank->pre = at + d->ras;
    bank->act = at + d->rc; /* column commands wait for this, too, less tRC - tRCD (mh_pick_hit) */
    activate_timing(d, b, at);
    mh_dram_candidate(d, b);
}

/* tPPD: PREs of a rank. */
static void precharge_apart(struct mh_dram *d, uint32_t rank, uint64_t at)
{
    for (uint32_t u = rank * d->groups; u < (rank + 1) * d->groups; u++)
        d->gate[mh_dram_gate(u, MH_KIND_PRE)] = MH_TICKS * (at + d->t.ppd);
}

static void precharge(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];

    trace(d, at, MH_DRAM_PRE, b, bank->row);
    bank->row = MH_NO_ROW;
    /* Hits were served out of turn, so the row's groups are younger than their places say. The next row is that of the
     * oldest request: the lists must be in order of age again. */
    for (uint32_t w = 0; w < 2; w++) {
        if (bank->hits[w] != MH_DQ_NIL)
            mh_dq_sort(&d->queue, bank->hits[w]);
        bank->hits[w] = MH_DQ_NIL;
    }
    if (d->tiered)
        mh_tiers_close(d, b);
    bank->act = mh_max64(bank->act, at + d->rp);
    if (d->t.ppd)
        precharge_apart(d, bank->rank, at);
    mh_dram_candidate(d, b);
}

/*
 * Hits of the rank that has the data bus need no gap, so they go before those of other ranks, however old. After
 * `rank_hits`, or when the next golden request hits an open row of another rank, they keep the gap, too. Other ranks
 * are then ready as early, and the oldest goes first (ours).
 */
static uint32_t rank_gap_too(struct mh_dram *d, uint32_t rank)
{
    bool others = d->waiting[0] + d->waiting[1] != d->rank[rank].waiting;

    d->rank_run = others && rank == d->last_rank ? d->rank_run + 1 : 0;
    d->last_rank = rank;
    if (d->rank_run < d->t.rank_hits && !(d->golden && mh_tiers_head_hits_other(d, rank)))
        return 0;
    d->rank_run = 0;
    return d->t.rank_gap;
}

/*
 * `last` is the last column command that was issued. `next` is later if its rank has to keep the gap, too: the gates of
 * the rank's own units count from there. Gates of the other direction are raised when it turns: they are not read until
 * then, and of each unit's commands the last one asks for the most.
 */
static void raise_gates(struct mh_dram *d, uint32_t unit, uint64_t last, uint64_t next)
{
    uint32_t write = d->writing;

    mh_dram_raise(d, unit, (struct mh_ran){last, next}, write);
    d->ran[unit] = (struct mh_ran){last, next};
    d->units_ran |= 1u << unit;
    mh_dram_load_gates(d);
}

static void column_timing(struct mh_dram *d, uint32_t b, uint64_t last)
{
    uint32_t write = d->writing;

    if (d->units > 1) {
        uint32_t rank = d->bank[b].rank;

        raise_gates(d, d->bank[b].unit, last, last + (d->ranks > 1 ? rank_gap_too(d, rank) : 0));
    } else {
        /* No maximum: what the command before asks for is never later than what this one does. */
        for (uint32_t to = 0; to < 2; to++)
            *mh_dram_column_gate(d, to, 0) = last + d->column_gap[MH_SAME_GROUP][write][to];
        d->gate[MH_KIND_COLUMN] = MH_TICKS * *mh_dram_column_gate(d, write, 0) + d->odd_columns;
    }
    d->bank[b].pre = mh_max64(d->bank[b].pre, last + d->to_pre[write]);
}

/* With bank groups: counts a column command of the group's oldest request. False: it was the last. Whether the request
 * hit an open row shows at its first one. */
static bool goes_on(const struct mh_bank *bank, struct mh_dq_entry *e)
{
    if (e->hit == MH_DQ_WHOLE)
        e->hit = !bank->fresh;
    return --e->left != 0;
}

static inline uint32_t pop(struct mh_dram *d, uint32_t b, uint32_t g)
{
    int emptied;
    uint32_t tag = mh_dram_take(d, &d->queue, b, g, &emptied);

    if (emptied)
        d->bank[b].hits[d->writing] = MH_DQ_NIL;
    d->free = mh_dram_writes(d) ? mh_writes_free(d->writes) : (uint16_t)(d->free + 1);
    return tag;
}

/* The request leaves the queue with its last column command. Its data come later, at `finish`. */
static void serve(struct mh_dram *d, uint32_t b, uint32_t g, uint64_t finish, bool hit)
{
    if (mh_dram_writes(d))
        d->writes->taken[d->writing]--;
    uint32_t tag = d->tiered ? mh_tiers_pop(d, b, g) : pop(d, b, g);

    d->waiting[d->writing]--;
    d->rank[d->bank[b].rank].waiting--;
    mh_dram_candidate(d, b);
    mh_direction_choose(d);
    d->hooks.done(d->hooks.ctx, tag, finish, hit);
}

/* First cycle at which an ACT is due; MH_DRAM_NEVER = none waits. */
static uint64_t next_act(const struct mh_dram *d)
{
    uint64_t due = MH_DRAM_NEVER;

    for (uint32_t b = 0; b < d->banks; b++)
        if (mh_dram_kind(d, b) == MH_KIND_ACT)
            due = mh_min64(due, mh_max64(d->ready[b], d->gate[d->slot[b]]) / MH_TICKS);
    return due;
}

/*
 * A bundle starts a cycle later if one of its later commands would take the slot of an ACT that is due, and the data
 * bus idles anyway (ours). Otherwise the ACT slips, its own bundle slips with it and meets the next ACT, and so on for
 * ever: with the channel of preset `ccbp` a line takes 10.0 cycles without bank groups, in place of 9.0, and 9.4 with
 * them. Not while a golden request waits, which might go in that cycle. A bundle of one command has no later ones.
 */
static uint64_t out_of_the_way(const struct mh_dram *d, uint64_t at, uint32_t span)
{
    if (!span || !d->acts_first || d->golden)
        return at;
    uint64_t act = next_act(d);

    return act > at && act <= at + span && (act - at) % d->stride == 0 ? at + 1 : at;
}

static void column(struct mh_dram *d, uint32_t b, uint64_t at)
{
    struct mh_bank *bank = &d->bank[b];
    uint32_t write = d->writing, g = d->tiered ? mh_tiers_hits(d, b) : bank->hits[write];
    const struct mh_dq *q = d->tiered ? mh_tiers_queue(d, mh_tiers_top(d, b)) : &d->queue;
    struct mh_dq_entry *e = &q->entry[q->group[g].head];
    uint32_t span = d->split ? 0 : (e->left - 1) * d->stride; /* of those decided at once, from first to last */

    at = out_of_the_way(d, at, span);
    uint64_t last = at + span;
    bool hit = !bank->fresh;

    if (d->hooks.command) {
        mh_dram_tell(d, at);
        d->told = (struct mh_told){at, b, bank->row, write};
    }
    /* These slots of the command bus are taken now: row commands go around them (mh_dram_free_slot). */
    d->bundle = (struct mh_bundle){at, last};
    column_timing(d, b, last);
    if (d->split) {
        bool more = goes_on(bank, e);

        bank->fresh = false;
        if (more)
            return; /* the bank's candidate stays what it is: the next command of this request */
        hit = e->hit;
    }
    bank->fresh = false;
    serve(d, b, g, last + d->latency[write], hit);
}

/* Returns the cycle of its REF, `at` or later: not before an ACT could follow in each of its banks (tRP, tRC). */
static uint64_t refresh_rank(struct mh_dram *d, uint32_t rank, uint64_t at)
{
    uint32_t banks = d->banks / d->ranks, first = rank * banks;

    for (uint32_t b = first; b < first + banks; b++)
        at = mh_max64(at, d->bank[b].act);
    trace(d, at, MH_DRAM_REF, first, 0);
    for (uint32_t b = first; b < first + banks; b++)
        d->bank[b].act = at + d->t.rfc;
    return at;
}

/* Precharges what is open, then refreshes. Nothing else may be issued meanwhile, so all of it is decided at once. */
static void refresh(struct mh_dram *d)
{
    uint64_t at = mh_max64(d->floor, d->refresh);

    for (;;) {
        uint32_t pick = MH_MAX_DRAM_BANKS;

        for (uint32_t b = 0; b < d->banks; b++)
            if (d->bank[b].row != MH_NO_ROW && (pick == MH_MAX_DRAM_BANKS || d->bank[b].pre < d->bank[pick].pre))
                pick = b;
        if (pick == MH_MAX_DRAM_BANKS)
            break;
        uint64_t gate = d->gate[mh_dram_gate(d->bank[pick].unit, MH_KIND_PRE)] / MH_TICKS;

        at = mh_dram_free_slot(d, mh_max64(mh_max64(at, gate), d->bank[pick].pre));
        precharge(d, pick, at++);
    }
    for (uint32_t r = 0; r < d->ranks; r++)
        at = refresh_rank(d, r, at) + 1;
    mh_dram_all_candidates(d);
    d->floor = at;
    d->refresh += d->t.refi; /* from when it was due, not from its REF: refreshes do not drift */
}

/* --- Refresh of single banks: each falls due in turn, is closed when it may be, and refreshed among other commands. */

static void fall_due(struct mh_dram *d)
{
    uint32_t b = (uint32_t)(d->refreshes++ % d->banks);

    d->floor = mh_max64(d->floor, d->refresh); /* the bank must not be refreshed before it is due */
    d->refresh = mh_dram_bank_refresh_at(d, d->refreshes + 1);
    d->bank[b].due = true;
    mh_dram_candidate(d, b);
}

static void refresh_bank(struct mh_dram *d, uint32_t b, uint64_t at)
{
    uint32_t rank = d->bank[b].rank;

    trace(d, at, MH_DRAM_REFB, b, 0);
    d->bank[b].due = false;
    d->bank[b].act = at + d->t.rfc_bank;
    /* In the other banks of the rank an ACT, or a refresh, waits for tRREFD alone. */
    for (uint32_t u = rank * d->groups; u < (rank + 1) * d->groups; u++) {
        uint64_t *act = &d->gate[mh_dram_gate(u, MH_KIND_ACT)], *ref = &d->gate[mh_dram_gate(u, MH_KIND_REF)];

        *act = mh_max64(*act, MH_TICKS * (at + d->t.rrefd));
        *ref = mh_max64(*ref, MH_TICKS * (at + d->t.rrefd));
    }
    mh_dram_candidate(d, b);
}

/* --- The next one. */

void mh_dram_issue(struct mh_dram *d)
{
    uint64_t at = d->next;

    if (at >= d->refresh) { /* it goes before a command of that cycle, and is never postponed */
        if (d->t.rfc_bank)
            fall_due(d);
        else
            refresh(d);
    } else {
        uint32_t b = d->choice;

        d->last = (uint8_t)b;
        d->floor = at + 1; /* the command bus carries one command per cycle */
        enum mh_kind kind = mh_dram_kind(d, b);

        if (kind == MH_KIND_COLUMN)
            column(d, b, at);
        else if (kind == MH_KIND_ACT)
            activate(d, b, at);
        else if (kind == MH_KIND_REF)
            refresh_bank(d, b, at);
        else
            precharge(d, b, at);
    }
    if (__builtin_expect(d->turning, 0)) /* a refresh may have closed the last row that was owed a request */
        mh_direction_choose(d);
    mh_dram_scan(d);
}
