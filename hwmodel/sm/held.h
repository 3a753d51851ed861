/* Which warps may not issue now, whatever they wait for of their own: positions, for issue.c alone. */
#ifndef MEMHELM_SM_HELD_H
#define MEMHELM_SM_HELD_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/sm.h"

/** For one more memory instruction. */
static inline bool mh_lsu_room(const struct mh_sm *sm)
{
    return sm->lsu_count < sm->lsu_size;
}

/** The mask, or 0. */
static inline uint64_t mh_if_not(bool condition, uint64_t mask)
{
    return mask & ((uint64_t)condition - 1);
}

/** Warps that may not issue, or whose next instruction, a memory instruction, the LSU does not take. */
static inline uint64_t mh_shut_out(const struct mh_sm *sm, bool accepts)
{
    return mh_if_not(mh_lsu_room(sm) & accepts, sm->memory) | sm->held | (sm->held_memory & sm->memory);
}

#endif
