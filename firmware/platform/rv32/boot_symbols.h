/* Symbols of linker/memhelm.ld. Their addresses are their values. */
#ifndef FIRMWARE_BOOT_SYMBOLS_H
#define FIRMWARE_BOOT_SYMBOLS_H

#include <stdint.h>

extern const uint32_t __stack_bottom[], __stack_top[]; /**< the stack, of boot and then of the trap handler */
extern const char __stack_paint[];                     /**< the word that unused stack is filled with */
extern char __heap_start[], __heap_end[];              /**< what malloc may take before it is sealed */

#endif
