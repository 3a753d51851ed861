/* Register access in the native twin; included by platform/mmio.h only. */
#ifndef FIRMWARE_TWIN_MMIO_H
#define FIRMWARE_TWIN_MMIO_H

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
