/*
 * Policies that call for one technique whatever a tenant's class is: the bars of ETC's figures 12 to 14 that show them
 * one by one. An image that lists two of them calls for both.
 */
#include "../policy.h"
#include "etc.h"

ETC_TELLS(CLASS);

static enum policy_status etc_always_add(const struct gpu_caps *caps, enum etc_technique technique)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        etc.techniques[tenant] |= (uint8_t)technique;
    return POLICY_OK;
}

static enum policy_status etc_always_pe_init(const struct gpu_caps *caps)
{
    return etc_always_add(caps, ETC_PE);
}

static enum policy_status etc_always_mt_init(const struct gpu_caps *caps)
{
    return etc_always_add(caps, ETC_MT);
}

static enum policy_status etc_always_cc_init(const struct gpu_caps *caps)
{
    return etc_always_add(caps, ETC_CC);
}

const struct policy policy_etc_always_pe = {.name = "etc_always_pe", .init = etc_always_pe_init};
const struct policy policy_etc_always_mt = {.name = "etc_always_mt", .init = etc_always_mt_init};
const struct policy policy_etc_always_cc = {.name = "etc_always_cc", .init = etc_always_cc_init};
