/*
 * The decision of the firmware-scored order of walks (ours): shortest job first, where the job of an instruction is all
 * the page table reads that its walks have been estimated to need since the first of them came.
 *
 * The hardware's own score (Shin et al., ISCA 2018, sec. IV) forgets an instruction when none of its walks waits; this
 * one remembers it, as long as its place in the table is not taken. It is an example of the form: what arrives is added
 * up here. The twin shows what the order is worth, QEMU what it costs to be late: scores for walks that have gone
 * (WALK_SCORES_LATE), and arrivals that found the FIFO full (WALK_ARRIVALS_LOST).
 */
#ifndef FIRMWARE_WALK_SCORED_H
#define FIRMWARE_WALK_SCORED_H

#include <stdint.h>

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
