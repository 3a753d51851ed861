/*
 * Which command is next: FR-FCFS (Rixner et al., ISCA 2000). Each bank has one candidate at hand, with the first cycle
 * at which the bank allows it; the channel's own timers gate each kind of command. One scan over the banks after each
 * command finds the next: earliest cycle first, then class (below), then age.
 */
#include "dram/channel.h"
#include "engine/bits.h"

/* An open row's hits may pass the oldest request of their bank this often, then its row is opened. Ours: four rows
 * of 16 lines, so streams do not notice. */
enum { STARVE_LIMIT = 64 };

/*
 * Order of candidates as one number: ticks from the floor, class, age, bank. Of the commands possible at one cycle, a
 * column command goes first if it keeps a busy data bus busy. If the bus idled anyway, an ACT goes first: activates are
 * the scarcer then, and the hit loses no bandwidth, only a cycle (ours; plain FR-FCFS loses 4 % of tRRD-bound random
 * traffic to collisions on the command bus). PREs come last. The lowest bit of the ticks makes that order together with
 * the class: 0 for an ACT, 1 for a PRE; a column command's is the gate's, turned round, so 0 on a busy bus.
 */
enum { KEY_FAR_BITS = 21, KEY_AGE_SHIFT = 5, KEY_CLASS_SHIFT = 41, KEY_SHIFT = 43 };
#define KEY_FAR    ((1ull << KEY_FAR_BITS) - 1) /* more than the ticks of the sum of all timings */
#define KEY_BANK   (MH_MAX_DRAM_BANKS - 1u)
#define KEY_TURN   (1ull << KEY_SHIFT)
#define KEY_COLUMN KEY_TURN
#define KEY_ACT    (1ull << KEY_CLASS_SHIFT)
#define KEY_PRE    (KEY_TURN | 2ull << KEY_CLASS_SHIFT)
#define KEY_LAST   (KEY_TURN | ((4ull << KEY_CLASS_SHIFT) - (1u << KEY_AGE_SHIFT))) /* a PRE that nobody waits for */
#define KEY_NONE   (KEY_TURN - 1)                                                   /* at KEY_FAR: the greatest key */
_Static_assert(MH_MAX_DRAM_BANKS == 1 << KEY_AGE_SHIFT, "a bank's number fits below the age");

static inline void set(struct mh_dram *d, uint32_t b, enum mh_kind kind, uint64_t ready, uint64_t class, uint32_t group)
{
    d->slot[b] = (uint8_t)mh_dram_gate(d->bank[b].unit, kind);
    d->ahead[b] = d->until_column[kind];
    d->ready[b] = MH_TICKS * ready;
    d->active |= 1u << b;
    d->order[b] = class | mh_dq_age(&d->queue, group) << KEY_AGE_SHIFT | b;
}

/* Nobody waits for another row of the bank. With closed rows an open one is closed if nobody waits for it either, when
 * nothing else is to do. */
static void idle(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool close = d->closed && bank->row != MH_NO_ROW && bank->hits[0] == MH_DQ_NIL && bank->hits[1] == MH_DQ_NIL;
    d->slot[b] = close ? (uint8_t)mh_dram_gate(d->bank[b].unit, MH_KIND_PRE) : 0;
    d->ahead[b] = d->until_column[close ? MH_KIND_PRE : MH_KIND_NONE];
    d->ready[b] = close ? MH_TICKS * bank->pre : 0;
    d->order[b] = close ? KEY_LAST | b : KEY_NONE;
    d->active = (d->active & ~(1u << b)) | (uint32_t)close << b;
}

/* Nothing goes before a refresh that is due. */
static void refresh_first(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool open = bank->row != MH_NO_ROW;
    d->slot[b] = (uint8_t)mh_dram_gate(d->bank[b].unit, open ? MH_KIND_PRE : MH_KIND_REF);
    d->ahead[b] = d->until_column[open ? MH_KIND_PRE : MH_KIND_REF];
    d->ready[b] = MH_TICKS * (open ? bank->pre : bank->act);
    d->order[b] = b;
    d->active |= 1u << b;
}

void mh_dram_candidate(struct mh_dram *d, uint32_t b)
{
    if (__builtin_expect(d->bank[b].due, 0)) {
        refresh_first(d, b);
        return;
    }
    const struct mh_bank *bank = &d->bank[b];
    uint32_t hits = bank->hits[d->writing];
    if (hits != MH_DQ_NIL && (bank->passed < STARVE_LIMIT || mh_dram_oldest_other(d, b, hits) == MH_DQ_NIL)) {
        set(d, b, MH_KIND_COLUMN, bank->act - (uint64_t)d->column_to_act, KEY_COLUMN, hits);
        return;
    }
    uint32_t g = mh_dram_oldest_other(d, b, hits);
    if (g == MH_DQ_NIL)
        idle(d, b);
    else if (bank->row == MH_NO_ROW)
        set(d, b, MH_KIND_ACT, bank->act, KEY_ACT, g);
    else
        set(d, b, MH_KIND_PRE, bank->pre, KEY_PRE, g);
}

void mh_dram_all_candidates(struct mh_dram *d)
{
    for (uint32_t b = 0; b < d->banks; b++)
        mh_dram_candidate(d, b);
    if (d->banks == 1) /* a scan reads two */
        d->order[1] = KEY_NONE;
}

/* What a scan has found so far. */
struct found {
    uint64_t best; /* the least key */
    uint64_t serve;
};

static inline void consider(const struct mh_dram *d, uint32_t b, uint64_t floor, struct found *f)
{
    uint64_t at = mh_max64(mh_max64(d->ready[b], d->gate[d->slot[b]]), floor);
    f->best = mh_min64(f->best, (at - floor) << KEY_SHIFT ^ d->order[b]);
    f->serve = mh_min64(f->serve, at + d->ahead[b]);
}

/* Over all banks, without a branch on any, or over those that have a candidate when they are few among many. */
static inline struct found scan_from(struct mh_dram *d, uint64_t floor)
{
    struct found f = {UINT64_MAX, MH_DRAM_NEVER};
    d->gate[0] = floor + KEY_FAR; /* of banks without a candidate */
    if (d->banks > 8 && mh_bits(d->active) * 2 < d->banks)
        for (uint32_t m = d->active; m; m &= m - 1)
            consider(d, (uint32_t)__builtin_ctz(m), floor, &f);
    else
        for (uint32_t b = 0; b < d->banks; b += 2) {
            consider(d, b, floor, &f);
            consider(d, b + 1, floor, &f); /* beside a single bank, one that has no candidate */
        }
    return f;
}

void mh_dram_scan(struct mh_dram *d)
{
    uint64_t floor = d->floor, at;
    struct found f;
    for (;;) {
        f = scan_from(d, MH_TICKS * floor);
        at = floor + (f.best >> KEY_SHIFT) / MH_TICKS;
        /* Column commands are never due before the end of a bundle, so whoever is here is a row command. */
        if (at > d->bundle.last)
            break;
        floor = mh_dram_free_slot(d, at);
        if (floor == at)
            break;
    }
    if (f.best >> KEY_SHIFT == KEY_FAR)
        at = MH_DRAM_NEVER;
    d->serve = f.serve / MH_TICKS;
    d->choice = f.best & KEY_BANK;
    d->next = mh_min64(at, d->refresh);
}

/* The gates at which the data bus is busy are odd, unless an ACT goes first whatever the bus does. */
void mh_dram_load_gates(struct mh_dram *d)
{
    uint64_t busy = *mh_dram_column_gate(d, d->writing, 0);
    for (uint32_t u = 1; u < d->units; u++)
        busy = mh_min64(busy, *mh_dram_column_gate(d, d->writing, u));
    for (uint32_t u = 0; u < d->units; u++) {
        uint64_t gate = *mh_dram_column_gate(d, d->writing, u);
        d->gate[mh_dram_gate(u, MH_KIND_COLUMN)] = MH_TICKS * gate + (gate == busy && !d->acts_first);
    }
}

void mh_dram_turn(struct mh_dram *d)
{
    d->writing = !d->writing;
    mh_dram_load_gates(d);
    mh_dram_all_candidates(d);
}
