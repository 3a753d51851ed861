/*
 * The uart of the memhelm machine, compatible with SiFive's as far as it goes:
 * what is written to TXDATA goes out, at once; it is never full. Reads give 0,
 * other offsets are ignored.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "memhelm.h"

#define UART_TXDATA 0x00
#define UART_BYTES 0x20

static uint64_t memhelm_uart_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0;
}

static void memhelm_uart_write(void *opaque, hwaddr addr, uint64_t data,
                               unsigned size)
{
    MemhelmBlockState *s = opaque;
    uint8_t byte = data;

    if (addr == UART_TXDATA && !s->ended && !memhelm_is_peek()) {
        /* Waits for a slow reader: no character is ever lost. */
        qemu_chr_fe_write_all(&s->chr, &byte, 1);
    }
}

static const MemoryRegionOps memhelm_uart_ops = {
    .read = memhelm_uart_read,
    .write = memhelm_uart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

void memhelm_uart_init(MemhelmBlockState *s)
{
    memory_region_init_io(&s->uart, OBJECT(s), &memhelm_uart_ops, s,
                          "memhelm-uart", UART_BYTES);
    sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->uart);
}
