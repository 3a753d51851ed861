/*
 * L1 data cache of an SM: write through, sectored, with MSHRs that merge, a miss queue (the SM's
 * port into the crossbar) and a store buffer. For the LSU alone.
 */
#ifndef MEMHELM_SM_L1D_H
#define MEMHELM_SM_L1D_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/wheel.h"
#include "sm/sm.h"

_Static_assert(MH_MAX_SMS * 4096 << MH_MAX_SECTORS <= MH_EVENT_PAYLOADS,
               "sm.count, l1d.mshrs and sectors fit an event");
_Static_assert(MH_MAX_SMS *MH_MAX_WARPS *MH_MAX_LOADS <= MH_EVENT_PAYLOADS, "load slots of all SMs fit an event");

/** The sets of an L1D. Fermi's hash is one of 32 or 64 sets; others fold as the L2 does (ours). */
struct mh_sets mh_l1d_sets(const struct mh_config *cfg);

/** A free entry, and place, for a line that has to wait; there must be one. */
static inline uint32_t mh_pending_take(struct mh_sm *sm)
{
    uint32_t id = sm->free_pending;

    sm->free_pending = sm->pending[id].next;
    sm->places--;
    return id;
}

/** The entry that is given back is the next one to be taken; until then only its `next` has changed. */
static inline void mh_pending_give(struct mh_sm *sm, uint32_t id)
{
    sm->pending[id].next = sm->free_pending;
    sm->free_pending = id;
    sm->places++;
}

/** What became of a line in the L1D. */
enum mh_taken {
    MH_REFUSED, /**< no MSHR, no place for it to wait, no store buffer entry */
    MH_NO_ROOM, /**< all that it lacks is a place in the miss queue */
    MH_TAKEN,   /**< this, and all that follows */
    MH_SENT,    /**< its request has got a place in the miss queue */
};

/**
 * One physical line. Below MH_TAKEN: it cannot be taken now, nothing has changed, and the LSU stops until something has
 * (mh_lsu_kick()).
 */
enum mh_taken mh_l1d_access(struct mh_gpu *g, struct mh_sm *sm, uint32_t line, struct mh_use use);

/**
 * Completes a copy of a tenant's counts. What is counted on the way of every request: reads as such, other requests as
 * `requests`, and as `issue_demand` those that were refused and have not got a place since.
 */
void mh_l1d_read_counts(struct mh_counters *c);

/** A line of a load will not come, as its tenant has left: the load goes on as if it had. */
void mh_l1d_give_up(struct mh_gpu *g, struct mh_sm *sm, struct mh_use use);

/* --- Of l1d.c and l1d_fill.c. */

/**
 * L1 TLB, then L1D: what a line takes through the LSU. A miss pays it on its way back, together with the fill, so that
 * look-up and fill cost what a hit costs (ours). A load that merges with a line on its way has it when the others do,
 * be it a cycle after its own look-up (ours).
 */
static inline uint32_t mh_l1d_latency(const struct mh_gpu *g)
{
    return g->cfg.l1tlb.latency + g->cfg.l1d.latency;
}

/** Every line of a load has been looked up or has come; those that hit have their data at `at`, at the latest. */
static inline void mh_l1d_done_at(struct mh_gpu *g, const struct mh_sm *sm, struct mh_use use, uint64_t at)
{
    mh_wheel_add(&g->wheel, at, MH_EVENT(EV_LOAD_DONE, (sm->id * MH_MAX_WARPS + use.warp) * MH_MAX_LOADS + use.slot));
}

/** Tags of the line's set. */
static inline uint32_t *mh_l1d_set(const struct mh_sm *sm, uint32_t line)
{
    return mh_tags_set_of(&sm->l1d, line);
}

/** Sectors of the line that the L1D has. */
static inline uint8_t mh_l1d_sectors(const uint32_t *set, int way)
{
    return way < 0 ? 0 : set[way] & MH_TAG_STATE;
}

/** Fills the line, or adds sectors to what is there of it. What makes room is never dirty. */
void mh_l1d_fill(const struct mh_gpu *g, struct mh_sm *sm, uint32_t line, uint8_t sectors);

/*
 * L1D_WAYS: ways of each L1D set by tenant (UCP: Qureshi and Patt, MICRO 2006, sec. 3.5). For the L1D alone.
 *
 * A line that comes takes the place of
 *   - the least recently used line of its tenant, if that holds its ways of the set already, or more;
 *   - else an empty way;
 *   - else the least recently used line among those of tenants that hold more than their ways. A tenant with L1D_WAYS 0
 *     has none that are its own: whatever it holds is more (ours; so it may lose and take any such line, its own too);
 *   - else, where all others hold just theirs, the least recently used line of another.
 * With two tenants whose ways are those of the set that is the paper's rule, by which a tenant with fewer takes the
 * least recently used line that is not its own. Nothing moves when the knob does: ways change hands as lines come. Ways
 * of a tenant that has left belong to no tenant (ours).
 */
struct mh_gpu;

/** L1D_WAYS have changed: whether fills look at them (g->l1d_apart). */
void mh_ways_apply(struct mh_gpu *g);

/** Way of the set, one of all SMs' L1Ds, for a line that is not in it. Pre: g->l1d_apart. */
uint32_t mh_ways_victim(const struct mh_gpu *g, const uint32_t *set, uint32_t line);

#endif
