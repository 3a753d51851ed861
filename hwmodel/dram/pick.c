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
 * Order of candidates as one number: cycles from the floor, class, age, bank. Of the commands possible at one cycle, a
 * column command goes first if it keeps a busy data bus busy. If the bus idled anyway, an ACT goes first: activates are
 * the scarcer then, and the hit loses no bandwidth, only a cycle (ours; plain FR-FCFS loses 4 % of tRRD-bound random
 * traffic to collisions on the command bus). PREs come last.
 */
enum { KEY_FAR_BITS = 20, KEY_AGE_SHIFT = 5, KEY_CLASS_SHIFT = 41, KEY_SHIFT = 44 };
#define KEY_FAR      ((1ull << KEY_FAR_BITS) - 1) /* more than the sum of all timings */
#define KEY_BANK     (MH_MAX_DRAM_BANKS - 1u)
#define KEY_ACT      (1ull << KEY_CLASS_SHIFT)
#define KEY_COLUMN   (4ull << KEY_CLASS_SHIFT)
#define KEY_PRE      (6ull << KEY_CLASS_SHIFT)
#define KEY_IDLE_BIT (KEY_CLASS_SHIFT + 2) /* of KEY_COLUMN; taken off when the data bus is busy up to this cycle */
#define KEY_LAST     ((8ull << KEY_CLASS_SHIFT) - (1u << KEY_AGE_SHIFT)) /* a PRE that nobody waits for */
#define KEY_NONE     UINT64_MAX
_Static_assert(MH_MAX_DRAM_BANKS == 1 << KEY_AGE_SHIFT, "a bank's number fits below the age");

static inline void set(struct mh_dram *d, uint32_t b, enum mh_kind kind, uint64_t ready, uint64_t class, uint32_t group)
{
    d->slot[b] = (uint8_t)mh_dram_gate(d->unit[b], kind);
    d->ready[b] = ready;
    d->active |= 1u << b;
    d->order[b] = class | mh_dq_age(&d->queue, group) << KEY_AGE_SHIFT | b;
}

/* Nobody waits for another row of the bank. With closed rows an open one is closed if nobody waits for it either, when
 * nothing else is to do. */
static void idle(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool close = d->closed && bank->row != MH_NO_ROW && bank->hits[0] == MH_DQ_NIL && bank->hits[1] == MH_DQ_NIL;
    d->slot[b] = (uint8_t)mh_dram_gate(d->unit[b], close ? MH_KIND_PRE : MH_KIND_NONE);
    d->ready[b] = bank->pre;
    d->order[b] = close ? KEY_LAST | b : KEY_NONE;
    d->active = (d->active & ~(1u << b)) | (uint32_t)close << b;
}

/* Nothing goes before a refresh that is due. */
static void refresh_first(struct mh_dram *d, uint32_t b)
{
    const struct mh_bank *bank = &d->bank[b];
    bool open = bank->row != MH_NO_ROW;
    d->slot[b] = (uint8_t)mh_dram_gate(d->unit[b], open ? MH_KIND_PRE : MH_KIND_REF);
    d->ready[b] = open ? bank->pre : bank->act;
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
        set(d, b, MH_KIND_COLUMN, bank->col, KEY_COLUMN, hits);
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
}

/* What a scan has found so far. */
struct found {
    uint64_t best, serve;
};

static inline void consider(const struct mh_dram *d, uint32_t b, uint64_t floor, uint64_t busy, struct found *f)
{
    uint32_t slot = d->slot[b];
    uint64_t at = mh_max64(mh_max64(d->ready[b], d->gate[slot]), floor);
    uint64_t order = d->order[b] & ~((uint64_t)(at == busy) << KEY_IDLE_BIT);
    f->best = mh_min64(f->best, (at - floor) << KEY_SHIFT | order);
    f->serve = mh_min64(f->serve, at + d->ahead[slot]);
}

/* Over all banks, without a branch on any, or over those that have a candidate when they are few. */
static inline uint64_t scan_from(struct mh_dram *d, uint64_t floor)
{
    uint64_t busy = d->acts_first ? MH_DRAM_NEVER : d->busy;
    struct found f = {KEY_NONE, MH_DRAM_NEVER};
    if (mh_bits(d->active) * 4 > d->banks * 3)
        for (uint32_t b = 0; b < d->banks; b++)
            consider(d, b, floor, busy, &f);
    else
        for (uint32_t m = d->active; m; m &= m - 1)
            consider(d, (uint32_t)__builtin_ctz(m), floor, busy, &f);
    d->serve = f.serve;
    d->choice = f.best & KEY_BANK;
    return f.best >> KEY_SHIFT == KEY_FAR ? MH_DRAM_NEVER : floor + (f.best >> KEY_SHIFT);
}

void mh_dram_scan(struct mh_dram *d)
{
    uint64_t floor = d->floor, at;
    for (;;) {
        at = scan_from(d, floor);
        /* Column commands are never due before the end of a bundle, so whoever is here is a row command. */
        if (at > d->bundle.last)
            break;
        floor = mh_dram_free_slot(d, at);
        if (floor == at)
            break;
    }
    d->next = mh_min64(at, d->refresh);
}

void mh_dram_load_gates(struct mh_dram *d)
{
    d->busy = MH_DRAM_NEVER;
    for (uint32_t u = 0; u < d->units; u++) {
        uint64_t gate = d->column_gate[d->writing][u];
        d->gate[mh_dram_gate(u, MH_KIND_COLUMN)] = gate;
        d->busy = mh_min64(d->busy, gate);
    }
}

void mh_dram_choose_direction(struct mh_dram *d)
{
    uint32_t writes = d->waiting[1];
    if (writes >= d->t.write_high)
        d->draining = true;
    if (writes <= d->t.write_low)
        d->draining = false;
    uint32_t writing = writes && (d->draining || !d->waiting[0]);
    if (writing == d->writing)
        return;
    d->writing = writing;
    mh_dram_load_gates(d);
    mh_dram_all_candidates(d);
}
