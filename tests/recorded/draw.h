/* Which cells are run: at random, the same of a seed on every machine. */
#ifndef TESTS_RECORDED_DRAW_H
#define TESTS_RECORDED_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The state of random numbers that `seed` and `what` decide. */
uint64_t draw_seed(const char *seed, const char *what);

/** The numbers 0..count-1 in random order; the caller frees them. */
size_t *draw_order(uint64_t seed, size_t count);

/** Draw `i` of the seed: true with probability `chance`. */
bool draw_happens(uint64_t seed, size_t i, double chance);

#endif
