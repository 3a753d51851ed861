/* The invariants of the L2, as struct mh_block has them. */
#ifndef MEMHELM_CACHE_L2_CHECK_H
#define MEMHELM_CACHE_L2_CHECK_H

#include <stdint.h>

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
