/* series.csv as hwmodel/record writes it: what the counters of memhelm/series.def grew by, for each period and tenant.
 */
#ifndef HOST_RUN_SERIES_FILE_H
#define HOST_RUN_SERIES_FILE_H

#include <stdint.h>

#include "memhelm/error.h"

enum {
#define MH_SERIES(field) SERIES_##field,
#include "memhelm/series.def"
    SERIES_COUNTS
};

/** Rows of a period, one for each tenant, stand one behind the other. */
struct series_row {
    uint64_t cycle; /**< the end of the period */
    uint64_t tenant;
    uint64_t count[SERIES_COUNTS];
};

/** Lines that DRAM read and wrote for the tenant, page tables among them. */
static inline uint64_t series_dram_lines(const struct series_row *row)
{
    return row->count[SERIES_dram_read] + row->count[SERIES_dram_write] + row->count[SERIES_dram_walk];
}

typedef void series_take(void *ctx, const struct series_row *row);

/** Hands each row of series.csv in `dir` to `take`. -1 and `err`, with the line, when it is none. */
int series_file_read(const char *dir, series_take *take, void *ctx, struct mh_error *err);

#endif
