/*
 * TCM's decisions (Kim et al., thread cluster memory scheduling, MICRO 2010): which tenants are latency-sensitive, and
 * the rank of each at DRAM (knob DRAM_RANK). Pure: counters in, ranks out.
 *
 * The paper clusters every million cycles and shuffles every 800 (table 3). Comparisons of rates are cross products,
 * exact.
 */
#ifndef FIRMWARE_TCM_H
#define FIRMWARE_TCM_H

#include <stdbool.h>
#include <stdint.h>

enum { TCM_MAX_TENANTS = 8 };

/** A tenant's counters of a quantum, differences. Lines below 2^29 each, cycles below 2^27. */
struct tcm_counts {
    uint32_t instructions;
    uint32_t misses;       /**< DRAM reads: over `instructions` its memory intensity, MPKI */
    uint32_t lines;        /**< that DRAM has served: its use of bandwidth */
    uint32_t reads, hits;  /**< DRAM_ALONE_READS, DRAM_ALONE_HITS: row-buffer locality */
    uint32_t area, cycles; /**< DRAM_BANKS_AREA, DRAM_BANKS_CYCLES: bank-level parallelism in a channel */
};

struct tcm_config {
    uint32_t thresh, over;   /**< ClusterThresh, thresh / over of all lines; the paper: 4 / 24 (table 3). 1..255 */
    uint32_t banks;          /**< of a channel, 1..32 */
    uint32_t shuffle_tenths; /**< ShuffleAlgoThresh in tenths, 1..10; the paper: 1 (table 3) */
};

struct tcm {
    uint8_t order[TCM_MAX_TENANTS]; /**< tenants from the lowest rank to the highest: a tenant's rank is its place */
    uint8_t tenants;
    uint8_t bandwidth; /**< bandwidth-sensitive ones: the first places */
    uint8_t phase;     /**< of insertion shuffle, 0 .. 2 x bandwidth - 1 */
    bool ranked;       /**< a quantum has ended */
    bool insertion;    /**< else random shuffle */
    uint32_t random;   /**< state of the generator, not 0 */
};

/**
 * Before the first quantum nothing is known of the `tenants`, 1..8: none is ranked above another, and nothing is
 * shuffled (ours). Warped-Slicer measures kernels then, and would measure their ranks too.
 */
void tcm_begin(struct tcm *tcm, uint32_t tenants, uint32_t seed);

/**
 * A quantum has ended (algorithm 1). Tenants of the lowest MPKI, as long as their lines together are at most
 * ClusterThresh of all, are latency-sensitive and above the others, the lowest MPKI highest. The others start in order
 * of niceness, the nicest highest: niceness is the place by bank-level parallelism less that by row-buffer locality,
 * each from the lowest (sec. 3.3). Equal ones share a place; of equal tenants the first has the higher rank (ours).
 *
 * A tenant that did nothing has an MPKI, a parallelism and a locality of 0 (ours). Insertion shuffle is for
 * bandwidth-sensitive tenants that differ by more than ShuffleAlgoThresh of the banks in parallelism and by more than
 * ShuffleAlgoThresh in locality; others are shuffled at random.
 */
void tcm_cluster(struct tcm *tcm, const struct tcm_config *config, const struct tcm_counts *counts);

/**
 * A shuffle interval has ended: new ranks of the bandwidth-sensitive tenants. Insertion shuffle (algorithm 2) is as in
 * the authors' published simulator (CMU-SAFARI/MemSchedSim, TCM.cs): one after the other, from the nicest down, goes to
 * the top, then the top one goes to places 0, 1, ... Back at the start after 2 x bandwidth intervals.
 */
void tcm_shuffle(struct tcm *tcm);

/** Rank of a tenant, 0 .. tenants - 1, for DRAM_RANK; before the first quantum 0. */
uint32_t tcm_rank(const struct tcm *tcm, uint32_t tenant);

#endif
