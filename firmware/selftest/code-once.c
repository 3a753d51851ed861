/*
 * As fault-once, by a store to its own code: cause 7.
 */
#include "once.h"

static void code_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    *(volatile uint32_t *)MH_ITCM_BASE = 0;
}

const struct policy policy_code_once = {.name = "code_once", .init = once_init, .on_epoch = code_once_on_epoch};

#define IMAGE_NAME "selftest/code-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(code_once)
#include "../image/common/image.h"
