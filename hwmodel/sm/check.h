/* The invariants of the SMs, as struct mh_block has them. */
#ifndef MEMHELM_SM_CHECK_H
#define MEMHELM_SM_CHECK_H

struct mh_gpu;

#ifdef MH_DEBUG
void mh_sm_check(const struct mh_gpu *g);
#else
#define mh_sm_check NULL
#endif

#endif
