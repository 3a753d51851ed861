/* What a run executed, for other programs: folded stacks for flame graphs, and KCachegrind's format. */
#ifndef HOST_BUDGET_FLAME_H
#define HOST_BUDGET_FLAME_H

#include <stdio.h>

#include "profile.h"

/** Name and source file of a function, by its number. */
struct flame_names {
    const char *(*name)(const void *ctx, unsigned function);
    void (*file)(const void *ctx, unsigned function, char *path, size_t size);
    const void *ctx;
};

/** A line for each node of the tree that took cycles: `trap_entry;fw_irq;commit 1234`. They add up to all cycles. */
void flame_write_folded(const struct profile *p, const struct flame_names *names, FILE *out);

/**
 * The format of callgrind, version 1, without line numbers: events Cycles, Instructions, Mmio (accesses beyond the
 * core's own memory), by function and by call, callees included. -1 when memory is short.
 */
int flame_write_callgrind(const struct profile *p, const struct flame_names *names, FILE *out);

#endif
