/*
 * Order of walks: which of the walks in a queue goes next (knob WALK_ORDER).
 *
 *   fcfs    the oldest
 *   random  any of them
 *   simt    the oldest of the instruction that was served last (WALK_BATCH), else the lowest score; of equals the
 *           oldest
 *   scored  as simt, with the scores that firmware gave (WALK_SCORE) where there are any
 *
 * Under the last three a walk that WALK_AGE younger ones have passed goes first. Shin et al., ISCA 2018, sec. IV. The
 * score of an instruction is that of all its waiting walks: each that arrives adds its own, the cost (WALK_COST_n) of
 * the reads that a look-up in the page walk cache says it needs and its tenant's WALK_BIAS. It starts anew when none of
 * them waits any more, and is not lowered when one is served. Walks that came while another order was in force have
 * none and, until others of their instruction have arrived, go first (ours).
 *
 * A free walker takes a new walk at once, in any order, and its instruction counts as served last. Otherwise the choice
 * is made when a walker is free; by score it then takes walk.scan_latency. Searches do not disturb each other (ours).
 * The look-up for a score is a use like any other, and pins what it finds (WALK_PIN) until the served walk's own.
 *
 * A queue has its own memory of the instruction served last: walkers with queues of their own batch each for itself
 * (ours). Scores are of the instruction, in whichever queues its walks stand.
 */
#ifndef MEMHELM_TRANSLATE_ORDER_H
#define MEMHELM_TRANSLATE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "translate/waiting.h"

struct mh_gpu;

/** A walk has entered a queue: estimates, scores, tells firmware, as the order asks for. */
void mh_order_arrived(struct mh_gpu *g, uint32_t walk);

/** The walk of this queue that goes next; MH_NO_WALK: it is empty. Nothing but the random order's state changes. */
uint32_t mh_order_pick(struct mh_gpu *g, const struct mh_walk_queue *q);

/** A walk that was waiting is served: takes it out of its queue. */
void mh_order_leave(struct mh_gpu *g, struct mh_walk_queue *q, uint32_t walk);

/** Cycles from the choice of a walk to its start: the search of the buffer, where the order needs one. */
uint32_t mh_order_latency(const struct mh_gpu *g);

/** WALK_SCORE; false: no walk of the instruction waits. */
bool mh_order_score(struct mh_gpu *g, uint32_t instruction, uint32_t score);

#endif
