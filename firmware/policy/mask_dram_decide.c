#include "mask_dram_decide.h"

enum {
    CYCLE_BITS = 8,   /* an epoch's cycles are scaled below 2^8: a walk is so many units */
    STALLED_BITS = 8, /* a warp is 2^8 units */
    SUM_BITS = 23,    /* the sum of the products is scaled below 2^23: times thresh_max it fits 32 bits */
};

_Static_assert(8ull * MASK_DRAM_COUNTER_MAX * MASK_DRAM_COUNTER_MAX << (CYCLE_BITS + STALLED_BITS) <= UINT32_MAX &&
                   (MASK_DRAM_THRESH_MAX + 1ull) << SUM_BITS <= UINT32_MAX,
               "sums fit 32 bits");

static uint16_t saturated(uint32_t value, uint32_t one)
{
    return (uint16_t)(value < MASK_DRAM_COUNTER_MAX * one ? value : MASK_DRAM_COUNTER_MAX * one);
}

static uint16_t stalled_mean(uint32_t warps, uint32_t walks)
{
    while (warps >> (32 - STALLED_BITS - 1)) {
        warps >>= 1;
        walks >>= 1;
    }
    return walks ? saturated((warps << STALLED_BITS) / walks, 1u << STALLED_BITS) : 0;
}

void mask_dram_means(const struct mask_dram_sums *epoch, uint32_t tenants, uint32_t cycles,
                     struct mask_dram_counters *now)
{
    uint32_t shift = 0;

    /* All areas are of the same cycles: shifted instead of divided, they keep their proportion. */
    while (cycles >> shift >> CYCLE_BITS)
        shift++;
    for (uint32_t i = 0; i < tenants; i++) {
        now[i].walks = saturated(epoch[i].walks_area >> shift, cycles >> shift);
        now[i].stalled = stalled_mean(epoch[i].stalled, epoch[i].walks);
    }
}

static uint32_t product(const struct mask_dram_counters *c)
{
    return (uint32_t)c->walks * c->stalled;
}

void mask_dram_decide(const struct mask_dram_counters *now, uint32_t tenants, uint32_t *thresh)
{
    uint32_t sum = 0, shift = 0;

    for (uint32_t i = 0; i < tenants; i++)
        sum += product(&now[i]);
    while (sum >> shift >> SUM_BITS)
        shift++;

    uint32_t scaled = sum >> shift;

    for (uint32_t i = 0; i < tenants; i++)
        thresh[i] = scaled ? (MASK_DRAM_THRESH_MAX * (product(&now[i]) >> shift) + scaled / 2) / scaled
                           : MASK_DRAM_THRESH_MAX / tenants;
}
