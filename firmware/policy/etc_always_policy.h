/*
 * Makes a policy that calls for the same techniques whatever a tenant's class is: the bars of ETC's figures 12 to 14
 * that show them one by one. The policy's file defines ETC_ALWAYS_POLICY, its name, and ETC_ALWAYS_TECHNIQUES, bits of
 * enum etc_technique, and includes this.
 */
#include "etc.h"
#include "policy.h"
#include "policy_name.h"

#define ETC_ALWAYS(what) POLICY_NAME(ETC_ALWAYS_POLICY, what)

ETC_TELLS(CLASS);

static enum policy_status ETC_ALWAYS(_init)(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        etc.techniques[tenant] = ETC_ALWAYS_TECHNIQUES;
    return POLICY_OK;
}

const struct policy POLICY_NAME(policy_, ETC_ALWAYS_POLICY) = {
    .name = POLICY_TEXT(ETC_ALWAYS_POLICY),
    .init = ETC_ALWAYS(_init),
};
