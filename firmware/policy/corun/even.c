/* Each kernel has an even share of the CTAs that it would have alone (CCBP sec. 5.4), and nothing else is done. */
#include "../ccbp/ccbp.h"
#include "corun.h"
#include "../policy.h"

POLICY_OWNS(CTA_LIMIT);
POLICY_OWNS(LAUNCH_EVENTS);

static void even_set(const struct gpu_caps *caps)
{
    uint32_t there = reg_read(MH_REG_TENANTS), count = corun_count(caps, there);
    struct ccbp_sm sm, cta;

    corun_read_sm(caps, &sm);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        if (!(there >> tenant & 1))
            continue;
        corun_read_cta(caps, tenant, &cta);
        uint32_t even = ccbp_most_ctas(&sm, &cta) / count;

        gpu_set_knob(CTA_LIMIT, tenant, even ? even : 1);
    }
}

static enum policy_status even_init(const struct gpu_caps *caps)
{
    gpu_set_knob(LAUNCH_EVENTS, 0, 1);
    even_set(caps);
    return caps->features & MH_FEATURE_CTA_LIMIT ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void even_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED || event->kind == MH_EVENT_TENANT_LEFT ||
        event->kind == MH_EVENT_TENANT_LAUNCH)
        even_set(caps);
}

const struct policy policy_even = {.name = "even", .init = even_init, .on_event = even_on_event};
