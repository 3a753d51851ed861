/* The longest time that an interrupt can take outside its decision. */
#ifndef HOST_BUDGET_PROFILE_INTERRUPT_H
#define HOST_BUDGET_PROFILE_INTERRUPT_H

#include "mcu/code.h"
#include "profile.h"

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
 * where it is largest; where the stores are not found that of the decisions. -1 when memory is short.
 */
int interrupt_longest(struct interrupt found[MH_SOURCES], const struct code *code, const struct profile *p,
                      uint32_t vector, unsigned entry);

#endif
