/* DWS++ of the walk stealing paper (walk.h). It owns all knobs of DWS++ but who owns the walkers. */
#include "walk.h"

#include "../param.h"

POLICY_PARAM(dwspp_table, 0, 0, 2, "row of table VII (DWS++): 0 default, 1 conservative, 2 aggressive");

const struct dwspp_table dwspp_tables[DWSPP_TABLES] = {
    [DWSPP_DEFAULT] = {{400, 600, 800, 900, MH_DIFF_NEVER}, 51},
    [DWSPP_CONSERVATIVE] = {{400, 600, 800, 900, MH_DIFF_NEVER}, 17},
    [DWSPP_AGGRESSIVE] = {{300, 300, 300, 300, 300}, 51},
};

/*
 * Row of the ratio larger / smaller: up to and including 1.5, 2, 3, 4, and above (tables IV and VII); a smaller of 0 is
 * above. In halves of the larger, so that there is nothing to divide: a handler that runs every 200 walks has few
 * cycles.
 */
static uint32_t dwspp_row(uint32_t halves, uint32_t smaller)
{
    uint32_t twice = smaller << 1, thrice = twice + smaller;

    if (halves <= thrice)
        return 0;
    if (halves <= twice << 1)
        return 1;
    if (halves <= thrice << 1)
        return 2;
    return halves <= twice << 2 ? 3 : 4;
}

/* The busiest tenant is the larger one of every comparison, its own with the second included. */
void dwspp_decide(const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq, uint16_t *diff_thres)
{
    uint32_t busiest = 0, first = 0, second = 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t walks = enq[tenant];

        if (walks <= second)
            continue;
        second = walks;
        if (walks > first) {
            second = first;
            first = walks;
            busiest = tenant;
        }
    }
    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t smaller = tenant == busiest ? second : enq[tenant];

        diff_thres[tenant] = table->diff_thres[dwspp_row(2 * first, smaller)];
    }
}

uint32_t dwspp_queue_thres(const struct dwspp_table *table, uint32_t entries)
{
    return entries * table->queue_percent / 100;
}

/* ---- on the GPU */

enum { DWSPP_EPOCH = 200 }; /* walks (sec. VI-A, default) */

POLICY_OWNS(WALK_STEAL);
POLICY_OWNS(QUEUE_THRES);
POLICY_OWNS(DIFF_THRES);
POLICY_OWNS(WALK_EPOCH);

/* In the shadow registers: what does not change is not written again. */
static uint16_t walk_dwspp_shadow[GPU_MAX_TENANTS];

static const struct dwspp_table *walk_dwspp_table(void)
{
    return &dwspp_tables[dwspp_table];
}

/* No stealing by thresholds before the first epoch has ended ([DWS] pagewalk.cc:45: a threshold of 1.0, not above). */
static enum policy_status walk_dwspp_init(const struct gpu_caps *caps)
{
    if ((caps->features & MH_FEATURE_WALK_QUEUES) == 0)
        return POLICY_UNSUPPORTED;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        walk_dwspp_shadow[tenant] = MH_DIFF_NEVER;
        gpu_set_knob(DIFF_THRES, tenant, MH_DIFF_NEVER);
    }
    gpu_set_knob(WALK_STEAL, 0, MH_STEAL_DWSPP);
    gpu_set_knob(QUEUE_THRES, 0, dwspp_queue_thres(walk_dwspp_table(), caps->walk_queue / caps->walkers));
    gpu_set_knob(WALK_EPOCH, 0, DWSPP_EPOCH);
    return POLICY_OK;
}

static void walk_dwspp_on_walk_epoch(const struct gpu_caps *caps)
{
    static uint32_t enq[GPU_MAX_TENANTS];
    uint16_t diff_thres[GPU_MAX_TENANTS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        enq[tenant] = gpu_walk_enq(tenant);
    dwspp_decide(walk_dwspp_table(), caps->tenants, enq, diff_thres);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        if (diff_thres[tenant] != walk_dwspp_shadow[tenant]) {
            walk_dwspp_shadow[tenant] = diff_thres[tenant];
            gpu_set_knob(DIFF_THRES, tenant, diff_thres[tenant]);
        }
}

const struct policy policy_walk_dwspp = {
    .name = "walk_dwspp",
    .init = walk_dwspp_init,
    .on_walk_epoch = walk_dwspp_on_walk_epoch,
};
