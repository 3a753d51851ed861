/* The table of what decisions and calls of hooks execute, by class of instruction. */
#ifndef HOST_BUDGET_BUDGET_MIX_H
#define HOST_BUDGET_BUDGET_MIX_H

#include <stdio.h>

#include "budget.h"

/**
 * Each source and hook of the image: the mean over the run in which it took longest. The JSON has the sum over all and
 * the longest one, for each run. Nothing without a run.
 */
void budget_report_mix(const struct budget *b, unsigned image, FILE *out);

#endif
