/* What `memhelm reproduce` measured, as JSON: schema memhelm-reproduce-1. */
#ifndef HOST_REPRODUCE_ROWS_JSON_H
#define HOST_REPRODUCE_ROWS_JSON_H

#include "reproduce.h"

/**
 * Rows and grids with every cell; the same bytes for the same input. Of a row `ours`, `interval` (half its width),
 * `least` and `most` (of a seed), `verdict`; of a mean over workloads also `median`, `quartiles`, `moves_most` and
 * `one_pair` (outcome.h). Of each series `core` ({name, hz}; hz 0 is infinitely fast; null: a twin), `cells`, a list
 * per seed, and `partitions` and `against_partitions` where one of several counts. `config_sha256` is over all runs of
 * it.
 */
int rows_json_write(const struct reproduction *r, const char *path, struct mh_error *err);

#endif
