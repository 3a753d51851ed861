/* Rules of an L2 in two halves, of its atomics, and of stores in L1Ds. */
#include "config/resolve.h"

static int check_alone(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.far_latency)
        return mh_fail(err, "l2.far_latency: %u, but l2.halves is 1, and no bank is far: 0, or l2.halves 2",
                       c->l2.far_latency);
    if (c->l2.link_bytes)
        return mh_fail(err, "l2.link_bytes: %u, but l2.halves is 1, and there is no link: 0, or l2.halves 2",
                       c->l2.link_bytes);
    if (c->l2.far == MH_FAR_COPY)
        return mh_fail(err, "l2.far: copy, but l2.halves is 1, and no line is far: home, or l2.halves 2");
    return 0;
}

static int check_copies(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.far == MH_FAR_HOME)
        return 0;
    if (!c->l2.sector_bytes)
        return mh_fail(err, "l2.far: copy, but l2.sector_bytes is 0: 32 or 64, or l2.far home");
    if (c->dram.partition)
        return mh_fail(err, "l2.far: copy, but dram.partition is 1, and copies would lie in another tenant's banks: 0, "
                            "or l2.far home");
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
    return check_copies(c, err);
}

int mh_resolve_atomics(const struct mh_config *c, struct mh_error *err)
{
    if (c->l2.atomics == MH_ATOMICS_OFF && (c->l2.atomic_cycles || c->l2.atomic_latency))
        return mh_fail(err, "l2.atomic_%s: %u, but l2.atomics is off: 0, or l2.atomics bank",
                       c->l2.atomic_cycles ? "cycles" : "latency",
                       c->l2.atomic_cycles ? c->l2.atomic_cycles : c->l2.atomic_latency);
    if (c->l2.atomics == MH_ATOMICS_BANK && !c->l2.atomic_cycles)
        return mh_fail(err, "l2.atomic_cycles: 0, but l2.atomics is bank: 1..64, or l2.atomics off");
    return 0;
}

int mh_resolve_stores(const struct mh_config *c, struct mh_error *err)
{
    if (c->l1d.store_miss == MH_STORE_MISS_ALLOCATE && c->l1d.store_hit == MH_STORE_HIT_DROP)
        return mh_fail(err, "l1d.store_miss: allocate, but l1d.store_hit is drop: keep, or l1d.store_miss no_allocate");
    return 0;
}
