/* What to tell about a simulation that did not pass. */
#ifndef HOST_RUN_DIAGNOSE_H
#define HOST_RUN_DIAGNOSE_H

#include "sim.h"

/**
 * One paragraph without a trailing newline: how it ended, where (pc, function, caller), why, and the console's last
 * line. Empty for a simulation that passed.
 */
void diagnose(const struct sim *s, char *text, size_t size);

#endif
