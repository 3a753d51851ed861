/*
 * Walks that wait for a walker, oldest first. Any of them may leave; the links are in the walks.
 *
 * A queue also counts the walks that the walkers it belongs to have ended: a walk waited for those that ended
 * meanwhile. Those of other tenants are WALKS_FOREIGN (walk stealing paper, tables III and V): the one queue belongs to
 * all walkers; with queues of their own under DWS it is one a walk at most, while owners stay.
 */
#ifndef MEMHELM_TRANSLATE_WAITING_H
#define MEMHELM_TRANSLATE_WAITING_H

#include <stdint.h>

#include "translate/instruction.h"
#include "translate/l2tlb.h"

/** End of a queue. */
#define MH_NO_WALK UINT32_MAX

/** Indices of struct mh_l2tlb.walk; all of one queue come from the same array. */
struct mh_walk_queue {
    uint32_t oldest, youngest; /**< MH_NO_WALK: empty */
    uint32_t count;
    uint32_t arrived;                  /**< walks that ever entered it; wraps */
    uint32_t last;                     /**< instruction of the walk that was served last; MH_NO_INSTRUCTION: none */
    uint32_t ended;                    /**< walks that its walkers have ended; wraps */
    uint32_t ended_of[MH_MAX_TENANTS]; /**< each tenant's of them */
};

static inline void mh_walk_queue_init(struct mh_walk_queue *q)
{
    *q = (struct mh_walk_queue){.oldest = MH_NO_WALK, .youngest = MH_NO_WALK, .last = MH_NO_INSTRUCTION};
}

/** A walker of this queue has ended a walk. */
static inline void mh_walk_queue_ended(struct mh_walk_queue *q, uint32_t tenant)
{
    q->ended++;
    q->ended_of[tenant]++;
}

/* From a sum to what it was less before, and back: what ended before the walk came does not count. */
static inline void mh_walk_queue_count_foreign(const struct mh_walk_queue *q, struct mh_walk *w)
{
    w->foreign = q->ended - q->ended_of[w->tenant] - w->foreign;
}

/** `id`, which is in no queue, becomes the youngest. */
static inline void mh_walk_queue_push(struct mh_walk_queue *q, struct mh_walk *walk, uint32_t id)
{
    walk[id].older = q->youngest;
    walk[id].younger = MH_NO_WALK;
    walk[id].number = q->arrived++;
    walk[id].waits = true;
    mh_walk_queue_count_foreign(q, &walk[id]);
    if (q->youngest == MH_NO_WALK)
        q->oldest = id;
    else
        walk[q->youngest].younger = id;
    q->youngest = id;
    q->count++;
}

/** `id`, which is in this queue, leaves it. */
static inline void mh_walk_queue_remove(struct mh_walk_queue *q, struct mh_walk *walk, uint32_t id)
{
    uint32_t older = walk[id].older, younger = walk[id].younger;

    walk[id].waits = false;
    walk[id].number = 0;
    mh_walk_queue_count_foreign(q, &walk[id]);
    *(older == MH_NO_WALK ? &q->oldest : &walk[older].younger) = younger;
    *(younger == MH_NO_WALK ? &q->youngest : &walk[younger].older) = older;
    q->count--;
}

#endif
