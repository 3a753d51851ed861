#include "trap.h"

#include <stdbool.h>
#include <stdlib.h>

/* Of a node and all below it. */
struct below {
    uint64_t cycles;
    unsigned decided; /* nodes that work for decisions */
};

static struct below *add_up(const struct profile *p)
{
    struct below *all = calloc(p->node_count, sizeof *all);
    for (unsigned n = p->node_count; all && n-- > 1;) {
        struct below *parent = &all[p->nodes[n].parent];
        all[n].cycles += p->nodes[n].cycles;
        all[n].decided += p->nodes[n].decided > 0;
        parent->cycles += all[n].cycles;
        parent->decided += all[n].decided;
    }
    return all;
}

static bool on_way(const struct below *all, unsigned n)
{
    return n && all[0].decided && all[n].decided == all[0].decided;
}

/* Beside decisions, in all interrupts; how many there were. */
static uint64_t outside(const struct profile *p, const struct below *all, uint64_t *interrupts)
{
    uint64_t cycles = 0;
    *interrupts = 0;
    for (unsigned n = 1; n < p->node_count; n++) {
        const struct profile_node *node = &p->nodes[n];
        if (on_way(all, n)) {
            *interrupts = node->parent ? *interrupts : node->calls;
            cycles += node->cycles > node->decided ? node->cycles - node->decided : 0;
        } else if (on_way(all, node->parent) && !all[n].decided && node->calls == *interrupts) {
            cycles += all[n].cycles;
        }
    }
    return cycles;
}

static uint64_t returns(const struct profile *p, const struct code *code)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(code, p->at[i].address);
        count += l && (l->flags & CODE_MRET) ? p->at[i].count : 0;
    }
    return count;
}

uint64_t trap_cycles(const struct profile *p, const struct code *code)
{
    struct below *all = add_up(p);
    uint64_t interrupts, back = returns(p, code);
    if (!all)
        return 0;
    uint64_t cycles = outside(p, all, &interrupts), passes = interrupts + back; /* half passes */
    free(all);
    return back ? (2 * cycles + passes - 1) / passes : 0;
}
