/* How bursty a run's memory traffic was: what its series.csv says of all tenants together (CCBP figures 3, 4, 12). */
#ifndef HOST_RUN_BURSTS_H
#define HOST_RUN_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/** GPU cycles of a period (CCBP sec. 4.1), and of a row of --series unless it says otherwise. */
enum { BURST_CYCLES = 400 };

/** The part of the peak that crossbar and DRAM sustain (CCBP sec. 3.2). */
#define BURST_NOC_SUSTAINED  0.6
#define BURST_DRAM_SUSTAINED 0.7

/** Of what each period had. */
struct burst_sums {
    uint64_t sum, squares;
    uint64_t over; /**< periods that had more than is sustained */
};

struct bursts {
    uint64_t periods;
    struct burst_sums demand; /**< flits of the replies to reads that enter miss queues */
    struct burst_sums noc;    /**< flits of data replies */
    struct burst_sums dram;   /**< lines read and written, page tables among them */
};

/** Coefficient of variation: standard deviation over mean. NaN without traffic, or in a window without a period. */
double bursts_variation(const struct bursts *b, const struct burst_sums *s);

/** The share of periods in which there was more than is sustained. NaN in a window without a period. */
double bursts_over(const struct bursts *b, const struct burst_sums *s);

/** From series.csv in `dir`, of a run of `cfg`. -1 and `err`, with the line, when it is not what hwmodel/record writes.
 */
int bursts_read(const char *dir, const struct mh_config *cfg, struct bursts *b, struct mh_error *err);

/** As JSON, for the store; the caller frees it. NULL when out of memory. */
char *bursts_text(const struct bursts *b);

/** From that. -1: it is none. */
int bursts_parse(const char *text, struct bursts *b);

/** A run with this has them: its series has such periods. */
static inline bool bursts_asked(const struct mh_config *cfg)
{
    return cfg->run.log_series == BURST_CYCLES;
}

/* What crossbar and DRAM of a configuration carry at most. */

/** Flits that the crossbar can send to the SMs in so many GPU cycles: one to each SM in a cycle of its own clock. */
double peaks_noc_flits(const struct mh_config *cfg, uint64_t cycles);

/** Flits of the reply to a read, its line behind a header (CCBP sec. 5.3, equation 1). */
uint32_t peaks_reply_flits(const struct mh_config *cfg);

/** Lines that the data buses of all channels can carry in so many GPU cycles. */
double peaks_dram_lines(const struct mh_config *cfg, uint64_t cycles);

/** So many lines per GPU cycle in 1e9 bytes per second. */
double peaks_gbs(const struct mh_config *cfg, double lines);

/* series.csv as hwmodel/record writes it: what the counters of memhelm/series.def grew by, for each period and tenant.
 */

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
