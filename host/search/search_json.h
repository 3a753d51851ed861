/* A search as JSON: every combination with every seed, and what made them. */
#ifndef HOST_SEARCH_SEARCH_JSON_H
#define HOST_SEARCH_SEARCH_JSON_H

#include <jansson.h>

#include "search.h"

/** Combination `i` with a seed, from 0, as the surface has it: CTAs, seed, IPCs, metrics. A new reference. */
json_t *search_row_json(const struct search *s, const struct search_workload *w, unsigned i, unsigned seed);

int search_write_json(const struct search *s, const char *path, struct mh_error *err);

#endif
