/*
 * What one read costs on an otherwise idle GPU: a sum of parts, from the rules in the READMEs of hwmodel/ and the
 * parameters of the configuration. Of the model it asks only where things are (page tables, frames); what is in which
 * TLB, cache and row it remembers by itself, in sets with LRU of its own.
 *
 * Reads come one after the other from the first SM. No refresh; the L2 never has to evict.
 */
#ifndef TESTS_IDLE_READ_H
#define TESTS_IDLE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "dram_oracle.h"
#include "script.h"

/** Where a line was found: each level means that those before it missed. */
enum idle_found {
    IDLE_L1D,
    IDLE_L2,
    IDLE_ROW_OPEN,
    IDLE_BANK_CLOSED,
    IDLE_CONFLICT,
    IDLE_FAR, /**< the last four in the half of the L2 that is not the SM's: IDLE_FAR + IDLE_L2 and so on */
    IDLE_FOUND = IDLE_FAR + IDLE_CONFLICT + 1
};

enum idle_translated { IDLE_L1_TLB, IDLE_GPC_TLB, IDLE_L2_TLB, IDLE_IOMMU_L1, IDLE_IOMMU_L2, IDLE_WALK };

/** The way that a read took. */
struct idle_path {
    enum idle_translated translated;
    uint32_t entries;        /**< page table entries that the walk read from memory, .. */
    uint32_t entries_missed; /**< .. and those of them that were not in the L2 */
    enum idle_found data;
};

struct idle;

/** Nothing is remembered. The GPU must outlive it. Ends the program when memory runs out. */
struct idle *idle_new(const struct mh_gpu *g);
void idle_free(struct idle *m);

/** Cycle at which the data of a read that issues at `issued` are there; *path (or NULL) says which way they came. */
uint64_t idle_read(struct idle *m, uint64_t address, uint64_t issued, struct idle_path *path);

/** First cycle of the clock `to_hz` that starts with cycle `c` of the clock `from_hz` or later. */
uint64_t idle_cycle_after(uint64_t c, uint64_t from_hz, uint64_t to_hz);

/** Closed forms of a channel whose requests are lines. */
struct dram_sums idle_dram_sums(const struct mh_config *cfg);

/** When a request of `flits` that leaves its port at `at` is looked up in the L2. */
uint64_t idle_lookup(const struct mh_config *cfg, uint64_t at, uint32_t flits);

/** A read of `bytes` that the L2 has: from the cycle `at` in which it leaves its port to its last flit back there. */
uint64_t idle_l2_hit(const struct mh_config *cfg, uint64_t at, uint32_t bytes);

/** A read that misses the L2 and gets its line from DRAM: from leaving its port to its last flit back there. */
uint64_t idle_dram_read(const struct mh_config *cfg, const struct dram_sums *sums, enum idle_found where, uint64_t at,
                        uint32_t bytes);

/** A walk's read past the L2 (`walk.uncached`, L2_BYPASS): from leaving its port to its last flit back there. */
uint64_t idle_past_l2(const struct mh_config *cfg, const struct dram_sums *sums, enum idle_found where, uint64_t at);

/** When the line of a read that the L2 looks up, and misses, at `at` is there. */
uint64_t idle_fill(const struct mh_config *cfg, const struct dram_sums *sums, enum idle_found where, uint64_t at);

/** A packet of `flits` that leaves its port or bank at `at`: the cycle of its last flit at the other end. */
uint64_t idle_crossing(const struct mh_config *cfg, uint64_t at, uint32_t flits);

/** Flits of a packet with `bytes` of payload. */
uint32_t idle_flits(const struct mh_config *cfg, uint32_t bytes);

/** A store of `bytes`, from the cycle `at` in which it leaves its port to its acknowledgement back there. */
uint64_t idle_store(const struct mh_config *cfg, uint64_t at, uint32_t bytes);

#endif
