#include "interrupt.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* Of a node and all below it. */
struct below {
    uint64_t cycles;
    unsigned decided; /* nodes that work for decisions */
};

static struct below *add_up(const struct profile *p)
{
    struct below *all = must_have(p->node_count, sizeof *all);
    for (unsigned n = p->node_count; n-- > 1;) {
        struct below *parent = &all[p->nodes[n].parent];
        all[n].cycles += p->nodes[n].cycles;
        all[n].decided += p->nodes[n].decided > 0;
        parent->cycles += all[n].cycles;
        parent->decided += all[n].decided;
    }
    return all;
}

static bool function_decides(const struct profile *p, int function)
{
    for (unsigned n = 1; n < p->node_count; n++)
        if (p->nodes[n].function == function && p->nodes[n].decided)
            return true;
    return false;
}

/* Not once in every interrupt, nor of decisions anywhere: what ends the run, what is printed, a look into a queue. */
static bool is_seldom(const struct profile *p, const struct below *all, unsigned n, uint64_t interrupts)
{
    return !all[n].decided && p->nodes[n].calls != interrupts && !function_decides(p, p->nodes[n].function);
}

static bool is_hook(const struct image_code *image, int function)
{
    for (unsigned i = 0; i < image->hooks->count; i++)
        if (function_at(image->functions, image->hooks->list[i].address) == (unsigned)function)
            return true;
    return false;
}

/* Below `top`, with all that it calls, but for what is seldom; of a hook nothing is: all of it is a decision. */
static uint64_t often(const struct profile *p, const struct below *all, const struct image_code *image, unsigned top,
                      uint64_t interrupts)
{
    uint64_t cycles = p->nodes[top].cycles;
    if (is_hook(image, p->nodes[top].function))
        return all[top].cycles;
    for (unsigned n = top + 1; n < p->node_count; n++)
        if (p->nodes[n].parent == top && !is_seldom(p, all, n, interrupts))
            cycles += often(p, all, image, n, interrupts);
    return cycles;
}

static uint64_t in_decisions(const struct profile *p)
{
    double cycles = 0;
    for (unsigned s = 0; s < MH_SOURCES; s++)
        cycles += p->sources[s].count ? (double)p->sources[s].count * p->sources[s].cycles.mean : 0;
    return (uint64_t)(cycles + 0.5);
}

/* Cycles of all interrupts outside decisions, and the number of interrupts. */
static uint64_t outside(const struct profile *p, const struct below *all, const struct image_code *image,
                        uint64_t *interrupts)
{
    uint64_t cycles = 0, decisions = in_decisions(p);
    *interrupts = 0;
    for (unsigned n = 1; n < p->node_count; n++)
        if (!p->nodes[n].parent && all[n].decided) {
            *interrupts += p->nodes[n].calls;
            cycles += often(p, all, image, n, p->nodes[n].calls);
        }
    return cycles > decisions ? cycles - decisions : 0;
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

uint64_t trap_cycles(const struct profile *p, const struct image_code *image)
{
    struct below *all = add_up(p);
    uint64_t interrupts, back = returns(p, image->code);
    uint64_t cycles = outside(p, all, image, &interrupts), passes = interrupts + back; /* half passes */
    free(all);
    return back ? (2 * cycles + passes - 1) / passes : 0;
}
