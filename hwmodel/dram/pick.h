/* Candidates and their order, shared by the files that choose the next command. Private to dram/. */
#ifndef MEMHELM_DRAM_PICK_H
#define MEMHELM_DRAM_PICK_H

#include "dram/channel.h"
#include "dram/tiers.h"
#include "engine/arith.h"

/*
 * Order of candidates as one number: ticks from the floor, class, age, bank. Of the commands possible at one cycle, a
 * column command goes first if it keeps a busy data bus busy. If the bus idled anyway, an ACT goes first: activates are
 * the scarcer then, and the hit loses no bandwidth, only a cycle (ours; plain FR-FCFS loses 4 % of tRRD-bound random
 * traffic to collisions on the command bus: 11.5 cycles a line instead of 11.0 in `mask`). PREs come last. The lowest
 * bit of the ticks makes that order together with the class: 0 for an ACT, 1 for a PRE; a column command's is the
 * gate's, turned round, so 0 on a busy bus.
 */
enum { MH_KEY_FAR_BITS = 21, MH_KEY_AGE_SHIFT = 6, MH_KEY_CLASS_SHIFT = 41, MH_KEY_SHIFT = 43 };
#define MH_KEY_FAR    ((1ull << MH_KEY_FAR_BITS) - 1) /* more than the ticks of the sum of all timings */
#define MH_KEY_BANK   (MH_MAX_DRAM_BANKS - 1u)
#define MH_KEY_TURN   (1ull << MH_KEY_SHIFT)
#define MH_KEY_COLUMN MH_KEY_TURN
#define MH_KEY_HIT    0ull /* a column command that goes before any ACT */
#define MH_KEY_ACT    (1ull << MH_KEY_CLASS_SHIFT)
#define MH_KEY_PRE    (MH_KEY_TURN | 2ull << MH_KEY_CLASS_SHIFT)
#define MH_KEY_LAST                                                                                                    \
    (MH_KEY_TURN | ((4ull << MH_KEY_CLASS_SHIFT) - (1u << MH_KEY_AGE_SHIFT))) /* a PRE that no request needs */
#define MH_KEY_NONE (MH_KEY_TURN - 1)                                         /* at MH_KEY_FAR: the greatest key */
_Static_assert(MH_MAX_DRAM_BANKS == 1 << MH_KEY_AGE_SHIFT, "a bank's number fits below the age");

static inline void mh_pick_set(struct mh_dram *d, uint32_t b, const struct mh_dq *q, enum mh_kind kind, uint64_t ready,
                               uint64_t class, uint32_t group)
{
    d->slot[b] = (uint8_t)mh_dram_gate(d->bank[b].unit, kind);
    d->ahead[b] = d->until_column[kind];
    d->ready[b] = MH_TICKS * ready;
    d->active |= 1ull << b;
    d->order[b] = class | mh_dq_age(q, group) << MH_KEY_AGE_SHIFT | b;
}

/** No request waits for another row of the bank. With closed rows an open row that no request needs is closed when
 * nothing else is to do. */
static inline void mh_pick_idle(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool close = d->closed && bank->row != MH_NO_ROW && bank->hits[0] == MH_DQ_NIL && bank->hits[1] == MH_DQ_NIL &&
                 !(d->tiered && mh_tiers_hits_row(d, b));

    d->slot[b] = close ? (uint8_t)mh_dram_gate(d->bank[b].unit, MH_KIND_PRE) : 0;
    d->ahead[b] = d->until_column[close ? MH_KIND_PRE : MH_KIND_NONE];
    d->ready[b] = close ? MH_TICKS * bank->pre : 0;
    d->order[b] = close ? MH_KEY_LAST | b : MH_KEY_NONE;
    d->active = (d->active & ~(1ull << b)) | (uint64_t)close << b;
}

/** Nothing goes before a refresh that is due. */
static inline void mh_pick_refresh(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool open = bank->row != MH_NO_ROW;

    d->slot[b] = (uint8_t)mh_dram_gate(d->bank[b].unit, open ? MH_KIND_PRE : MH_KIND_REF);
    d->ahead[b] = d->until_column[open ? MH_KIND_PRE : MH_KIND_REF];
    d->ready[b] = MH_TICKS * (open ? bank->pre : bank->act);
    d->order[b] = b;
    d->active |= 1ull << b;
}

/** Takes the oldest hit of the open row, of the group `hits`, as the bank's candidate. */
static inline void mh_pick_column(struct mh_dram *d, uint32_t b, const struct mh_dq *q, uint32_t hits)
{
    mh_pick_set(d, b, q, MH_KIND_COLUMN, d->bank[b].act - (uint64_t)d->column_to_act, d->column_class, hits);
}

/** Takes a hit of the open row, `hits` in that queue and direction, as the bank's candidate, unless there is none or an
 * older request has starved. */
static inline bool mh_pick_hit(struct mh_dram *d, uint32_t b, const struct mh_dq *q, uint32_t write, uint32_t hits)
{
    const struct mh_bank *bank = &d->bank[b];

    if (hits == MH_DQ_NIL || (bank->passed >= d->t.hit_cap && mh_dq_oldest_other(q, b, write, hits) != MH_DQ_NIL))
        return false;
    mh_pick_column(d, b, q, hits);
    return true;
}

/** The bank's candidate opens the row of the group, not the open one; MH_DQ_NIL: no request waits for another. */
static inline void mh_pick_row(struct mh_dram *d, uint32_t b, const struct mh_dq *q, uint32_t g)
{
    const struct mh_bank *bank = &d->bank[b];

    if (g == MH_DQ_NIL)
        mh_pick_idle(d, b);
    else if (bank->row == MH_NO_ROW)
        mh_pick_set(d, b, q, MH_KIND_ACT, bank->act, MH_KEY_ACT, g);
    else
        mh_pick_set(d, b, q, MH_KIND_PRE, bank->pre, MH_KEY_PRE, g);
}

/**
 * FR-FCFS's candidate of a bank among the requests of one queue and direction; `hits` is the queue's group of the open
 * row.
 */
static inline void mh_pick_fr_fcfs(struct mh_dram *d, uint32_t b, const struct mh_dq *q, uint32_t write, uint32_t hits)
{
    if (!mh_pick_hit(d, b, q, write, hits))
        mh_pick_row(d, b, q, mh_dq_oldest_other(q, b, write, hits));
}

/* What a scan has found so far. */
struct mh_found {
    uint64_t best; /* the least key */
    uint64_t serve;
};

static inline void mh_pick_consider(const struct mh_dram *d, uint32_t b, uint64_t floor, struct mh_found *f)
{
    uint64_t at = mh_max64(mh_max64(d->ready[b], d->gate[d->slot[b]]), floor);

    f->best = mh_min64(f->best, (at - floor) << MH_KEY_SHIFT ^ d->order[b]);
    f->serve = mh_min64(f->serve, at + d->ahead[b]);
}

/** The least key and the first service among the banks of the mask. */
static inline struct mh_found mh_pick_among(const struct mh_dram *d, uint64_t banks, uint64_t floor)
{
    struct mh_found f = {UINT64_MAX, MH_DRAM_NEVER};

    for (uint64_t m = banks; m; m &= m - 1)
        mh_pick_consider(d, (uint32_t)__builtin_ctzll(m), floor, &f);
    return f;
}

/** Nothing to do in the bank, come what may. */
static inline void mh_pick_none(struct mh_dram *d, uint32_t b)
{
    d->slot[b] = 0;
    d->ahead[b] = d->until_column[MH_KIND_NONE];
    d->ready[b] = 0;
    d->order[b] = MH_KEY_NONE;
    d->active &= ~(1ull << b);
}

/** As the scan over all banks, but the higher tier first of what is possible in one cycle. */
struct mh_found mh_tiers_scan(const struct mh_dram *d, uint64_t floor);

#endif
