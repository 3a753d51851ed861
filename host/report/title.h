/* The line above the tables of a run or a comparison. */
#ifndef HOST_REPORT_TITLE_H
#define HOST_REPORT_TITLE_H

#include <stdio.h>

#include "plan/experiment.h"

/** "mask as changed by 2 keys: MVT + GUPS, 300000 GPU cycles, seed 1, ..", and below it who comes and goes. */
void report_title(const struct experiment *x, FILE *out);

#endif
