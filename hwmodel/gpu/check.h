/*
 * Invariants, and faults on purpose. MH_CHECK is compiled in with -DMH_DEBUG: a model that has lost a request must
 * stop, not go on.
 */
#ifndef MEMHELM_GPU_CHECK_H
#define MEMHELM_GPU_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef MH_DEBUG
#include <stdio.h>
#include <stdlib.h>
#define MH_CHECK(condition)                                                                                            \
    ((condition)                                                                                                       \
         ? (void)0                                                                                                     \
         : (fprintf(stderr, "memhelm: invariant broken at %s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))
#else
#define MH_CHECK(condition) ((void)0)
#endif

struct mh_gpu;
struct mh_walk;

/** An event that a test wants lost. */
struct mh_loss {
    uint32_t kind;   /**< enum mh_event_kind_internal */
    uint32_t number; /**< the n-th from here on, 1 = the next; 0 = none */
    bool again;      /**< not lost, but put off in its own cycle for ever */
};

#ifdef MH_DEBUG
/**
 * Stops the program, and says whose frame it is, unless the tenant's page table maps `vpn` to `frame`. One that a page
 * of the tenant was moved away from passes until PTE_CHANGED is written.
 */
void mh_check_translation(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn, uint32_t frame);

/** The same, unless the walk is at the node of its tenant's page table that leads to its page. */
void mh_check_walk(const struct mh_gpu *g, const struct mh_walk *w);

/** Takes the loss from the environment: MEMHELM_LOSE_EVENT=EV_PTE:1000. */
void mh_loss_init(struct mh_loss *loss);

/** True when this event is the one, and must not be run. */
bool mh_event_lost(struct mh_gpu *g, uint32_t event);
#else
#define mh_check_translation(g, tenant, vpn, frame) ((void)0)
#define mh_check_walk(g, w)                         ((void)0)
#define mh_loss_init(loss)                          ((void)0)
#define mh_event_lost(g, event)                     false
#endif

#endif
