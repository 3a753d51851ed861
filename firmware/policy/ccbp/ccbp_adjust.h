/*
 * CCBP's adjustable priority (Lin et al., sec. 5.5): how fast kernels run together, and the hill climbing that looks
 * for the priorLSK at which they run best.
 *
 * IPCs and speedups are in 1/2^16; the most is 2^32 - 1.
 */
#ifndef FIRMWARE_CCBP_ADJUST_H
#define FIRMWARE_CCBP_ADJUST_H

#include <stdbool.h>
#include <stdint.h>

/** Instructions per cycle, rounded down; without cycles 0. */
uint32_t ccbp_ipc(uint32_t instructions, uint32_t cycles);

/**
 * HSpeedup (sec. 3.3), rounded down: `kernels` (1..8) over the sum of alone / shared. A kernel whose IPC alone is 0 is
 * not known and left out (ours). 0 if one of the others stands still, or if none is known.
 */
uint32_t ccbp_harmonic_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone);

/** WSpeedup (sec. 3.3): the sum of shared / alone, each rounded down. Without those whose IPC alone is 0 (ours). */
uint32_t ccbp_weighted_speedup(uint32_t kernels, const uint32_t *shared, const uint32_t *alone);

/** The climb: which prior is tried, which was best. */
struct ccbp_adjust {
    uint32_t prior; /**< in force, tenths, 10..1 */
    uint32_t best;
    uint32_t performance; /**< of `best`, measured */
    bool done;            /**< `prior` is the best, and stays */
};

/** Begins at 1.0. */
void ccbp_adjust_begin(struct ccbp_adjust *adjust);

/**
 * `performance` was measured with adjust->prior. Returns the prior to use from now on: a tenth less, at least 0.1, as
 * long as it does not get worse; after that the best, of equals the highest (ours). When `done` it does nothing.
 *
 * At 0 a latency-sensitive kernel's share would always be the lowest, and it would take everything: 0.1 is the least
 * (ours).
 */
uint32_t ccbp_adjust_next(struct ccbp_adjust *adjust, uint32_t performance);

/**
 * The allocation at adjust->prior is that of the prior before it: as good, there is nothing to measure (ours). Returns
 * the prior to use from now on.
 */
uint32_t ccbp_adjust_same(struct ccbp_adjust *adjust);

#endif
