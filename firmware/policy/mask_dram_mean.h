/*
 * Makes a policy of MASK's DRAM scheduler with means over the epoch; MASK_DRAM_POLICY is its name, as in
 * mask_dram_policy.h.
 *
 * Sec. 5.4 calls ConPTW "the number of concurrent page walks" and WarpsStalled "the number of warps stalled per active
 * TLB miss": the quantities of figures 5 and 6, which are averages. The counter of walks "tracks the number of
 * concurrent TLB misses", and nothing says maximum; that of an MSHR entry tracks "the maximum number of warps that hit
 * in the entry", which is how many wait when its walk ends: per miss, not over misses. How the epoch's counts become
 * one number is not said. mask_dram_peak has the other reading.
 */
#include <string.h>

#include "mask_dram_policy.h"

static struct mask_dram_sums MASK_DRAM(_last)[GPU_MAX_TENANTS];
static uint32_t MASK_DRAM(_last_cycle);

static void MASK_DRAM(_restart)(void)
{
    memset(MASK_DRAM(_last), 0, sizeof MASK_DRAM(_last));
    MASK_DRAM(_last_cycle) = 0;
}

static struct mask_dram_sums MASK_DRAM(_since)(struct mask_dram_sums *last, uint32_t tenant)
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

static void MASK_DRAM(_measure)(const struct gpu_caps *caps, struct mask_dram_counters *now)
{
    struct mask_dram_sums epoch[GPU_MAX_TENANTS];
    uint32_t cycle = gpu_snap_cycle_low();

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        epoch[tenant] = MASK_DRAM(_since)(&MASK_DRAM(_last)[tenant], tenant);
    mask_dram_means(epoch, caps->tenants, cycle - MASK_DRAM(_last_cycle), now);
    MASK_DRAM(_last_cycle) = cycle;
}
