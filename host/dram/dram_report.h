/* What a trace did to one DRAM channel: on the terminal and as JSON (`memhelm-dram-1`). */
#ifndef HOST_DRAM_DRAM_REPORT_H
#define HOST_DRAM_DRAM_REPORT_H

#include "dram_run.h"

/** `seconds` of wall time go to the terminal only. */
void dram_report(const struct mh_config *cfg, const struct dram_result *r, double seconds, FILE *out);

/** Without wall time: equal input gives equal bytes. */
int dram_report_json(const struct mh_config *cfg, const struct dram_result *r, const char *path, struct mh_error *err);

#endif
