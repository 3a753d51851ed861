/*
 * Which parts of MASK are in force (ours; Ausavarungnirun et al. have all of them on always): each is tried the other
 * way in time, and stays as the tenants made more progress.
 *
 * A trial of a part takes four stretches: as it is, the other way; the other way, as it is. A part changes if both
 * halves say so: a kernel that becomes faster, or that has phases, favours one order and not the other. If they
 * contradict each other, the next trial of the part has stretches twice as long, to cover the phases: from one epoch to
 * MASK_ADAPTIVE_STRETCH_MAX. Between trials of a part there are MASK_ADAPTIVE_GAP stretches, and twice as many after
 * each trial that changes nothing, up to MASK_ADAPTIVE_GAP_MAX: two stretches of a trial are all
 * that a wrong guess costs.
 *
 * A tenant alone has one DRAM queue: turns are for fairness between tenants, and three queues are smaller than one.
 */
#ifndef FIRMWARE_MASK_ADAPTIVE_H
#define FIRMWARE_MASK_ADAPTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"

/** They are tried in turn, in this order; bit 1 << part in sets of them. */
enum mask_adaptive_part {
    MASK_ADAPTIVE_DRAM,   /**< three DRAM queues */
    MASK_ADAPTIVE_TOKENS, /**< TLB-fill tokens */
    MASK_ADAPTIVE_CACHE,  /**< L2 bypass */
    MASK_ADAPTIVE_PARTS,
    MASK_ADAPTIVE_ALL = (1 << MASK_ADAPTIVE_PARTS) - 1,
};

enum {
    MASK_ADAPTIVE_STEPS = 4,       /**< stretches of a trial */
    MASK_ADAPTIVE_STRETCH_MAX = 8, /**< epochs (ours) */
    MASK_ADAPTIVE_GAP = 4,         /**< stretches from the end of a part's first trial to its next one (ours) */
    MASK_ADAPTIVE_GAP_MAX = 64,    /**< at most (ours): 2 of 68 stretches are other than they should be */
    MASK_ADAPTIVE_ONE = 4096,      /**< progress of 100 % */
    MASK_ADAPTIVE_MARGIN = 20,     /**< half of the gain from which on a part changes: 1 % of its progress (ours) */
};

/** Of one part. */
struct mask_adaptive_trials {
    uint8_t gap;     /**< stretches between trials; 0: it has had none */
    uint8_t stretch; /**< epochs */
    uint16_t due;    /**< epochs until it may be tried again */
};

/** What the decision remembers. All zero before mask_adaptive_restart(). */
struct mask_adaptive_state {
    uint32_t last[GPU_MAX_TENANTS];    /**< instructions at the end of the last epoch */
    uint32_t last_cycle;               /**< of that */
    uint32_t made[2][GPU_MAX_TENANTS]; /**< instructions in the stretches of a half: as it is; the other way */
    uint32_t cycles[2];                /**< GPU cycles of those */
    struct mask_adaptive_trials of[MASK_ADAPTIVE_PARTS];
    uint8_t on;    /**< parts that are in force outside trials */
    uint8_t part;  /**< that is being tried, or was last */
    uint8_t step;  /**< stretch of the trial that runs, 1 .. MASK_ADAPTIVE_STEPS; 0: there is none */
    uint8_t epoch; /**< of that stretch, from 0 on */
    bool first;    /**< the first half said that the other way is better */
};

/** These parts are in force, and none has been tried: at boot, or when a tenant comes or goes. Counters go on. */
void mask_adaptive_restart(struct mask_adaptive_state *state, uint32_t parts);

/**
 * Decides at the end of an epoch. `instructions` has the low words of what each tenant has issued, `cycle` that of the
 * GPU cycle; a stretch has less than 2^31 of each. `useful` is the set of parts that would restrict anybody now: others
 * are not tried. Returns the set that is to be in force in the next epoch.
 */
uint32_t mask_adaptive_decide(struct mask_adaptive_state *state, uint32_t tenants, uint32_t cycle,
                              const uint32_t *instructions, uint32_t useful);

/**
 * How much more progress all tenants made in the second of two stretches of time: the sum over tenants of (b - a) /
 * (a + b), in units of 1 / MASK_ADAPTIVE_ONE, with a and b in instructions per cycle. Each counts by its own progress,
 * however many instructions that is. One without any in both does not count.
 */
int32_t mask_adaptive_progress(const uint32_t made[2][GPU_MAX_TENANTS], const uint32_t cycles[2], uint32_t tenants);

#endif
