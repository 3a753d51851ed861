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

POLICY_OWNS(DRAM_QUEUES);
POLICY_OWNS(SILVER_THRESH);

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

/*
 * A workload of one tenant keeps the one queue (ours): it has nobody to take turns with, and loses by a smaller queue
 * and by walks that break its row hits. KMeans alone on preset simt, mask-golden over walk-fcfs: -4.5 %. A normal queue
 * as large as the one queue: -4.3 %. No walks: -3.3 %. Both: 0.0 % (`memhelm reproduce causes`, rows alone-*).
 */
static enum policy_status mask_dram_init(const struct gpu_caps *caps)
{
    if (!(caps->features & MH_FEATURE_DRAM_QUEUES))
        return POLICY_UNSUPPORTED;
    gpu_set_knob(DRAM_QUEUES, 0, caps->tenants > 1);
    mask_dram_set_equal(caps);
    return POLICY_OK;
}

static void mask_dram_on_epoch(const struct gpu_caps *caps)
{
    struct mask_dram_counters now[GPU_MAX_TENANTS] = {{0, 0}};

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        now[tenant].walks = (uint8_t)gpu_count(tenant, MH_COUNTER_WALKS_PEAK);
        now[tenant].stalled = (uint8_t)gpu_count(tenant, MH_COUNTER_STALLED_PEAK);
    }
    mask_dram_set(caps->tenants, now);
}

/* One that has left needs nothing: without requests its turn passes at once, and the others keep their proportion. */
static void mask_dram_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED)
        mask_dram_set_equal(caps);
}

const struct policy policy_mask_dram = {
    .name = "mask_dram",
    .init = mask_dram_init,
    .on_epoch = mask_dram_on_epoch,
    .on_event = mask_dram_on_event,
};
