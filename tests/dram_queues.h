/*
 * Requests in the golden, the silver and the normal queue of a channel, by the rules of dram/tiers.h and
 * told of nothing but what comes and goes. The turns are those of dram/turn.h, which has a test of its own.
 */
#ifndef TESTS_DRAM_QUEUES_H
#define TESTS_DRAM_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

#include "dram/turn.h"
#include "memhelm/dram.h"

enum tier { GOLDEN, SILVER, NORMAL, ONE_QUEUE };

enum { DRAM_QUEUES_TENANTS = 3 };

/** A request that waits or did. */
struct dram_shadow {
    uint64_t arrival; /**< cycle */
    uint32_t bank, row;
    uint8_t tier, write, served, tenant;
    bool counted; /**< by the turns */
};

/** Tags of requests that wait, oldest first. */
struct dram_waiting {
    uint32_t tag[512], count;
};

struct dram_queues {
    struct dram_shadow *shadow;                    /**< by tag; the caller's */
    uint32_t places;                               /**< of the silver queue */
    bool moves;                                    /**< dram.silver_moves */
    bool apart;                                    /**< DRAM_QUEUES is 1 */
    struct dram_waiting of[NORMAL];                /**< golden, silver */
    struct dram_waiting data[DRAM_QUEUES_TENANTS]; /**< counted reads in the normal queue */
    struct dram_waiting inbox;                     /**< pushed, and not known to be in a queue */
    struct mh_turn turn;
    uint64_t moved; /**< reads that moved up from normal to silver */
};

/** The queue that a read enters while they are apart. */
enum tier dram_queues_enters(const struct dram_queues *q, const struct mh_dram_request *req);

/** The request was pushed; its shadow says where it entered. */
void dram_queues_pushed(struct dram_queues *q, const struct mh_dram_request *req);

/** All but the youngest `inbox_count` requests that were pushed are in their queues. */
void dram_queues_insert(struct dram_queues *q, uint32_t inbox_count);

/** The request is served: no queue has it. */
void dram_queues_take(struct dram_queues *q, uint32_t tag);

/** Then, what comes of it. */
void dram_queues_taken(struct dram_queues *q, uint32_t tag);

/** Waiting requests keep their queue; earlier ones belong to no tenant. */
void dram_queues_switch(struct dram_queues *q, bool apart);

#endif
