/*
 * The decision of MASK's TLB-fill tokens (Ausavarungnirun et al., MASK, sec. 5.2): how many warps of a tenant may fill
 * the shared L2 TLB on each SM.
 */
#ifndef FIRMWARE_MASK_TOKENS_H
#define FIRMWARE_MASK_TOKENS_H

#include <stdbool.h>
#include <stdint.h>

#include "../policy.h"

/** What the paper calls a parameter, and the step that it does not give. */
struct mask_tokens_config {
    uint8_t initial_percent; /**< InitialTokens, % of the tenant's warps, 1..100 (sec. 6: 80) */
    uint8_t step_percent;    /**< how many more or fewer at a time, % of the tenant's warps, 1..100 (ours: 10) */
};

/** Low words of cumulative counters of one tenant: an epoch has less than 2^31 look-ups. */
struct mask_tokens_counters {
    uint32_t accesses; /**< L2 TLB look-ups, pages */
    uint32_t hits; /**< look-ups that hit in the L2 TLB or in the bypass cache: "a hit in either yields a TLB hit" */
};

/** What the decision remembers of one tenant. All zero before the first epoch. */
struct mask_tokens_state {
    struct mask_tokens_counters last; /**< at the end of the last epoch */
    uint32_t tokens;                  /**< decided last, warps per SM; 0 = none yet: the tenant is not restricted */
    uint32_t warps;                   /**< that `tokens` were decided for */
    uint32_t miss_rate;               /**< of the last epoch with look-ups, in units of 0.01 % */
    bool has_miss_rate;               /**< there was such an epoch */
};

/**
 * Decides at the end of an epoch. `warps` is the most warps that the tenant has had on an SM so far, 0..65535; `now`
 * the counters at this cycle. Returns the tokens to set, 1..warps, or 0 while there is nothing to decide from.
 *
 * Without warps there is nothing of which to take a share: the tokens stay as they are, at first no restriction. The
 * first epoch with warps ends with the initial tokens. Later ones compare miss rates: up by more than 2 % takes tokens
 * away, down by more than 2 % gives some back, never below one. An epoch without look-ups says nothing about
 * contention, and the next comparison is against the last epoch that had some (ours).
 *
 * A tenant whose CTAs come one after the other has few warps in its first epoch. When it has more, the tokens grow by
 * as much as the initial tokens would; what was given and taken since stays (ours: the paper does not say). With fewer
 * they shrink alike.
 *
 * A miss rate is kept 0.0108 % too low to 0.0008 % too high, whatever the counts. So a change of 1.998 % or less never
 * moves a token, one of 2.012 % or more always does.
 */
uint32_t mask_tokens_decide(const struct mask_tokens_config *config, struct mask_tokens_state *state, uint32_t warps,
                            const struct mask_tokens_counters *now);

/**
 * The tenant has arrived: nothing is decided for it, as before its first epoch. Its counters go on.
 */
void mask_tokens_restart(struct mask_tokens_state *state);

/** State of each tenant, for mask_adaptive. */
extern struct mask_tokens_state mask_tokens_states[GPU_MAX_TENANTS];

/** Hooks of policy mask_tokens, which mask_adaptive calls. */
enum policy_status mask_tokens_init(const struct gpu_caps *caps);
void mask_tokens_on_epoch(const struct gpu_caps *caps);
void mask_tokens_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

#endif
