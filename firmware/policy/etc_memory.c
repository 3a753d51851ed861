/*
 * Who is oversubscribed: everybody, as soon as the tenants have allocated more than GPU memory holds. "When the total
 * allocated memory becomes larger than the GPU's physical memory, ETC becomes active" (sec. 4.5). Nobody without demand
 * paging.
 */
#include <string.h>

#include "etc.h"
#include "policy.h"

ETC_TELLS(MEMORY);

static enum policy_status etc_memory_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(etc.oversubscribed, 0, sizeof etc.oversubscribed);
    return POLICY_OK;
}

static void etc_memory_on_epoch(const struct gpu_caps *caps)
{
    uint32_t allocated[GPU_MAX_TENANTS];
    bool more = caps->uvm != 0 && etc_allocated(caps->tenants, allocated) > caps->uvm;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        etc.oversubscribed[tenant] = more;
}

const struct policy policy_etc_memory = {
    .name = "etc_memory",
    .init = etc_memory_init,
    .on_epoch = etc_memory_on_epoch,
};
