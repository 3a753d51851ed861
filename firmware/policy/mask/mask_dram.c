/* DRAM scheduler of MASK (mask.h). */
#include "mask.h"

#include <string.h>

#include "../param.h"

/*
 * Sec. 5.4 calls ConPTW "the number of concurrent page walks" and WarpsStalled "the number of warps stalled per active
 * TLB miss": the quantities of figures 5 and 6, which are averages. The counter of walks "tracks the number of
 * concurrent TLB misses", and nothing says maximum; that of an MSHR entry tracks "the maximum number of warps that hit
 * in the entry", which is how many wait when its walk ends: per miss, not over misses. How the epoch's counts become
 * one number is not said. Maxima are the other
 * reading: the counter of walks stands at the most that there were at a time, WarpsStalled is the highest of all MSHR
 * entries. Where two busy tenants both reach what 6 bits can count, their turns are equal.
 */
POLICY_PARAM(dram_peak, 0, 0, 1, "1: maxima of the epoch in equation 1; 0: means");

/* Without turns at the silver queue what is left of the effect is due to walks that go before data. */
POLICY_PARAM(dram_turns, 1, 0, 1, "0: the golden queue alone (ours); 1: turns at the silver queue, too");

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

/* ---- on the GPU */

POLICY_OWNS(DRAM_QUEUES);
POLICY_OWNS(SILVER_THRESH);

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

static void mask_dram_measure_peaks(const struct gpu_caps *caps, struct mask_dram_counters *now)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        now[tenant].walks = (uint8_t)gpu_count(tenant, MH_COUNTER_WALKS_PEAK);
        now[tenant].stalled = (uint8_t)gpu_count(tenant, MH_COUNTER_STALLED_PEAK);
    }
}

static void mask_dram_measure_means(const struct gpu_caps *caps, struct mask_dram_counters *now)
{
    static struct mask_dram_sums epoch[GPU_MAX_TENANTS];
    uint32_t cycle = gpu_snap_cycle_low();

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        epoch[tenant] = mask_dram_since(&mask_dram_last[tenant], tenant);
    mask_dram_means(epoch, caps->tenants, cycle - mask_dram_last_cycle, now);
    mask_dram_last_cycle = cycle;
}

static uint32_t mask_dram_thresh[GPU_MAX_TENANTS];

static void mask_dram_set(uint32_t tenants, const struct mask_dram_counters *now)
{
    mask_dram_decide(now, tenants, mask_dram_thresh);
    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        gpu_set_knob(SILVER_THRESH, tenant, mask_dram_thresh[tenant]);
}

/* For tenants of which nothing has been measured. */
static void mask_dram_set_equal(const struct gpu_caps *caps)
{
    static const struct mask_dram_counters nothing[GPU_MAX_TENANTS];

    mask_dram_set(caps->tenants, nothing);
}

static void mask_dram_set_none(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(SILVER_THRESH, tenant, 0);
}

/*
 * Three queues also for a workload of one tenant: sec. 5.4 excepts none, and golden is there for its walks. It can lose
 * by it. KMeans alone on preset simt, mask-dram:dram.turns=0 over walk-fcfs: -4.5 %. A normal queue as large as the one
 * queue: -4.3 %. No walks: -3.3 %. Both: 0.0 % (`memhelm reproduce causes`, rows alone-*). mask_adaptive tries one
 * queue from time to time.
 */
enum policy_status mask_dram_init(const struct gpu_caps *caps)
{
    mask_dram_restart();
    if (!(caps->features & MH_FEATURE_DRAM_QUEUES))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(DRAM_QUEUES, 0, 1);
    if (dram_turns)
        mask_dram_set_equal(caps);
    else
        mask_dram_set_none(caps);
    return POLICY_OK;
}

void mask_dram_on_epoch(const struct gpu_caps *caps)
{
    struct mask_dram_counters now[GPU_MAX_TENANTS] = {{0, 0}};

    if (!dram_turns)
        return;
    if (dram_peak)
        mask_dram_measure_peaks(caps, now);
    else
        mask_dram_measure_means(caps, now);
    mask_dram_set(caps->tenants, now);
}

/* One that has left needs nothing: without requests its turn passes at once, and the others keep their proportion. */
void mask_dram_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED && dram_turns)
        mask_dram_set_equal(caps);
}

const struct policy policy_mask_dram = {
    .name = "mask_dram",
    .init = mask_dram_init,
    .on_epoch = mask_dram_on_epoch,
    .on_event = mask_dram_on_event,
};
