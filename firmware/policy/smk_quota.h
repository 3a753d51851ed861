/*
 * SMK's warp quotas (Wang et al., HPCA 2016; the paper is not at hand, what has no other source is ours): of the warp
 * instructions of a round each kernel may issue a part as its IPC alone says, so that all are slowed down alike. For
 * knob WARP_QUOTA.
 */
#ifndef FIRMWARE_SMK_QUOTA_H
#define FIRMWARE_SMK_QUOTA_H

#include <stdint.h>

/** Most that a quota can be. */
#define SMK_QUOTA_MOST 65535u

/**
 * Quotas of `kernels` (1..8) whose IPCs alone are `alone`, in any unit: `round` (1..SMK_QUOTA_MOST) x alone / sum of
 * alone, rounded down, at least 1. A kernel whose IPC alone is 0 is not known and has no quota, 0.
 *
 * Their sum is at most `round` + `kernels`. A quota is below its exact part by less than 1, so a round of 100 times the
 * kernels' ratio keeps shares to a hundredth.
 */
void smk_quotas(uint32_t kernels, const uint32_t *alone, uint32_t round, uint32_t *quota);

#endif
