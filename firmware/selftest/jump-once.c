/*
 * As fault-once, by a call through a spoilt pointer: cause 1, and ra names jump_once_on_epoch.
 */
#include "once.h"

static void jump_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    void (*volatile spoilt)(void) = (void (*)(void))0x00abcdef;

    spoilt();
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

const struct policy policy_jump_once = {.name = "jump_once", .init = once_init, .on_epoch = jump_once_on_epoch};

#define IMAGE_NAME "selftest/jump-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(jump_once)
#include "../image/common/image.h"
