/*
 * Who called whom: a shadow stack, and the tree of calling contexts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A node of the tree is a function called from a node. What a function spends
 * is what the totals grew by while it was on top of the stack: nothing is
 * done between calls, returns, traps and their returns.
 */
#ifndef MEMHELM_CALLS_H
#define MEMHELM_CALLS_H

#include <stdint.h>

#include "table.h"

/* What has been spent so far, or by somebody. */
struct mh_totals {
    uint64_t instructions;
    uint64_t cycles;
    uint64_t mmio;
};

/* Node 0 is the root: function MH_NO_FUNCTION, nothing spent. */
struct mh_node {
    uint32_t parent, child, sibling; /* 0: none */
    int32_t function;
    uint64_t calls;
    struct mh_totals spent;          /* by itself */
};

/* All nodes, in the order in which they were first met. */
const struct mh_node *mh_calls_nodes(uint32_t *count);

/* The mcu begins at its reset address, with nobody on the stack. */
void mh_calls_start(const struct mh_insn *first, const struct mh_totals *now);

/*
 * 'from' has jumped to 'to'. A call pushes a frame, a return pops down to the
 * frame that it belongs to, another jump to the first instruction of another
 * function is a tail call.
 */
void mh_calls_jump(const struct mh_insn *from, const struct mh_insn *to,
                   const struct mh_totals *now);

/*
 * The mcu trapped and goes on at 'to'. 'pending', which may be NULL, is the
 * jump it had just executed: where it went shows when the trap returns.
 */
void mh_calls_trap(struct mh_insn *pending, const struct mh_insn *to,
                   const struct mh_totals *now);

/* The trap returns; what was pending at it. */
struct mh_insn *mh_calls_mret(const struct mh_totals *now);

/* Account what was spent until now. */
void mh_calls_settle(const struct mh_totals *now);

/* Frames on the shadow stack. */
uint32_t mh_calls_depth(void);

/* Times that a return, or a trap's, had no frame to go to. */
uint64_t mh_calls_resyncs(void);

/* Traps so far. */
uint64_t mh_calls_traps(void);

#endif
