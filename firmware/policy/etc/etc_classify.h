/*
 * The decision of ETC's application classification (sec. 4.1): by the lines that a warp's memory instruction touches.
 * Regular applications coalesce, irregular ones do not.
 *
 * The paper classifies the application on each SM by that SM's counter. Here an application has one class, from the
 * sum over its SMs (ours): compression and eviction, which the class controls, are not per SM.
 */
#ifndef FIRMWARE_ETC_CLASSIFY_H
#define FIRMWARE_ETC_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

struct etc_classify_config {
    uint32_t lines; /**< a mean of more lines than this is irregular (sec. 6.3: 10) */
    uint32_t least; /**< memory instructions of warps in a sample, at least 1 */
};

enum etc_class { ETC_UNKNOWN, ETC_REGULAR, ETC_IRREGULAR };

/** Low words of cumulative counters of one tenant: an epoch has less than 2^32. */
struct etc_classify_counters {
    uint32_t lines;
    uint32_t instructions; /**< of warps, to global memory */
};

/** What the decision remembers of one tenant. All zero before the first epoch. */
struct etc_classify_state {
    struct etc_classify_counters last; /**< at the beginning of the sample */
    enum etc_class class;              /**< of the first sample; held */
    uint32_t late_changes;             /**< later samples that gave the other class */
};

/**
 * At the end of an epoch: the class of the tenant. A sample ends with the first epoch at whose end it has enough
 * instructions. The first one decides and is held: a second launch that coalesces does not change what the first one
 * has in memory.
 */
enum etc_class etc_classify_decide(const struct etc_classify_config *config, struct etc_classify_state *state,
                                   const struct etc_classify_counters *now);

/** What a class calls for (sec. 4.5), bits of enum etc_technique. `shares`: its kernels share data. */
uint32_t etc_classify_techniques(enum etc_class class, bool shares);

#endif
