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
#include "rv32/mmio.h"
#else
#include "twin/mmio.h"
#endif

#endif
