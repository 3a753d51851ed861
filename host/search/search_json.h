/* A search as JSON: every combination with every seed, and what made them. */
#ifndef HOST_SEARCH_SEARCH_JSON_H
#define HOST_SEARCH_SEARCH_JSON_H

#include "search.h"

int search_write_json(const struct search *s, const char *path, struct mh_error *err);

#endif
