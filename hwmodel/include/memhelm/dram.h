/*
 * One DRAM channel, also without the rest of the GPU: bounded queue, FR-FCFS over banks with their real timing,
 * or MASK's three queues, writes apart, refresh, write drain, one command bus and one data bus. Event-driven: the owner
 * calls step() at the cycle that the last call asked for.
 *
 * Times are DRAM command-clock cycles. Addresses are bytes inside the channel, one request has
 * dram.request_bytes, which take request_bytes / (bus_bytes * burst) column commands, or fewer for parts of it: back to
 * back or, with bank groups, chosen one by one.
 */
#ifndef MEMHELM_DRAM_H
#define MEMHELM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

struct mh_dram;

#define MH_DRAM_NEVER UINT64_MAX

struct mh_dram_request {
    uint64_t addr; /**< channel-local byte address of the line */
    uint32_t tag;  /**< owner's; handed back */
    uint8_t write;
    uint8_t walk;   /**< a page walk's request; matters with queues apart */
    uint8_t tenant; /**< below MH_MAX_TENANTS; matters with queues apart, priorities, ranks and a watch */
    uint8_t bursts; /**< column commands that it takes, at most those of a whole request; 0 = those of a whole one */
    uint8_t parts;  /**< 32-byte sectors that it moves, a bit each; 0 = all. Matters with dram.write_queue */
    uint8_t filled; /**< of a write's, those of which it has every byte; of all, all */
};

/** Of a tenant's reads: those served, row hits if it were alone; banks x cycles and cycles in which any waits. */
struct mh_dram_watched {
    uint64_t reads, hits, area, cycles;
};

/** Commands, for the trace that a checker reads. */
enum mh_dram_command { MH_DRAM_ACT, MH_DRAM_PRE, MH_DRAM_RD, MH_DRAM_WR, MH_DRAM_REF, MH_DRAM_REFB };

/** Called from inside mh_dram_step(); must not call back into the channel. */
struct mh_dram_hooks {
    void *ctx;
    /**
     * A request was served: its last column command is decided and its queue entry is free. `finish` = cycle after
     * the last beat; may lie in the future. With dram.write_queue a request of a line that waits to be written is
     * served without a command, and no row hit.
     */
    void (*done)(void *ctx, uint32_t tag, uint64_t finish, bool row_hit);
    /** Every command issued, in order, also from inside mh_dram_push(); NULL = none wanted. */
    void (*command)(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row);
};

/** Allocates everything it will ever need; cfg must have passed mh_config_resolve(). */
struct mh_dram *mh_dram_create(const struct mh_dram_cfg *cfg, const struct mh_dram_hooks *hooks);
void mh_dram_destroy(struct mh_dram *d);

/**
 * Queue entries free to any request. With one queue reads and writes share its entries; with queues apart it is the
 * fewer of those of the golden and of the normal queue; with dram.write_queue no more than writes have.
 */
uint32_t mh_dram_free(const struct mh_dram *d);

/** True if there is room for `read` (NULL = none) and `writes` writes together. push() needs it for its request. */
bool mh_dram_takes(const struct mh_dram *d, const struct mh_dram_request *read, uint32_t writes);

/** Requests that wait in the channel. */
uint32_t mh_dram_waiting(const struct mh_dram *d);

/** Every request is in one queue and has one place of it: for checks, slow. */
bool mh_dram_check(struct mh_dram *d);

/** Requests that have come to the channel so far. */
uint64_t mh_dram_arrivals(const struct mh_dram *d);

/** Name of the queue in which a read of this tag waits; NULL = in none: for diagnoses, slow. */
const char *mh_dram_holds(const struct mh_dram *d, uint32_t tag);

/**
 * At cycle `now`, tells requests apart from now on (golden, silver, normal queue: MASK sec. 5.4) or not any more, and
 * returns as step(), which it calls. Requests keep the queue that they wait in: those of the one queue stay in it when
 * it becomes the normal queue, whatever they are; a golden or silver queue that is no longer wanted goes first until it
 * is empty. Pre: dram.golden is not 0, or `apart` is false.
 */
uint64_t mh_dram_set_queues(struct mh_dram *d, uint64_t now, bool apart);

/** Data reads of each tenant that make a turn at the silver queue, from now on; 0 = it gets none. At first all are 0.
 */
void mh_dram_set_turns(struct mh_dram *d, const uint32_t thresh[MH_MAX_TENANTS]);

/**
 * At cycle `now`, gives each tenant a priority, 0 first, and returns as step(), which it calls. At first all are 0.
 * Pre: dram.scheduler is mpki.
 */
uint64_t mh_dram_set_priorities(struct mh_dram *d, uint64_t now, const uint8_t priority[MH_MAX_TENANTS]);

/**
 * At cycle `now`, gives each tenant a rank, the highest first, and returns as step(), which it calls. Where all are the
 * same, as at first, tenants do not count. A row that several tenants want counts as the highest one's. Pre:
 * dram.scheduler is not mpki.
 */
uint64_t mh_dram_set_ranks(struct mh_dram *d, uint64_t now, const uint32_t rank[MH_MAX_TENANTS]);

/** At cycle `now`, starts or ends a watch of the tenants' reads, and returns as step(), which it calls. */
uint64_t mh_dram_set_watch(struct mh_dram *d, uint64_t now, bool on);

/** What watches have counted up to cycle `now`, up to which step() has gone. */
struct mh_dram_watched mh_dram_watched(const struct mh_dram *d, uint64_t now, uint32_t tenant);

/**
 * Queues a request that arrives at cycle `now`; returns the cycle at which step() must next be called (`now` or earlier
 * = at once). Calls of push() and step() come in order of `now`; a call that is late does not delay commands, each is
 * issued at its own cycle.
 */
uint64_t mh_dram_push(struct mh_dram *d, uint64_t now, const struct mh_dram_request *req);

/**
 * Issues every command that is due up to and including `now`; returns the next cycle to call, or MH_DRAM_NEVER. That is
 * the first cycle at which a request may be served: row commands and refreshes before it need no call of their own.
 * That makes about 1.0 calls a request on streams and 1.6 on random traffic.
 */
uint64_t mh_dram_step(struct mh_dram *d, uint64_t now);

#endif
