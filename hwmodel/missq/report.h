/* What waits in sub-queues, for a report of a deadlock (struct mh_oldest), and their invariants. */
#ifndef MEMHELM_MISSQ_REPORT_H
#define MEMHELM_MISSQ_REPORT_H

#include "engine/block.h"

struct mh_wanted;

/** Says where the request is, if it is in a sub-queue, and what that waits for. False: it is in none. */
bool mh_path_subqueue(const struct mh_gpu *g, const struct mh_wanted *w, FILE *out);

/** The SM's miss queue takes no request of the tenant: says why. */
void mh_path_miss_queue(const struct mh_gpu *g, uint32_t sm, uint32_t tenant, FILE *out);

/** What the first of the SM's heads waits for; there is one. */
void mh_path_subqueues(const struct mh_gpu *g, uint32_t sm, FILE *out);

/** As struct mh_block has it. */
bool mh_missq_left(const struct mh_gpu *g, FILE *out);

#ifdef MH_DEBUG
struct mh_gpu;

/** As struct mh_block has it. */
void mh_missq_check(const struct mh_gpu *g);
#else
#define mh_missq_check NULL
#endif

#endif
