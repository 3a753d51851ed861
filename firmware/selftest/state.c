/*
 * Learns in each epoch, and goes on after a swap where it was: takes a token from each tenant per epoch, down to one,
 * and leaves their number to the image that takes over. --param state.version and state.length say what it understands.
 */
#include "../platform/state.h"
#include "../policy/param.h"
#include "../policy/policy.h"

POLICY_PARAM(state_version, 1, 1, 9, "version: of the state (ours)");
POLICY_PARAM(state_length, 1, 1, 61, "words: of the state, the first is used (ours)");
POLICY_OWNS(TOKENS);

enum { MINE = 0x4e4b4f54 }; /* ASCII TOKN */

static uint32_t state_words[STATE_WORDS]; /* tokens of a tenant, and room */

static void state_set(const struct gpu_caps *caps)
{
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(TOKENS, tenant, state_words[0]);
}

static enum policy_status state_init(const struct gpu_caps *caps)
{
    if (!state_take(MINE, state_version, state_words, state_length))
        state_words[0] = caps->warps;
    if (state_words[0] < 1 || state_words[0] > caps->warps)
        return POLICY_UNSUPPORTED;
    state_set(caps);
    return POLICY_OK;
}

static void state_on_epoch(const struct gpu_caps *caps)
{
    if (state_words[0] > 1)
        state_words[0]--;
    state_set(caps);
    state_publish(MINE, state_version, state_words, state_length);
}

const struct policy policy_state = {.name = "state", .init = state_init, .on_epoch = state_on_epoch};

#define IMAGE_NAME             "selftest/state"
#define IMAGE_POLICIES(POLICY) POLICY(state)
#include "../image/common/image.h"
