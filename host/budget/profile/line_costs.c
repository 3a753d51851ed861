#include "line_costs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What is known of a function before its lines are. */
struct whole {
    struct spent tree, lines;
    uint32_t jump; /* where the rest stands: the last jump through a register, 0: none */
    bool trap;
};

struct search {
    struct line_costs *c;
    const struct code *code;
    struct whole *functions;
    place_of *place;
    const void *ctx;
};

void spent_add(struct spent *to, const struct spent *what)
{
    to->cycles += what->cycles;
    to->instructions += what->instructions;
    to->mmio += what->mmio;
}

uint32_t line_costs_first(const struct code *code, unsigned function)
{
    for (unsigned i = 0; i < code->count; i++)
        if (code->list[i].function == function)
            return code->list[i].address;
    return 0;
}

static bool direct(const struct code_line *l)
{
    return l->insn.cls == INSN_BRANCH || l->insn.cls == INSN_JAL;
}

static struct spent spent_at(const struct code *code, const struct code_line *l, const struct profile_at *at)
{
    const struct cost *cost = &l->cost[CORE_CYCLES];
    const struct code_line *target = direct(l) ? code_at(code, insn_target(&l->insn, l->address)) : NULL;
    uint64_t jump = cost->taken + (target ? target->cost[CORE_CYCLES].landing : 0u);
    return (struct spent){at->count * (1u + cost->extra) + at->taken * jump, at->count, at->mmio};
}

static void add_up(struct search *s, const struct profile *p)
{
    for (unsigned n = 1; n < p->node_count; n++) {
        const struct profile_node *node = &p->nodes[n];
        const struct spent own = {node->cycles, node->instructions, node->mmio};
        spent_add(&s->functions[node->function].tree, &own);
    }
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(s->code, p->at[i].address);
        if (!l)
            continue;
        struct whole *f = &s->functions[l->function];
        const struct spent own = spent_at(s->code, l, &p->at[i]);
        spent_add(&f->lines, &own);
        f->trap |= l->insn.cls == INSN_MRET;
        if (l->insn.cls == INSN_JALR)
            f->jump = l->address;
    }
}

static bool by_line(const struct whole *f)
{
    return f->lines.instructions == f->tree.instructions && f->lines.mmio == f->tree.mmio &&
           f->lines.cycles <= f->tree.cycles;
}

static int add(struct search *s, unsigned function, uint32_t address, const struct spent *spent)
{
    struct line_cost *grown = grow(s->c->list, s->c->count, &s->c->room, sizeof *grown);
    if (!grown)
        return -1;
    s->c->list = grown;
    s->c->list[s->c->count++] = (struct line_cost){function, s->place(s->ctx, address), *spent};
    return 0;
}

static int add_lines(struct search *s, const struct profile *p)
{
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(s->code, p->at[i].address);
        if (!l || !by_line(&s->functions[l->function]))
            continue;
        const struct spent own = spent_at(s->code, l, &p->at[i]);
        if (add(s, l->function, l->address, &own))
            return -1;
    }
    return 0;
}

static int add_rests(struct search *s, unsigned functions)
{
    for (unsigned f = 0; f < functions; f++) {
        const struct whole *w = &s->functions[f];
        const struct spent rest = {.cycles = w->tree.cycles - w->lines.cycles};
        bool lines = by_line(w);
        if (lines ? !rest.cycles : !w->tree.instructions)
            continue;
        uint32_t address = lines && w->jump && !w->trap ? w->jump : line_costs_first(s->code, f);
        if (add(s, f, address, lines ? &rest : &w->tree))
            return -1;
    }
    return 0;
}

static const char *file_of(const struct line_cost *l)
{
    return l->place.file ? l->place.file : "";
}

static int by_place(const void *a, const void *b)
{
    const struct line_cost *l = a, *m = b;
    if (l->function != m->function)
        return l->function < m->function ? -1 : 1;
    int order = strcmp(file_of(l), file_of(m));
    if (order)
        return order;
    return l->place.line < m->place.line ? -1 : l->place.line > m->place.line;
}

static void merge(struct line_costs *c)
{
    unsigned kept = 0;
    if (c->count)
        qsort(c->list, c->count, sizeof *c->list, by_place);
    for (unsigned i = 0; i < c->count; i++) {
        if (kept && !by_place(&c->list[kept - 1], &c->list[i]))
            spent_add(&c->list[kept - 1].spent, &c->list[i].spent);
        else
            c->list[kept++] = c->list[i];
    }
    c->count = kept;
}

int line_costs_find(struct line_costs *c, const struct profile *p, const struct code *code, unsigned functions,
                    place_of *place, const void *ctx)
{
    *c = (struct line_costs){0};
    struct search s = {c, code, calloc(functions + 1, sizeof *s.functions), place, ctx};
    if (!s.functions)
        return -1;
    add_up(&s, p);
    int status = add_lines(&s, p) || add_rests(&s, functions) ? -1 : 0;
    free(s.functions);
    if (status)
        line_costs_free(c);
    else
        merge(c);
    return status;
}

void line_costs_free(struct line_costs *c)
{
    free(c->list);
    *c = (struct line_costs){0};
}

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
