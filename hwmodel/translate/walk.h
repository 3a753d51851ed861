/*
 * Page walk system: the walk buffer, and the page walkers that take walks from it (order.h) and read their entries. The
 * sender of a walk (the L2 TLB, or an IOMMU) asks first whether there is room. With the knob WALK_QUEUES the buffer is
 * divided into a queue per walker: steal.h.
 *
 * A walk takes an idle walker at the look-up that asks for it, or else a place in the buffer, and starts when it has a
 * walker and the look-up is done. It holds the walker to its last read; a read follows the one before without a gap.
 */
#ifndef MEMHELM_TRANSLATE_WALK_H
#define MEMHELM_TRANSLATE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/arith.h"
#include "engine/block.h"
#include "engine/gpu.h"
#include "engine/tags.h"
#include "memhelm/config.h"
#include "translate/instruction.h"
#include "translate/l2tlb.h"

/*
 * Walks that wait for a walker, oldest first. Any of them may leave; the links are in the walks.
 *
 * A queue also counts the walks of each tenant in it: those of other tenants stand before an arrival (WALKS_FOREIGN,
 * tables III and V of the walk stealing paper).
 */

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

/** Walkers that share a buffer: one set for all tenants, or one each (walk.private). */
struct mh_walkers {
    uint32_t idle;                /**< walkers without a walk */
    uint32_t places;              /**< of the walk buffer; a walk that finds a walker idle does not enter it */
    struct mh_walk_queue waiting; /**< in the walk buffer; empty while walkers have queues of their own */
    struct mh_tags pwc;           /**< page walk cache (pwc.h); no sets: none */
    uint32_t pwc_shift;           /**< from an entry's tag to what says its set */
    uint64_t drawn;               /**< random numbers that the random order has used */
    struct mh_divisor ports;      /**< noc.walker_ports: a walk keeps to one of them */
};

int mh_walkers_init(struct mh_walkers *w, const struct mh_config *cfg);
void mh_walkers_free(struct mh_walkers *w);

/** Walkers of the tenant: one set, or one for each. */
static inline struct mh_walkers *mh_walkers_of(struct mh_gpu *g, uint32_t tenant)
{
    return &g->walkers[g->walkers_of[tenant]];
}

/** Places of the walk buffer of one set. */
static inline uint32_t mh_walk_places(const struct mh_config *cfg)
{
    return cfg->walk.buffer ? cfg->walk.buffer : cfg->l2tlb.mshrs;
}

/** True if a walk of the tenant may begin: it would get a walker, or a place in the buffer. */
bool mh_walk_room(const struct mh_gpu *g, uint32_t tenant);

/** Applies new knobs: queues, owners, walk epochs. Waiting walks keep their order; idle walkers look for work again. */
void mh_walk_apply(struct mh_gpu *g);

/** The L2 TLB MSHR of this index wants a walk, which may take its first step at `cycle`; there must be room. */
void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle);

/* Where a translation is, and what it waits for: for a report of a deadlock (struct mh_oldest). */
/** Of a page walk. */
void mh_path_walk(const struct mh_gpu *g, uint32_t walk, FILE *out);

/** As above, for walk o->a. */
void mh_path_oldest_walk(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out);

/** Of the page for which an L1 TLB MSHR of an SM waits. */
void mh_path_translation(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out);

/*
 * Flushes: an SM's TLB (MASK sec. 5.1), and a tenant's translations wherever they are, when its page table has changed
 * or it has left.
 *
 * Rare and slow: they look at every entry. Look-ups know nothing of them.
 */
struct mh_sm;

/**
 * The tenant's translations in the SM's L1 TLB, and those in L2 TLB and bypass cache. What is on its way there fills
 * them again: it is still right.
 */
void mh_flush_sm(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** The tenant's translations in all TLBs, bypass cache, IOMMU and page walk cache. */
void mh_flush_tenant(struct mh_gpu *g, uint32_t tenant);

/**
 * Page table entries of the tenant have changed: as mh_flush_tenant(), and the L2 TLB and bypass cache that it uses
 * lose all entries, of any tenant (MASK sec. 5.2: "all contents of the TLB and the TLB bypass cache", where "the
 * TLB" is the shared one). That L1 TLBs, the IOMMU's TLBs and the page walk cache lose the tenant's entries alone is
 * ours. Other tenants' walks go on, and fill again. No entry of the tenant that was read before this cycle
 * is used after it. A walk under way starts again at the root when the read that it waits for has come; a translation
 * on its way back from the IOMMU, or from the L2 TLB, is asked for again when it arrives; a line in the LSU that has
 * its translation takes the new one, at no cost (ours).
 */
void mh_shootdown(struct mh_gpu *g, uint32_t tenant);

/**
 * One page has no translation any more: its entries go, in all TLBs, and a request that has its answer asks again.
 * Entries of the page walk cache are of the levels above, which stay.
 */
void mh_flush_page(struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

/*
 * Order of walks: which of the walks in a queue goes next (knob WALK_ORDER).
 *
 *   fcfs    the oldest
 *   random  any of them
 *   simt    the oldest of the instruction that was served last (WALK_BATCH), else the lowest score; of equals the
 *           oldest
 *   scored  as simt, with the scores that firmware gave (WALK_SCORE) where there are any
 *
 * Under the last three a walk that WALK_AGE younger ones have passed goes first. Shin et al., ISCA 2018, sec. IV. The
 * score of an instruction is that of all its waiting walks: each that arrives adds its own, the cost (WALK_COST_n) of
 * the reads that a look-up in the page walk cache says it needs and its tenant's WALK_BIAS. It starts anew when none of
 * them waits any more, and is not lowered when one is served. Walks that came while another order was in force have
 * none and, until others of their instruction have arrived, go first (ours).
 *
 * A free walker takes a new walk at once, in any order, and its instruction counts as served last. Otherwise the choice
 * is made when a walker is free; by score it then takes walk.scan_latency. Searches do not disturb each other (ours).
 * The look-up for a score is a use like any other, and pins what it finds (WALK_PIN) until the served walk's own.
 *
 * A queue has its own memory of the instruction served last: walkers with queues of their own batch each for itself
 * (ours). Scores are of the instruction, in whichever queues its walks stand.
 */

/** A walk has entered a queue: estimates, scores, tells firmware, as the order asks for. */
void mh_order_arrived(struct mh_gpu *g, uint32_t walk);

/** The walk of this queue that goes next; MH_NO_WALK: it is empty. Nothing but the random order's state changes. */
uint32_t mh_order_pick(struct mh_gpu *g, const struct mh_walk_queue *q);

/** A walk that was waiting is served: takes it out of its queue. */
void mh_order_leave(struct mh_gpu *g, struct mh_walk_queue *q, uint32_t walk);

/** Cycles from the choice of a walk to its start: the search of the buffer, where the order needs one. */
uint32_t mh_order_latency(const struct mh_gpu *g);

/** WALK_SCORE; false: no walk of the instruction waits. */
bool mh_order_score(struct mh_gpu *g, uint32_t instruction, uint32_t score);

/*
 * Prefetch of the next page's translation (knob TLB_PREFETCH): when a walk that somebody waits for has found its page,
 * and the walks of that cycle have left a walker idle, a walk of the page behind it begins. So it takes a walker that
 * nobody wants yet, but an MSHR of the L2 TLB, reads of the L2 and its ports like any walk (ours).
 *
 * There is none for a page that is not mapped, that the L2 TLB or the bypass cache has, or that is walked already; with
 * an IOMMU, whose TLBs stand before the walkers; or while walkers have queues of their own. A look-up that misses
 * meanwhile joins the walk. Nobody waits for the next page but one: a prefetch that nobody has joined leads to none.
 */
/** The walk has found its page. Only while g->walk_tells. */
void mh_walk_found(struct mh_gpu *g, const struct mh_walk *w);

/** What g->walk_tells is by configuration and knobs. */
bool mh_walk_should_tell(const struct mh_gpu *g);

#endif
