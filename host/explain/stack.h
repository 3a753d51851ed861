/*
 * Where a tenant's SM cycles went: instructions, and what was waited for (hwmodel/waits). Per warp instruction, so that
 * two images that did not do as much can be compared: the sum is SM cycles per warp instruction, 1 / IPC of an SM.
 */
#ifndef HOST_EXPLAIN_STACK_H
#define HOST_EXPLAIN_STACK_H

#include "memhelm/record.h"

enum { STACK_ISSUE, STACK_WAIT, STACK_PARTS = STACK_WAIT + MH_WAIT_CAUSES };

struct stack {
    double part[STACK_PARTS];    /**< STACK_ISSUE; STACK_WAIT + enum mh_wait */
    double all;                  /**< their sum */
    double of_tlb_mshr, of_mshr; /**< of that, while the LSU had stopped for want of such an MSHR */
    double ipc;                  /**< thread instructions per GPU cycle */
};

/** What a part is, in a table and in a sentence ("the walk"). */
const char *stack_name(unsigned part);

/**
 * The stack of tenant `t` of a run with sm.wait_reasons; all NaN if it issued nothing. Where tenants share SMs, cycles
 * with an issue are divided by instructions issued: only the sum over tenants is exact.
 */
void stack_of(const struct mh_config *cfg, const struct mh_stats *s, uint32_t t, struct stack *out);

/** Parts by how much they grew from `a` to `b`, the greatest size first: indices into `order`. */
void stack_changes(const struct stack *a, const struct stack *b, unsigned order[STACK_PARTS]);

#endif
