/* Refuses SMs that cannot work, with the reason. */
#include "config/resolve.h"

static int check_shared(const struct mh_sm_cfg *c, struct mh_error *err)
{
    if (c->conflict_cycles && !c->shared_latency)
        return mh_fail(err,
                       "sm.conflict_cycles: %u, but shared memory takes no time (sm.shared_latency 0): give it a "
                       "latency, or 0 here",
                       c->conflict_cycles);
    return 0;
}

int mh_resolve_sm(const struct mh_config *cfg, struct mh_error *err)
{
    return check_shared(&cfg->sm, err);
}
