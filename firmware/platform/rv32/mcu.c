#include "../mcu.h"

#include "../mmio.h"
#include "boot_symbols.h"

/* The uart is register compatible with the SiFive one; only these two are used. */
enum { UART_TXDATA = 0x00, UART_TXCTRL = 0x08 };
#define UART_TXDATA_FULL   0x80000000u
#define UART_TXCTRL_ENABLE 1u

struct mcu_time mcu_now(void)
{
    struct mcu_time now;

    /* mcycle last: the wait for STALL_LO itself then lies outside of what is measured. */
    now.stalls = bus_read(MH_MACHINE_BASE + MH_MACHINE_STALL_LO);
    __asm__ volatile("csrr %0, mcycle" : "=r"(now.cycles) : : "memory");
    return now;
}

uint32_t mcu_cycles_since(struct mcu_time start)
{
    uint32_t cycles, stalls = bus_read(MH_MACHINE_BASE + MH_MACHINE_STALL_LO) - start.stalls;

    /* Behind the access: on a modelled core mcycle is exact at accesses (qemu/hw/memhelm_mcu.c). */
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles) : : "memory");
    return cycles - start.cycles - stalls;
}

_Noreturn void mcu_exit(uint32_t code)
{
    bus_write(MH_MACHINE_BASE + MH_MACHINE_EXIT, code);
    for (;;)
        __asm__ volatile("wfi");
}

struct mcu_stack mcu_stack_usage(void)
{
    const uint32_t *word = __stack_bottom;
    struct mcu_stack stack;

    while ((uintptr_t)word < (uintptr_t)__stack_top && *word == (uint32_t)(uintptr_t)__stack_paint)
        word++;
    stack.used = (uint32_t)((uintptr_t)__stack_top - (uintptr_t)word);
    stack.size = (uint32_t)((uintptr_t)__stack_top - (uintptr_t)__stack_bottom);
    return stack;
}

uint32_t mcu_resets(void)
{
    return bus_read(MH_MACHINE_BASE + MH_MACHINE_RESETS);
}

void mcu_uart_write(const char *text, size_t length)
{
    bus_write(MH_UART_BASE + UART_TXCTRL, UART_TXCTRL_ENABLE);
    for (size_t i = 0; i < length; i++) {
        while (bus_read(MH_UART_BASE + UART_TXDATA) & UART_TXDATA_FULL)
            ;
        bus_write(MH_UART_BASE + UART_TXDATA, (uint8_t)text[i]);
    }
}
