/* `memhelm record`: a program's accesses to global memory as a GMT1 trace. */
#ifndef HOST_RECORD_RECORD_H
#define HOST_RECORD_RECORD_H

#include "program.h"

/**
 * Runs the program, writes q->out and NAME.pcs.json, and says on standard error what they hold and what was left out.
 * Returns 0 when the program passed, 1 when it did not or was interrupted but what was recorded is written; -1 and
 * `err`: nothing is written.
 */
int record(const struct record_request *q, struct mh_error *err);

#endif
