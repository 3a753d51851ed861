/* Random numbers that are a function of seed and position: the same on every machine, and nothing to store. */
#ifndef MEMHELM_ENGINE_RANDOM_H
#define MEMHELM_ENGINE_RANDOM_H

#include <stdint.h>

/** splitmix64 (Steele, Lea, Flood 2014) at position `index` of the sequence of `seed`. */
static inline uint64_t mh_random(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/**
 * Where `i` goes in a permutation of 0 .. n - 1: a Feistel network over the least power of four that is n or more,
 * walked until it is below n.
 */
static inline uint64_t mh_shuffled(uint64_t seed, uint64_t i, uint64_t n)
{
    const unsigned bits = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 1, half = (bits + 1) / 2;
    const uint64_t low = ((uint64_t)1 << half) - 1;

    do {
        uint64_t left = i >> half, right = i & low;

        for (uint64_t round = 0; round < 4; round++) {
            const uint64_t next = left ^ (mh_random(seed + round, right) & low);

            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

#endif
