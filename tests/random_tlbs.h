/*
 * TLBs of GPCs and entries that cover several pages, for half of the seeds, with hardly any room. Random numbers of
 * their own: the other runs are those without. random.h and the model come first.
 */
#ifndef TESTS_RANDOM_TLBS_H
#define TESTS_RANDOM_TLBS_H

#include "memhelm/config.h"
#include "random.h"

static inline void random_tlbs(struct mh_config *c, uint64_t seed)
{
    uint64_t rng = seed ^ 0x71b5;

    if (pick(&rng, 0, 1))
        return;
    c->sm.gpcs = pick(&rng, 1, c->sm.count);
    c->gpctlb.ways = pick(&rng, 1, 3);
    c->gpctlb.entries = pick(&rng, 0, 4) ? c->gpctlb.ways << pick(&rng, 0, 2) : 0;
    c->gpctlb.index = pick(&rng, 0, 1) ? MH_SETS_MODULO : MH_SETS_FOLD;
    c->gpctlb.covers = 1u << pick(&rng, 0, 4);
    c->gpctlb.ports = pick(&rng, 1, 4);
    c->gpctlb.latency = pick(&rng, 1, 20);
    c->gpctlb.mshrs = pick(&rng, 1, 4);
    c->gpctlb.wire = pick(&rng, 0, 1) * pick(&rng, 1, 9);
    c->l1tlb.covers = 1u << pick(&rng, 0, 1) * pick(&rng, 1, 4);
    c->l2tlb.covers = 1u << pick(&rng, 0, 4);
}

#endif
