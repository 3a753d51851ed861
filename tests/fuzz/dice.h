/* Deterministic numbers for the fuzzers. */
#ifndef MEMHELM_TESTS_DICE_H
#define MEMHELM_TESTS_DICE_H

#include "workload/gen.h"

/** The numbers of one round: a function of its seed. */
struct dice {
    uint64_t seed, count;
};

/** The next one, 0 .. sides - 1. */
static inline uint64_t roll(struct dice *d, uint64_t sides)
{
    return mh_random(d->seed, d->count++) % sides;
}

#endif
