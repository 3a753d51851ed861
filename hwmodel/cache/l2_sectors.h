/*
 * The L2 with sectors (l2.sector_bytes): a line has one tag and a way, and its sectors come from DRAM and go back to it
 * one by one. Private to l2*.c.
 *
 * Each way has a word of state besides its tag, which moves with it. A sector is
 *     valid           all its bytes are here: loads hit;
 *     dirty           some of its bytes are newer than DRAM's: it is written back;
 *     dirty, not valid  its other bytes are not here. With `fetch` they are on their way, as the MSHR says. With `lazy`
 *                     they are asked for when a load or an atomic wants the sector, and never if it is overwritten or
 *                     written back before: DRAM then takes the bytes that `written` marks.
 * An MSHR asks for several sectors of its line, at once or one after the other. Its line is reserved (MH_TAG_PENDING)
 * until the last of them has come; sectors that are valid hit meanwhile. A request waits for all of its sectors.
 */
#ifndef MEMHELM_CACHE_L2_SECTORS_H
#define MEMHELM_CACHE_L2_SECTORS_H

#include "cache/l2.h"

/* A line's word of state. */
enum {
    MH_L2_VALID = 0, /**< first bit of the valid sectors */
    MH_L2_DIRTY = 4, /**< of the dirty ones */
    MH_L2_FRAME = 8, /**< of the number, below the ways, of the bytes that `written` has for it */
};

static inline uint32_t mh_l2_state_valid(uint32_t state)
{
    return state >> MH_L2_VALID & MH_ALL_SECTORS;
}

static inline uint32_t mh_l2_state_dirty(uint32_t state)
{
    return state >> MH_L2_DIRTY & MH_ALL_SECTORS;
}

/** -1: no memory. Without l2.sector_bytes there is nothing. */
int mh_l2_sectors_init(struct mh_l2 *l2, const struct mh_config *cfg);
void mh_l2_sectors_free(struct mh_l2 *l2);

/** States of the ways of a set of tags. */
static inline uint32_t *mh_l2_states(const struct mh_l2 *l2, const uint32_t *set)
{
    return l2->sectors->state.entry + (set - l2->tags.entry);
}

/** As the functions of l2.c without `sector`; `set`: the line's. */
bool mh_l2_sector_look_up(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set);
enum mh_l2_need mh_l2_sector_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, const uint32_t *set);
void mh_l2_sector_fill(struct mh_gpu *g, uint32_t asked);

/** Writes back the dirty sectors of the line in that way, together: it leaves. */
void mh_l2_sector_evict(struct mh_gpu *g, uint32_t bank, const uint32_t *set, int way);

/** The way's tag has been dropped: its state, too. */
void mh_l2_sector_drop(struct mh_l2 *l2, const uint32_t *set, uint32_t way);

/** Past the cache, a request at the MSHR: it has to ask for a sector that is not on its way. */
bool mh_l2_sector_asks(const struct mh_l2 *l2, uint32_t bank, uint32_t mshr, const struct mh_req *r);

/** A request goes past the cache, to an MSHR, or to a new one: -1. */
void mh_l2_sector_pass(struct mh_gpu *g, uint32_t bank, uint32_t req, int mshr);

/** What it asked for has come. */
void mh_l2_sector_passed(struct mh_gpu *g, uint32_t asked);

/** Cycle at which the first of the sectors in a read's tag was asked for (dram/memory.h). */
uint64_t mh_l2_sector_asked_at(const struct mh_l2 *l2, uint32_t asked);

#endif
