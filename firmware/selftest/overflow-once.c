/*
 * As fault-once, by a stack that overflows: a store to the guard under it, cause 7.
 */
#include "once.h"

static uint32_t __attribute__((noinline, noclone)) overflow_deeper(volatile uint32_t *above)
{
    volatile uint32_t here[8];

    here[0] = *above + 1;
    return here[0] < 1000 ? overflow_deeper(here) + here[0] : here[0]; /* 1000 frames are 48 KB */
}

static void overflow_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    volatile uint32_t depth = 0;

    depth = overflow_deeper(&depth);
}

const struct policy policy_overflow_once = {
    .name = "overflow_once", .init = once_init, .on_epoch = overflow_once_on_epoch};

#define IMAGE_NAME "selftest/overflow-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(overflow_once)
#include "../image/common/image.h"
