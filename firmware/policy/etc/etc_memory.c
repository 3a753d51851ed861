/*
 * Which tenants are oversubscribed. Two policies, of which an image has one: etc_memory, as the paper has it, and
 * etc_share, for several tenants.
 */
#include "etc.h"

#include <string.h>

#include "../policy.h"

ETC_TELLS(MEMORY);

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

/*
 * etc_memory: all tenants, as soon as they have allocated more than GPU memory holds. "When the total allocated
 * memory becomes larger than the GPU's physical memory, ETC becomes active" (sec. 4.5). None without demand paging.
 */

static enum policy_status etc_memory_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(&etc, 0, sizeof etc);
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

/*
 * etc_share: ETC for several tenants, so that one that thrashes cannot evict what another one works with (ours; ETC has
 * one tenant).
 *
 * The rule: GPU memory is divided max-min fair by what the tenants have allocated. Each may keep its share (UVM_QUOTA):
 * units of those above theirs leave first. A tenant is oversubscribed if its own share is less than what it has
 * allocated, whatever the others have. So only those who do not fit their share evict ahead, are compressed, or are
 * throttled, on their own SMs and by evictions of their own units.
 *
 * The amount of one eviction belongs to no share. So full memory has as many units above quotas as leave at once:
 * with shares of all of it, hardware would soon find no tenant above its quota and take the oldest unit.
 */

/* One more tenant is content with what it has allocated. False: none is. */
static bool settle(uint32_t tenants, const uint32_t allocated[], uint32_t part, uint32_t *open, uint32_t *tenant)
{
    for (*tenant = 0; *tenant < tenants; ++*tenant)
        if ((*open >> *tenant & 1) && allocated[*tenant] <= part) {
            *open &= ~(1u << *tenant);
            return true;
        }
    return false;
}

static void divide(uint32_t rest, uint32_t tenants, uint32_t count, uint32_t open, uint32_t share[])
{
    uint32_t over = count > 0 ? rest % count : 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        if (!(open >> tenant & 1))
            continue;
        share[tenant] = rest / count + (over > 0);
        over -= over > 0;
    }
}

static bool fits(uint32_t capacity, uint32_t tenants, const uint32_t allocated[])
{
    uint64_t sum = 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++)
        sum += allocated[tenant];
    return sum <= capacity;
}

void etc_share_decide(uint32_t capacity, uint32_t spare, uint32_t tenants, const uint32_t allocated[], uint32_t share[])
{
    uint32_t open = (1u << tenants) - 1, count = tenants, tenant;
    uint32_t rest = fits(capacity, tenants, allocated) ? capacity : capacity - spare;

    while (count > 0 && settle(tenants, allocated, rest / count, &open, &tenant)) {
        share[tenant] = allocated[tenant];
        rest -= allocated[tenant];
        count--;
    }
    divide(rest, tenants, count, open, share);
}

/* Of an eviction (ETC, table 1). Of little memory a quarter at most (ours). */
enum { ETC_SHARE_EVICTION = 0x200000, ETC_SHARE_SPARE = 4 };

static uint32_t etc_share_spare(const struct gpu_caps *caps)
{
    uint32_t units = ETC_SHARE_EVICTION / caps->uvm_unit, most = caps->uvm / ETC_SHARE_SPARE;

    return units < most ? units : most;
}

POLICY_OWNS(UVM_QUOTA);

/* In the shadow registers: what does not change is not written again. */
static uint32_t etc_share_quota[GPU_MAX_TENANTS];

enum policy_status etc_share_init(const struct gpu_caps *caps)
{
    memset(&etc, 0, sizeof etc);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        etc_share_quota[tenant] = caps->uvm;
        gpu_set_knob(UVM_QUOTA, tenant, caps->uvm);
    }
    return POLICY_OK;
}

void etc_share_on_epoch(const struct gpu_caps *caps)
{
    static uint32_t allocated[GPU_MAX_TENANTS];
    uint32_t share[GPU_MAX_TENANTS];

    if (caps->uvm == 0)
        return;
    etc_allocated(caps->tenants, allocated);
    etc_share_decide(caps->uvm, etc_share_spare(caps), caps->tenants, allocated, share);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        etc.oversubscribed[tenant] = allocated[tenant] > share[tenant];
        if (share[tenant] != etc_share_quota[tenant]) {
            etc_share_quota[tenant] = share[tenant];
            gpu_set_knob(UVM_QUOTA, tenant, share[tenant]);
        }
    }
}

const struct policy policy_etc_share = {
    .name = "etc_share",
    .init = etc_share_init,
    .on_epoch = etc_share_on_epoch,
};
