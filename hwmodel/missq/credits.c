#include "missq/credits.h"

#include "engine/check.h"

void mh_credits_at(struct mh_issue_credits *c, uint64_t interval, uint32_t rate)
{
    uint64_t starts = interval - c->interval;

    if (!starts)
        return;
    /* Of all intervals but the last, which took nothing, the fractions alone are left. */
    uint64_t carried = (c->left + (starts - 1) * rate) % MH_RATE_ONE;

    *c = (struct mh_issue_credits){.interval = interval, .quota = rate};
    if (rate == MH_RATE_FREE)
        return;
    c->carried = (uint32_t)carried;
    c->left = rate + c->carried;
}

void mh_credits_take(struct mh_issue_credits *c)
{
    MH_CHECK(mh_credits_enough(c));
    if (c->quota == MH_RATE_FREE)
        return;
    c->left -= MH_RATE_ONE;
    c->taken++;
}

/* Below one credit nothing lapses: each start adds the whole quota. */
uint64_t mh_credits_next(const struct mh_issue_credits *c, uint32_t rate)
{
    uint32_t missing = MH_RATE_ONE - c->left;

    return c->interval + (rate >= missing ? 1 : (missing + rate - 1) / rate);
}
