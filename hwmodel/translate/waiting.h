/*
 * Walks that wait for a walker, oldest first. Any of them may leave; the links are in the walks.
 *
 * A queue also counts the walks of each tenant in it: those of other tenants stand before an arrival (WALKS_FOREIGN,
 * tables III and V of the walk stealing paper).
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
    uint32_t of[MH_MAX_TENANTS]; /**< of them each tenant's */
    uint32_t arrived;            /**< walks that ever entered it; wraps */
    uint32_t last;               /**< instruction of the walk that was served last; MH_NO_INSTRUCTION: none */
};

static inline void mh_walk_queue_init(struct mh_walk_queue *q)
{
    *q = (struct mh_walk_queue){.oldest = MH_NO_WALK, .youngest = MH_NO_WALK, .last = MH_NO_INSTRUCTION};
}

/** Walks of other tenants in it. */
static inline uint32_t mh_walk_queue_foreign(const struct mh_walk_queue *q, uint32_t tenant)
{
    return q->count - q->of[tenant];
}

/** `id`, which is in no queue, becomes the youngest. */
static inline void mh_walk_queue_push(struct mh_walk_queue *q, struct mh_walk *walk, uint32_t id)
{
    walk[id].older = q->youngest;
    walk[id].younger = MH_NO_WALK;
    walk[id].number = q->arrived++;
    walk[id].waits = true;
    if (q->youngest == MH_NO_WALK)
        q->oldest = id;
    else
        walk[q->youngest].younger = id;
    q->youngest = id;
    q->count++;
    q->of[walk[id].tenant]++;
}

/** `id`, which is in this queue, leaves it. */
static inline void mh_walk_queue_remove(struct mh_walk_queue *q, struct mh_walk *walk, uint32_t id)
{
    uint32_t older = walk[id].older, younger = walk[id].younger;

    walk[id].waits = false;
    walk[id].number = 0;
    *(older == MH_NO_WALK ? &q->oldest : &walk[older].younger) = younger;
    *(younger == MH_NO_WALK ? &q->youngest : &walk[younger].older) = older;
    q->count--;
    q->of[walk[id].tenant]--;
}

#endif
