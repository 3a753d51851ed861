/* What start.S calls, and has. */
#ifndef FIRMWARE_ROM_ROM_H
#define FIRMWARE_ROM_ROM_H

#include <stdint.h>

/** Chooses an image and leaves for it. */
_Noreturn void rom_main(void);

/** The ROM trapped, which no slot should make it do: no image runs. */
_Noreturn void rom_trapped(void);

/**
 * Zeroes the ROM's RAM, locks the ITCM against writes and the DTCM against execution, writes `status` to the register
 * at `status_at`, which ends the boot, and jumps to `entry`; 0: sleeps.
 */
_Noreturn void rom_leave(uint32_t entry, uint32_t status, uint32_t status_at);

#endif
