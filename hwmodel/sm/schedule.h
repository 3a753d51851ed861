/*
 * Warp schedulers: which of the ready warps issues.
 *
 *   gto        greedy then oldest (Rogers et al., MICRO 2012): the warp that issued last, else the oldest
 *   lrr        loose round robin: the next ready one after the warp that issued last
 *   two-level  round robin inside a fetch group of warps; the next group when none of it is ready (Narasiman et al.,
 *              MICRO 2011). Groups are neighbouring warp slots of the scheduler
 *
 * Each scheduler of an SM has an issue port and chooses among the warps of it. Whose tenant's a warp is makes no
 * difference.
 */
#ifndef MEMHELM_SM_SCHEDULE_H
#define MEMHELM_SM_SCHEDULE_H

#include <stdint.h>

struct mh_sm;
struct mh_issue_port;

enum mh_scheduler { MH_GTO, MH_LRR, MH_TWO_LEVEL, MH_SCHEDULERS };

/** By the name in a configuration; MH_SCHEDULERS when there is none such. */
enum mh_scheduler mh_scheduler_named(const char *name);

/**
 * GTO among `ready`, not 0: a bit per warp, older ones below younger ones. `last` issued last; above 63: nobody.
 */
static inline uint32_t mh_greedy_then_oldest(uint32_t last, uint64_t ready)
{
    uint64_t greedy = last < 64 ? ready & 1ull << last : 0;

    return (uint32_t)__builtin_ctzll(greedy ? greedy : ready);
}

/** One of the positions in `ready` (not 0), all of them the port's. */
uint32_t mh_sm_choose(const struct mh_sm *sm, const struct mh_issue_port *port, uint64_t ready);

#endif
