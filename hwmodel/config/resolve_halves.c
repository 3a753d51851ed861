/* Rules of an L2 in two halves. */
#include "config/resolve.h"

static int check_alone(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.far_latency)
        return mh_fail(err, "l2.far_latency: %u, but l2.halves is 1, and no bank is far: 0, or l2.halves 2",
                       c->l2.far_latency);
    if (c->l2.link_bytes)
        return mh_fail(err, "l2.link_bytes: %u, but l2.halves is 1, and there is no link: 0, or l2.halves 2",
                       c->l2.link_bytes);
    return 0;
}

int mh_resolve_halves(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.halves == 1)
        return check_alone(c, err);
    if (c->dram.channels % 2)
        return mh_fail(err, "l2.halves: 2, but dram.channels is %u: an even number, or l2.halves 1", c->dram.channels);
    if (c->sm.count < 2)
        return mh_fail(err, "l2.halves: 2, but sm.count is 1: 2 or more, or l2.halves 1");
    if (c->noc.queues == MH_QUEUES_INPUT)
        return mh_fail(err, "noc.queues: input, but l2.halves is 2: output, or l2.halves 1");
    return 0;
}
