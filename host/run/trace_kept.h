/*
 * Accel-Sim's traces are text, xz and lines, which takes longer to read than most runs take. A run reads what they mean
 * in GMT2 instead, which is the same run (hwmodel/workload/trace/README.md), from ~/.cache/memhelm/traces, where it is
 * kept under the hash of the trace and of the model that read it. Whatever goes wrong there costs time only.
 */
#ifndef HOST_RUN_TRACE_KEPT_H
#define HOST_RUN_TRACE_KEPT_H

#include <stddef.h>

#include "memhelm/config.h"

/**
 * `cfg` with each trace of Accel-Sim that can be kept replaced by its copy, which is made if it is not there, and with
 * files that can be read again and again (piped.h).
 */
void trace_kept_config(const struct mh_config *cfg, struct mh_config *kept);

/** Names files in a message about such a configuration as the user did. */
void trace_kept_names(char *text, size_t size);

#endif
