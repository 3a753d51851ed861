/*
 * Results and timings as JSON files. memhelm-result-1 has
 *
 *     made_by          commit, model, machine (provenance.h)
 *     image            name, machine, sha256, sizes
 *     core             timing table of the mcu: name, sha256; null of a twin
 *     workload seed config config_sha256    a trace as trace:SHA256, of a list of files, of their digests; an
 *                                           input as KERNEL:SHA256
 *     alone            image of the alone runs; null without
 *     metrics          metrics.h; null of a run that did not pass
 *     run              the statistics as the simulation wrote them (hwmodel/record)
 *
 * No time, host, path or name of an output is in it. With --mcu-hz inf, QEMU and --twin differ in `image`, `core`, the
 * sha256 of `alone` and `run.core`, which only a core can measure, and in nothing else.
 */
#ifndef HOST_REPORT_RESULT_H
#define HOST_REPORT_RESULT_H

#include <stdio.h>

#include "base/table.h"
#include "memhelm/config.h"
#include "memhelm/hwmodel.h"
#include "plan/experiment.h"

/** The first image: schema memhelm-result-1. -1 and `err` when it cannot be written; nothing for a run without a
 * result. */
int result_write_run(const struct experiment *x, const char *path, struct mh_error *err);

/** All images: schema memhelm-compare-1, `results` holding one memhelm-result-1 each that has a result. */
int result_write_compare(const struct experiment *x, const char *path, struct mh_error *err);

/** Wall times: schema memhelm-timing-1. The only file that knows them. */
int result_write_timing(const struct experiment *x, const char *path, struct mh_error *err);

/* What demand paging did to each tenant: lines of the report of a run. */

/** A line per tenant; none with uvm.mode off. */
void report_paging(const struct mh_config *cfg, const struct mh_stats *stats, FILE *out);

/** Columns of a comparison: page faults, evictions and MB over the link, of all tenants. None with uvm.mode off. */
void report_paging_heading(const struct mh_config *cfg, struct table *t);
void report_paging_cells(const struct mh_config *cfg, const struct mh_stats *stats, struct table *t);

#endif
