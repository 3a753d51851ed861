/* Warnings that a reader of the speedup alone would miss. */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include <stdio.h>

#include "plan/metrics.h"
#include "run/sim.h"

/** A line for a run that went on although something went wrong with its mcu. */
void report_recovery(const struct sim *s, FILE *out);

/** Addresses of recordings that were moved into buffers: a line for each tenant that has some. */
void report_moved(const struct sim *s, FILE *out);

/** A line per tenant that is faster shared than alone, which sharing cannot cause. */
void report_faster(const struct mh_config *cfg, const struct metrics *m, FILE *out);

/**
 * A line for each event source with missed decisions or an interrupt that is not acknowledged, a line for decisions
 * that took longer than the firmware reported, and a line for work outside of all decisions.
 */
void report_warnings(const struct sim *s, FILE *out);

#endif
