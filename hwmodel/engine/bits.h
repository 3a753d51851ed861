/* Bits of a word, where generic x86-64 has no instruction and the compiler's own function is a call. */
#ifndef MEMHELM_ENGINE_BITS_H
#define MEMHELM_ENGINE_BITS_H

#include <stdint.h>

/** Number of bits that are set: sums of 2, 4, 8, then all bytes by a multiplication. */
static inline uint32_t mh_bits(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(v * 0x0101010101010101 >> 56);
}

#endif
