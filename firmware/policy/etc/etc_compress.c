/* Compressed pages (ETC sec. 4.4). Two policies, of which an image has one: etc_cc and etc_lcp. */
#include <string.h>

#include "../policy.h"
#include "etc.h"

POLICY_OWNS(COMPRESS);

/* etc_cc: pages that a tenant writes from now on are kept compressed, for those whose class calls for it. */

static uint8_t etc_cc_shadow[GPU_MAX_TENANTS];

/* COMPRESS is off at reset. */
enum policy_status etc_cc_init(const struct gpu_caps *caps)
{
    (void)caps;
    memset(etc_cc_shadow, 0, sizeof etc_cc_shadow);
    return POLICY_OK;
}

void etc_cc_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        bool on = etc_wants(tenant, ETC_CC);

        if (on == etc_cc_shadow[tenant])
            continue;
        etc_cc_shadow[tenant] = on;
        gpu_set_knob(COMPRESS, tenant, on);
    }
}

const struct policy policy_etc_cc = {
    .name = "etc_cc",
    .init = etc_cc_init,
    .on_epoch = etc_cc_on_epoch,
};

/* etc_lcp: every page of every tenant, whether memory is full or not: what compression alone costs (figure 8). */

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
