/* Faults on purpose, in debug builds: an event that is lost. */
#ifndef MEMHELM_GPU_LOSS_H
#define MEMHELM_GPU_LOSS_H

#include <stdbool.h>
#include <stdint.h>

struct mh_gpu;

/** An event that a test wants lost. */
struct mh_loss {
    uint32_t kind;   /**< enum mh_event_kind_internal */
    uint32_t number; /**< the n-th from here on, 1 = the next; 0 = none */
    bool again;      /**< not lost, but put off in its own cycle for ever */
};

#ifdef MH_DEBUG
/** Takes the loss from the environment: MEMHELM_LOSE_EVENT=EV_PTE:1000. */
void mh_loss_init(struct mh_loss *loss);

/** True when this event is the one, and must not be run. */
bool mh_event_lost(struct mh_gpu *g, uint32_t event);
#else
#define mh_loss_init(loss)      ((void)0)
#define mh_event_lost(g, event) false
#endif

#endif
