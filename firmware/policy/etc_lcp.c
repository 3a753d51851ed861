/* Every page of every tenant is compressed, whether memory is full or not: what compression alone costs (figure 8). */
#include "policy.h"

POLICY_OWNS(COMPRESS);

static enum policy_status etc_lcp_init(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(COMPRESS, tenant, 1);
    return POLICY_OK;
}

const struct policy policy_etc_lcp = {
    .name = "etc_lcp",
    .init = etc_lcp_init,
};
