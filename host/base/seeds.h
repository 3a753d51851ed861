/* Ranges of seeds, as options and files write them. */
#ifndef HOST_BASE_SEEDS_H
#define HOST_BASE_SEEDS_H

#include "memhelm/error.h"

enum { SEEDS_MOST = 1000, SEEDS_GREATEST = 1000000 };

/** "1", or "1-5"; at most SEEDS_MOST of them. -1 and `err`: what is wrong with it, and how it is written. */
int seeds_parse(const char *text, unsigned *first, unsigned *last, struct mh_error *err);

#endif
