/* Recurses until the guard page: ends as a fault with cause 7 (store access fault). */
#include "../policy/policy.h"

static uint32_t __attribute__((noinline, noclone)) deeper(volatile uint32_t *above)
{
    volatile uint32_t here[8];

    here[0] = *above + 1;
    return here[0] < 1000 ? deeper(here) + here[0] : here[0]; /* 1000 frames are 48 KB */
}

static void on_epoch(const struct gpu_caps *caps)
{
    volatile uint32_t depth = 0;

    (void)caps;
    depth = deeper(&depth);
}

const struct policy policy_stack_overflow = {.name = "stack_overflow", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/stack-overflow"
#define IMAGE_POLICIES(POLICY) POLICY(stack_overflow)
#include "../image/common/image.h"
