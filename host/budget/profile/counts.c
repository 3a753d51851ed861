#include "counts.h"

#include <stdlib.h>

/* Cycles are the tree's: where a jump through a register leads to has its part in them. */
struct counts *counts_of(const struct profile *p, const struct code *code, unsigned functions)
{
    struct counts *all = calloc(functions + 1, sizeof *all);
    for (unsigned n = 1; all && n < p->node_count; n++) {
        struct counts *c = &all[p->nodes[n].function];
        c->calls += p->nodes[n].calls;
        c->cycles += p->nodes[n].cycles;
    }
    for (unsigned i = 0; all && i < p->at_count; i++) {
        const struct profile_at *at = &p->at[i];
        const struct code_line *l = code_at(code, at->address);
        if (!l)
            continue;
        struct counts *c = &all[l->function];
        c->instructions += at->count;
        c->mmio += at->mmio;
        code_count(l, at->count, at->taken, c->classes);
        if (at->stack_low && (!c->stack_low || at->stack_low < c->stack_low))
            c->stack_low = at->stack_low;
    }
    return all;
}
