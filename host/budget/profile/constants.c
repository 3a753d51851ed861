#include "interrupt.h"

#include <stdlib.h>

#include "base/memory.h"

enum { OP_ADD = 0x33, ADD_MASK = 0xfe00707f };
#define CALLER_SAVED 0xf003fce2u /* ra, t0 .. t6, a0 .. a7 */

/* Of registers before a line; x0 is always known. */
struct registers {
    bool reached;
    uint32_t known; /* bits */
    uint32_t value[32];
};

struct flow {
    const struct profile *p;
    const struct code_line *lines;
    unsigned count;
    struct registers *before;
    unsigned *queue, queued;
    bool *waiting;
};

/* What two ways to a line agree on is known. */
static bool meet(struct registers *to, const struct registers *from)
{
    uint32_t known = to->known & from->known;
    if (!to->reached) {
        *to = *from;
        return true;
    }
    for (unsigned r = 0; r < 32; r++)
        if (to->value[r] != from->value[r])
            known &= ~(1u << r);
    bool changed = known != to->known;
    to->known = known;
    return changed;
}

static void reach(struct flow *f, uint32_t address, const struct registers *r)
{
    unsigned i = 0;
    while (i < f->count && f->lines[i].address != address)
        i++;
    if (i == f->count || (f->p && !profile_at(f->p, address)) || !meet(&f->before[i], r) || f->waiting[i])
        return;
    f->waiting[i] = true;
    f->queue[f->queued++] = i;
}

static void set(struct registers *r, unsigned reg, bool known, uint32_t value)
{
    if (!reg)
        return;
    r->known = known ? r->known | 1u << reg : r->known & ~(1u << reg);
    r->value[reg] = known ? value : 0;
}

static void execute(struct registers *r, const struct code_line *l)
{
    const struct insn *i = &l->insn;
    uint32_t imm = (uint32_t)i->imm;
    if (insn_is_lui(i))
        set(r, i->rd, true, imm);
    else if (insn_is_auipc(i))
        set(r, i->rd, true, l->address + imm);
    else if (insn_is_addi(i))
        set(r, i->rd, r->known >> i->rs1 & 1, r->value[i->rs1] + imm);
    else if ((i->word & ADD_MASK) == OP_ADD && !i->rs1)
        set(r, i->rd, r->known >> i->rs2 & 1, r->value[i->rs2]);
    else
        set(r, i->rd, false, 0);
    for (unsigned reg = 0; (l->flags & CODE_CALL) && reg < 32; reg++)
        if (CALLER_SAVED >> reg & 1)
            set(r, reg, false, 0);
}

static void step(struct flow *f, unsigned line)
{
    const struct code_line *l = &f->lines[line];
    struct registers r = f->before[line];
    execute(&r, l);
    if ((l->flags & CODE_BRANCH) || (l->insn.cls == INSN_JAL && !(l->flags & CODE_CALL)))
        reach(f, insn_target(&l->insn, l->address), &r);
    if (!insn_leaves(&l->insn) || (l->flags & CODE_CALL))
        reach(f, l->address + l->insn.size, &r);
}

static void follow(struct flow *f)
{
    const struct registers nothing = {.reached = true, .known = 1};
    reach(f, f->lines[0].address, &nothing);
    while (f->queued) {
        unsigned line = f->queue[--f->queued];
        f->waiting[line] = false;
        step(f, line);
    }
}

static void collect(const struct flow *f, unsigned first, struct constant_use **list, unsigned *found)
{
    unsigned room = 0;
    for (unsigned i = 0; i < f->count; i++) {
        const struct insn *insn = &f->lines[i].insn;
        const struct registers *r = &f->before[i];
        if ((insn->cls != INSN_STORE && insn->cls != INSN_JALR) || !r->reached || !(r->known >> insn->rs1 & 1))
            continue;
        *list = grow(*list, *found, &room, sizeof **list);
        (*list)[(*found)++] = (struct constant_use){.line = first + i,
                                                    .address = r->value[insn->rs1] + (uint32_t)insn->imm,
                                                    .known = r->known >> insn->rs2 & 1,
                                                    .value = r->value[insn->rs2]};
    }
}

void constants_find(const struct code *code, const struct profile *p, unsigned first, unsigned count,
                    struct constant_use **list, unsigned *found)
{
    struct flow f = {.p = p, .lines = code->list + first, .count = count};
    *list = NULL;
    *found = 0;
    f.before = must_have(count, sizeof *f.before);
    f.queue = must_have(count, sizeof *f.queue);
    f.waiting = must_have(count, sizeof *f.waiting);
    if (count) {
        follow(&f);
        collect(&f, first, list, found);
    }
    free(f.before);
    free(f.queue);
    free(f.waiting);
}
