/*
 * Whose turn it is at the Silver queue of one channel (MASK sec. 5.4, equation 1).
 *
 * A tenant's turn lasts until `thresh` of its data reads have entered the queue. Ours: the turn also passes, at once,
 * when nothing of the tenant waits in the channel or its threshold is 0. It goes to the next tenant that has a
 * threshold and requests, which may be the same one again; while there is none it stays.
 */
#ifndef MEMHELM_DRAM_TURN_H
#define MEMHELM_DRAM_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

struct mh_turn {
    uint32_t thresh[MH_MAX_TENANTS];  /**< requests of a turn; 0 = the tenant gets none */
    uint32_t waiting[MH_MAX_TENANTS]; /**< data reads of the tenant in the channel, in whatever queue */
    uint32_t owner;
    uint32_t sent; /**< that entered in this turn */
};

/** True if a data read of the tenant that arrives now finds that it is the tenant's turn. */
static inline bool mh_turn_is(const struct mh_turn *t, uint32_t tenant)
{
    /* If the owner may not go on, no other tenant could have taken over. */
    if (t->waiting[t->owner] && t->sent < t->thresh[t->owner])
        return tenant == t->owner;
    return t->thresh[tenant];
}

/** Passes the turn on if the owner's is over. Call after each change. */
static inline void mh_turn_pass(struct mh_turn *t)
{
    if (t->waiting[t->owner] && t->sent < t->thresh[t->owner])
        return;
    for (uint32_t i = 1; i <= MH_MAX_TENANTS; i++) {
        uint32_t next = (t->owner + i) % MH_MAX_TENANTS;

        if (t->waiting[next] && t->thresh[next]) {
            t->owner = next;
            t->sent = 0;
            return;
        }
    }
}

/** A data read of the tenant arrives; the caller then says whether it entered the Silver queue. */
static inline void mh_turn_arrive(struct mh_turn *t, uint32_t tenant)
{
    t->waiting[tenant]++;
    mh_turn_pass(t);
}

/** The owner's request entered the Silver queue. */
static inline void mh_turn_sent(struct mh_turn *t)
{
    t->sent++;
    mh_turn_pass(t);
}

/** A data read of the tenant was served. */
static inline void mh_turn_leave(struct mh_turn *t, uint32_t tenant)
{
    t->waiting[tenant]--;
    mh_turn_pass(t);
}

#endif
