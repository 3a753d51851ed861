/*
 * Prefetch of the next page's translation (knob TLB_PREFETCH): when a walk that somebody waits for has found its page,
 * and the walks of that cycle have left a walker idle, a walk of the page behind it begins. So it takes a walker that
 * nobody wants yet, but an MSHR of the L2 TLB, reads of the L2 and its ports like any walk (ours).
 *
 * There is none for a page that is not mapped, that the L2 TLB or the bypass cache has, or that is walked already; with
 * an IOMMU, whose TLBs stand before the walkers; or while walkers have queues of their own. A look-up that misses
 * meanwhile joins the walk. Nobody waits for the next page but one: a prefetch that nobody has joined leads to none.
 */
#ifndef MEMHELM_TRANSLATE_PREFETCH_H
#define MEMHELM_TRANSLATE_PREFETCH_H

#include "engine/gpu.h"

struct mh_walk;

/** The walk has found its page. Only while g->walk_tells. */
void mh_walk_found(struct mh_gpu *g, const struct mh_walk *w);

/** What g->walk_tells is by configuration and knobs. */
bool mh_walk_should_tell(const struct mh_gpu *g);

#endif
