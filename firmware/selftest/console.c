/* newlib's stdio, which must allocate nothing after boot and fit the stack; and text that would move a terminal. */
#include <stdio.h>

#include "../policy/param.h"
#include "../policy/policy.h"

POLICY_PARAM(console_init, 0, 0, 1, "switch: prints in init and in each epoch");
POLICY_PARAM(console_late, 0, 0, 1, "switch: prints only when boot is over and the heap is closed");
POLICY_PARAM(console_escape, 0, 0, 1, "switch: colours, the bell, a title, half a line over; then FAIL");

static enum policy_status console_in_init(const struct gpu_caps *caps)
{
    if (console_init && printf("selftest: init on %u SMs\n", (unsigned)caps->sms) <= 0)
        return POLICY_UNSUPPORTED;
    if (console_escape)
        printf("plain\n\x1b[31mred\x07\xc2\x9b"
               "1m\rover \xc3\xa9\n\x1b]0;title\x07");
    return console_escape ? POLICY_UNSUPPORTED : POLICY_OK;
}

/* Each call is a first one in its epoch, whichever comes first. */
static void print_late(const struct gpu_caps *caps)
{
    static uint32_t epochs;

    if (epochs++ == 0)
        printf("selftest: late, %u tenants, %-4d|%08lx|%c\n", (unsigned)caps->tenants, -3, 0xbeeful, 'x');
    else if (epochs == 2)
        puts("selftest: late, a line");
    else
        fprintf(stderr, "selftest: late, epoch %lu\n", (unsigned long)epochs);
}

static void console_on_epoch(const struct gpu_caps *caps)
{
    if (console_init)
        iprintf("selftest: epoch, %u tenants\n", (unsigned)caps->tenants);
    if (console_late)
        print_late(caps);
}

const struct policy policy_console = {.name = "console", .init = console_in_init, .on_epoch = console_on_epoch};

#define IMAGE_NAME             "selftest/console"
#define IMAGE_POLICIES(POLICY) POLICY(console)
#include "../image/common/image.h"
