#include "walk.h"

static uint32_t count_tenants(uint32_t mask)
{
    uint32_t count = 0;

    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

/* The tenant whose bit is the n-th of the mask, from 0. */
static uint32_t nth_tenant(uint32_t mask, uint32_t n)
{
    uint32_t tenant = 0;

    while (n-- > 0)
        mask &= mask - 1;
    while ((mask >> tenant & 1) == 0)
        tenant++;
    return tenant;
}

static uint32_t all_tenants(uint32_t tenants)
{
    return UINT32_MAX >> (32 - tenants);
}

uint32_t walk_partition_owner(uint32_t walker, uint32_t walkers, uint32_t present, uint32_t tenants)
{
    uint32_t mask = present & all_tenants(tenants);

    if (mask == 0)
        mask = all_tenants(tenants);
    return nth_tenant(mask, walker * count_tenants(mask) / walkers);
}

POLICY_OWNS(WALK_QUEUES);
POLICY_OWNS(WALKER_OWNER);

/* Tenants that are there, a bit each. */
static uint32_t walk_partition_present;

static void walk_partition_set_owners(const struct gpu_caps *caps)
{
    for (uint32_t walker = 0; walker < caps->walkers; walker++)
        gpu_set_knob(WALKER_OWNER, walker,
                     walk_partition_owner(walker, caps->walkers, walk_partition_present, caps->tenants));
}

enum policy_status walk_partition_init(const struct gpu_caps *caps)
{
    if ((caps->features & MH_FEATURE_WALK_QUEUES) == 0)
        return POLICY_UNSUPPORTED;
    walk_partition_present = reg_read(MH_REG_TENANTS);
    gpu_set_knob(WALK_QUEUES, 0, 1);
    walk_partition_set_owners(caps);
    return POLICY_OK;
}

/* What is queued stays where it is: hardware serves it there (sec. VI-C). */
void walk_partition_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    uint32_t before = walk_partition_present, bit = event->tenant < caps->tenants ? 1u << event->tenant : 0;

    if (event->kind == MH_EVENT_TENANT_ARRIVED)
        walk_partition_present |= bit;
    else if (event->kind == MH_EVENT_TENANT_LEFT)
        walk_partition_present &= ~bit;
    if (walk_partition_present != before)
        walk_partition_set_owners(caps);
}

const struct policy policy_walk_partition = {
    .name = "walk_partition",
    .init = walk_partition_init,
    .on_event = walk_partition_on_event,
};
