/* The longest that an interrupt can take beside the decision that it is about. */
#ifndef HOST_BUDGET_PROFILE_INTERRUPT_H
#define HOST_BUDGET_PROFILE_INTERRUPT_H

#include "mcu/code.h"
#include "profile.h"

/**
 * Cycles of the mcu, by source, of an interrupt around one decision for it: the longest way from `vector` to mret over
 * jumps that the run made, without what lies between the source's store to BEGIN and that to its DECISION register.
 * Decisions for others may come before it, without their own cycles; none comes behind it. `entry`: what the mcu itself
 * takes in front of the first instruction. 0: not known, because the stores are not found, a loop or a call through a
 * pointer lies on the way, or none of it was executed. -1 when memory is short.
 */
int interrupt_longest(uint64_t cycles[MH_SOURCES], const struct code *code, const struct profile *p, uint32_t vector,
                      unsigned entry);

#endif
