/* Faults of C that compiles, on the mcu and in a twin. MASK decides before them. */
#include <assert.h>
#include <stdlib.h>

#include "faults.h"

POLICY_PARAM(fault_once, 0, 0, 1, "switch: in the third epoch only, half-way through its knobs");
POLICY_PARAM(fault_divide, 0, 0, 1, "switch: divides by zero, cause 3");
POLICY_PARAM(fault_assert, 0, 0, 1, "switch: an assertion says that it does not hold, cause 3");
POLICY_PARAM(fault_heap, 0, 0, 1, "switch: malloc works in init and traps after it, cause 3");
POLICY_PARAM(fault_store, 0, 0, 1, "switch: stores where nothing is, cause 7");
POLICY_PARAM(fault_stack, 0, 0, 1, "switch: recurses into the guard below the stack, cause 7");
POLICY_PARAM(fault_jump, 0, 0, 1, "switch: calls through a spoilt pointer, cause 1, ra in call_hole");
POLICY_PARAM(fault_hang, 0, 0, 1, "switch: does not come back from its decision");

static void *volatile fault_block;

FAULT divide_by_zero(const struct gpu_caps *caps)
{
    volatile uint32_t result;

    result = caps->sms / reg_read(MH_REG_EVENT_LOST);
    (void)result;
}

FAULT assert_what_is_not(const struct gpu_caps *caps)
{
    assert(caps->sms == 1000);
}

FAULT allocate(void)
{
    fault_block = malloc(64);
}

FAULT store_to_hole(const struct gpu_caps *caps)
{
    *(volatile uint32_t *)0x30000000 = caps->sms;
}

static uint32_t __attribute__((noinline, noclone)) deeper(volatile uint32_t *above)
{
    volatile uint32_t here[8];

    here[0] = *above + 1;
    return here[0] < 1000 ? deeper(here) + here[0] : here[0]; /* 1000 frames are 48 KB */
}

FAULT call_hole(void)
{
    void (*volatile spoilt)(void) = (void (*)(void))(uintptr_t)0x00abcdef;

    spoilt();
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

/* The host of a twin notices accesses; without them the watchdog of an mcu bites on its cycle. */
FAULT hang(void)
{
    while (!fault_once)
        (void)reg_read(MH_REG_SNAP_COUNT);
    for (;;)
        ;
}

static enum policy_status fault_init(const struct gpu_caps *caps)
{
    (void)caps;
    fault_epochs = 0;
    if (fault_heap)
        allocate();
    return fault_heap && !fault_block ? POLICY_UNSUPPORTED : POLICY_OK;
}

static void fault_on_epoch(const struct gpu_caps *caps)
{
    volatile uint32_t depth = 0;

    if (!fault_due(caps, fault_once))
        return;
    if (fault_divide)
        divide_by_zero(caps);
    if (fault_assert)
        assert_what_is_not(caps);
    if (fault_heap)
        allocate();
    if (fault_store)
        store_to_hole(caps);
    if (fault_jump)
        call_hole();
    if (fault_stack)
        depth = deeper(&depth);
    if (fault_hang)
        hang();
}

const struct policy policy_fault = {.name = "fault", .init = fault_init, .on_epoch = fault_on_epoch};

#define IMAGE_NAME "selftest/fault"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(fault)
#include "../image/common/image.h"
