/*
 * A queue of waiting walks for each walker, and walkers that steal from each other's (Pratheek et al., "Improving GPU
 * Multi-tenancy with Page Walk Stealing", HPCA 2021, sec. VI). In force while the knob WALK_QUEUES is 1.
 *
 * The paper's tables, here: FWA = entries - queue[w].count, and is_stolen = serves[w] != owner[w]; TWM = owned[],
 * PEND_WALKS is the tenant's counter WALKS_LIVE, ENQ_EPOCH is enq[]; WTM = owner[]. Walks that were queued before the
 * owners changed, or before WALK_QUEUES became 1, stay in a queue until its walker or a thief takes them.
 *
 * What the paper leaves open is as in the authors' simulator, [DWS] (github.com/csl-iisc/DWS-HPCA2021, commit 46d6c60,
 * v3.x/src/gpgpu-sim/pagewalk.cc:LINE): an arrival that finds no walker of its own idle takes an idle one of another
 * tenant, if walkers may steal (:618; there the lowest idle one, also while its own tenant has one). Of several queues
 * to take from it is the longest (:771-799), of equals the lowest; of several to enter that are equally short the
 * lowest
 * (:748-761).
 *
 * Ours: a tenant that owns no walker uses any (an empty bitmap of the TWM reads as all ones), so no setting of
 * WALKER_OWNER can stop anybody. Each way into a queue or out of it takes walk.table_latency. When WALK_QUEUES becomes
 * 1, walks keep their order and may overfill a queue; when it becomes 0, they go by the cycle of arrival.
 *
 * Where the paper and [DWS] differ it is as the paper says: DWS++ compares pending walks, those in service included
 * ([DWS] those queued, :803-832), and is_stolen is set by any steal ([DWS]: by those of DWS++ alone, :866).
 *
 * Counters are the authors': WALKS_STOLEN counts walks taken out of another tenant's queue (:906-919, table VI), not
 * those that find an idle walker; WALKS_FOREIGN (tables III and V) what an arrival that finds none has before it: other
 * tenants' walks in the one queue (:679) or, with a queue each, the walk of another tenant that the queue's walker
 * serves (:662), and then, per steal, those that wait in the thief's own queue (:884).
 */
#ifndef MEMHELM_TRANSLATE_STEAL_H
#define MEMHELM_TRANSLATE_STEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "translate/walk.h"

struct mh_gpu;

/** No walker. */
#define MH_NO_WALKER 0xffu

/** Bit w % 64 of word w / 64: walker w. */
struct mh_walker_set {
    uint64_t word[MH_MAX_WALKER_QUEUES / 64];
};

struct mh_steal {
    bool on;          /**< WALK_QUEUES */
    uint32_t walkers; /**< that have a queue; 0: this GPU cannot (mh_steal_walkers()) */
    uint32_t entries; /**< of one queue: walk buffer / walkers, rounded down; the rest is not used */
    uint32_t places;  /**< of the walk buffer: bounds `queued` */
    uint32_t queued;  /**< walks in all queues */
    struct mh_walker_set all;
    struct mh_walker_set idle;   /**< have no walk */
    struct mh_walker_set loaded; /**< have walks in their queue */
    struct mh_walker_set owned[MH_MAX_TENANTS];
    uint32_t owns[MH_MAX_TENANTS]; /**< walkers in owned[] */
    uint8_t owner[MH_MAX_WALKER_QUEUES];
    uint8_t serves[MH_MAX_WALKER_QUEUES]; /**< tenant of the walk that a walker has, or had last */
    struct mh_walk_queue queue[MH_MAX_WALKER_QUEUES];
    uint32_t epoch;               /**< WALK_EPOCH */
    uint64_t epoch_left;          /**< walks that must still begin to end the walk epoch */
    uint32_t enq[MH_MAX_TENANTS]; /**< walks that began in this walk epoch */
};

/**
 * Walkers that can have queues of their own, all or none: none if there are more than MH_MAX_WALKER_QUEUES, fewer than
 * tenants, fewer places in the buffer than walkers, or if each tenant has walkers of its own anyway.
 */
uint32_t mh_steal_walkers(const struct mh_config *cfg);

void mh_steal_init(struct mh_steal *s, const struct mh_config *cfg);

/** The owners in force. What is queued stays where it is. */
void mh_steal_set_owners(struct mh_gpu *g);

/** True if a walk of the tenant may begin: it would get a walker, or a place in a queue. */
bool mh_steal_room(const struct mh_gpu *g, uint32_t tenant);

/** A walk begins: true if it has a walker now (walk->walker); else it waits in a queue. There must be room. */
bool mh_steal_arrive(struct mh_gpu *g, uint32_t walk);

/** A walk has this walker from now on. */
void mh_steal_give(struct mh_gpu *g, uint32_t walk, uint32_t walker);

/** Puts a walk into a queue of its tenant's, full or not; returns the queue's walker. */
uint32_t mh_steal_enter(struct mh_gpu *g, uint32_t walk);

/** A walker that has no walk takes one out of a queue: returns it, or MH_NO_WALK; then the walker is idle. */
uint32_t mh_steal_next(struct mh_gpu *g, uint32_t walker);

/** The next waiting walk in order of arrival leaves its queue: for the way back to one queue. There must be one. */
uint32_t mh_steal_oldest(struct mh_gpu *g);

/** Lowest walker of a set that is `from` or higher; MH_NO_WALKER: there is none. */
uint32_t mh_walker_set_next(const struct mh_walker_set *s, uint32_t from);

static inline bool mh_walker_set_has(const struct mh_walker_set *s, uint32_t walker)
{
    return s->word[walker / 64] >> walker % 64 & 1;
}

#endif
