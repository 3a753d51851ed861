#include "checks.h"

#include <stdbool.h>
#include <string.h>

#include "limits.h"

/* The ebreak of a check: right behind the branch, or where it goes. */
static const struct code_line *ebreak_of(const struct code *code, const struct code_line *l)
{
    const struct code_line *next = code_at(code, l->address + l->insn.size);
    return next && next->insn.cls == INSN_EBREAK ? next : code_at(code, insn_target(&l->insn, l->address));
}

/* Several checks may share one. */
static bool is_shared(const struct code *code, unsigned line)
{
    for (unsigned i = 0; i < line; i++)
        if ((code->list[i].flags & CODE_CHECK) && ebreak_of(code, &code->list[i]) == ebreak_of(code, &code->list[line]))
            return true;
    return false;
}

struct checks checks_of(const struct code *code)
{
    struct checks c = {0};
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_line *l = &code->list[i], *trap = ebreak_of(code, l);
        if (!(l->flags & CODE_CHECK))
            continue;
        c.sites++;
        c.bytes += l->insn.size + (trap && !is_shared(code, i) ? trap->insn.size : 0u);
    }
    return c;
}

enum { NOBODY = MH_SOURCES };

static unsigned source_of_kind(const char *kind)
{
    unsigned s = 0;
    while (s < MH_SOURCES && (!source_info(s).hook || strcmp(source_info(s).hook, kind)))
        s++;
    return s;
}

/* A function that is the hook of several sources is counted for none. */
static unsigned source_of_hook(const struct hooks *h, uint32_t address)
{
    unsigned found = NOBODY;
    bool any = false;
    for (unsigned i = 0; i < h->count; i++) {
        if (h->list[i].address != address)
            continue;
        unsigned source = source_of_kind(h->list[i].kind);
        found = any && source != found ? NOBODY : source;
        any = true;
    }
    return found;
}

/* The source that node `n` works for: that of the nearest hook on the way to it. */
static unsigned source_of_node(const struct profile *p, const struct functions *f, const struct hooks *h, unsigned n)
{
    unsigned source = NOBODY;
    for (; n && source == NOBODY; n = p->nodes[n].parent)
        source = source_of_hook(h, f->list[p->nodes[n].function].address);
    return source;
}

static unsigned source_of_function(const struct profile *p, const struct functions *f, const struct hooks *h,
                                   unsigned function)
{
    unsigned found = NOBODY;
    bool first = true;
    for (unsigned n = 1; n < p->node_count; n++) {
        if (p->nodes[n].function != (int)function)
            continue;
        unsigned source = source_of_node(p, f, h, n);
        if (!first && source != found)
            return NOBODY;
        found = source;
        first = false;
    }
    return found;
}

static struct check_cost executed(const struct code *code, const struct code_line *l, const struct profile_at *at)
{
    const struct code_line *target = code_at(code, insn_target(&l->insn, l->address));
    const struct cost *c = &l->cost[CORE_CYCLES];
    uint64_t jump = c->taken + (target ? target->cost[CORE_CYCLES].landing : 0u);
    return (struct check_cost){at->count, at->count * (1u + c->extra) + at->taken * jump};
}

static void add(struct check_cost *to, struct check_cost c)
{
    to->instructions += c.instructions;
    to->cycles += c.cycles;
}

struct checks_run checks_executed(const struct code *code, const struct profile *p, const struct functions *f,
                                  const struct hooks *h)
{
    struct checks_run run = {0};
    for (unsigned i = 0; i < p->at_count; i++) {
        const struct code_line *l = code_at(code, p->at[i].address);
        if (!l || !(l->flags & CODE_CHECK))
            continue;
        unsigned source = source_of_function(p, f, h, l->function);
        add(&run.all, executed(code, l, &p->at[i]));
        if (source < MH_SOURCES)
            add(&run.sources[source], executed(code, l, &p->at[i]));
    }
    return run;
}
