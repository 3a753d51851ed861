#include "line_costs.h"

#include <stdlib.h>

#include "base/memory.h"

/* ---- The shortest way through a function. */

struct way {
    const struct profile *p;
    const struct code *code;
    uint64_t *steps; /* to each line, itself included; 0: none yet */
    unsigned *queue, queued;
};

static void reach(struct way *w, const struct code_line *from, uint32_t address, uint64_t steps)
{
    const struct code_line *to = code_at(w->code, address);
    if (!to || to->function != from->function || w->steps[to - w->code->list])
        return;
    w->steps[to - w->code->list] = steps + 1;
    w->queue[w->queued++] = (unsigned)(to - w->code->list);
}

/* Goes on from a line; true when the function ends there. */
static bool leave(struct way *w, const struct code_line *l, uint64_t steps)
{
    const struct profile_at *at = profile_at(w->p, l->address);
    uint32_t next = l->address + l->insn.size, target = insn_target(&l->insn, l->address);
    if (!at)
        return false;
    if (l->flags & CODE_BRANCH) {
        if (at->count > at->taken)
            reach(w, l, next, steps);
        if (at->taken)
            reach(w, l, target, steps);
    } else if (!insn_leaves(&l->insn) || (l->flags & CODE_CALL)) {
        reach(w, l, next, steps);
    } else {
        const struct code_line *to = l->insn.cls == INSN_JAL ? code_at(w->code, target) : NULL;
        if (!to || to->function != l->function)
            return true;
        reach(w, l, target, steps);
    }
    return false;
}

static struct way way_open(const struct profile *p, const struct code *code)
{
    return (struct way){p, code, must_have(code->count, sizeof(uint64_t)), must_have(code->count, sizeof(unsigned)), 0};
}

static void way_close(struct way *w)
{
    free(w->steps);
    free(w->queue);
}

uint64_t path_shortest(const struct profile *p, const struct code *code, uint32_t entry)
{
    struct way w = way_open(p, code);
    const struct code_line *first = code_at(code, entry);
    uint64_t shortest = 0;
    if (first)
        reach(&w, first, entry, 0);
    for (unsigned i = 0; i < w.queued && !shortest; i++)
        if (leave(&w, &code->list[w.queue[i]], w.steps[w.queue[i]]))
            shortest = w.steps[w.queue[i]];
    way_close(&w);
    return shortest;
}

/* Does a way lead from the line back to it, within its function? */
static bool repeats(const struct profile *p, const struct code *code, const struct code_line *l)
{
    struct way w = way_open(p, code);
    (void)leave(&w, l, 0);
    for (unsigned i = 0; i < w.queued; i++)
        (void)leave(&w, &code->list[w.queue[i]], w.steps[w.queue[i]]);
    bool again = w.steps[l - code->list];
    way_close(&w);
    return again;
}

/* Most calls of the function at `callee` in one call of `caller`; UINT64_MAX: its code does not say. */
static uint64_t sites(const struct profile *p, const struct code *code, unsigned caller, uint32_t callee)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_line *l = &code->list[i];
        bool jumps = l->flags & (CODE_JUMP | CODE_BRANCH) && !(l->flags & CODE_RETURN);
        if (l->function != caller || !jumps || !profile_at(p, l->address))
            continue;
        bool here = l->insn.cls != INSN_JALR && insn_target(&l->insn, l->address) == callee;
        if (l->insn.cls == INSN_JALR || (here && repeats(p, code, l)))
            return UINT64_MAX;
        count += here;
    }
    return count ? count : UINT64_MAX;
}

/* ---- Calls. */

struct maker {
    struct path *path;
    const struct profile *p;
    const struct series *s;
    const struct code *code;
    const struct functions *f;
    const struct hooks *hooks;
    struct {
        uint64_t cycles; /* with all below */
        unsigned first;  /* part in which it, or one below it, is met first; UINT32_MAX: not in this decision */
    } * at;
};

static uint32_t entry_of(const struct maker *m, unsigned node)
{
    return m->f->list[m->p->nodes[node].function].address;
}

/* Number of the hook that the node's function is; hooks->count when it is none. */
static unsigned hook_of(const struct maker *m, unsigned node)
{
    unsigned h = 0;
    while (h < m->hooks->count && m->hooks->list[h].address != entry_of(m, node))
        h++;
    return h;
}

/* On average for each call of the hook above it. */
static void mean_calls(const struct maker *m, unsigned node, struct path_step *step)
{
    unsigned up = node;
    while (up && hook_of(m, up) == m->hooks->count)
        up = m->p->nodes[up].parent;
    step->kind = up ? PATH_MEAN : PATH_UNKNOWN;
    if (up)
        step->calls = (double)m->p->nodes[node].calls / (double)m->p->nodes[up].calls;
}

/* Of the function above, which was called `above` times; 0: not known. */
static uint64_t most_of(const struct maker *m, unsigned node, uint64_t above)
{
    unsigned caller = (unsigned)m->p->nodes[m->p->nodes[node].parent].function;
    uint64_t each = above ? sites(m->p, m->code, caller, entry_of(m, node)) : UINT64_MAX;
    return each < UINT64_MAX ? above * each : m->p->nodes[node].calls;
}

static void count_calls(const struct maker *m, const struct part *part, uint64_t above, struct path_step *step)
{
    const struct profile_node *node = &m->p->nodes[part->node];
    uint64_t shortest = path_shortest(m->p, m->code, entry_of(m, part->node));
    uint64_t least = 1, most = most_of(m, part->node, above);
    if (shortest) {
        uint64_t others = (node->instructions - part->instructions) / shortest;
        least = node->calls > others + 1 ? node->calls - others : 1;
        most = part->instructions / shortest < most ? part->instructions / shortest : most;
    }
    step->kind = PATH_EXACT;
    step->calls = 1;
    if (hook_of(m, part->node) < m->hooks->count)
        return;
    step->calls = (double)most;
    if (least != most)
        mean_calls(m, part->node, step);
}

/* ---- Steps. */

static void add_up(struct maker *m)
{
    const struct profile_node *nodes = m->p->nodes;
    for (unsigned n = 0; n < m->p->node_count; n++)
        m->at[n].first = UINT32_MAX;
    for (unsigned i = 0; i < m->s->part_count; i++) {
        m->at[m->s->parts[i].node].first = i;
        m->at[m->s->parts[i].node].cycles = m->s->parts[i].cycles;
    }
    for (unsigned n = m->p->node_count; n-- > 1;) {
        m->at[nodes[n].parent].cycles += m->at[n].cycles;
        if (m->at[n].first < m->at[nodes[n].parent].first)
            m->at[nodes[n].parent].first = m->at[n].first;
    }
}

/* How often it was called in the decision; 0: not known. */
static uint64_t add_step(struct maker *m, unsigned node, unsigned depth, uint64_t above)
{
    const struct part *part = &m->s->parts[m->at[node].first];
    struct path_step *step = &m->path->steps[m->path->count++];
    *step = (struct path_step){.depth = depth, .cycles = m->at[node].cycles, .kind = PATH_UNKNOWN};
    step->function = (unsigned)m->p->nodes[node].function;
    for (; part < m->s->parts + m->s->part_count && part->node != node; part++)
        ;
    if (part == m->s->parts + m->s->part_count)
        return 0; /* it only calls others */
    step->own = part->cycles;
    if (depth)
        count_calls(m, part, above, step);
    else
        step->kind = PATH_BEGINS;
    return !depth ? 1 : step->kind == PATH_EXACT ? (uint64_t)step->calls : 0;
}

/* The child of `node` that is met first, behind the one met with part `after` - 1; 0: there is none. */
static unsigned next_child(const struct maker *m, unsigned node, unsigned after)
{
    unsigned found = 0;
    for (unsigned n = 1; n < m->p->node_count; n++)
        if (m->p->nodes[n].parent == node && m->at[n].first != UINT32_MAX && m->at[n].first >= after &&
            (!found || m->at[n].first < m->at[found].first))
            found = n;
    return found;
}

/* Down and then aside; what is above the first function that spent anything is left out. */
static void walk(struct maker *m, unsigned node, unsigned depth, uint64_t above)
{
    bool spent = m->at[node].first != UINT32_MAX && m->s->parts[m->at[node].first].node == node;
    bool shown = node && (depth || spent || next_child(m, node, m->at[next_child(m, node, 0)].first + 1));
    uint64_t calls = shown ? add_step(m, node, depth, above) : 0;
    for (unsigned n = next_child(m, node, 0); n; n = next_child(m, node, m->at[n].first + 1))
        walk(m, n, depth + shown, calls);
}

void path_of(struct path *path, const struct profile *p, const struct series *s, const struct code *code,
             const struct functions *f, const struct hooks *hooks)
{
    struct maker m = {.path = path, .p = p, .s = s, .code = code, .f = f, .hooks = hooks};
    *path = (struct path){.steps = must_have(p->node_count, sizeof *path->steps)};
    m.at = must_have(p->node_count, sizeof *m.at);
    add_up(&m);
    walk(&m, 0, 0, 0);
    free(m.at);
}
