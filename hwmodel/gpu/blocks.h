/* What is asked of all blocks, one after the other, in the order of blocks.def. */
#ifndef MEMHELM_GPU_BLOCKS_H
#define MEMHELM_GPU_BLOCKS_H

#include "engine/block.h"

/** 0, or -1 when memory ran out. */
int mh_blocks_init(struct mh_gpu *g);
void mh_blocks_free(struct mh_gpu *g);

/** The knobs of struct mh_gpu have taken effect; `before` were in force. */
void mh_blocks_apply(struct mh_gpu *g, const struct mh_knobs *before);

/** Debug builds: stops the program unless every queue, MSHR and request is accounted for. */
void mh_blocks_check(const struct mh_gpu *g);

/** The request that has been outstanding for longest; o->tell is NULL when there is none. */
struct mh_oldest mh_blocks_oldest(const struct mh_gpu *g);

/** Tells of one thing that a block still holds; false: all are empty. */
bool mh_blocks_left(const struct mh_gpu *g, FILE *out);

/** Counters of all tenants at this cycle. */
void mh_blocks_counters(struct mh_gpu *g, struct mh_counters *out);

/** They were latched. */
void mh_blocks_restart(struct mh_gpu *g);

#endif
