/*
 * rand() of the GNU C library, whose numbers the published programs' inputs are where they are Linux programs: an
 * additive feedback generator over 31 words (random(3), TYPE_3), r[i] = r[i - 3] + r[i - 31]. The same on every host.
 */
#ifndef MEMHELM_WORKLOAD_VALUES_C_RAND_H
#define MEMHELM_WORKLOAD_VALUES_C_RAND_H

#include <stdint.h>

struct c_rand {
    uint32_t word[31];
    uint32_t at;
};

/** Next number, 0..2^31 - 1. */
static inline uint32_t c_rand(struct c_rand *r)
{
    uint32_t back3 = r->at < 3 ? r->at + 28 : r->at - 3, sum = r->word[r->at] += r->word[back3];

    r->at = r->at == 30 ? 0 : r->at + 1;
    return sum >> 1;
}

/** A program that never calls srand() has seed 1. */
static inline void c_srand(struct c_rand *r, uint32_t seed)
{
    int64_t word = seed ? seed : 1;

    for (uint32_t i = 0; i < 31; i++) {
        r->word[i] = (uint32_t)word;
        word = word * 16807 % 2147483647;
        word += word < 0 ? 2147483647 : 0;
    }
    r->at = 3;
    for (uint32_t i = 0; i < 310; i++)
        (void)c_rand(r);
}

#endif
