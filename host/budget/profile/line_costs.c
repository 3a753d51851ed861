#include "line_costs.h"

#include <inttypes.h>
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

static void spent_add(struct spent *to, const struct spent *what)
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

static void add(struct search *s, unsigned function, uint32_t address, const struct spent *spent)
{
    s->c->list = grow(s->c->list, s->c->count, &s->c->room, sizeof *s->c->list);
    s->c->list[s->c->count++] = (struct line_cost){function, s->place(s->ctx, address), *spent};
}

static void add_lines(struct search *s, const struct profile *p)
{
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(s->code, p->at[i].address);
        if (!l || !by_line(&s->functions[l->function]))
            continue;
        const struct spent own = spent_at(s->code, l, &p->at[i]);
        add(s, l->function, l->address, &own);
    }
}

static void add_rests(struct search *s, unsigned functions)
{
    for (unsigned f = 0; f < functions; f++) {
        const struct whole *w = &s->functions[f];
        const struct spent rest = {.cycles = w->tree.cycles - w->lines.cycles};
        bool lines = by_line(w);
        if (lines ? !rest.cycles : !w->tree.instructions)
            continue;
        uint32_t address = lines && w->jump && !w->trap ? w->jump : line_costs_first(s->code, f);
        add(s, f, address, lines ? &rest : &w->tree);
    }
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

void line_costs_find(struct line_costs *c, const struct profile *p, const struct code *code, unsigned functions,
                     place_of *place, const void *ctx)
{
    *c = (struct line_costs){0};
    struct search s = {c, code, must_have(functions, sizeof *s.functions), place, ctx};
    add_up(&s, p);
    add_lines(&s, p);
    add_rests(&s, functions);
    free(s.functions);
    merge(c);
}

void line_costs_free(struct line_costs *c)
{
    free(c->list);
    *c = (struct line_costs){0};
}

/* Cycles are the tree's: where a jump through a register leads to has its part in them. */
struct counts *counts_of(const struct profile *p, const struct code *code, unsigned functions)
{
    struct counts *all = must_have(functions, sizeof *all);
    for (unsigned n = 1; n < p->node_count; n++) {
        struct counts *c = &all[p->nodes[n].function];
        c->calls += p->nodes[n].calls;
        c->cycles += p->nodes[n].cycles;
    }
    for (unsigned i = 0; i < p->at_count; i++) {
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

enum { DEPTH = 64 };

/* The functions from the root down to node `n`, the root apart. */
static void print_path(const struct profile *p, const struct flame_names *names, unsigned n, FILE *out)
{
    unsigned way[DEPTH], depth = 0;
    for (; n && depth < DEPTH; n = p->nodes[n].parent)
        way[depth++] = n;
    while (depth--)
        fprintf(out, "%s%s", names->name(names->ctx, (unsigned)p->nodes[way[depth]].function), depth ? ";" : "");
}

void flame_write_folded(const struct profile *p, const struct flame_names *names, FILE *out)
{
    for (unsigned n = 1; n < p->node_count; n++) {
        if (!p->nodes[n].cycles)
            continue;
        print_path(p, names, n, out);
        fprintf(out, " %" PRIu64 "\n", p->nodes[n].cycles);
    }
}

static struct spent self(const struct profile_node *n)
{
    return (struct spent){n->cycles, n->instructions, n->mmio};
}

static void print_cost(unsigned line, const struct spent *c, FILE *out)
{
    fprintf(out, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", line, c->cycles, c->instructions, c->mmio);
}

/* Each node with all below it: children stand behind their parents. */
static struct spent *inclusive(const struct profile *p)
{
    struct spent *all = must_have(p->node_count, sizeof *all);
    for (unsigned n = p->node_count; n--;) {
        const struct spent own = self(&p->nodes[n]);
        spent_add(&all[n], &own);
        if (n)
            spent_add(&all[p->nodes[n].parent], &all[n]);
    }
    return all;
}

/* A file being written: lines that follow are of source file `in`, in a function of file `own`. */
struct writer {
    const struct profile *p;
    const struct line_costs *lines;
    const struct flame_names *names;
    const struct spent *all;
    const char *own, *in;
    FILE *out;
};

/* Code that was inlined is of another file; "fe" is back in the function's own. */
static void go_to(struct writer *w, const char *file)
{
    if (!strcmp(file, w->in))
        return;
    fprintf(w->out, "%s=%s\n", strcmp(file, w->own) ? "fi" : "fe", file);
    w->in = file;
}

static void print_lines(struct writer *w, unsigned function)
{
    for (unsigned i = 0; i < w->lines->count; i++) {
        const struct line_cost *l = &w->lines->list[i];
        if (l->function != function)
            continue;
        go_to(w, l->place.file ? l->place.file : w->own);
        print_cost(l->place.file ? l->place.line : 0, &l->spent, w->out);
    }
}

static bool calls(const struct profile *p, unsigned n, int caller, int callee)
{
    unsigned parent = p->nodes[n].parent;
    return n && parent && p->nodes[parent].function == caller && p->nodes[n].function == callee;
}

/* The call is written once, at the first node that has it. */
static void print_call(struct writer *w, unsigned n)
{
    const struct profile *p = w->p;
    int caller = p->nodes[p->nodes[n].parent].function, callee = p->nodes[n].function;
    uint64_t count = 0;
    struct spent sum = {0};
    for (unsigned i = 1; i < p->node_count; i++) {
        if (!calls(p, i, caller, callee))
            continue;
        if (i < n)
            return;
        count += p->nodes[i].calls;
        spent_add(&sum, &w->all[i]);
    }
    struct place from = w->names->call(w->names->ctx, (unsigned)caller, (unsigned)callee);
    struct place to = w->names->place(w->names->ctx, (unsigned)callee);
    go_to(w, from.file ? from.file : w->own);
    fprintf(w->out, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " %u\n", to.file, w->names->name(w->names->ctx, (unsigned)callee),
            count, to.line);
    print_cost(from.file ? from.line : 0, &sum, w->out);
}

/* Once, at its first node. */
static void print_function(struct writer *w, unsigned n)
{
    const struct profile *p = w->p;
    int function = p->nodes[n].function;
    for (unsigned i = 1; i < n; i++)
        if (p->nodes[i].function == function)
            return;
    w->own = w->in = w->names->place(w->names->ctx, (unsigned)function).file;
    fprintf(w->out, "\nfl=%s\nfn=%s\n", w->own, w->names->name(w->names->ctx, (unsigned)function));
    print_lines(w, (unsigned)function);
    for (unsigned i = 1; i < p->node_count; i++)
        if (p->nodes[i].parent && p->nodes[p->nodes[i].parent].function == function)
            print_call(w, i);
}

void flame_write_callgrind(const struct profile *p, const struct line_costs *lines, const struct flame_names *names,
                           FILE *out)
{
    struct spent *all = inclusive(p);
    struct writer w = {.p = p, .lines = lines, .names = names, .all = all, .out = out};
    fputs("# callgrind format\nversion: 1\ncreator: memhelm\npositions: line\nevents: Cycles Instructions Mmio\n", out);
    fprintf(out, "summary: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all[0].cycles, all[0].instructions, all[0].mmio);
    for (unsigned n = 1; n < p->node_count; n++)
        print_function(&w, n);
    free(all);
}
