/*
 * Whether a mechanism starves a tenant at the page walkers (ours): a trial, for helm_walks.
 *
 * Signals say where a mechanism can help, not whom it takes it from. A tenant that starves loses a third and more, most
 * at once: three stretches show it, without the mechanism, with it, without it. The first part of each does not count.
 * Who starves makes less and walks less; who only makes less is in another phase.
 *
 * An epoch's progress moves by 10 to 30 % by itself, so a trial is no measure of small gains: it refuses large harm.
 */
#ifndef FIRMWARE_HELM_TRIAL_H
#define FIRMWARE_HELM_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"

enum {
    HELM_TRIAL_STRETCHES = 3,
    HELM_TRIAL_ONE = 1024, /**< progress as without the mechanism */
};

/** Low words of cumulative counters of one tenant, or differences of them. */
struct helm_made {
    uint32_t instructions; /**< warp instructions issued */
    uint32_t walks;        /**< page walks finished */
};

/** What was made in stretches that have ended, without the mechanism [0] and with it [1]. */
struct helm_trial {
    struct helm_made made[2][GPU_MAX_TENANTS];
    uint32_t cycles[2];                     /**< GPU cycles */
    struct helm_made last[GPU_MAX_TENANTS]; /**< when the stretch began to count */
    uint32_t last_cycle;                    /**< low word of that cycle */
    uint8_t stretch;                        /**< that runs, 0..HELM_TRIAL_STRETCHES - 1 */
};

/** A trial begins. */
void helm_trial_start(struct helm_trial *trial);

/** The mechanism is to be on in the stretch that runs. */
bool helm_trial_with(const struct helm_trial *trial);

/** What is made counts from here on; `cycle` is a low word. tenants: 1..8. */
void helm_trial_begin(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/** The stretch has ended; it has less than 2^31 of each count. True: so has the trial. */
bool helm_trial_end(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/**
 * The mechanism stays, and has been on since helm_trial_begin() or the last call: what was made since then stands for
 * it from now on. Some starve slowly.
 */
void helm_trial_watch(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/** With the mechanism some tenant makes less than `floor` percent, 1..100, of what it makes without, and walks less. */
bool helm_trial_starves(const struct helm_trial *trial, uint32_t tenants, uint32_t floor);

/**
 * All tenants together make more progress with the mechanism than `gain` thousandths for a tenant in the mean, 0..1000.
 * Progress is the sum over tenants of (with - without) / (with + without), in instructions per cycle: each counts by
 * its own. Who makes nothing without it counts for nothing.
 */
bool helm_trial_gains(const struct helm_trial *trial, uint32_t tenants, uint32_t gain);

#endif
