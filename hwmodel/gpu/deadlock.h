/*
 * A model that has stopped is found and told, never waited for.
 *
 * Four signs: no event is left although requests are outstanding; the oldest request is older than any that a GPU
 * makes, and stands where it stood a look before; a cycle does not end, because its events schedule each other in it;
 * or because a workload without an instruction starts again in it. A GPU that has nothing outstanding is idle, whoever
 * keeps it so.
 */
#ifndef MEMHELM_GPU_DEADLOCK_H
#define MEMHELM_GPU_DEADLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

struct mh_gpu;

enum {
    MH_DEADLOCK_AGE = 1000000,   /**< GPU cycles: younger requests are not looked at (ours) */
    MH_DEADLOCK_LOOK = 1 << 18,  /**< GPU cycles between two looks, at least (ours) */
    MH_DEADLOCK_EVENTS = 16,     /**< events of one cycle for each place of the GPU: more do not end (ours) */
    MH_DEADLOCK_MOST = 1 << 24,  /**< of them, at most: their memory is asked for before they are too many (ours) */
    MH_DEADLOCK_PATH_MAX = 780,  /**< bytes of a path */
    MH_DEADLOCK_TEXT_MAX = 1024, /**< bytes of a report */
};

struct mh_deadlock {
    uint64_t look;     /**< cycle of the next look at the oldest request */
    uint64_t every;    /**< cycles between two; no request waits so long in one place, however slow the DRAM */
    uint64_t executed; /**< events run when an empty wheel was seen last */
    char path[MH_DEADLOCK_PATH_MAX];   /**< of the oldest request at the last look; empty when it was young */
    char report[MH_DEADLOCK_TEXT_MAX]; /**< empty = none found */
};

void mh_deadlock_init(struct mh_deadlock *d, const struct mh_config *cfg);

/** More events than one cycle of such a GPU can have: for struct mh_wheel, which looks when it has to grow. */
uint32_t mh_deadlock_most_events(const struct mh_config *cfg);

/** True, with `report` written, when the model has stopped. Called whenever the wheel has come to a limit; cheap. */
bool mh_deadlock_found(struct mh_gpu *g);

#endif
