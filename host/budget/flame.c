#include "flame.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

enum { DEPTH = 64, FILE_NAME = 256 };

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

struct cost {
    uint64_t cycles, instructions, mmio;
};

static void add(struct cost *to, const struct cost *c)
{
    to->cycles += c->cycles;
    to->instructions += c->instructions;
    to->mmio += c->mmio;
}

static struct cost self(const struct profile_node *n)
{
    return (struct cost){n->cycles, n->instructions, n->mmio};
}

static void print_cost(const struct cost *c, FILE *out)
{
    fprintf(out, "0 %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", c->cycles, c->instructions, c->mmio);
}

/* Each node with all below it: children stand behind their parents. */
static struct cost *inclusive(const struct profile *p)
{
    struct cost *all = calloc(p->node_count, sizeof *all);
    for (unsigned n = p->node_count; all && n--;) {
        const struct cost own = self(&p->nodes[n]);
        add(&all[n], &own);
        if (n)
            add(&all[p->nodes[n].parent], &all[n]);
    }
    return all;
}

static bool calls(const struct profile *p, unsigned n, int caller, int callee)
{
    unsigned parent = p->nodes[n].parent;
    return n && parent && p->nodes[parent].function == caller && p->nodes[n].function == callee;
}

/* The call is written once, at the first node that has it. */
static void print_call(const struct profile *p, const struct flame_names *names, const struct cost *all, unsigned n,
                       FILE *out)
{
    int caller = p->nodes[p->nodes[n].parent].function, callee = p->nodes[n].function;
    char file[FILE_NAME];
    uint64_t count = 0;
    struct cost sum = {0};
    for (unsigned i = 1; i < p->node_count; i++) {
        if (!calls(p, i, caller, callee))
            continue;
        if (i < n)
            return;
        count += p->nodes[i].calls;
        add(&sum, &all[i]);
    }
    names->file(names->ctx, (unsigned)callee, file, sizeof file);
    fprintf(out, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " 0\n", file, names->name(names->ctx, (unsigned)callee), count);
    print_cost(&sum, out);
}

static void print_function(const struct profile *p, const struct flame_names *names, const struct cost *all, unsigned n,
                           FILE *out)
{
    int function = p->nodes[n].function;
    char file[FILE_NAME];
    struct cost sum = {0};
    for (unsigned i = 1; i < p->node_count; i++) {
        const struct cost own = self(&p->nodes[i]);
        if (p->nodes[i].function != function)
            continue;
        if (i < n)
            return; /* written already */
        add(&sum, &own);
    }
    names->file(names->ctx, (unsigned)function, file, sizeof file);
    fprintf(out, "\nfl=%s\nfn=%s\n", file, names->name(names->ctx, (unsigned)function));
    print_cost(&sum, out);
    for (unsigned i = 1; i < p->node_count; i++)
        if (p->nodes[i].parent && p->nodes[p->nodes[i].parent].function == function)
            print_call(p, names, all, i, out);
}

int flame_write_callgrind(const struct profile *p, const struct flame_names *names, FILE *out)
{
    struct cost *all = inclusive(p);
    if (!all)
        return -1;
    fputs("# callgrind format\nversion: 1\ncreator: memhelm\npositions: line\nevents: Cycles Instructions Mmio\n", out);
    fprintf(out, "summary: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", all[0].cycles, all[0].instructions, all[0].mmio);
    for (unsigned n = 1; n < p->node_count; n++)
        print_function(p, names, all, n, out);
    free(all);
    return 0;
}
