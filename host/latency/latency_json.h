/* All that the experiment measured: memhelm-latency-2. */
#ifndef HOST_LATENCY_LATENCY_JSON_H
#define HOST_LATENCY_LATENCY_JSON_H

#include "latency.h"

int latency_write_json(const struct latency *l, const char *path, struct mh_error *err);

#endif
