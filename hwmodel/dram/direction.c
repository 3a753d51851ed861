#include "dram/direction.h"

#include "dram/pick.h"

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
