/*
 * What a tenant's reads would be if it had the channel alone, as far as TCM asks for it (Kim et al., MICRO 2010, sec.
 * 3.2): row hits by a shadow row buffer for each bank, and the banks for which a read of the tenant waits. Private to
 * dram/.
 *
 * Reads of data and page tables, and lines that migrate. Writes do not count (ours): no load waits for them, and they
 * come in drains. A read waits from its arrival until its last column command is decided. The shadow row is that of the
 * tenant's last read which was served in the bank; refreshes do not close it (ours). Reads that were queued before the
 * watch began do not count.
 */
#ifndef MEMHELM_DRAM_WATCH_H
#define MEMHELM_DRAM_WATCH_H

#include "dram/channel.h"

/** No read that counts. */
#define MH_WATCH_NOBODY 0xff

struct mh_watch_tenant {
    struct mh_dram_watched sum;          /**< banks and cycles up to `since` */
    uint64_t since;                      /**< cycle */
    uint32_t banks;                      /**< for which a read waits */
    uint16_t waiting[MH_MAX_DRAM_BANKS]; /**< reads, by bank */
    uint32_t row[MH_MAX_DRAM_BANKS];     /**< shadow row buffers */
};

struct mh_watch {
    bool on;
    uint64_t now;             /**< cycle of the arrival that is queued */
    uint8_t *whose[MH_TIERS]; /**< by entry of that queue: a tenant, or MH_WATCH_NOBODY */
    uint32_t entries[MH_TIERS];
    struct mh_watch_tenant tenant[MH_MAX_TENANTS];
};

/** NULL when memory ran out. `entries` of each queue. */
struct mh_watch *mh_watch_create(const uint32_t entries[MH_TIERS]);
void mh_watch_destroy(struct mh_watch *w);

/** Starts at cycle `now`, with empty shadow rows, or stops: then nothing waits any more. */
void mh_watch_set(struct mh_watch *w, uint64_t now, bool on);

/* Below: pre w->on. */

/** A request is queued in that entry, at cycle w->now. */
void mh_watch_enter(struct mh_watch *w, enum mh_tier tier, uint32_t entry, uint32_t bank,
                    const struct mh_dram_request *req);

/** The request in an entry of the normal queue is now in one of the silver queue. */
static inline void mh_watch_move(struct mh_watch *w, uint32_t normal, uint32_t silver)
{
    w->whose[MH_SILVER][silver] = w->whose[MH_NORMAL][normal];
}

/** The request in that entry is served at cycle `at`. */
void mh_watch_leave(struct mh_watch *w, enum mh_tier tier, uint32_t entry, uint32_t bank, uint32_t row, uint64_t at);

#endif
