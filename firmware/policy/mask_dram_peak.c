/*
 * The same with the maxima of the epoch, the other reading of equation 1: the counter of walks stands at the most that
 * there were at a time, WarpsStalled is the highest of all MSHR entries. Where two busy tenants both reach what 6 bits
 * can count, their turns are equal.
 */
#define MASK_DRAM_POLICY mask_dram_peak
#include "mask_dram_policy.h"

static void mask_dram_peak_restart(void)
{
    /* Nothing to remember: the gauges restart with each epoch. */
}

static void mask_dram_peak_measure(const struct gpu_caps *caps, struct mask_dram_counters *now)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        now[tenant].walks = (uint8_t)gpu_count(tenant, MH_COUNTER_WALKS_PEAK);
        now[tenant].stalled = (uint8_t)gpu_count(tenant, MH_COUNTER_STALLED_PEAK);
    }
}
