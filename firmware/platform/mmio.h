/*
 * The only way to a register. Replaced at compile time: on the mcu these are loads and stores, in the native twin
 * they are calls into the host. Nothing else in the firmware knows an address.
 */
#ifndef FIRMWARE_MMIO_H
#define FIRMWARE_MMIO_H

#include <stdint.h>

#include "memhelm/registers.h"

/** Access to the GPU window; `offset` is MH_REG_<NAME>, plus copies times MH_REG_<NAME>_STRIDE. */
static inline uint32_t reg_read(uint32_t offset);
static inline void reg_write(uint32_t offset, uint32_t value);

/** Write to the machine block; not part of the GPU window. */
static inline void machine_write(enum mh_machine_offset offset, uint32_t value);

/** Word `index` of STATE, below MH_STATE_WORDS. */
static inline uint32_t state_read(uint32_t index);
static inline void state_write(uint32_t index, uint32_t value);

#if defined(__riscv) && __riscv_xlen == 32

static inline uint32_t bus_read(uint32_t address)
{
    return *(const volatile uint32_t *)(uintptr_t)address;
}

static inline void bus_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

static inline uint32_t reg_read(uint32_t offset)
{
    return bus_read(MH_GPU_BASE + offset);
}

static inline void reg_write(uint32_t offset, uint32_t value)
{
    bus_write(MH_GPU_BASE + offset, value);
}

static inline void machine_write(enum mh_machine_offset offset, uint32_t value)
{
    bus_write(MH_MACHINE_BASE + offset, value);
}

static inline uint32_t state_read(uint32_t index)
{
    return bus_read(MH_MACHINE_BASE + MH_MACHINE_STATE + 4 * index);
}

static inline void state_write(uint32_t index, uint32_t value)
{
    bus_write(MH_MACHINE_BASE + MH_MACHINE_STATE + 4 * index, value);
}

#else

uint32_t twin_read(uint32_t offset);
void twin_write(uint32_t offset, uint32_t value);
void twin_machine_write(enum mh_machine_offset offset, uint32_t value);

static inline uint32_t reg_read(uint32_t offset)
{
    return twin_read(offset);
}

static inline void reg_write(uint32_t offset, uint32_t value)
{
    twin_write(offset, value);
}

static inline void machine_write(enum mh_machine_offset offset, uint32_t value)
{
    twin_machine_write(offset, value);
}

/* The host has them behind the window (platform/twin.h). */
static inline uint32_t state_read(uint32_t index)
{
    return twin_read(MH_WINDOW_BYTES + 4 * index);
}

static inline void state_write(uint32_t index, uint32_t value)
{
    twin_write(MH_WINDOW_BYTES + 4 * index, value);
}

#endif

#endif
