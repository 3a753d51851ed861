/* Where a request is at a bank, for a report of a deadlock (struct mh_oldest), and the invariants of the L2. */
#ifndef MEMHELM_CACHE_L2_REPORT_H
#define MEMHELM_CACHE_L2_REPORT_H

#include <stdint.h>

#include "engine/block.h"

struct mh_wanted;

/** Of the request, if it is stalled at the bank or at an MSHR there; false: it is not. */
bool mh_path_at_bank(const struct mh_gpu *g, uint32_t bank, const struct mh_wanted *w, FILE *out);

/** Of whatever the bank has stalled. */
void mh_path_bank(const struct mh_gpu *g, uint32_t bank, FILE *out);

/** The lines that MSHRs have asked DRAM for. */
void mh_l2_oldest(const struct mh_gpu *g, struct mh_oldest *o);

struct mh_gpu;

#ifdef MH_DEBUG
void mh_l2_check(const struct mh_gpu *g);

/** Those of its sectors, if it has any. */
void mh_l2_check_sectors(const struct mh_gpu *g);

/** Requests that wait at MSHRs of the bank. */
uint32_t mh_l2_waiting(const struct mh_gpu *g, uint32_t bank);
#else
#define mh_l2_check NULL
#endif

#endif
