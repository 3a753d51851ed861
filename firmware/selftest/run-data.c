/* Jumps into its data: ends as a fault with cause 1 (instruction access fault), ra inside on_epoch. */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    static uint32_t instruction;

    (void)caps;
    instruction = 0x00008067; /* ret */
    __asm__ volatile("fence" : : "r"(&instruction) : "memory");
    ((void (*)(void))(uintptr_t)&instruction)();
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

const struct policy policy_run_data = {.name = "run_data", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/run-data"
#define IMAGE_POLICIES(POLICY) POLICY(run_data)
#include "../image/common/image.h"
