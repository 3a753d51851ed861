/* What `memhelm reproduce` measured, as JSON: schema memhelm-reproduce-1. */
#ifndef HOST_REPRODUCE_ROWS_JSON_H
#define HOST_REPRODUCE_ROWS_JSON_H

#include "reproduce.h"

/** Rows and grids with every cell; the same bytes for the same input. */
int rows_json_write(const struct reproduction *r, const char *path, struct mh_error *err);

#endif
