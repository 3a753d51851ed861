/*
 * The register table, evaluated for one GPU: a flat array of descriptors and a map from offset to descriptor.
 * Private to control/; everything else goes through control.h. A row with MH_MAX_TENANTS copies is per tenant, one with
 * MH_STEERED_SMS per SM; a mask of SMs is a register per 32, for each has a range of its own: only bits of SMs that
 * exist.
 */
#ifndef MEMHELM_CONTROL_REGS_H
#define MEMHELM_CONTROL_REGS_H

#include "control/control.h"
#include "memhelm/registers.h"

/** The ACCESS column of the table. */
enum mh_reg_access { MH_ACC_RO, MH_ACC_RW, MH_ACC_KNOB, MH_ACC_SNAP, MH_ACC_CMD, MH_ACC_W1C, MH_ACC_POP };

/** One per MH_REG row, and one for all words of the tenant counters. */
enum mh_reg_row {
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc) MH_ROW_##name,
#include "memhelm/registers.def"
    MH_ROW_COUNTER,
};

enum {
    MH_KNOB_WORDS = sizeof(struct mh_knobs) / sizeof(uint32_t),
    /** Registers that exist with every tenant, SM and walker present. */
    MH_REG_COPIES = 0
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc) +(count)
#include "memhelm/registers.def"
                    + 2 * MH_COUNTERS * MH_MAX_TENANTS
};

/** One register: one copy of a row, or one word of a counter. */
struct mh_reg_desc {
    uint32_t offset;
    uint32_t reset, min, max;
    uint32_t mask;  /**< bits that exist */
    uint16_t word;  /**< KNOB: word of struct mh_knobs; counter: 2 * index of the counter + (1 for the high word) */
    uint8_t row;    /**< enum mh_reg_row */
    uint8_t access; /**< enum mh_reg_access */
    uint8_t copy;   /**< tenant, timer, SM or word of SMs */
};

struct mh_regmap {
    uint16_t index[MH_WINDOW_BYTES / 4]; /**< offset / 4 -> desc[]; 0 = undefined register */
    struct mh_reg_desc desc[MH_REG_COPIES + 1];
    uint16_t count;               /**< desc[1..count] are in use */
    uint16_t knob[MH_KNOB_WORDS]; /**< desc[] of the knobs, ascending offsets */
    uint16_t knobs;
};

/** Evaluates the table. Copies past caps->tenants, caps->sms and caps->walker_owners are left out. */
void mh_regmap_build(struct mh_regmap *map, const struct mh_caps *caps);

/** Descriptor of an access, NULL when it is undefined, misaligned or not 4 bytes. */
const struct mh_reg_desc *mh_regmap_find(const struct mh_regmap *map, uint32_t offset, uint32_t size);

/** Inside the range and the width of the register. */
bool mh_reg_legal(const struct mh_reg_desc *d, uint32_t value);

/** Name of the register, as in the table; a counter's is "COUNTER". */
const char *mh_reg_name(const struct mh_reg_desc *d);

/** True for a counter that tells a present level, not a sum: its value means something, its difference does not. */
bool mh_counter_is_gauge(uint32_t index);

#endif
