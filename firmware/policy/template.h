/* The decision of the template: copy it together with template.c and tests/unit/firmware/test_policy_template.c. */
#ifndef FIRMWARE_TEMPLATE_H
#define FIRMWARE_TEMPLATE_H

#include <stdint.h>

/** Cumulative counters of one tenant that the decision looks at. */
struct template_counters {
    uint64_t accesses; /**< L1D look-ups, lines */
    uint64_t hits;     /**< those that hit */
};

/** What the decision remembers of one tenant. All zero before the first epoch. */
struct template_state {
    struct template_counters last; /**< at the end of the last epoch */
};

/**
 * Decides at the end of an epoch: a tenant that hit in less than a quarter of its L1D look-ups gets half of the
 * `slots` CTA slots of an SM, any other tenant all of them. Returns CTAs per SM, 1..slots; `slots` is at least 1.
 * An example of the form, not a recommendation: ours.
 */
uint32_t template_decide(struct template_state *state, uint32_t slots, const struct template_counters *now);

#endif
