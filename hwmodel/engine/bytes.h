/* Bytes of a line, one bit each: what a store writes, and what is written of a line. */
#ifndef MEMHELM_ENGINE_BYTES_H
#define MEMHELM_ENGINE_BYTES_H

#include <stdint.h>

#include "memhelm/config.h"

/** Byte b of the line is bit b % 64 of half b / 64. */
struct mh_bytes {
    uint64_t half[2];
};

/** The 32-byte sectors of the mask, whole. */
static inline struct mh_bytes mh_bytes_of(uint32_t sectors)
{
    static const uint64_t of[] = {0, UINT32_MAX, (uint64_t)UINT32_MAX << 32, UINT64_MAX};

    return (struct mh_bytes){{of[sectors & 3], of[sectors >> 2 & 3]}};
}

/** Adds `count` bytes from byte `from` on; they end in the line. */
static inline void mh_bytes_add(struct mh_bytes *b, uint32_t from, uint32_t count)
{
    for (uint32_t end = from + count; from < end;) {
        uint32_t bit = from % 64, n = 64 - bit < end - from ? 64 - bit : end - from;

        b->half[from / 64] |= ~0ull >> (64 - n) << bit;
        from += n;
    }
}

static inline void mh_bytes_merge(struct mh_bytes *b, const struct mh_bytes *more)
{
    b->half[0] |= more->half[0];
    b->half[1] |= more->half[1];
}

/** Those of the sectors; the others are forgotten. */
static inline struct mh_bytes mh_bytes_in(const struct mh_bytes *b, uint32_t sectors)
{
    struct mh_bytes in = mh_bytes_of(sectors);

    return (struct mh_bytes){{in.half[0] & b->half[0], in.half[1] & b->half[1]}};
}

/** Sectors of 32 bytes of which every byte is there, a bit each. */
static inline uint32_t mh_bytes_whole(const struct mh_bytes *b)
{
    uint32_t whole = 0;

    for (uint32_t s = 0; s < MH_MAX_SECTORS; s++)
        whole |= (uint32_t)((uint32_t)(b->half[s / 2] >> s % 2 * 32) == UINT32_MAX) << s;
    return whole;
}

/** Sectors of 32 bytes of which some byte is there. */
static inline uint32_t mh_bytes_touched(const struct mh_bytes *b)
{
    uint32_t touched = 0;

    for (uint32_t s = 0; s < MH_MAX_SECTORS; s++)
        touched |= (uint32_t)((uint32_t)(b->half[s / 2] >> s % 2 * 32) != 0) << s;
    return touched;
}

#endif
