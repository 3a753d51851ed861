/*
 * Where a request is, and what each place on its way waits for, down to what does not move: for a report of a deadlock.
 *
 * A path has no numbers that change while others go on (fill levels, next cycles), so two equal ones say that nothing
 * on it has moved.
 */
#ifndef MEMHELM_GPU_PATH_H
#define MEMHELM_GPU_PATH_H

#include <stdint.h>
#include <stdio.h>

struct mh_gpu;

/** Of a load in slot `slot` of a warp: of the first of its lines that is furthest on its way. */
void mh_path_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot, FILE *out);

/** Of a page walk. */
void mh_path_walk(const struct mh_gpu *g, uint32_t walk, FILE *out);

/** Of a line that an MSHR of an L2 bank has asked DRAM for. */
void mh_path_fill(const struct mh_gpu *g, uint32_t bank, uint32_t mshr, FILE *out);

/** Of whatever an SM, a port of the crossbar or a bank still holds: stores and atomics, which no warp waits for. */
void mh_path_lsu(const struct mh_gpu *g, uint32_t sm, FILE *out);
/** Stores that nobody has acknowledged. */
void mh_path_stores(const struct mh_gpu *g, uint32_t sm, FILE *out);
void mh_path_translation(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out);
void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out);
void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out);

#endif
