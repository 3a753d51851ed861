/* Calls through a spoilt pointer: ends as a fault with cause 1 (instruction access fault); ra names wild_jump_on_epoch.
 */
#include "../policy/policy.h"

static void wild_jump_on_epoch(const struct gpu_caps *caps)
{
    void (*volatile spoilt)(const struct gpu_caps *) = (void (*)(const struct gpu_caps *))0x00abcdef;

    spoilt(caps);
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

const struct policy policy_wild_jump = {.name = "wild_jump", .on_epoch = wild_jump_on_epoch};

#define IMAGE_NAME             "selftest/wild-jump"
#define IMAGE_POLICIES(POLICY) POLICY(wild_jump)
#include "../image/common/image.h"
