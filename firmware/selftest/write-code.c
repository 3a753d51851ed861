/* Writes to its own code: ends as a fault with cause 7 (store access fault). */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    *(volatile uint32_t *)MH_ITCM_BASE = 0;
}

const struct policy policy_write_code = {.name = "write_code", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/write-code"
#define IMAGE_POLICIES(POLICY) POLICY(write_code)
#include "../image/common/image.h"
