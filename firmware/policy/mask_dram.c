#include "mask_dram.h"

#include "policy.h"

enum { COUNTER_MAX = 63 };

/* thresh_max times a product, and the sum of the products of all tenants, fit 32 bits: no fraction has to be kept. */
_Static_assert(GPU_MAX_TENANTS <= 8 && MASK_DRAM_THRESH_MAX <= 0xffff, "products fit 32 bits");

static uint32_t product(const struct mask_dram_counters *c)
{
    uint32_t walks = c->walks < COUNTER_MAX ? c->walks : COUNTER_MAX;
    uint32_t stalled = c->stalled < COUNTER_MAX ? c->stalled : COUNTER_MAX;

    return walks * stalled;
}

void mask_dram_decide(const struct mask_dram_counters *now, uint32_t tenants, uint32_t *thresh)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < tenants; i++)
        sum += product(&now[i]);
    for (uint32_t i = 0; i < tenants; i++)
        thresh[i] = sum ? (MASK_DRAM_THRESH_MAX * product(&now[i]) + sum / 2) / sum : MASK_DRAM_THRESH_MAX / tenants;
}
