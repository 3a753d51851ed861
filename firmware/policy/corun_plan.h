/* What plans for kernels that share SMs have in common: see corun_policy.h. */
#ifndef FIRMWARE_CORUN_PLAN_H
#define FIRMWARE_CORUN_PLAN_H

#include <stdint.h>

enum corun_does {
    CORUN_WINDOW, /**< measures */
    CORUN_WORK,   /**< decides, in parts */
    CORUN_REST,   /**< nothing, until kernels come, go or change */
};

/** Of a window, GPU cycles. */
struct corun_length {
    uint32_t skip, measure;
};

#endif
