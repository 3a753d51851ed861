/* What an interrupt costs the mcu, as far as the code and the constants in it say. */
#ifndef HOST_BUDGET_PROFILE_INTERRUPT_H
#define HOST_BUDGET_PROFILE_INTERRUPT_H

#include <stdbool.h>

#include "mcu/code.h"
#include "profile.h"

/* The longest time that an interrupt can take outside its decision. */

/** An interrupt around one decision for a source. Decisions for others may come before it; none comes behind it. */
struct interrupt {
    uint64_t cycles; /**< mcu cycles of the longest, without those of decisions; 0: not known */
    uint64_t count;  /**< so many at most were in the run: 0 if another decision came behind each of the source */
};

/**
 * By source: the longest way from `vector` to mret over jumps that the run made, without what lies between the source's
 * store to BEGIN and that to its DECISION register, nor between those of others. `entry`: what the mcu itself takes in
 * front of the first instruction. The cycles are not known where the stores are not found, a loop or a call through a
 * pointer lies on the way, or the run had no such interrupt. The count is that of the rarest jump of a way, of the way
 * where it is largest; where the stores are not found that of the decisions.
 */
void interrupt_longest(struct interrupt found[MH_SOURCES], const struct code *code, const struct profile *p,
                       uint32_t vector, unsigned entry);

/* Cycles of an interrupt outside its decisions. */

/** What is known of an image without a run. */
struct image_code {
    const struct code *code;
    const struct functions *functions; /**< those that nodes of a profile number */
    const struct hooks *hooks;
};

/**
 * Mcu cycles of an interrupt before its first decision and behind its last: the mcu's own entry, the trap frame,
 * the handler until BEGIN, and all the way back. A mean of the run, rounded up; 0 when no interrupt came back.
 *
 * It is what interrupts spent less what their decisions took, without functions that not every interrupt calls and
 * that no decision has: what prints or ends the run, a look into an empty queue. An interrupt that did not come back,
 * as the one that ends the run, counts half. Right to a few cycles over a run; with three or four interrupts to
 * some 40.
 */
uint64_t trap_cycles(const struct profile *p, const struct image_code *image);

/* Stores to known addresses, such as the registers of devices, and jumps through registers to known ones. */

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
 * *found 0 when there are none. The caller frees the list.
 */
void constants_find(const struct code *code, const struct profile *p, unsigned first, unsigned count,
                    struct constant_use **list, unsigned *found);

#endif
