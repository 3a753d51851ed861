/* Has more on the stack than there is when an event comes that never does: ends with PASS, and is refused by budgets.
 */
#include "../policy/policy.h"

#define FAT_FRAME(name, next)                                                                                          \
    static uint32_t __attribute__((noinline, noclone)) name(volatile uint32_t *above)                                  \
    {                                                                                                                  \
        volatile uint32_t here[56];                                                                                    \
                                                                                                                       \
        here[0] = *above + 1;                                                                                          \
        return next(here) + here[0];                                                                                   \
    }

static uint32_t __attribute__((noinline, noclone)) fat_end(volatile uint32_t *above)
{
    return *above;
}

FAT_FRAME(fat_fourth, fat_end)
FAT_FRAME(fat_third, fat_fourth)
FAT_FRAME(fat_second, fat_third)
FAT_FRAME(fat_first, fat_second)

static void fat_stack_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    volatile uint32_t here = caps->tenants;

    if (event->kind == MH_EVENT_TENANT_LEFT && event->tenant == caps->tenants)
        here = fat_first(&here);
}

const struct policy policy_fat_stack = {.name = "fat_stack", .on_event = fat_stack_on_event};

#define IMAGE_NAME             "selftest/fat-stack"
#define IMAGE_POLICIES(POLICY) POLICY(fat_stack)
#include "../image/common/image.h"
