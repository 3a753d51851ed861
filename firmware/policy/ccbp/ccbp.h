/*
 * CCBP (Lin et al., coordinated CTA combination and bandwidth partitioning): what its decisions share. They are pure:
 * ccbp_detect.h, ccbp_allocate.h, ccbp_adjust.h.
 *
 * A bandwidth is in bytes per 2^16 GPU cycles, of all SMs together: 368.64 GB/s at 1.8 GHz are 13 421 772. Where it is
 * shared out it is counted in 1/M of that, M being the number of units: then a unit is a whole number.
 */
#ifndef FIRMWARE_CCBP_H
#define FIRMWARE_CCBP_H

#include <stdint.h>

enum {
    CCBP_MAX_KERNELS = 8, /**< that run together */
    CCBP_MAX_UNITS = 255,
    CCBP_MAX_CTAS = 255,   /**< on an SM */
    CCBP_MAX_BYTES = 4096, /**< of a reply, of a DRAM access */
};

/** The bandwidths that are shared out. */
enum ccbp_bandwidth { CCBP_NOC, CCBP_DRAM, CCBP_BANDWIDTHS };

/** The static resources of an SM whose shares count: registers, bytes of shared memory, threads. */
enum ccbp_static { CCBP_REGISTERS, CCBP_SHARED, CCBP_THREADS, CCBP_STATICS };

/** Types of kernels (sec. 3.2). */
enum ccbp_type { CCBP_LATENCY_SENSITIVE, CCBP_NOC_INTENSIVE, CCBP_DRAM_INTENSIVE };

/** What is known of the GPU, and what the paper sets. units x sustainable < 2^32 - 1, units x sms x bytes < 2^23. */
struct ccbp_config {
    uint32_t sustainable[CCBP_BANDWIDTHS]; /**< not 0 (sec. 5.4: 60 % of the NoC's peak, 70 % of DRAM's) */
    uint32_t bytes[CCBP_BANDWIDTHS];       /**< of a reply: L1D line and flit; of a DRAM access: L2 line */
    uint32_t units;                        /**< M, 1..255 (sec. 5.2: 20) */
    uint32_t sms;
    uint32_t interval; /**< of the issue-rate control, 1/256 GPU cycles, below 2^24 */
    uint32_t least;    /**< issue rate below which no kernel is put, 1/256 request (ours) */
    uint32_t grace;    /**< GPU cycles by which a window of demand is taken as shorter (ours; the paper: 0) */
};

/** What an SM has, or what a CTA takes of it. */
struct ccbp_sm {
    uint32_t amount[CCBP_STATICS];
    uint32_t slots; /**< CTAs; a CTA takes 1 */
};

#endif
