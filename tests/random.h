/* Random numbers for tests and the benchmark: a sequence that is the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"

/** The next number of splitmix64 from the seed that *state was at first. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t n = mh_random(*state, 0);
    *state += 0x9e3779b97f4a7c15;
    return n;
}

/** The next one as low .. high, both of them possible. */
static inline uint32_t pick(uint64_t *state, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(random_next(state) % (high - low + 1));
}

/** Seeds of a random test: 1 .. `count` or, chosen by MH_SEED in the environment, n or n-m. */
struct seeds {
    uint64_t first, last;
    bool chosen;
};

static inline struct seeds seeds_of(uint64_t count)
{
    const char *text = getenv("MH_SEED"), *dash = text ? strchr(text, '-') : NULL;
    uint64_t first = text ? strtoull(text, NULL, 10) : 1;

    return (struct seeds){first, dash ? strtoull(dash + 1, NULL, 10) : text ? first : count, text != NULL};
}

#endif
