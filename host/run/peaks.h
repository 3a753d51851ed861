/* What crossbar and DRAM of a configuration carry at most. */
#ifndef HOST_RUN_PEAKS_H
#define HOST_RUN_PEAKS_H

#include <stdint.h>

#include "memhelm/config.h"

/** Flits that the crossbar can send to the SMs in so many GPU cycles: one to each SM in a cycle of its own clock. */
double peaks_noc_flits(const struct mh_config *cfg, uint64_t cycles);

/** Flits of the reply to a read, its line behind a header (CCBP sec. 5.3, equation 1). */
uint32_t peaks_reply_flits(const struct mh_config *cfg);

/** Lines that the data buses of all channels can carry in so many GPU cycles. */
double peaks_dram_lines(const struct mh_config *cfg, uint64_t cycles);

/** So many lines per GPU cycle in 1e9 bytes per second. */
double peaks_gbs(const struct mh_config *cfg, double lines);

#endif
