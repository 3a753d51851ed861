/*
 * Issue credits: how many requests a tenant may send from one SM before the next interval (CCBP sec. 6.2).
 *
 * At each start of an interval a tenant has its quota and the fraction of a credit that it had left; whole credits that
 * it did not use are gone (ours: the paper resets the credits to the quota, in whole requests. One of its 20 units of
 * bandwidth is less than a request, so the fraction has to carry). A request takes a whole credit. Nothing happens at
 * the starts: the credits are worked out when somebody asks.
 */
#ifndef MEMHELM_MISSQ_CREDITS_H
#define MEMHELM_MISSQ_CREDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/registers.h"

/** In units of ISSUE_RATE, MH_RATE_ONE for a request. */
struct mh_issue_credits {
    uint64_t interval; /**< that the rest is of */
    uint32_t quota;    /**< that came at its start; MH_RATE_FREE: there is no limit, and the rest is 0 */
    uint32_t carried;  /**< came with it: a fraction, below MH_RATE_ONE */
    uint32_t left;
    uint32_t taken; /**< requests */
};

/** No limit, from interval 0 on. */
static inline struct mh_issue_credits mh_credits_free(void)
{
    return (struct mh_issue_credits){.quota = MH_RATE_FREE};
}

/** It is `interval`, no earlier than before. `rate` is the quota of all intervals that have started since. */
void mh_credits_at(struct mh_issue_credits *c, uint64_t interval, uint32_t rate);

static inline bool mh_credits_enough(const struct mh_issue_credits *c)
{
    return c->quota == MH_RATE_FREE || c->left >= MH_RATE_ONE;
}

/** For one request; there must be enough. */
void mh_credits_take(struct mh_issue_credits *c);

/** First interval with enough, where this one has not, if the quota is `rate` from the next one on. */
uint64_t mh_credits_next(const struct mh_issue_credits *c, uint32_t rate);

#endif
