/* Register access on the mcu; included by platform/mmio.h only. */
#ifndef FIRMWARE_RV32_MMIO_H
#define FIRMWARE_RV32_MMIO_H

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

#endif
