/*
 * Zipf's distribution in integer arithmetic, so that draws are the same on every machine: rank r of n, the first being
 * 1, has a weight of r^-s.
 */
#ifndef MEMHELM_WORKLOAD_ZIPF_H
#define MEMHELM_WORKLOAD_ZIPF_H

#include <stdint.h>

enum {
    MH_ZIPF_PARTS = 32,  /**< of each octave of ranks; the ranks of a part are equally likely */
    MH_ZIPF_SHIFTS = 32, /**< octaves beyond the first 2 * MH_ZIPF_PARTS ranks, which have a part each */
    MH_ZIPF_BITS = 37,   /**< ranks: less than two to the power of it */
    MH_ZIPF_TABLE = (MH_ZIPF_SHIFTS + 1) * MH_ZIPF_PARTS,
};

/** An exponent's cumulative weights, for any number of ranks below 2^MH_ZIPF_BITS. */
struct mh_zipf {
    uint64_t below[MH_ZIPF_TABLE + 1]; /**< weight of all ranks before each part, in 2^-32 of the first rank's */
};

/** `hundredths`: 100 s, 0 (uniform) .. 200. */
void mh_zipf_make(struct mh_zipf *z, uint32_t hundredths);

/** The rank of 1 .. n, less one, that a random word draws. */
uint64_t mh_zipf_draw(const struct mh_zipf *z, uint64_t random, uint64_t n);

#endif
