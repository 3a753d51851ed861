/* Where a translation is, and what it waits for: for a report of a deadlock (struct mh_oldest). */
#ifndef MEMHELM_TRANSLATE_PATH_H
#define MEMHELM_TRANSLATE_PATH_H

#include "engine/block.h"

/** Of a page walk. */
void mh_path_walk(const struct mh_gpu *g, uint32_t walk, FILE *out);

/** The same, of walk o->a. */
void mh_path_oldest_walk(const struct mh_gpu *g, const struct mh_oldest *o, FILE *out);

/** Of the page for which an L1 TLB MSHR of an SM waits. */
void mh_path_translation(const struct mh_gpu *g, uint32_t sm, uint32_t mshr, FILE *out);

#endif
