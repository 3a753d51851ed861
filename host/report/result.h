/* Results and timings as JSON files. */
#ifndef HOST_REPORT_RESULT_H
#define HOST_REPORT_RESULT_H

#include "plan/experiment.h"

/** The first image: schema memhelm-result-1. -1 and `err` when it cannot be written; nothing for a run without a
 * result. */
int result_write_run(const struct experiment *x, const char *path, struct mh_error *err);

/** All images: schema memhelm-compare-1, `results` holding one memhelm-result-1 each that has a result. */
int result_write_compare(const struct experiment *x, const char *path, struct mh_error *err);

/** Wall times: schema memhelm-timing-1. The only file that knows them. */
int result_write_timing(const struct experiment *x, const char *path, struct mh_error *err);

#endif
