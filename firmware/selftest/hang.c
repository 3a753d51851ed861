/* Never comes back from its first decision: the run ends as a hang after its cycle limit. */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    for (;;)
        (void)reg_read(MH_REG_SNAP_COUNT);
}

const struct policy policy_hang = {.name = "hang", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/hang"
#define IMAGE_POLICIES(POLICY) POLICY(hang)
#include "../image/common/image.h"
