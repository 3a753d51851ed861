/* What the configuration can move at most, in GPU cycles: capabilities of the register window. Rounded down. */
#ifndef MEMHELM_GPU_PEAKS_H
#define MEMHELM_GPU_PEAKS_H

#include "memhelm/config.h"

/** CAP_RATE_INTERVAL: an interval of ISSUE_RATE, 1/256 GPU cycles; 0 without sub-queues. */
uint32_t mh_rate_interval(const struct mh_config *cfg);

/** CAP_REPLY_BYTES: header and line of a read's reply, in whole flits. */
uint32_t mh_reply_bytes(const struct mh_config *cfg);

/** CAP_NOC_PEAK: a flit per SM and NoC cycle, in bytes per 1024 GPU cycles (CCBP table 1). */
uint32_t mh_noc_peak(const struct mh_config *cfg);

/** CAP_DRAM_PEAK: the data buses, in bytes per 1024 GPU cycles. */
uint32_t mh_dram_peak(const struct mh_config *cfg);

#endif
