#include "uvm/compress/lcp.h"

#include <stddef.h>

static uint32_t bits(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

uint32_t mh_lcp_places(const struct mh_lcp_page *p)
{
    if (!mh_lcp_compressed(p))
        return 0;
    return (mh_lcp_bytes(p) - MH_LCP_BLOCKS * p->room - MH_LCP_METADATA) / MH_BDI_BLOCK;
}

static uint64_t larger_than(const uint8_t bytes[MH_LCP_BLOCKS], uint32_t room)
{
    uint64_t large = 0;

    for (uint32_t b = 0; b < MH_LCP_BLOCKS; b++)
        large |= (uint64_t)(bytes[b] > room) << b;
    return large;
}

static uint8_t class_of(uint32_t bytes)
{
    uint8_t size = 0;

    while (512u << size < bytes)
        size++;
    return size;
}

struct mh_lcp_page mh_lcp_pack(const uint8_t bytes[MH_LCP_BLOCKS])
{
    static const uint8_t rooms[] = {1, 8, 16, 20, 24, 34, 36, 40};
    struct mh_lcp_page best = mh_lcp_whole();
    uint32_t least = MH_LCP_PAGE / 2;

    for (size_t i = 0; i < sizeof rooms; i++) {
        uint64_t exceptions = larger_than(bytes, rooms[i]);
        uint32_t need = MH_LCP_BLOCKS * rooms[i] + MH_LCP_METADATA + bits(exceptions) * MH_BDI_BLOCK;

        if (need > least)
            continue;
        least = need;
        best = (struct mh_lcp_page){.exceptions = exceptions, .size = class_of(need), .room = rooms[i]};
    }
    return best;
}

bool mh_lcp_write(struct mh_lcp_page *p, uint32_t b, uint32_t bytes)
{
    const uint64_t bit = (uint64_t)1 << b;

    if (bytes <= p->room) {
        p->exceptions &= ~bit;
        return true;
    }
    if (!(p->exceptions & bit) && bits(p->exceptions) == mh_lcp_places(p))
        return false;
    p->exceptions |= bit;
    return true;
}
