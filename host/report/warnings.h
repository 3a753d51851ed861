/* What a table of numbers would not tell who only looks at the speedup. */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include <stdio.h>

#include "plan/metrics.h"
#include "run/sim.h"

/** A line for a run that went on although something went wrong with its mcu. */
void report_recovery(const struct sim *s, FILE *out);

/** Addresses of recordings that were moved into buffers: a line for each tenant that has some. */
void report_moved(const struct sim *s, FILE *out);

/** Tenants that are faster beside others than alone, which no sharing does: a line each. */
void report_faster(const struct mh_config *cfg, const struct metrics *m, FILE *out);

/**
 * Decisions that were missed, interrupts that nobody acknowledged: a line for each event source. Decisions that took
 * longer than the firmware reported, and work outside of all: a line each.
 */
void report_warnings(const struct sim *s, FILE *out);

#endif
