/* newlib's printf works after boot without an allocation and within the stack. Ends with PASS. */
#include <stdio.h>

#include "../policy/policy.h"

static enum policy_status init(const struct gpu_caps *caps)
{
    return printf("selftest: init on %u SMs\n", (unsigned)caps->sms) > 0 ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void on_epoch(const struct gpu_caps *caps)
{
    iprintf("selftest: epoch, %u tenants\n", (unsigned)caps->tenants);
}

const struct policy policy_stdio = {.name = "stdio", .init = init, .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/stdio"
#define IMAGE_POLICIES(POLICY) POLICY(stdio)
#include "../image/common/image.h"
