#include "flame.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    struct spent *all = calloc(p->node_count, sizeof *all);
    for (unsigned n = p->node_count; all && n--;) {
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

int flame_write_callgrind(const struct profile *p, const struct line_costs *lines, const struct flame_names *names,
                          FILE *out)
{
    struct spent *all = inclusive(p);
    struct writer w = {.p = p, .lines = lines, .names = names, .all = all, .out = out};
    if (!all)
        return -1;
    fputs("# callgrind format\nversion: 1\ncreator: memhelm\npositions: line\nevents: Cycles Instructions Mmio\n", out);
    fprintf(out, "summary: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all[0].cycles, all[0].instructions, all[0].mmio);
    for (unsigned n = 1; n < p->node_count; n++)
        print_function(&w, n);
    free(all);
    return 0;
}
