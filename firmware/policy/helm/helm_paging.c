/*
 * helm_paging: ETC for tenants that do not fit their share of memory. Where its class calls for throttling, half of the
 * SMs, what the tenant touches must come over the link for it, too: SAD works on what is there, and ETC halves its
 * speed.
 */
#include <string.h>

#include "../etc/etc.h"
#include "../param.h"
#include "helm.h"

POLICY_PARAM(helm_touched, 32, 1, 65535,
             "bytes: touched for a byte from the host up to which a tenant thrashes (ours)");

static struct helm_thrash helm_paging_tenants[GPU_MAX_TENANTS];
static uint32_t helm_paging_line;
static bool helm_paging_there; /* demand paging, and what throttles SMs */

static enum policy_status helm_paging_init(const struct gpu_caps *caps)
{
    memset(helm_paging_tenants, 0, sizeof helm_paging_tenants);
    helm_paging_line = reg_read(MH_REG_CAP_LINE_BYTES);
    helm_paging_there = caps->uvm != 0 && helm_has(caps, MH_FEATURE_SM_THROTTLE);
    if (!helm_paging_there)
        return POLICY_OK;
    (void)etc_share_init(caps);
    (void)etc_classify_init(caps);
    (void)etc_pe_init(caps);
    (void)etc_cc_init(caps);
    return etc_throttle_begin(caps);
}

/* Over what etc_share and etc_classify have said. */
static void helm_paging_veto(uint32_t tenant)
{
    struct helm_thrash *t = &helm_paging_tenants[tenant];
    uint32_t in = gpu_count(tenant, MH_COUNTER_UVM_IN_BYTES), lines = gpu_count(tenant, MH_COUNTER_MEM_LINES);

    helm_thrash_update(t, helm_paging_line, helm_touched, in, lines);
    if (etc_wants(tenant, ETC_MT) && !t->thrashes)
        etc.oversubscribed[tenant] = false;
}

static void helm_paging_on_epoch(const struct gpu_caps *caps)
{
    if (!helm_paging_there)
        return;
    etc_share_on_epoch(caps);
    etc_classify_on_epoch(caps);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        helm_paging_veto(tenant);
    etc_pe_on_epoch(caps);
    etc_cc_on_epoch(caps);
    etc_throttle_on_epoch(caps);
}

static void helm_paging_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (!helm_paging_there)
        return;
    if (event->kind == MH_EVENT_TENANT_ARRIVED && event->tenant < caps->tenants)
        helm_paging_tenants[event->tenant].in = helm_paging_tenants[event->tenant].lines = 0;
    etc_classify_on_event(caps, event);
    etc_throttle_on_event(caps, event);
}

static void helm_paging_on_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (helm_paging_there)
        etc_throttle_on_page_fault(caps, fault);
}

static void helm_paging_on_timer(const struct gpu_caps *caps)
{
    if (helm_paging_there)
        etc_throttle_on_timer(caps);
}

const struct policy policy_helm_paging = {
    .name = "helm_paging",
    .init = helm_paging_init,
    .on_epoch = helm_paging_on_epoch,
    .on_event = helm_paging_on_event,
    .on_page_fault = helm_paging_on_page_fault,
    .on_timer = helm_paging_on_timer,
};
