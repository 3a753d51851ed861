/* result.json, both ways; reading is declared in memhelm/record.h. */
#ifndef MEMHELM_RECORD_RESULT_H
#define MEMHELM_RECORD_RESULT_H

#include "memhelm/record.h"

#define MH_RECORD_SCHEMA "memhelm-record-1"

/** Writes to `path`.tmp and renames it to `path`: a reader sees the whole file or none. */
int mh_result_write(const struct mh_result *result, const char *path, struct mh_error *err);

#endif
