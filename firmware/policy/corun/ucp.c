/* UCP (Qureshi and Patt) on the L1Ds, as CCBP compares with it (sec. 7.5): ways to whom they save most misses. */
#include "ucp.h"

#include <string.h>

#include "../policy.h"

void ucp_begin(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS])
{
    memset(curve->hits, 0, sizeof curve->hits);
    memcpy(curve->before, now, sizeof curve->before);
}

void ucp_sample(struct ucp_curve *curve, const uint32_t now[UCP_POSITIONS])
{
    for (uint32_t p = 0; p < UCP_POSITIONS; p++) {
        curve->hits[p] = curve->hits[p] / 2 + (now[p] - curve->before[p]);
        curve->before[p] = now[p];
    }
}

/* Marginal utility: hits that so many more ways gain. */
struct gain {
    uint32_t hits, ways;
};

static int is_more(struct gain a, struct gain b)
{
    return (uint64_t)a.hits * b.ways > (uint64_t)b.hits * a.ways;
}

/* The most hits a way, with at most `balance` ways beyond those that the tenant has. */
static struct gain best_gain(const struct ucp_curve *curve, uint32_t has, uint32_t balance)
{
    struct gain best = {0, 1}, gain = {0, 0};

    for (uint32_t p = has; p < has + balance && p < UCP_POSITIONS; p++) {
        gain.hits += curve->hits[p];
        gain.ways++;
        if (is_more(gain, best))
            best = gain;
    }
    return best;
}

static uint32_t fewest(const uint8_t *allocated, uint32_t tenants)
{
    uint32_t fewest = 0;

    for (uint32_t t = 1; t < tenants; t++)
        if (allocated[t] < allocated[fewest])
            fewest = t;
    return fewest;
}

void ucp_partition(const struct ucp_curve *curves, uint32_t tenants, uint32_t ways, uint8_t allocated[])
{
    uint32_t balance = ways - tenants;

    memset(allocated, 1, tenants);
    while (balance > 0) {
        struct gain most = {0, 1};
        uint32_t winner = fewest(allocated, tenants);

        for (uint32_t t = 0; t < tenants; t++) {
            struct gain gain = best_gain(&curves[t], allocated[t], balance);

            if (is_more(gain, most)) {
                most = gain;
                winner = t;
            }
        }
        allocated[winner] = (uint8_t)(allocated[winner] + most.ways);
        balance -= most.ways;
    }
}

/* ---- on the GPU */

POLICY_OWNS(L1D_WAYS);
POLICY_OWNS(L1D_MONITOR);

_Static_assert(UCP_POSITIONS == MH_L1D_POSITIONS, "a counter for each position");

/* Epochs of 100 000 cycles; the paper decides every 5 million, and runs some billions (ours). */
enum { UCP_EPOCHS = 5 };

static struct {
    struct ucp_curve curves[GPU_MAX_TENANTS];
    uint32_t epochs;
} ucp_ways_state;

static void ucp_ways_read(uint32_t tenant, uint32_t hits[UCP_POSITIONS])
{
    for (uint32_t position = 0; position < UCP_POSITIONS; position++)
        hits[position] = gpu_l1d_hits(tenant, position);
}

static enum policy_status ucp_ways_init(const struct gpu_caps *caps)
{
    static const uint32_t none[UCP_POSITIONS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        ucp_begin(&ucp_ways_state.curves[tenant], none);
    ucp_ways_state.epochs = 0;
    if (!(caps->features & MH_FEATURE_L1D_WAYS) || gpu_l1d_ways() < caps->tenants)
        return POLICY_UNSUPPORTED;
    gpu_set_knob(L1D_MONITOR, 0, 1);
    return POLICY_OK;
}

static void ucp_ways_on_epoch(const struct gpu_caps *caps)
{
    uint32_t hits[UCP_POSITIONS];
    uint8_t ways[GPU_MAX_TENANTS];

    if (++ucp_ways_state.epochs % UCP_EPOCHS)
        return;
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        ucp_ways_read(tenant, hits);
        ucp_sample(&ucp_ways_state.curves[tenant], hits);
    }
    ucp_partition(ucp_ways_state.curves, caps->tenants, gpu_l1d_ways(), ways);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(L1D_WAYS, tenant, ways[tenant]);
}

const struct policy policy_ucp_ways = {.name = "ucp_ways", .init = ucp_ways_init, .on_epoch = ucp_ways_on_epoch};
