/* What the SM block adds to reports of a deadlock (struct mh_oldest), and its invariants. */
#ifndef MEMHELM_SM_REPORT_H
#define MEMHELM_SM_REPORT_H

#include "engine/block.h"

/** Of a load in slot `slot` of a warp: of the first of its lines that is furthest on its way. */
void mh_path_load(const struct mh_gpu *g, uint32_t sm, uint32_t warp, uint32_t slot, FILE *out);

/* As struct mh_block has them. */
void mh_sm_oldest(const struct mh_gpu *g, struct mh_oldest *o);
bool mh_sm_left(const struct mh_gpu *g, FILE *out);

struct mh_gpu;

#ifdef MH_DEBUG
void mh_sm_check(const struct mh_gpu *g);
#else
#define mh_sm_check NULL
#endif

#endif
