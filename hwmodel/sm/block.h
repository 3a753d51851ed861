/*
 * What gpu/ asks of the SMs: page table roots, what they add to reports of a deadlock, and their invariants.
 *
 * A root says whose an SM is. One that changes its root drains first (MASK sec. 5.1): its CTAs finish, LSU, miss queue
 * and store buffer empty, then L1 TLB and L1D are flushed.
 */
#ifndef MEMHELM_SM_BLOCK_H
#define MEMHELM_SM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/block.h"

struct mh_gpu;
struct mh_sm;

/** Roots as the configuration has them: an SM whose tenant is the only one has its root. */
void mh_root_init(struct mh_gpu *g);

/** The SM is to be the tenant's. A write of the tenant that drains gives it back to it. */
void mh_root_set(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant);

/** Every SM is to be whose it was at the start, there or not. */
void mh_root_give_back(struct mh_gpu *g);

/** Ends drains as far as they are done; true: some SM is another tenant's now. Others call for attention. */
bool mh_root_drain(struct mh_gpu *g);

/** Register SM_DRAINING, word `word`. */
uint32_t mh_root_draining(const struct mh_gpu *g, uint32_t word);

/** The SM uses the tenant's page table; where tenants share SMs, it is one of its SMs. */
bool mh_root_is(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant);

/** Of a load in slot `slot` of a warp: of the first of its lines that is furthest on its way. */
void mh_path_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot, FILE *out);

/* For reports of a deadlock and invariants, as struct mh_block has them. */
void mh_sm_oldest(const struct mh_gpu *g, struct mh_oldest *o);
bool mh_sm_left(const struct mh_gpu *g, FILE *out);

#ifdef MH_DEBUG
void mh_sm_check(const struct mh_gpu *g);
#else
#define mh_sm_check NULL
#endif

#endif
