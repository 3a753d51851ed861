/*
 * Tenants before each other in one channel, inside the silver and the normal queue (`dram.scheduler: mpki`). Private to
 * dram/.
 *
 * Row hits go first, as in FR-FCFS and in the authors' scheduler before this one (FR-RR-FCFS, GPGPU 2014); of what is
 * possible in one cycle and of the rows that wait for a bank, the tenant of the lower priority number goes first, then
 * the oldest. Who has which number is mpki.h's business. A row that several tenants want counts as the first one's; its
 * requests are served in order of arrival. Ours: a request that has been followed by as many as MH_PRIORITY_PASSES
 * queues hold has priority 0, so that nobody starves.
 */
#ifndef MEMHELM_DRAM_PRIORITY_H
#define MEMHELM_DRAM_PRIORITY_H

#include "dram/pick.h"

enum { MH_PRIORITY_PASSES = 4 };

struct mh_priority {
    uint8_t of[MH_MAX_TENANTS];         /**< 0 goes first */
    uint8_t *tenant[MH_TIERS];          /**< by entry of that queue: whose it is; golden: NULL */
    uint8_t of_bank[MH_MAX_DRAM_BANKS]; /**< of the request for which the bank's candidate is */
    uint64_t passes;                    /**< arrivals after which a request goes first */
};

/** NULL when memory ran out. All tenants have priority 0. */
struct mh_priority *mh_priority_create(const struct mh_dram_cfg *cfg);
void mh_priority_destroy(struct mh_priority *p);

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
struct mh_found mh_priority_among(const struct mh_dram *d, uint32_t banks, uint64_t floor);

#endif
