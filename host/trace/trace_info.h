/* What `memhelm trace info` prints. */
#ifndef HOST_TRACE_TRACE_INFO_H
#define HOST_TRACE_TRACE_INFO_H

#include <stdbool.h>

#include "memhelm/error.h"

struct trace_info_how {
    bool pcs;     /**< a row per static memory instruction */
    bool lenient; /**< mh_trace_how.lenient */
};

/** Statistics of a trace on standard output. -1 and `err` on failure. */
int trace_info_text(const char *path, struct trace_info_how how, struct mh_error *err);

/** trace_info_text() as JSON, with the keys of tests/data/NAME.json. */
int trace_info_json(const char *path, struct trace_info_how how, struct mh_error *err);

#endif
