/*
 * MASK's address-space-aware DRAM scheduler (Ausavarungnirun et al., MASK, sec. 5.4): what differs from FR-FCFS when
 * the requests of a channel wait in three queues of falling priority. Private to dram/.
 *
 *   golden  page walk reads, in order of arrival
 *   silver  data reads of the one tenant whose turn it is (turn.h), and what is left of earlier turns, FR-FCFS
 *   normal  data reads of all others and, ours, all writes, FR-FCFS: the queue that is the only one otherwise
 *
 * A higher tier goes before a lower one: no command for a lower one is issued to a bank in which a higher one waits,
 * and of the commands possible in one cycle the higher tier's goes first. A read keeps the queue that it entered: in
 * its turn a tenant "is then allowed to send its requests to the Silver Queue", and the paper says nothing of those
 * that were sent before. One that finds silver full enters normal, and does not count. With dram.silver_moves (ours),
 * while silver has places and the turn is not over, the oldest reads of its tenant in normal move up, queue behind what
 * silver holds, and count as reads of the turn. A command is never held back for a higher tier that cannot use its
 * cycle, and a line that is begun ends. Nothing bounds the wait of normal: it has what the others leave idle.
 */
#ifndef MEMHELM_DRAM_TIERS_H
#define MEMHELM_DRAM_TIERS_H

#include <stdint.h>
#include <string.h>

#include "dram/channel.h"
#include "dram/queue.h"
#include "dram/turn.h"
#include "memhelm/config.h"

/*
 * The data reads that wait in the normal queue, by tenant in order of arrival: those of the tenant whose turn it is
 * move up into silver (tiers.h). Private to dram/.
 */
struct mh_read {
    uint32_t row;
    uint16_t before, after; /**< the tenant's, MH_DQ_NIL: none */
    uint8_t bank;
    uint8_t tenant; /**< or MH_READ_OTHER */
};

/** No data read that arrived while there were three queues. */
#define MH_READ_OTHER 0xff

struct mh_reads {
    struct mh_read *read;            /**< by entry of the normal queue */
    uint16_t oldest[MH_MAX_TENANTS]; /**< entry, MH_DQ_NIL: the tenant has none */
    uint16_t youngest[MH_MAX_TENANTS];
};

/** Forgets all of them; they are others now. */
static inline void mh_reads_forget(struct mh_reads *r, uint32_t entries)
{
    for (uint32_t i = 0; i < entries; i++)
        r->read[i].tenant = MH_READ_OTHER;
    memset(r->oldest, 0xff, sizeof r->oldest);
    memset(r->youngest, 0xff, sizeof r->youngest);
}

static inline void mh_reads_add(struct mh_reads *r, uint32_t entry, uint32_t tenant, uint32_t bank, uint32_t row)
{
    uint16_t last = r->youngest[tenant];

    r->read[entry] = (struct mh_read){row, last, MH_DQ_NIL, (uint8_t)bank, (uint8_t)tenant};
    *(last == MH_DQ_NIL ? &r->oldest[tenant] : &r->read[last].after) = (uint16_t)entry;
    r->youngest[tenant] = (uint16_t)entry;
}

/** Pre: it was added. */
static inline void mh_reads_remove(struct mh_reads *r, uint32_t entry)
{
    const struct mh_read *p = &r->read[entry];

    *(p->before == MH_DQ_NIL ? &r->oldest[p->tenant] : &r->read[p->before].after) = p->after;
    *(p->after == MH_DQ_NIL ? &r->youngest[p->tenant] : &r->read[p->after].before) = p->before;
}

struct mh_priority;
struct mh_watch;

struct mh_tiers {
    struct mh_dq queue[MH_NORMAL];    /**< golden, silver; reads only */
    uint8_t *silver;                  /**< by entry of the silver queue: whose read it is, or MH_READ_OTHER */
    struct mh_reads normal;           /**< data reads of the normal queue */
    uint16_t hits[MH_MAX_DRAM_BANKS]; /**< silver group of the open row */
    uint64_t banks[MH_TIERS];         /**< bit per bank whose candidate is of this tier */
    uint32_t places[MH_TIERS];        /**< of the queues */
    uint32_t taken[MH_TIERS];         /**< of them; an arrival that waits in the inbox has its place. Writes with places
                                           of their own (writes.h) are not counted here */
    uint8_t *fifo;                    /**< ring: banks of the golden requests, oldest first */
    uint32_t fifo_head;               /**< the next to be served; d->golden of them */
    uint64_t moved;                   /**< reads that have moved up */
    bool moves;                       /**< dram.silver_moves */
    bool apart;                       /**< arrivals are told apart; else the tiers only empty */
    struct mh_turn turn;
    bool by_tenant;               /**< tenants have priorities inside silver and normal; else FR-FCFS */
    struct mh_priority *priority; /**< those (priority.h) */
    struct mh_watch *watch;       /**< of the tenants' reads (watch.h) */
};

/** NULL when memory ran out. Without cfg->golden the queues cannot be told apart. */
struct mh_tiers *mh_tiers_create(const struct mh_dram_cfg *cfg);
void mh_tiers_destroy(struct mh_tiers *t);

/** d->tiered, if anything tells requests apart: queues, by_tenant, a watch. */
void mh_tiers_settle(struct mh_dram *d);

/* All below: pre d->tiered. */

/** Places for any request. */
uint32_t mh_tiers_free(const struct mh_dram *d);

/** Gives a request its tier, and a place in that queue. Pre: mh_dram_takes(). */
enum mh_tier mh_tiers_admit(struct mh_dram *d, const struct mh_dram_request *req);

/** A place of that tier is free again; settles. */
void mh_tiers_give(struct mh_dram *d, enum mh_tier tier, bool write);

/** No turn counts the request any more: it needs no command (writes.h), or came before a switch. It keeps its place. */
void mh_tiers_uncount(struct mh_dram *d, const struct mh_dram_request *req);

/** Queues a request of that tier. */
void mh_tiers_push(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req, enum mh_tier tier);

/** Takes the oldest request of the group that mh_tiers_hits() gave; returns its tag. */
uint32_t mh_tiers_pop(struct mh_dram *d, uint32_t b, uint32_t group);

/** Highest tier that waits for the bank in the present direction, normal if none does. */
enum mh_tier mh_tiers_top(const struct mh_dram *d, uint32_t b);

/** That tier's group of the open row. */
uint32_t mh_tiers_hits(const struct mh_dram *d, uint32_t b);

/** A silver request waits for the open row. */
static inline bool mh_tiers_hits_row(const struct mh_dram *d, uint32_t b)
{
    return d->tiers->hits[b] != MH_DQ_NIL;
}

/** Direction of the tier's requests that are served now: only normal has writes. */
static inline uint32_t mh_tiers_write(const struct mh_dram *d, enum mh_tier tier)
{
    return tier == MH_NORMAL ? d->writing : 0;
}

/** Queue of a tier. */
static inline struct mh_dq *mh_tiers_queue(struct mh_dram *d, enum mh_tier tier)
{
    return tier == MH_NORMAL ? &d->queue : &d->tiers->queue[tier];
}

/** Opens the row for which that tier's oldest request of the bank waits, and returns it. */
uint32_t mh_tiers_open(struct mh_dram *d, uint32_t b);

/** The bank's row is closed; as far as FR-FCFS's own queue does not know. */
void mh_tiers_close(struct mh_dram *d, uint32_t b);

/** As mh_dram_candidate(). */
void mh_tiers_candidate(struct mh_dram *d, uint32_t b);

/** Bank of the golden request that is next to be served. Pre: there is one. */
static inline uint32_t mh_tiers_head(const struct mh_dram *d)
{
    return d->tiers->fifo[d->tiers->fifo_head];
}

/** The row of that request is open, in another rank. Pre: there is one. */
static inline bool mh_tiers_head_hits_other(const struct mh_dram *d, uint32_t rank)
{
    uint32_t head = mh_tiers_head(d);

    return d->bank[head].rank != rank && mh_dram_kind(d, head) == MH_KIND_COLUMN;
}

#endif
