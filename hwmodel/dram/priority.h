/*
 * Tenants before each other in one channel, inside the silver and the normal queue. Private to dram/.
 *
 * `dram.scheduler: mpki`: row hits go first, as in FR-FCFS and in the authors' scheduler before this one (FR-RR-FCFS,
 * GPGPU 2014); of what is possible in one cycle and of the rows that wait for a bank, the tenant of the lower priority
 * number goes first, then the oldest. Misses per instruction give the numbers. A row that several tenants want counts
 * as the first one's; its requests are served in order of arrival. Ours: a request that has been followed by as many as
 * MH_PRIORITY_PASSES queues hold has priority 0, so that no request starves.
 *
 * DRAM_RANK (TCM: Kim et al., MICRO 2010, algorithm 3): the tenant of the higher rank goes first, then row hits, then
 * the oldest. So a row is closed under the hits of a lower rank when a higher one wants another row of the bank, and of
 * the commands possible in one cycle the highest rank's goes, whatever it is. In a bank the lower ranks
 * wait for the highest; other banks use the cycles that it cannot. Ours: a row that several tenants want counts as the
 * highest one's, with the age of its oldest request of that rank, and is served in order of arrival; a line that is
 * begun ends (bank groups); hits pass an older request of their rank as often as in FR-FCFS; none starves, as above;
 * requests that were queued before ranks differed are of the highest rank. Reads and writes take turns as without
 * ranks: in either direction ranks count.
 */
#ifndef MEMHELM_DRAM_PRIORITY_H
#define MEMHELM_DRAM_PRIORITY_H

#include <string.h>

#include "dram/pick.h"

enum { MH_PRIORITY_PASSES = 4 };

struct mh_priority {
    bool ranked;                        /**< priority before row hits */
    uint8_t of[MH_MAX_TENANTS + 1];     /**< 0 goes first; the last is for entries without a tenant */
    uint8_t *tenant[MH_TIERS];          /**< tenant of that queue's entry, or MH_MAX_TENANTS */
    uint8_t of_bank[MH_MAX_DRAM_BANKS]; /**< of the request for which the bank's candidate is */
    uint64_t passes;                    /**< arrivals after which a request goes first */
};

/** NULL when memory ran out. All tenants have priority 0. `entries` of each queue. */
struct mh_priority *mh_priority_create(const struct mh_dram_cfg *cfg, const uint32_t entries[MH_TIERS]);
void mh_priority_destroy(struct mh_priority *p);

/** Whose the requests in the normal queue are is not known. */
static inline void mh_priority_forget(struct mh_priority *p, uint32_t entries)
{
    memset(p->tenant[MH_NORMAL], MH_MAX_TENANTS, entries);
}

/** The tenant's request is in that entry of the queue. */
static inline void mh_priority_enter(struct mh_priority *p, enum mh_tier tier, uint32_t entry, uint32_t tenant)
{
    p->tenant[tier][entry] = (uint8_t)tenant;
}

/** Group whose row the bank opens next for that tier, MH_DQ_NIL when it waits for none but the open one. */
uint32_t mh_priority_group(struct mh_dram *d, uint32_t b, enum mh_tier tier);

/** As mh_pick_fr_fcfs(). */
void mh_priority_candidate(struct mh_dram *d, uint32_t b, enum mh_tier tier);

/** As mh_pick_among(). */
struct mh_found mh_priority_among(const struct mh_dram *d, uint64_t banks, uint64_t floor);

#endif
