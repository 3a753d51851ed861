/* A 64-bit division for each warp of each tenant: more cycles than a decision may take with eight of them. Passes. */
#include "../policy/policy.h"

static uint64_t slow_share(uint64_t part, uint64_t all, uint32_t warps)
{
    return all != 0 ? part * warps / all : 0;
}

static volatile uint64_t slow_shares;

static void slow_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint64_t walks = gpu_counter(tenant, MH_COUNTER_WALKS), all = gpu_counter(tenant, MH_COUNTER_MEM_INSTR);

        for (uint32_t warps = 1; warps <= caps->warps; warps++)
            slow_shares = slow_share(walks, all, warps);
    }
}

const struct policy policy_slow = {.name = "slow", .on_epoch = slow_on_epoch};

#define IMAGE_NAME             "selftest/slow"
#define IMAGE_POLICIES(POLICY) POLICY(slow)
#include "../image/common/image.h"
