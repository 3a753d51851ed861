/*
 * What an SM waited for in the cycles in which it issued nothing (sm.wait_reasons). SM_STALLS says how many there were;
 * here each of them has one cause.
 *
 * A gap ends when a warp issues. That warp became ready when the last line of a load came, when a barrier opened, or
 * when a throttle let it go. The way of that line is a row of times: look-up in the L1 TLB, in the L2 TLB, start and
 * end of the walk, request, look-up in the L2, data of DRAM, reply. Each cycle of the gap belongs to the part of the
 * way that it lies in. So the causes add up to the gap whatever the times are, and nothing is counted twice: while the
 * warp waited for DRAM, others may have waited for a walk; their loads did not end the gap.
 *
 * While the LSU has stopped, all that waits for its turn there waits for what stopped it: a page whose line holds the
 * LSU (l1tlb.on_miss hold) for the L2 TLB or for a walk, whichever tenant's page it is.
 *
 * The way is that of the line that came last, and of the translation that came last: of a load with many lines these
 * may be two lines'. A line that joins another's request has that one's times.
 */
#ifndef MEMHELM_WAITS_WAITS_H
#define MEMHELM_WAITS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu.h"

/** The way of a translation; GPU cycles, 0: it has not been there. */
struct mh_page_way {
    uint64_t asked;   /**< the L1 TLB missed */
    uint64_t queued;  /**< its walk waited for a walker, or had one at once */
    uint64_t started; /**< its walk had a walker */
    uint64_t ended;   /**< its walk */
    uint64_t faulted; /**< its walk ended at a page that was not there */
    uint64_t came;    /**< the L1 TLB has it */
    uint32_t walk;    /**< that it waits for, from 1; 0: none yet */
};

/** Of a walk. */
struct mh_walk_way {
    uint64_t queued, started;
};

/** The way of a line's data. */
struct mh_line_way {
    uint64_t sent;   /**< the L1D missed: into the miss queue */
    uint64_t looked; /**< looked up in the L2 */
    uint64_t picked; /**< DRAM decided its column command; 0: it hit, or joined a line on its way in its last cycle */
    uint64_t filled; /**< the L2 has it */
    uint64_t back;   /**< last flit of the reply */
};

/** Of a load slot of a warp. */
struct mh_load_way {
    struct mh_page_way page;
    struct mh_line_way line;
};

/** When a warp became ready last, and by what: enum mh_ready_by, of a load its slot. */
struct mh_ready {
    uint64_t at;
    uint8_t by, slot;
};

/** Why the LSU has stopped. */
enum mh_stop_for {
    MH_STOP_ROOM, /**< a place in the miss queue, or in the store buffer */
    MH_STOP_TLB,  /**< an MSHR of the L1 TLB */
    MH_STOP_LINE, /**< an MSHR of the L1D, or a pending entry */
    MH_STOP_PAGE  /**< and above: the page of L1 TLB MSHR n - MH_STOP_PAGE holds it */
};

/** [from, to): the LSU had stopped. */
struct mh_stop {
    uint64_t from, to;
    uint8_t cause, of; /**< enum mh_wait; MH_WAIT_OF_TLB_MSHR, MH_WAIT_OF_MSHR or none: MH_WAITS */
};

enum { MH_STOPS = 2048 /**< the last of them; older ones of one gap count as MH_WAIT_LSU */ };

/** Of an SM. */
struct mh_stops {
    struct mh_stop at[MH_STOPS]; /**< a ring; in order */
    uint64_t count;              /**< so far */
    uint64_t since;              /**< of the one under way */
    uint32_t why;                /**< of what was refused last: enum mh_stop_for */
    uint32_t page;               /**< L1 TLB MSHR that has just been answered; MH_NONE: none */
    uint32_t line;               /**< the same of the L1D */
    bool under_way;
};

struct mh_waits {
    struct mh_page_way *page; /**< [SM * l1tlb.mshrs + MSHR] */
    struct mh_line_way *line; /**< [SM * l1d.mshrs + MSHR] */
    struct mh_load_way *load; /**< [(SM * MH_MAX_WARPS + warp) * load slots + slot] */
    struct mh_ready *ready;   /**< [SM * MH_MAX_WARPS + warp] */
    struct mh_walk_way *walk; /**< [walk] */
    struct mh_stops *stops;   /**< [SM] */
    uint64_t *open;           /**< [SM] start of a gap that counters were read in; UINT64_MAX: none */
    uint32_t loads;           /**< slots of a warp */
    uint64_t count[MH_MAX_TENANTS][MH_WAITS];
};

static inline struct mh_load_way *mh_waits_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot)
{
    return &g->waits->load[((size_t)sm * MH_MAX_WARPS + warp) * g->waits->loads + slot];
}

/* --- Where a request passes. Nothing without sm.wait_reasons: callers need not ask. */

/** sm.wait_reasons is 1. For a caller that would walk a list only to report its members. */
static inline bool mh_waits_on(const struct mh_gpu *g)
{
    return __builtin_expect(g->tells_waits, 0);
}

/** Of the request of an SM's L1D MSHR. */
static inline struct mh_line_way *mh_waits_way(const struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    return &g->waits->line[(size_t)sm * g->cfg.l1d.mshrs + mshr];
}

/** An L1 TLB MSHR, `mshr` of all SMs', asks for its page. */
static inline void mh_waits_asked(struct mh_gpu *g, uint32_t mshr)
{
    if (!mh_waits_on(g))
        return;
    g->waits->page[mshr] = (struct mh_page_way){.asked = g->wheel.now};
}

/** It missed the L2 TLB, and waits for this walk, which is a new one if `fresh`. */
static inline void mh_waits_joined(struct mh_gpu *g, uint32_t mshr, uint32_t walk, bool fresh)
{
    if (!mh_waits_on(g))
        return;
    g->waits->page[mshr].walk = walk + 1;
    /* With an IOMMU it is queued later. */
    if (fresh && g->cfg.iommu.l1_entries)
        g->waits->walk[walk] = (struct mh_walk_way){0};
}

/** All TLBs have missed as of `cycle`: it asks for a walker; it has one from `cycle` on. */
static inline void mh_waits_queued(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    if (!mh_waits_on(g))
        return;
    g->waits->walk[walk] = (struct mh_walk_way){.queued = cycle};
}

static inline void mh_waits_walk(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    if (!mh_waits_on(g))
        return;
    g->waits->walk[walk].started = cycle;
}

/** The walk for which the MSHR waited is over; `fault`: at a page that is not there. */
static inline void mh_waits_walked(struct mh_gpu *g, uint32_t walk, uint32_t mshr, bool fault)
{
    if (!mh_waits_on(g))
        return;
    struct mh_page_way *p = &g->waits->page[mshr];

    if (p->faulted)
        return;
    p->queued = g->waits->walk[walk].queued;
    p->started = g->waits->walk[walk].started;
    p->ended = g->wheel.now;
    p->faulted = fault ? g->wheel.now : 0;
}

/** Another MSHR, `first`, has asked for its page, and the answer is for both: it has that one's way, from its own miss
 * on. */
static inline void mh_waits_followed(struct mh_gpu *g, uint32_t mshr, uint32_t first)
{
    if (!mh_waits_on(g))
        return;
    const uint64_t asked = g->waits->page[mshr].asked;

    g->waits->page[mshr] = g->waits->page[first];
    g->waits->page[mshr].asked = asked;
}

/** The L1 TLB has the page of the MSHR, and this load's line waited for it. */
void mh_waits_translated(struct mh_gpu *g, uint32_t mshr, uint32_t sm, uint32_t warp, uint32_t slot);

/** The L2 looks up a read of the SM's L1D MSHR, which was sent at `sent` (lowest bits); DRAM decides its last command;
 * the L2 has the line; the last flit is back at `back`. */
static inline void mh_waits_l2(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t sent)
{
    if (!mh_waits_on(g))
        return;
    const uint64_t now = g->wheel.now;

    *mh_waits_way(g, sm, mshr) = (struct mh_line_way){.sent = now - (uint32_t)((uint32_t)now - sent), .looked = now};
}

static inline void mh_waits_picked(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    if (!mh_waits_on(g))
        return;
    mh_waits_way(g, sm, mshr)->picked = g->wheel.now;
}

static inline void mh_waits_filled(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    if (!mh_waits_on(g))
        return;
    mh_waits_way(g, sm, mshr)->filled = g->wheel.now;
}

void mh_waits_back(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint64_t back);

/** The load gets that line. What it had before may stay: earlier times count nothing. */
void mh_waits_line(struct mh_gpu *g, uint32_t sm, uint32_t mshr, uint32_t warp, uint32_t slot);

/* --- The LSU. */

/** What it was about to take was refused for that reason: enum mh_stop_for. */
static inline void mh_waits_refused(struct mh_gpu *g, uint32_t sm, uint32_t why)
{
    if (mh_waits_on(g))
        g->waits->stops[sm].why = why;
}

/** An MSHR of its L1 TLB is free. */
static inline void mh_waits_page(struct mh_gpu *g, uint32_t sm, uint32_t mshr)
{
    if (mh_waits_on(g))
        g->waits->stops[sm].page = mshr;
}

/** It has stopped in this cycle, for what was refused last; it tries again from now on. */
static inline void mh_waits_stopped(struct mh_gpu *g, uint32_t sm)
{
    if (!mh_waits_on(g))
        return;
    struct mh_stops *s = &g->waits->stops[sm];

    s->since = g->wheel.now;
    s->page = s->line = MH_NONE;
    s->under_way = true;
}

void mh_waits_went_on(struct mh_gpu *g, uint32_t sm);

static inline void mh_waits_again(struct mh_gpu *g, uint32_t sm)
{
    if (mh_waits_on(g))
        mh_waits_went_on(g, sm);
}

/* --- What makes a warp ready, and gaps. */

enum mh_ready_by { MH_READY_LOAD, MH_READY_BARRIER, MH_READY_THROTTLE, MH_READY_START, MH_READY_RESULT };

/** In this cycle it became ready, by load slot `slot` if by a load. */
static inline void mh_waits_ready(struct mh_gpu *g, uint32_t sm, uint32_t warp, enum mh_ready_by by, uint32_t slot)
{
    if (!mh_waits_on(g))
        return;
    g->waits->ready[(size_t)sm * MH_MAX_WARPS + warp] =
        (struct mh_ready){.at = g->wheel.now, .by = (uint8_t)by, .slot = (uint8_t)slot};
}

/** The SM has issued nothing from cycle `from` on; now the warp issues. `memory`: a memory instruction. */
void mh_waits_gap(struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t tenant, bool memory, uint64_t from);

/** As mh_waits_gap(), but no warp issues yet: counters are read. */
void mh_waits_open(struct mh_gpu *g, uint32_t sm, uint64_t from);

/** The SM, which has had no warps since `from`, gets some of the tenant. */
void mh_waits_empty(struct mh_gpu *g, uint32_t sm, uint32_t tenant, uint64_t from);

/** Counts so far, gaps that are open included, into out[tenant]. */
void mh_waits_read(const struct mh_gpu *g, uint64_t out[MH_MAX_TENANTS][MH_WAITS]);

#endif
