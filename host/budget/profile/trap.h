/* Cycles of an interrupt outside its decisions. */
#ifndef HOST_BUDGET_PROFILE_TRAP_H
#define HOST_BUDGET_PROFILE_TRAP_H

#include "mcu/code.h"
#include "mcu/functions.h"
#include "profile.h"

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

#endif
