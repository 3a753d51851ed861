/*
 * What the mcu itself offers: cycles, end of run, console bytes, stack high-water mark, sleep.
 * Implemented in rv32/mcu.c for the mcu and in twin/twin.c for the host.
 */
#ifndef FIRMWARE_MCU_H
#define FIRMWARE_MCU_H

#include <stddef.h>
#include <stdint.h>

/** A point in the mcu's time. Differences are meaningful only where the mcu did not sleep in between. */
struct mcu_time {
    uint32_t cycles; /**< mcycle, low word; wraps */
    uint32_t stalls; /**< cycles the bus stalled the mcu (machine block, STALL_LO); wraps */
};

/** High-water mark of the stack, bytes. */
struct mcu_stack {
    uint32_t used; /**< since boot: the deeper of boot and of trap frame + handler; they are never on it together */
    uint32_t size; /**< 0 where the stack is the host's (native twin) */
};

struct mcu_time mcu_now(void);

/** Cycles of the mcu from `start` to now, without bus stalls. Zero in the native twin. */
uint32_t mcu_cycles_since(struct mcu_time start);

/** Ends the run: 0 = PASS, else a failure code 1..255. */
_Noreturn void mcu_exit(uint32_t code);

struct mcu_stack mcu_stack_usage(void);

/** How often the mcu alone has been reset since the run began; 0 in the native twin. */
uint32_t mcu_resets(void);

/** Bytes to the console, at once. */
void mcu_uart_write(const char *text, size_t length);

#endif
