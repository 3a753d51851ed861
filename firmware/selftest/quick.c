/* What `slow` decides, with one 32-bit division for each tenant. Passes. */
#include "../policy/policy.h"

enum { QUICK_FRACTION = 12, QUICK_BITS = 20 };

/* part / all in 1/4096; both lose low bits until they leave room for the fraction. */
static uint32_t quick_rate(uint64_t part, uint64_t all)
{
    while (all >> QUICK_BITS != 0 || part >> QUICK_BITS != 0) {
        part >>= 1;
        all >>= 1;
    }
    return (uint32_t)all != 0 ? ((uint32_t)part << QUICK_FRACTION) / (uint32_t)all : 0;
}

static volatile uint32_t quick_shares;

static void quick_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t rate = quick_rate(gpu_counter(tenant, MH_COUNTER_WALKS), gpu_counter(tenant, MH_COUNTER_MEM_INSTR));

        for (uint32_t warps = 1; warps <= caps->warps; warps++)
            quick_shares = rate * warps >> QUICK_FRACTION;
    }
}

const struct policy policy_quick = {.name = "quick", .on_epoch = quick_on_epoch};

#define IMAGE_NAME             "selftest/quick"
#define IMAGE_POLICIES(POLICY) POLICY(quick)
#include "../image/common/image.h"
