/* Tables for the terminal. */
#ifndef HOST_REPORT_REPORT_H
#define HOST_REPORT_REPORT_H

#include "plan/experiment.h"

/** The first image in detail: tenants, the GPU, the firmware. */
void report_run(const struct experiment *x, FILE *out);

/** A row per image, with the change against the first. */
void report_compare(const struct experiment *x, FILE *out);

/** Wall time and simulated cycles per second of what was run. */
void report_speed(const struct experiment *x, FILE *out);

#endif
