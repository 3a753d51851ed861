/*
 * Utility monitors of the L1D with dynamic set sampling, UMON-DSS (UCP: Qureshi and Patt, MICRO 2006, sec. 3.2): for
 * each tenant a directory of tags as if it had the L1D alone, and a counter for each position of its sets in order of
 * last use. What firmware reads: L1D_HITS.
 *
 * Sampled: every eighth set of each SM, of SM s those whose number is s modulo 8; of fewer sets one (ours). A single SM
 * would do for the paper's 32 sets, but a tenant may have its CTAs on others. Preset `ccbp`: 48 of 384 sets.
 *
 * A load that the L1D takes looks up its tenant's directory once, and is its most recent line then. Ours, where the
 * paper's cache has neither sectors nor MSHRs: a hit is a line that is there with all sectors that the load needs; one
 * that lacks some counts nowhere, no number of ways would give it them. Lines are there when they are asked for: a load
 * that merges with a miss is a hit. What drops a line from the L1D, an atomic or a store (l1d.store_hit), drops it from
 * the directory; other stores do nothing.
 */
#ifndef MEMHELM_SM_UMON_H
#define MEMHELM_SM_UMON_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tags.h"
#include "memhelm/config.h"
#include "memhelm/registers.h"

enum { MH_UMON_EVERY = 8 };

struct mh_gpu;

struct mh_umon {
    struct mh_tags dir; /**< the sampled sets of tenant 0, those of tenant 1, .. */
    uint32_t every, first,
        sampled;        /**< sets: of so many one is sampled, from this one on; so many of a tenant at most */
    struct mh_sets l1d; /**< the L1D's sets, by its index */
    uint32_t hits[MH_MAX_TENANTS][MH_L1D_POSITIONS];
};

/** Of one SM. NULL when memory ran out. */
struct mh_umon *mh_umon_create(const struct mh_config *cfg, uint32_t sm);
void mh_umon_destroy(struct mh_umon *u);

/** Empties the directories. */
void mh_umon_clear(struct mh_umon *u);

/** A load of the tenant that needs these sectors was taken; a miss fetches `fetched`. */
void mh_umon_load(struct mh_umon *u, uint32_t line, uint32_t tenant, uint8_t sectors, uint8_t fetched);

/** The line is gone from the L1D. */
void mh_umon_drop(struct mh_umon *u, uint32_t line, uint32_t tenant);

/** Lines of the physical page leave the directories. */
void mh_umon_drop_page(struct mh_umon *u, uint32_t ppn, uint32_t page_shift);

/** L1D_MONITOR has changed. */
void mh_umon_apply(struct mh_gpu *g);

/** The register L1D_HITS at this offset, of all SMs, now. */
uint32_t mh_umon_status(const struct mh_gpu *g, uint32_t offset);

#endif
