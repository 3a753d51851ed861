#include "workload/zipf.h"

#include "workload/gen.h"

/* Of x > 0, in 2^-32: a bit for each square. */
static int64_t log2_of(uint64_t x)
{
    const int whole = 63 - __builtin_clzll(x);
    uint64_t y = whole > 31 ? x >> (whole - 31) : x << (31 - whole), fraction = 0;

    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1) {
        y = y * y >> 31;
        if (y >> 32) {
            y >>= 1;
            fraction |= bit;
        }
    }
    return (int64_t)((uint64_t)whole << 32 | fraction);
}

/* 2^x in 2^-32, x in 2^-32 and between -32 and 31: a square root of two for each bit of its fraction. */
static uint64_t exp2_of(int64_t x)
{
    const uint64_t biased = (uint64_t)(x + ((int64_t)32 << 32));
    uint64_t root = (uint64_t)2 << 31, y = (uint64_t)1 << 31;

    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1) {
        root = mh_root(root << 31);
        if (biased & bit)
            y = y * root >> 31;
    }
    return biased >> 32 < 31 ? y >> (31 - (biased >> 32)) : y << ((biased >> 32) - 31);
}

static uint32_t shift_of(uint32_t part)
{
    return part < MH_ZIPF_PARTS ? 0 : part / MH_ZIPF_PARTS - 1;
}

static uint64_t first_of(uint32_t part)
{
    return part < MH_ZIPF_PARTS ? part : (uint64_t)(MH_ZIPF_PARTS + part % MH_ZIPF_PARTS) << shift_of(part);
}

static uint32_t part_of(uint64_t rank)
{
    const uint64_t octaves = rank / MH_ZIPF_PARTS;
    const uint32_t shift = octaves ? 63 - (uint32_t)__builtin_clzll(octaves) : 0;

    return shift * MH_ZIPF_PARTS + (uint32_t)(rank >> shift);
}

/* Its ranks times the weight of the middle one. */
static uint64_t weight_of(uint32_t part, uint32_t hundredths)
{
    const uint32_t shift = shift_of(part);
    const uint64_t twice_middle = 2 * first_of(part) + ((uint64_t)1 << shift) - 1;
    const int64_t log2_middle = log2_of(twice_middle) - ((int64_t)1 << 32);

    return exp2_of(((int64_t)shift << 32) - log2_middle * hundredths / 100);
}

void mh_zipf_make(struct mh_zipf *z, uint32_t hundredths)
{
    z->below[0] = z->below[1] = 0; /* there is no rank 0 */
    for (uint32_t part = 1; part < MH_ZIPF_TABLE; part++)
        z->below[part + 1] = z->below[part] + weight_of(part, hundredths);
}

static uint64_t scale(uint64_t a, uint64_t b, unsigned shift)
{
    return (uint64_t)((unsigned __int128)a * b >> shift);
}

/* Of ranks 1 .. n. */
static uint64_t weight_to(const struct mh_zipf *z, uint64_t n)
{
    const uint32_t part = part_of(n + 1);

    return z->below[part] + scale(z->below[part + 1] - z->below[part], n + 1 - first_of(part), shift_of(part));
}

uint64_t mh_zipf_draw(const struct mh_zipf *z, uint64_t random, uint64_t n)
{
    const uint64_t weight = scale(random, weight_to(z, n), 64);
    uint32_t low = 1, high = part_of(n) + 1;

    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;

        if (z->below[middle] <= weight)
            low = middle;
        else
            high = middle;
    }
    const uint64_t width = (uint64_t)1 << shift_of(low), of = z->below[low + 1] - z->below[low];
    const uint64_t rank = first_of(low) + (uint64_t)((unsigned __int128)(weight - z->below[low]) * width / of);

    return (rank < n ? rank : n) - 1;
}
