/* What start.S and main() call: the heap until boot is over, and traps. */
#ifndef FIRMWARE_BOOT_H
#define FIRMWARE_BOOT_H

#include <stdint.h>

/** From now on newlib's malloc, calloc and realloc are an ebreak: memory use is fixed at boot. */
void heap_seal(void);

/** An interrupt; interrupts are off meanwhile. The GPU's line is the only one that is let through. */
void trap_interrupt(uint32_t cause);

/** An exception or unexpected interrupt: reports it in the machine block, which ends the run, or
 * resets the mcu once the watchdog bites. */
_Noreturn void trap_fatal(uint32_t cause, uint32_t pc, uint32_t ra);

#endif
