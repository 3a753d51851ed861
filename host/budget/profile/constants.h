/* Stores to known addresses, such as the registers of devices, and jumps through registers to known ones. */
#ifndef HOST_BUDGET_PROFILE_CONSTANTS_H
#define HOST_BUDGET_PROFILE_CONSTANTS_H

#include <stdbool.h>

#include "mcu/code.h"
#include "profile.h"

/** A store, or a jalr, whose address is the same each time it is executed. */
struct constant_use {
    unsigned line; /**< in the code */
    uint32_t address;
    bool known; /**< so is what a store writes */
    uint32_t value;
};

/**
 * Those of the lines first .. first + count - 1, which are one function, in their order; addresses and values are what
 * lui, auipc, addi and mv put together on every way to the line, over lines that `p` executed (NULL: all). NULL and
 * *found 0 when there are none; -1 when memory is short. The caller frees the list.
 */
int constants_find(const struct code *code, const struct profile *p, unsigned first, unsigned count,
                   struct constant_use **list, unsigned *found);

#endif
