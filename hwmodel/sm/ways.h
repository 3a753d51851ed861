/*
 * L1D_WAYS: ways of each L1D set by tenant (UCP: Qureshi and Patt, MICRO 2006, sec. 3.5). For the L1D alone.
 *
 * A line that comes takes the place of
 *   - the least recently used line of its tenant, if that holds its ways of the set already, or more;
 *   - else an empty way;
 *   - else the least recently used line among those of tenants that hold more than their ways. A tenant with L1D_WAYS 0
 *     has none that are its own: whatever it holds is more (ours; so it may lose and take any such line, its own too);
 *   - else, where all others hold just theirs, the least recently used line of another.
 * With two tenants whose ways are those of the set that is the paper's rule, by which a tenant with fewer takes the
 * least recently used line that is not its own. Nothing moves when the knob does: ways change hands as lines come. Ways
 * of a tenant that has left are nobody's (ours).
 */
#ifndef MEMHELM_SM_WAYS_H
#define MEMHELM_SM_WAYS_H

#include <stdint.h>

struct mh_gpu;

/** L1D_WAYS have changed: whether fills look at them (g->l1d_apart). */
void mh_ways_apply(struct mh_gpu *g);

/** Way of the set, one of all SMs' L1Ds, for a line that is not in it. Pre: g->l1d_apart. */
uint32_t mh_ways_victim(const struct mh_gpu *g, const uint32_t *set, uint32_t line);

#endif
