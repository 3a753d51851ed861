/* Invariants of the sub-queues (debug builds). */
#ifndef MEMHELM_MISSQ_CHECK_H
#define MEMHELM_MISSQ_CHECK_H

#ifdef MH_DEBUG
struct mh_gpu;

/** As struct mh_block has it. */
void mh_missq_check(const struct mh_gpu *g);
#else
#define mh_missq_check NULL
#endif

#endif
