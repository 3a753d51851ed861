/*
 * What a core's table says of each row of values.def. Apart from timing.h, which reads tables: QEMU's plugin has the
 * values, and costs instructions with them as memhelm does (cost.h).
 */
#ifndef HOST_MCU_VALUES_H
#define HOST_MCU_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum core_row {
#define CORE_CLASS(SYMBOL, name, what) CORE_##SYMBOL,
#define CORE_EVENT(SYMBOL, name, what) CORE_##SYMBOL,
#include "values.def"
    CORE_ROWS,
    CORE_CLASS_ROWS = CORE_TARGET_UNALIGNED32, /**< rows before it are classes, from it on events */
};

/** Where a value is from. */
enum core_kind {
    CORE_DOC,      /**< the core's own documentation says so, in `quote` */
    CORE_RTL,      /**< read off the core's source */
    CORE_MEASURED, /**< published measurement */
    CORE_ASSUMED,  /**< ours, for the reason in `note` */
};

/** One value has three: what the table counts with, and the bounds of what the core may take. */
enum core_bound { CORE_MIN, CORE_CYCLES, CORE_MAX, CORE_BOUNDS };

struct core_value {
    bool given;                   /**< false: an event that the core does not have */
    uint16_t cycles[CORE_BOUNDS]; /**< min <= cycles <= max */
    enum core_kind kind;
    const char *source, *quote, *when, *note; /**< NULL when not given; `when`: the condition under which it holds */
};

#endif
