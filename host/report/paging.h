/* What demand paging did to each tenant: lines of the report of a run. */
#ifndef REPORT_PAGING_H
#define REPORT_PAGING_H

#include <stdio.h>

#include "base/table.h"
#include "memhelm/config.h"
#include "memhelm/hwmodel.h"

/** A line per tenant; none with uvm.mode off. */
void report_paging(const struct mh_config *cfg, const struct mh_stats *stats, FILE *out);

/** Columns of a comparison: page faults, evictions and MB over the link, of all tenants. None with uvm.mode off. */
void report_paging_heading(const struct mh_config *cfg, struct table *t);
void report_paging_cells(const struct mh_config *cfg, const struct mh_stats *stats, struct table *t);

#endif
