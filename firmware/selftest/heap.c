/* malloc works during boot and traps after it: ends as a fault with cause 3 (ebreak) in __wrap_malloc. */
#include <stdlib.h>

#include "../policy/policy.h"

static void *volatile block;

static enum policy_status init(const struct gpu_caps *caps)
{
    (void)caps;
    block = malloc(64);
    return block != NULL ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    block = malloc(64);
}

const struct policy policy_heap = {.name = "heap", .init = init, .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/heap"
#define IMAGE_POLICIES(POLICY) POLICY(heap)
#include "../image/common/image.h"
