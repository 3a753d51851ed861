/* What a run executed, for other programs: folded stacks for flame graphs, and KCachegrind's format. */
#ifndef HOST_BUDGET_PROFILE_FLAME_H
#define HOST_BUDGET_PROFILE_FLAME_H

#include <stdio.h>

#include "line_costs.h"
#include "profile.h"

/** What functions are called and where they are, by their numbers. */
struct flame_names {
    const char *(*name)(const void *ctx, unsigned function);
    /** Of its first instruction. `file` is never NULL; `line` 0: not known. */
    struct place (*place)(const void *ctx, unsigned function);
    /** Where `caller` calls `callee`; `file` NULL: not known. */
    struct place (*call)(const void *ctx, unsigned caller, unsigned callee);
    const void *ctx;
};

/** A line for each node of the tree that took cycles: `trap_entry;fw_irq;commit 1234`. They add up to all cycles. */
void flame_write_folded(const struct profile *p, const struct flame_names *names, FILE *out);

/**
 * The format of callgrind, version 1: events Cycles, Instructions, Mmio (accesses beyond the mcu's own memory), by
 * line and by call, callees included; line 0 is an unknown one. A call from several places of a function stands at the
 * first. -1 when memory is short.
 */
int flame_write_callgrind(const struct profile *p, const struct line_costs *lines, const struct flame_names *names,
                          FILE *out);

#endif
