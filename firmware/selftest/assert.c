/* An assertion that does not hold: says so, and ends as a fault with cause 3 (ebreak). */
#include <assert.h>

#include "../policy/policy.h"

static void assert_on_epoch(const struct gpu_caps *caps)
{
    assert(caps->sms == 1000);
}

const struct policy policy_assert = {.name = "assert", .on_epoch = assert_on_epoch};

#define IMAGE_NAME             "selftest/assert"
#define IMAGE_POLICIES(POLICY) POLICY(assert)
#include "../image/common/image.h"
