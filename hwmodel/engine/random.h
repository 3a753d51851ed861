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

#endif
