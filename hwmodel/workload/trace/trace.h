/* Traces, for their readers, writer and tests; the public interface is memhelm/trace.h. */
#ifndef MEMHELM_WORKLOAD_TRACE_H
#define MEMHELM_WORKLOAD_TRACE_H

#include <stddef.h>

#include "memhelm/trace.h"
#include "workload/workload.h"

/** Number of a CTA in its grid, x fastest, as recorded. */
uint64_t mh_trace_cta_number(const struct mh_workload *w, uint32_t launch, uint32_t cta);

/** As mh_trace_open(), of `size` bytes in memory (copied); `name` is for messages, and its folder for a list's files.
 */
struct mh_workload *mh_trace_parse(const void *data, size_t size, const char *name, struct mh_trace_how how,
                                   struct mh_error *err);

/**
 * What a GMT2 file holds, as the number in its first line; other files are refused. To be raised with every change of
 * what the bytes are or mean, such as that of struct mh_op's needs. 1, which no file says: needs were one bit.
 */
enum { MH_GMT2_CONTENT = 2 };

#endif
