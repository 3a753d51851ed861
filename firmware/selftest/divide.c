/* Divides by zero: ends as a fault with cause 3 (ebreak). */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    volatile uint32_t result;

    result = caps->sms / reg_read(MH_REG_EVENT_LOST);
    (void)result;
}

const struct policy policy_divide = {.name = "divide", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/divide"
#define IMAGE_POLICIES(POLICY) POLICY(divide)
#include "../image/common/image.h"
