/* What a sweep says when it ends. */
#ifndef HOST_SWEEP_SWEEP_REPORT_H
#define HOST_SWEEP_SWEEP_REPORT_H

#include <stdio.h>

#include "sweep.h"

/** A few lines: what there is, what is missing and why, how to look at it; with `dry` what would run, and how long. */
void sweep_report(const struct sweep *s, const struct sweep_request *r, bool dry, FILE *out);

#endif
