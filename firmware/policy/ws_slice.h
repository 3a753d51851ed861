/*
 * Warped-Slicer (Xu et al., ISCA 2016; CCBP's "WS"): CTAs of kernels that share SMs, from how each scales with its
 * CTAs. The decision: numbers in, CTAs out.
 *
 * Each kernel has one CTA. Then, while there is room, the kernel that is furthest below its best performance gets as
 * many more as it takes to perform better (its "water filling"). What a CTA takes of an SM is all that limits.
 */
#ifndef FIRMWARE_WS_SLICE_H
#define FIRMWARE_WS_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ccbp.h"

enum { WS_MAX_CTAS = 32 };

struct ws_kernel {
    struct ccbp_sm cta;                /**< what one takes */
    uint32_t most;                     /**< CTAs that were measured, 0..32 */
    uint32_t performance[WS_MAX_CTAS]; /**< IPC with 1, 2 .. `most` */
};

/** A slicing under way. `ctas` is the result. */
struct ws_slicing {
    const struct ws_kernel *kernels;
    uint32_t count;      /**< of kernels, 0..8 */
    struct ccbp_sm left; /**< of an SM */
    uint32_t unfinished; /**< kernels, bits */
    uint32_t best[CCBP_MAX_KERNELS];
    uint8_t ctas[CCBP_MAX_KERNELS]; /**< on every SM; of a kernel for which there is no room: 0 */
};

/** Begins: each has one. `kernels` is not changed, and to be there, during the slicing. */
void ws_slice_begin(struct ws_slicing *slicing, const struct ccbp_sm *sm, const struct ws_kernel *kernels,
                    uint32_t count);

/**
 * Up to so many iterations. Each gives the unfinished kernel with the lowest part of its best performance, of several
 * the first, some CTAs, or finishes it. False: all are finished. There are at most one for each of the SM's slots and
 * one for each kernel.
 */
bool ws_slice_some(struct ws_slicing *slicing, uint32_t iterations);

#endif
