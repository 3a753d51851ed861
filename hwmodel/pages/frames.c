#include "pages/page_table.h"

#include <string.h>

static uint32_t bits_for(uint32_t count)
{
    return 32 - (uint32_t)__builtin_clz(count - 1);
}

void mh_frames_init(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    pt->frames = (uint32_t)(cfg->memory.bytes / cfg->memory.page_bytes);
    pt->frame_bits = bits_for(pt->frames);
    pt->whole = cfg->memory.owned == MH_OWNED_WHOLE;
    if (cfg->memory.large_bytes) {
        pt->block_bits = (uint32_t)__builtin_ctz(cfg->memory.large_bytes / cfg->memory.page_bytes);
        pt->large_bit = MH_PT_LARGE_KEY;
    }
    pt->blocks = pt->frames >> pt->block_bits;
    pt->number_bits = bits_for(pt->blocks);
}

/* A keyed bijection on numbers of so many bits: odd multiplication and xor-shift are both invertible modulo 2^bits. */
static inline uint64_t mix(const struct mh_page_tables *pt, uint64_t x, uint64_t seed)
{
    const uint64_t key = (seed + 1) * 0xbf58476d1ce4e5b9ull;
    const uint64_t mask = (1ull << pt->number_bits) - 1;
    const uint32_t half = pt->number_bits / 2;

#pragma GCC unroll 3
    for (uint32_t round = 0; round < 3; round++) {
        x = (x * 0x9e3779b97f4a7c15ull + key + round) & mask;
        x ^= x >> half;
    }
    return x;
}

/* On numbers of blocks: a number that is none goes on until it meets one, which it alone does. */
static uint32_t permute(const struct mh_page_tables *pt, uint64_t x, uint64_t seed)
{
    do
        x = mix(pt, x, seed);
    while (x >= pt->blocks);
    return (uint32_t)x;
}

/* Numbers go by turns to the address spaces: what one gets does not depend on what others have got. */
static uint32_t own_block(struct mh_page_tables *pt, uint32_t asid)
{
    uint64_t n = pt->next[asid - 1]++ * MH_MAX_TENANTS + (asid - 1);

    return n < pt->blocks ? permute(pt, n, pt->seed) : MH_PT_NONE;
}

/* The first in the address space's own order that nobody has or had. */
static uint32_t free_block(struct mh_page_tables *pt, uint32_t asid)
{
    while (pt->next[asid - 1] < pt->blocks) {
        uint32_t block = permute(pt, pt->next[asid - 1]++, pt->seed * MH_MAX_TENANTS + asid - 1),
                 frame = block << pt->block_bits;

        if (!pt->owner[frame] && pt->state[frame] == MH_PT_IN_USE)
            return block;
    }
    return MH_PT_NONE;
}

static uint32_t new_block(struct mh_page_tables *pt, uint32_t asid)
{
    return pt->whole ? free_block(pt, asid) : own_block(pt, asid);
}

uint32_t mh_frame_block(struct mh_page_tables *pt, uint32_t asid)
{
    uint32_t block = new_block(pt, asid), frame = block << pt->block_bits;

    if (block == MH_PT_NONE)
        return MH_PT_NONE;
    memset(&pt->owner[frame], (int)asid, 1u << pt->block_bits);
    return frame;
}

static __attribute__((noinline)) uint32_t frame_of_block(struct mh_page_tables *pt, uint32_t asid)
{
    struct mh_pt_shared *s = &pt->block[asid - 1];

    if (!s->left) {
        s->frame = mh_frame_block(pt, asid);
        if (s->frame == MH_PT_NONE)
            return MH_PT_NONE;
        s->left = 1u << pt->block_bits;
    }
    return s->frame + (1u << pt->block_bits) - s->left--;
}

/* Without large pages a block is one frame. */
uint32_t mh_frame_new(struct mh_page_tables *pt, uint32_t asid)
{
    if (pt->block_bits)
        return frame_of_block(pt, asid);
    uint32_t frame = new_block(pt, asid);

    if (frame != MH_PT_NONE)
        pt->owner[frame] = (uint8_t)asid;
    return frame;
}
