/* Where a request is at a bank of the L2, and what it waits for: for a report of a deadlock (struct mh_oldest). */
#ifndef MEMHELM_CACHE_L2_PATH_H
#define MEMHELM_CACHE_L2_PATH_H

#include "engine/block.h"

struct mh_wanted;

/** Of the request, if it is stalled at the bank or at an MSHR there; false: it is not. */
bool mh_path_at_bank(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w, FILE *out);

/** Of whatever the bank has stalled. */
void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out);

/** The lines that MSHRs have asked DRAM for. */
void mh_l2_oldest(const struct mh_gpu *g, struct mh_oldest *o);

#endif
