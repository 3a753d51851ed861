/* A timing table for people: each value with its bounds, where it is from and why. */
#ifndef HOST_MCU_TIMING_SHOW_H
#define HOST_MCU_TIMING_SHOW_H

#include <stdio.h>

#include "timing.h"

/** What the core is, its classes and events, the published counters that the table gives, the sources. */
void core_show(const struct core *c, FILE *out);

#endif
