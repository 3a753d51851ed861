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

#endif
