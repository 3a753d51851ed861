/*
 * Page walk system: the walk buffer, and the page walkers that take walks from it (order.h) and read their entries. Who
 * sends walks here (the L2 TLB, or an IOMMU) asks first whether there is room. With the knob WALK_QUEUES the buffer is
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
#include "engine/tags.h"
#include "memhelm/config.h"
#include "translate/waiting.h"

struct mh_gpu;

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

/** Places of the walk buffer of one set. */
static inline uint32_t mh_walk_places(const struct mh_config *cfg)
{
    return cfg->walk.buffer ? cfg->walk.buffer : cfg->l2tlb.mshrs;
}

/** True if a walk of the tenant may begin: it would get a walker, or a place in the buffer. */
bool mh_walk_room(const struct mh_gpu *g, uint32_t tenant);

/** New knobs: queues, owners, walk epochs. Those who wait keep their order, and idle walkers look for work again. */
void mh_walk_apply(struct mh_gpu *g);

/** The L2 TLB MSHR of this index wants a walk, which may take its first step at `cycle`; there must be room. */
void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle);

#endif
