/*
 * What the core itself offers: cycles, end of run, console bytes, stack high-water mark, sleep.
 * Implemented in rv32/core.c for the core and in twin/twin.c for the host.
 */
#ifndef FIRMWARE_CORE_H
#define FIRMWARE_CORE_H

#include <stddef.h>
#include <stdint.h>

/** A point in the core's time. Differences are meaningful only where the core did not sleep in between. */
struct core_time {
    uint32_t cycles; /**< mcycle, low word; wraps */
    uint32_t stalls; /**< cycles the bus stalled the core (machine block, STALL_LO); wraps */
};

/** High-water mark of the stack, bytes. */
struct core_stack {
    uint32_t used; /**< since boot: the deeper of boot and of trap frame + handler; they are never on it together */
    uint32_t size; /**< 0 where the stack is the host's (native twin) */
};

struct core_time core_now(void);

/** Core cycles from `start` to now, without bus stalls. Zero in the native twin. */
uint32_t core_cycles_since(struct core_time start);

/** Ends the run: 0 = PASS, else a failure code 1..255. */
_Noreturn void core_exit(uint32_t code);

struct core_stack core_stack_usage(void);

/** How often the core alone has been reset since the run began; 0 in the native twin. */
uint32_t core_resets(void);

/** Bytes to the console, at once. */
void core_uart_write(const char *text, size_t length);

#endif
