/*
 * Reads the commands of one DRAM channel and finds the first that breaks a timing or a state rule. Knows nothing but
 * the timings: no queue, no scheduler, no code of the model.
 * And traffic of several kinds, in bursts and pauses, with every command read by this checker.
 */
#ifndef TESTS_DRAM_CHECK_H
#define TESTS_DRAM_CHECK_H

#include "dram_fixture.h"
#include "memhelm/dram.h"

struct dram_check_bank {
    bool open;
    uint32_t row;
    uint64_t act, pre, read, write, refb; /* cycle of the last one + 1; 0 = never */
};

struct dram_check_rank {
    uint64_t act[32]; /* last ACTs + 1, newest first */
    uint64_t pre;     /* last PRE + 1 */
    uint64_t ref;     /* last + 1 */
};

struct dram_check {
    struct mh_dram_cfg t; /* long timings spelt out */
    uint32_t ranks, per_group;
    struct dram_check_bank bank[MH_MAX_DRAM_BANKS];
    struct dram_check_rank rank[MH_MAX_DRAM_BANKS];
    uint64_t last;                    /* last command of any kind + 1; 0 = none yet */
    uint64_t count[MH_DRAM_REFB + 1]; /* commands seen, by kind */
    char violation[160];              /* the first one; empty = none */
};

void dram_check_init(struct dram_check *c, const struct mh_dram_cfg *cfg);

/** As the hook of struct mh_dram_hooks; ctx is the checker. */
void dram_check_command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row);

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
