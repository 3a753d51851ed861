/* Faults that only the mcu has, in what it executes and in what memory allows. MASK decides before them. */
#include "faults.h"

POLICY_PARAM(trap_once, 0, 0, 1, "switch: in the third epoch only, half-way through its knobs");
POLICY_PARAM(trap_code, 0, 0, 1, "switch: stores to its own code, cause 7");
POLICY_PARAM(trap_data, 0, 0, 1, "switch: calls an instruction in its data, cause 1, ra in call_data");
POLICY_PARAM(trap_csr, 0, 0, 1, "switch: writes a debug trigger, a CSR that the mcu lacks, cause 2");
POLICY_PARAM(trap_loop, 0, 0, 1, "switch: traps with its vector in a hole: only QEMU can end that");
POLICY_PARAM(trap_reset, 0, 0, 1, "switch: the same in init after each reset");
POLICY_PARAM(trap_frame, 0, 0, 1, "switch: a frame steps over the guard; again in init after a reset");
POLICY_PARAM(trap_init, 0, 0, 1, "switch: traps in init, before GPU time has begun, cause 3");

FAULT store_to_code(void)
{
    *(volatile uint32_t *)MH_ITCM_BASE = 0;
}

FAULT call_data(void)
{
    static uint32_t instruction;

    instruction = 0x00008067; /* ret */
    __asm__ volatile("fence" : : "r"(&instruction) : "memory");
    ((void (*)(void))(uintptr_t)&instruction)();
    __asm__ volatile(""); /* not a tail call: ra must name this function */
}

FAULT write_trigger(void)
{
    __asm__ volatile("csrw tdata1, %0" : : "r"(0x80000001u));
}

/* Nothing retires any more. */
FAULT loop_in_trap(void)
{
    __asm__ volatile("csrw mtvec, %0\n\tebreak" : : "r"(0x00f00000));
}

/*
 * A frame of 6 KiB, more than the guard below the stack has: nothing is stored to the guard, and data is overwritten.
 * In assembly: no function in C may have such a frame.
 */
void over_guard_frame(void);
__asm__(".text\n"
        ".balign 4\n"
        ".global over_guard_frame\n"
        ".type over_guard_frame, @function\n"
        "over_guard_frame:\n"
        "  .rept 3\n"
        "  addi sp, sp, -2048\n"
        "  .endr\n"
        "  addi t1, sp, 128\n" /* its lowest words, in data */
        "1: addi t1, t1, -4\n"
        "  sw zero, 0(t1)\n"
        "  bne t1, sp, 1b\n"
        "  .rept 3\n"
        "  addi sp, sp, 1024\n"
        "  addi sp, sp, 1024\n"
        "  .endr\n"
        "  ret\n"
        ".size over_guard_frame, . - over_guard_frame\n");

static enum policy_status trap_in_init(const struct gpu_caps *caps)
{
    (void)caps;
    fault_epochs = 0;
    if (trap_init)
        __asm__ volatile("ebreak");
    if (trap_reset && mcu_resets() != 0)
        loop_in_trap();
    if (trap_frame && mcu_resets() == 1)
        over_guard_frame(); /* where the mcu waits for the watchdog */
    return POLICY_OK;
}

static void trap_on_epoch(const struct gpu_caps *caps)
{
    if (!fault_due(caps, trap_once))
        return;
    if (trap_code)
        store_to_code();
    if (trap_data)
        call_data();
    if (trap_csr)
        write_trigger();
    if (trap_loop || trap_reset)
        loop_in_trap();
    if (trap_frame)
        over_guard_frame();
}

const struct policy policy_trap = {.name = "trap", .init = trap_in_init, .on_epoch = trap_on_epoch};

#define IMAGE_NAME "selftest/trap"
#define IMAGE_POLICIES(POLICY)                                                                                         \
    POLICY(defaults)                                                                                                   \
    GROUP_MASK(POLICY)                                                                                                 \
    POLICY(trap)
#include "../image/common/image.h"
