/*
 * MASK's DRAM scheduler with means over the epoch. Sec. 5.4 calls ConPTW "the number of concurrent page walks" and
 * WarpsStalled "the number of warps stalled per active TLB miss": the quantities of figures 5 and 6, which are
 * averages. The counter of walks "tracks the number of concurrent TLB misses", and nothing says maximum; that of an
 * MSHR entry tracks "the maximum number of warps that hit in the entry", which is how many wait when its walk ends: per
 * miss, not over misses. How the epoch's counts become one number is not said. mask_dram_peak has the other reading.
 */
#include <string.h>

#define MASK_DRAM_POLICY mask_dram
#include "mask_dram_policy.h"

static struct mask_dram_sums mask_dram_last[GPU_MAX_TENANTS];
static uint32_t mask_dram_last_cycle;

static void mask_dram_restart(void)
{
    memset(mask_dram_last, 0, sizeof mask_dram_last);
    mask_dram_last_cycle = 0;
}

static struct mask_dram_sums mask_dram_since(struct mask_dram_sums *last, uint32_t tenant)
{
    const struct mask_dram_sums now = {
        .walks_area = gpu_count(tenant, MH_COUNTER_WALKS_AREA),
        .walks = gpu_count(tenant, MH_COUNTER_WALKS),
        .stalled = gpu_count(tenant, MH_COUNTER_STALLED_WARPS),
    };
    const struct mask_dram_sums epoch = {
        .walks_area = now.walks_area - last->walks_area,
        .walks = now.walks - last->walks,
        .stalled = now.stalled - last->stalled,
    };

    *last = now;
    return epoch;
}

static void mask_dram_measure(const struct gpu_caps *caps, struct mask_dram_counters *now)
{
    struct mask_dram_sums epoch[GPU_MAX_TENANTS];
    uint32_t cycle = gpu_snap_cycle_low();

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        epoch[tenant] = mask_dram_since(&mask_dram_last[tenant], tenant);
    mask_dram_means(epoch, caps->tenants, cycle - mask_dram_last_cycle, now);
    mask_dram_last_cycle = cycle;
}
