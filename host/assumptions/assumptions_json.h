/* All that the assumptions' runs say, as JSON: schema memhelm-assumptions-1. */
#ifndef HOST_ASSUMPTIONS_ASSUMPTIONS_JSON_H
#define HOST_ASSUMPTIONS_ASSUMPTIONS_JSON_H

#include "assumptions.h"

int assumptions_json_write(const struct assumptions *a, const char *path, struct mh_error *err);

#endif
