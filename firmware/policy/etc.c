#include "etc.h"

struct etc_state etc;

uint32_t etc_allocated(uint32_t tenants, uint32_t allocated[])
{
    uint32_t sum = 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        allocated[tenant] = gpu_count(tenant, MH_COUNTER_UVM_ALLOCATED);
        sum += allocated[tenant];
    }
    return sum;
}
