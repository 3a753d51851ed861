/*
 * A policy to copy: this file, template.h and tests/unit/firmware/test_policy_template.c. Rename `template`, write your
 * own decision, and add one line to the list of an image.
 */
#include "template.h"

#include <string.h>

#include "policy.h"

/* Every constant has a name, a unit and a source. */
enum {
    LOW_HIT_DIVISOR = 4, /* a quarter of the look-ups; ours */
};

/* Counters in, knob out. No register and no clock, so that the unit test can drive it with numbers. */
uint32_t template_decide(struct template_state *state, uint32_t slots, const struct template_counters *now)
{
    uint64_t accesses = now->accesses - state->last.accesses;
    uint64_t hits = now->hits - state->last.hits;

    state->last = *now;
    if (hits >= accesses / LOW_HIT_DIVISOR)
        return slots;
    return slots > 1 ? slots / 2 : 1;
}

/* The knobs that this policy sets; an image with another policy that sets one of them does not link. */
POLICY_OWNS(CTA_LIMIT);

static struct template_state template_states[GPU_MAX_TENANTS];

/* Sets all state: an image may start again in memory that was used before. */
static enum policy_status template_init(const struct gpu_caps *caps)
{
    memset(template_states, 0, sizeof template_states);
    return caps->features & MH_FEATURE_CTA_LIMIT ? POLICY_OK : POLICY_UNSUPPORTED;
}

/* The counters are latched already and COMMIT comes by itself. */
static void template_on_epoch(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        struct template_counters now;

        now.accesses = gpu_counter(tenant, MH_COUNTER_L1D_ACCESS);
        now.hits = gpu_counter(tenant, MH_COUNTER_L1D_HIT);
        gpu_set_knob(CTA_LIMIT, tenant, template_decide(&template_states[tenant], caps->cta_slots, &now));
    }
}

/* A tenant that starts over has another behaviour at first; a policy that cares resets its state of it here. */
static void template_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_DONE && event->tenant < caps->tenants)
        gpu_set_knob(CTA_LIMIT, event->tenant, caps->cta_slots);
}

const struct policy policy_template = {
    .name = "template",
    .init = template_init,
    .on_epoch = template_on_epoch,
    .on_event = template_on_event,
};
