#include "boot.h"

#include "../image/common/fw.h"
#include "../platform/mmio.h"

#define CAUSE_MACHINE_EXTERNAL 0x8000000bu

_Noreturn void trap_fatal(uint32_t cause, uint32_t pc, uint32_t ra)
{
    machine_write(MH_MACHINE_FAULT_CAUSE, cause);
    machine_write(MH_MACHINE_FAULT_PC, pc);
    machine_write(MH_MACHINE_FAULT_RA, ra);
    machine_write(MH_MACHINE_FAULT, 1);
    /* If the run goes on: asleep, whatever is pending, until the watchdog bites. */
    __asm__ volatile("csrw mie, zero");
    for (;;)
        __asm__ volatile("wfi");
}

void trap_interrupt(uint32_t cause)
{
    uint32_t pc;

    if (cause == CAUSE_MACHINE_EXTERNAL) {
        fw_irq();
        return;
    }
    __asm__("csrr %0, mepc" : "=r"(pc));
    trap_fatal(cause, pc, (uint32_t)(uintptr_t)__builtin_return_address(0));
}
