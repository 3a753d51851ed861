/*
 * First uses newlib's stdio when boot is over and the heap is closed, as a printf for debugging does. Ends with PASS.
 */
#include <stdio.h>

#include "../policy/policy.h"

static enum policy_status init(const struct gpu_caps *caps)
{
    (void)caps;
    return POLICY_OK;
}

/* Each call is a first one in its epoch, whichever comes first. */
static void on_epoch(const struct gpu_caps *caps)
{
    static uint32_t epochs;

    if (epochs++ == 0)
        printf("selftest: late, %u tenants, %-4d|%08lx|%c\n", (unsigned)caps->tenants, -3, 0xbeeful, 'x');
    else if (epochs == 2)
        puts("selftest: late, a line");
    else
        fprintf(stderr, "selftest: late, epoch %lu\n", (unsigned long)epochs);
}

const struct policy policy_stdio_late = {.name = "stdio_late", .init = init, .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/stdio-late"
#define IMAGE_POLICIES(POLICY) POLICY(stdio_late)
#include "../image/common/image.h"
