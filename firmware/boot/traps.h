/* What start.S calls when the mcu traps. */
#ifndef FIRMWARE_TRAPS_H
#define FIRMWARE_TRAPS_H

#include <stdint.h>

/** An interrupt; interrupts are off meanwhile. The GPU's line is the only one that is let through. */
void trap_interrupt(uint32_t cause);

/** An exception or unexpected interrupt: reports it in the machine block, which ends the run, or
 * resets the mcu once the watchdog bites. */
_Noreturn void trap_fatal(uint32_t cause, uint32_t pc, uint32_t ra);

#endif
