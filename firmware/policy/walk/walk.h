/* Decisions about page walks: who owns the walkers, stealing, the order. */
#ifndef FIRMWARE_WALK_H
#define FIRMWARE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "../policy.h"

/*
 * Which tenant owns which page walker: equal parts (Pratheek et al., "Improving GPU Multi-tenancy with Page Walk
 * Stealing", HPCA 2021, sec. VI-B "Initialization", VI-C "Dynamically changing the number of tenants").
 */

/**
 * Owner of `walker`, 0..walkers-1, when the tenants have walkers whose bit is set in `present`; of `tenants`, 1..32.
 * Each owns a run of walkers, in the order of their numbers (ours; [DWS] pagewalk.cc:606 deals them in turn); if they
 * do not divide evenly, some runs have one walker more. `present` 0 counts all tenants as present. If there are more
 * tenants than walkers, some tenants own none.
 */
uint32_t walk_partition_owner(uint32_t walker, uint32_t walkers, uint32_t present, uint32_t tenants);

/** Hooks of policy walk_partition, which helm_walks calls. */
enum policy_status walk_partition_init(const struct gpu_caps *caps);
void walk_partition_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

/*
 * The decision of DWS++ (Pratheek et al., "Improving GPU Multi-tenancy with Page Walk Stealing", HPCA 2021, sec. VI-B
 * and VII-C, tables IV and VII): by how much another tenant's pending walks must exceed those of a walker's owner
 * before the walker steals although its owner has walks queued.
 */

/** Rows of the tables: ratios up to and including 1.5, 2, 3, 4, and above. */
enum { DWSPP_RATIOS = 5 };

/** One column of table VII. */
struct dwspp_table {
    uint16_t diff_thres[DWSPP_RATIOS]; /**< thousandths; MH_DIFF_NEVER = no stealing */
    uint16_t queue_percent;            /**< QUEUE_THRES, % of a queue's entries */
};

/** Table VII. The conservative one steals only while its own queue is short, the aggressive one at every ratio. */
enum { DWSPP_DEFAULT, DWSPP_CONSERVATIVE, DWSPP_AGGRESSIVE, DWSPP_TABLES };
extern const struct dwspp_table dwspp_tables[DWSPP_TABLES];

/**
 * DIFF_THRES of each tenant, from the walks that it and the others began in the last walk epoch, 0..65535 each.
 *
 * A tenant compares itself with the largest of the others (sec. VI-C: "each tenant compares itself against that
 * maximum"), larger / smaller: with two tenants that is one ratio for both, as in the paper. A smaller of 0 is the last
 * row, as in the authors' code ([DWS] pagewalk.cc:145-154: the ratio is then the epoch's length), and so is a tenant
 * alone (ours). Not all are 0.
 */
void dwspp_decide(const struct dwspp_table *table, uint32_t tenants, const uint32_t *enq, uint16_t *diff_thres);

/** QUEUE_THRES in walks, rounded down: with 12 entries 51 % is up to 6, 17 % up to 2. */
uint32_t dwspp_queue_thres(const struct dwspp_table *table, uint32_t entries);

/*
 * The decision of the adaptive order of walks: SIMT-aware where it can help, else first come first served (ours; Shin
 * et al., ISCA 2018, have it on always).
 *
 * It can help a tenant whose instructions have several walks each (regular kernels have one now and then, and nothing
 * to batch), and only while walks wait: as long as there is a walker for each, every order is the same.
 */

/** Cumulative counters of one tenant. */
struct walk_adaptive_counters {
    uint64_t walks;        /**< finished */
    uint64_t cycles;       /**< sum of their latencies, GPU cycles */
    uint64_t instructions; /**< that had walks, finished */
};

/** What the decision remembers. All zero before the first epoch. */
struct walk_adaptive_state {
    struct walk_adaptive_counters last[GPU_MAX_TENANTS]; /**< at the last decision */
    uint64_t cycle;                                      /**< of the last decision */
    bool divergent[GPU_MAX_TENANTS]; /**< in the last epoch in which instructions with walks finished */
};

/** Walks per instruction from which on a tenant is divergent: fewer leave nothing to batch (sec. III-B). */
#define WALK_ADAPTIVE_WALKS 2

/**
 * Decides at the end of an epoch, in GPU cycle `cycle` since reset, for `tenants` tenants on a GPU with `walkers`
 * walkers, at least 1 each. Returns MH_WALK_SIMT or MH_WALK_FCFS.
 *
 * SIMT when some tenant is divergent and there were, on average since the last decision, more walks than walkers
 * (latencies sum up to more than walkers x cycles: Little's law). The last decision is longer ago than an epoch if one
 * was missed, or answered late. A tenant of which no instruction finished meanwhile is as divergent as it was.
 */
uint32_t walk_adaptive_decide(struct walk_adaptive_state *state, uint32_t tenants, uint32_t walkers, uint64_t cycle,
                              const struct walk_adaptive_counters *now);

/*
 * The decision of the firmware-scored order of walks (ours): shortest job first, where the job of an instruction is all
 * the page table reads that its walks have been estimated to need since the first of them came.
 *
 * The hardware's own score (Shin et al., ISCA 2018, sec. IV) forgets an instruction when none of its walks waits; this
 * one remembers it, as long as its place in the table is not taken. It is an example of the form: what arrives is added
 * up here. The twin shows what the order is worth, QEMU what it costs to be late: scores for walks that have gone
 * (WALK_SCORES_LATE), and arrivals that found the FIFO full (WALK_ARRIVALS_LOST).
 */

/** Instructions that are remembered. IDs are given in turn: so many neighbours never collide. */
#define WALK_SCORED_ENTRIES 256

/** What the decision remembers. All zero at the start. */
struct walk_scored_state {
    uint32_t tag[WALK_SCORED_ENTRIES];   /**< instruction ID + 1; 0 = none */
    uint16_t reads[WALK_SCORED_ENTRIES]; /**< of the instruction, 1..MH_WALK_SCORE_MAX */
};

/**
 * A walk of `instruction` (20-bit ID), estimated to need `reads` reads, has arrived. Returns the instruction's score,
 * 1..MH_WALK_SCORE_MAX: its reads so far, saturating.
 */
uint32_t walk_scored_decide(struct walk_scored_state *state, uint32_t instruction, uint32_t reads);

#endif
