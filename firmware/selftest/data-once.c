/*
 * As fault-once, by a call of an instruction in its data: cause 1, and ra names data_once_on_epoch.
 */
#include "once.h"

static void data_once_on_epoch(const struct gpu_caps *caps)
{
    if (!once(caps))
        return;
    static uint32_t instruction;

    instruction = 0x00008067; /* ret */
    __asm__ volatile("fence" : : "r"(&instruction) : "memory");
    ((void (*)(void))(uintptr_t)&instruction)();
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

const struct policy policy_data_once = {.name = "data_once", .init = once_init, .on_epoch = data_once_on_epoch};

#define IMAGE_NAME "selftest/data-once"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(data_once)
#include "../image/common/image.h"
