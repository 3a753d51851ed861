/* A crossbar request, described by the block that waits for it: for deadlock reports. */
#ifndef MEMHELM_ENGINE_WANTED_H
#define MEMHELM_ENGINE_WANTED_H

#include "engine/gpu.h"
#include "engine/request.h"
#include "engine/ring.h"

/** What the waiting block knows of its request. */
struct mh_wanted {
    uint32_t line;  /**< physical */
    uint32_t port;  /**< by which it goes */
    uint32_t owner; /**< L1D MSHR of the port's SM, or walk */
    enum mh_req_kind kind;
};

static inline bool mh_is_wanted(const struct mh_req *r, const struct mh_wanted *w)
{
    return r->line == w->line && r->port == w->port && r->owner == w->owner && r->kind == w->kind;
}

/** A ring of requests has it. */
static inline bool mh_wanted_in(const struct mh_gpu *g, const struct mh_ring *ring, const struct mh_wanted *w)
{
    for (uint32_t i = 0; i < ring->count; i++)
        if (mh_is_wanted(&g->req[ring->item[(ring->head + i) & ring->mask]], w))
            return true;
    return false;
}

#endif
