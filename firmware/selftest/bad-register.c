/* Reads a register that does not exist, inside the trap handler: ends as a fault with cause 5 (load access fault). */
#include "../policy/policy.h"

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    (void)reg_read(MH_WINDOW_BYTES - 4);
}

const struct policy policy_bad_register = {.name = "bad_register", .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/bad-register"
#define IMAGE_POLICIES(POLICY) POLICY(bad_register)
#include "../image/common/image.h"
