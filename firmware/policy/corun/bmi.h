/*
 * BMI by quotas (Dai et al., HPCA 2018; CCBP sec. 7.5): kernels make about as many requests each, so a kernel has the
 * fewer memory instructions per round the more requests one of its instructions makes. For knob MEM_QUOTA. The paper is
 * not at hand: what has no other source is ours.
 *
 * Requests per instruction are in 1/256: lines after coalescing (counter MEM_LINES) by memory instructions (MEM_INSTR).
 */
#ifndef FIRMWARE_BMI_H
#define FIRMWARE_BMI_H

#include <stdint.h>

/** One request per instruction, the least there is. */
#define BMI_ONE 256u

/** Most that a quota can be. */
#define BMI_QUOTA_MOST 65535u

/**
 * Requests per instruction, rounded down, BMI_ONE..65535. Without instructions BMI_ONE: the kernel hardly issues any,
 * and may (ours).
 */
uint32_t bmi_requests(uint32_t lines, uint32_t instructions);

/**
 * Quotas of `kernels` (1..8): 1 / requests, scaled so that the kernel with the fewest requests per instruction has
 * `most` (1..BMI_QUOTA_MOST), rounded to the nearest, halves up, at least 1.
 *
 * The least common multiple of the requests by those of each kernel gives exact quotas, but they can be large: for 31,
 * 29 and 23 requests they are 667, 713 and 899. Here a quota is off by half an instruction at most; with a `most` of 64
 * none is below 1 before it is rounded, as an instruction makes 64 requests at most.
 */
void bmi_quotas(uint32_t kernels, const uint32_t *requests, uint32_t most, uint32_t *quota);

#endif
