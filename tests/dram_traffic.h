/*
 * Traffic of several kinds into one DRAM channel, in bursts and pauses, with every command read by the independent
 * checker (dram_check.h).
 */
#ifndef TESTS_DRAM_TRAFFIC_H
#define TESTS_DRAM_TRAFFIC_H

#include "dram_check.h"
#include "dram_fixture.h"

/** Lines of a few hot rows among random ones, one in three a write; ctx is the generator's state. */
void dram_mixed(void *ctx, uint64_t i, struct mh_dram_request *req);

/** Writes of lines anywhere in 1 GiB. */
void dram_writes(void *ctx, uint64_t i, struct mh_dram_request *req);

/** Mixed traffic of which half is one burst, not a whole request. */
void dram_parts(void *ctx, uint64_t i, struct mh_dram_request *req);

/** What came of it. */
struct dram_traffic {
    struct dram_check check; /**< its `violation` is empty if all is well */
    uint64_t commands;
    uint64_t wanted;   /**< column commands of all requests */
    uint64_t cycles;   /**< at the end, when nothing was to do any more */
    uint64_t lost;     /**< requests that were not served exactly once */
    bool queue_leaked; /**< places of the queue were not given back */
};

/**
 * Pushes `count` requests and lets the channel run dry. The queue is full at times, empty at others; step() is called
 * up to two cycles late, as another clock would.
 */
struct dram_traffic dram_traffic_run(const struct mh_dram_cfg *cfg, dram_stream *stream, uint32_t count);

#endif
