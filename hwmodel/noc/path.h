/* Where a request of the crossbar is, and what it waits for: for a report of a deadlock (struct mh_oldest). */
#ifndef MEMHELM_NOC_PATH_H
#define MEMHELM_NOC_PATH_H

#include "engine/block.h"
#include "engine/wanted.h"

/** Says where it is: in its port's queue, stalled at its bank, at an MSHR there, or none of these. */
void mh_path_request(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out);

/** Of the head of a port's queue. */
void mh_path_port(const struct mh_gpu *g, uint32_t port, FILE *out);

/** What ports, banks and crossbar hold: stores and atomics, which no warp waits for. As struct mh_block. */
bool mh_noc_left(const struct mh_gpu *g, FILE *out);

#endif
