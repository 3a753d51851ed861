/* Writes what moves a terminal to its console: colours, the bell, a title, half a line over. Ends with FAIL. */
#include <stdio.h>

#include "../policy/policy.h"

static enum policy_status init(const struct gpu_caps *caps)
{
    (void)caps;
    printf("plain\n\x1b[31mred\x07\xc2\x9b"
           "1m\rover \xc3\xa9\n\x1b]0;title\x07");
    return POLICY_UNSUPPORTED;
}

static void on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
}

const struct policy policy_escape = {.name = "escape", .init = init, .on_epoch = on_epoch};

#define IMAGE_NAME             "selftest/escape"
#define IMAGE_POLICIES(POLICY) POLICY(escape)
#include "../image/common/image.h"
