/* Sets a knob of a tenant that the GPU does not have: ends as a fault with cause 7 (store access fault). */
#include "../policy/policy.h"

POLICY_OWNS(TOKENS);

static void bad_tenant_on_epoch(const struct gpu_caps *caps)
{
    gpu_set_knob(TOKENS, caps->tenants, 1);
}

const struct policy policy_bad_tenant = {.name = "bad_tenant", .on_epoch = bad_tenant_on_epoch};

#define IMAGE_NAME             "selftest/bad-tenant"
#define IMAGE_POLICIES(POLICY) POLICY(bad_tenant)
#include "../image/common/image.h"
