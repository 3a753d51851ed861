#include "dram/pick.h"
#include "dram/writes.h"
#include "dram/tiers.h"
#include "dram/queue.h"
#include "engine/align.h"

/*
 * Which command is next: FR-FCFS (Rixner et al., ISCA 2000). Each bank has one candidate at hand, with the first cycle
 * at which the bank allows it; the channel's own timers gate each kind of command. One scan over the banks after each
 * command finds the next: earliest cycle first, then class (below), then age.
 */

void mh_dram_candidate(struct mh_dram *d, uint32_t b)
{
    if (__builtin_expect(d->tiered, 0))
        mh_tiers_candidate(d, b);
    else if (__builtin_expect(d->bank[b].due, 0))
        mh_pick_refresh(d, b);
    else if (__builtin_expect(d->turning, 0))
        mh_direction_candidate(d, b);
    else
        mh_pick_fr_fcfs(d, b, &d->queue, d->writing, d->bank[b].hits[d->writing]);
}

void mh_dram_all_candidates(struct mh_dram *d)
{
    for (uint32_t b = 0; b < d->banks; b++)
        mh_dram_candidate(d, b);
    if (d->banks == 1) /* a scan reads two */
        d->order[1] = MH_KEY_NONE;
}

/* Without a branch on any bank. */
static inline __attribute__((always_inline)) struct mh_found scan_all(const struct mh_dram *d, uint64_t floor,
                                                                      uint32_t banks)
{
    struct mh_found f = {UINT64_MAX, MH_DRAM_NEVER};

#pragma GCC unroll 4
    for (uint32_t b = 0; b < banks; b += 2) {
        mh_pick_consider(d, b, floor, &f);
        mh_pick_consider(d, b + 1, floor, &f); /* beside a single bank, one that has no candidate */
    }
    return f;
}

/* Over those that have a candidate when they are few among many. Out of line, for what it needs of the registers. */
static __attribute__((noinline)) struct mh_found scan_many(const struct mh_dram *d, uint64_t floor)
{
    return mh_bits(d->active) * 2 < d->banks ? mh_pick_among(d, d->active, floor) : scan_all(d, floor, d->banks);
}

/* The banks of GDDR5 and DDR3 channels as a constant: no loop. */
static inline struct mh_found scan_from(struct mh_dram *d, uint64_t floor)
{
    d->gate[0] = floor + MH_KEY_FAR; /* of banks without a candidate */
    if (d->banks == 8)
        return scan_all(d, floor, 8);
    return d->banks < 8 ? scan_all(d, floor, d->banks) : scan_many(d, floor);
}

/* The bank after that of the last command goes first, whatever its command; not before a refresh that is due, nor a PRE
 * that no request needs. */
static void take_turns(struct mh_dram *d)
{
    for (uint64_t m = d->active; m; m &= m - 1) {
        uint32_t b = (uint32_t)__builtin_ctzll(m);

        if (!d->bank[b].due && d->order[b] < MH_KEY_LAST)
            d->order[b] = (b - d->last - 1) % d->banks << MH_KEY_AGE_SHIFT | b;
    }
}

void mh_dram_scan(struct mh_dram *d)
{
    uint64_t floor = d->floor, at;
    struct mh_found f;

    if (__builtin_expect(d->in_turn, 0) && !d->tiered)
        take_turns(d);
    for (;;) {
        f = d->tiered ? mh_tiers_scan(d, MH_TICKS * floor) : scan_from(d, MH_TICKS * floor);
        at = floor + (f.best >> MH_KEY_SHIFT) / MH_TICKS;
        /* Column commands are never due before the end of a bundle, so this is a row command. If its slot
         * is taken, another candidate may be first in the next free one. */
        if (at > d->bundle.last)
            break;
        floor = mh_dram_free_slot(d, at);
        if (floor == at)
            break;
    }
    if (f.best >> MH_KEY_SHIFT == MH_KEY_FAR)
        at = MH_DRAM_NEVER;
    d->serve = f.serve / MH_TICKS;
    d->choice = f.best & MH_KEY_BANK;
    d->next = mh_min64(at, d->refresh);
}

/*
 * A column command at the earliest gate of all units leaves no gap on the data bus. Such a gate is odd: the command
 * goes before an ACT of the same cycle (pick.h). Not if ACTs are the scarcer.
 */
void mh_dram_load_gates(struct mh_dram *d)
{
    uint64_t busy = MH_DRAM_NEVER; /* no gate is */

    for (uint32_t u = 0; u < d->units && d->odd_columns; u++)
        busy = mh_min64(busy, *mh_dram_column_gate(d, d->writing, u));
    for (uint32_t u = 0; u < d->units; u++) {
        uint64_t gate = *mh_dram_column_gate(d, d->writing, u);

        d->gate[mh_dram_gate(u, MH_KIND_COLUMN)] = MH_TICKS * gate + (gate == busy);
    }
}

int mh_dq_init(struct mh_dq *q, uint32_t entries)
{
    uint32_t bits = 1;

    /* At most half of the buckets are in use: a group has an entry at least. */
    while ((1u << bits) < 2 * entries)
        bits++;
    *q = (struct mh_dq){.hash_shift = 32 - bits};
    q->entry = mh_aligned_zeros(entries * sizeof *q->entry);
    q->group = mh_aligned_zeros(entries * sizeof *q->group);
    q->hash = mh_aligned_zeros(sizeof *q->hash << bits);
    if (!q->entry || !q->group || !q->hash)
        return -1;
    memset(q->hash, 0xff, sizeof *q->hash << bits);
    memset(q->list, 0xff, sizeof q->list);
    for (uint32_t i = 0; i < entries; i++)
        q->entry[i].next = q->group[i].next = (uint16_t)(i + 1 < entries ? i + 1 : MH_DQ_NIL);
    return 0;
}

void mh_dq_free(struct mh_dq *q)
{
    free(q->entry);
    free(q->group);
    free(q->hash);
}

/* What was served was the group's oldest request, so the group can only move back. */
void mh_dq_sort(struct mh_dq *q, uint32_t g)
{
    struct mh_dq_group *p = &q->group[g];
    uint64_t age = mh_dq_age(q, g);
    uint32_t next = p->next;

    if (next == MH_DQ_NIL || mh_dq_age(q, next) > age)
        return;
    mh_dq_unlink(q, g);
    while (next != MH_DQ_NIL && mh_dq_age(q, next) < age)
        next = q->group[next].next;
    if (next == MH_DQ_NIL) {
        mh_dq_link_last(q, g);
        return;
    }
    p->next = (uint16_t)next;
    p->prev = q->group[next].prev; /* a smaller age was passed, so there is one */
    q->group[next].prev = (uint16_t)g;
    q->group[p->prev].next = (uint16_t)g;
}

void mh_dq_take_younger(struct mh_dq *q, uint32_t g, uint32_t entry)
{
    struct mh_dq_group *p = &q->group[g];
    uint32_t before = p->head;

    while (q->entry[before].next != entry)
        before = q->entry[before].next;
    q->entry[before].next = q->entry[entry].next;
    if (p->tail == entry)
        p->tail = (uint16_t)before;
    q->entry[entry].next = q->free_entry;
    q->free_entry = (uint16_t)entry;
}

bool mh_dq_holds(const struct mh_dq *q, uint32_t bank, uint32_t tag)
{
    for (uint32_t g = q->list[bank][0].first; g != MH_DQ_NIL; g = q->group[g].next)
        for (uint32_t e = q->group[g].head; e != MH_DQ_NIL; e = q->entry[e].next)
            if (q->entry[e].tag == tag)
                return true;
    return false;
}
