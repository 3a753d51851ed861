#include "interrupt.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

#include "memhelm/registers.h"

/* Ways from a line to the end of its function: without a decision, past decisions for others, or around the source's.
 */
enum ways { PLAIN, PASSING, DECIDING, WAYS };
enum state { UNSEEN, OPEN, CLOSED };

struct line {
    int begins, ends;     /* the source of a store to BEGIN, to its DECISION; NO_SOURCE */
    uint32_t target;      /* of a jalr; 0: not known */
    uint64_t comes[WAYS]; /* how often the run can have gone one way at most; 0: there is none */
    enum state state[WAYS];
    unsigned passed[WAYS]; /* decisions for others that lay before it when it was opened */
    int64_t most[WAYS];    /* cycles of the longest */
};

/*
 * Of a lap that leads back over a decision for another source: the handler looks again what is pending, and what it
 * finds then is counted from the first look. Less than any sum of cycles.
 */
#define NO_WAY (INT64_MIN / 4)

enum { NO_SOURCE = -1, UNCLEAR = MH_SOURCES };

struct search {
    const struct code *code;
    const struct profile *p;
    struct line *lines;
    int source;
    unsigned passed;  /* decisions for others on the way to here */
    uint32_t landing; /* of what an interrupt returns to */
    bool endless;     /* a loop, or a call to an unknown target */
};

static const uint32_t decision[MH_SOURCES] = {
#define MH_SOURCE(NAME, field, irq, REGISTER, raised, missed) MH_MACHINE_BASE + MH_MACHINE_##REGISTER,
#include "memhelm/registers.def"
};

/* ---- Where decisions begin and end. */

static void mark(struct line *line, const struct constant_use *store)
{
    if (store->address == MH_MACHINE_BASE + MH_MACHINE_BEGIN)
        line->begins = store->known && store->value < MH_SOURCES ? (int)store->value : UNCLEAR;
    for (int s = 0; s < (int)MH_SOURCES; s++)
        if (store->address == decision[s])
            line->ends = s;
}

static void mark_all(struct search *s)
{
    const struct code *c = s->code;
    for (unsigned first = 0, end; first < c->count; first = end) {
        struct constant_use *uses;
        unsigned found;
        for (end = first; end < c->count && c->list[end].function == c->list[first].function; end++)
            s->lines[end].begins = s->lines[end].ends = NO_SOURCE;
        constants_find(c, s->p, first, end - first, &uses, &found);
        for (unsigned i = 0; i < found; i++)
            if (c->list[uses[i].line].flags & CODE_STORE)
                mark(&s->lines[uses[i].line], &uses[i]);
            else
                s->lines[uses[i].line].target = uses[i].address;
        free(uses);
    }
}

/* ---- Steps from a line. */

static struct line *line_of(const struct search *s, const struct code_line *l)
{
    return &s->lines[l - s->code->list];
}

struct step {
    bool pointer;                        /* a call to an unknown target */
    const struct code_line *callee, *to; /* NULL: no call; the function ends */
    uint64_t cycles, count;              /* count: how often the run made it */
};

static uint64_t landing(const struct code_line *l)
{
    return l ? l->cost[CORE_CYCLES].landing : 0u;
}

static unsigned add_step(struct step *step, const struct code_line *callee, const struct code_line *to, uint64_t cycles,
                         uint64_t count)
{
    *step = (struct step){false, callee, to, cycles, count};
    return 1;
}

/* Of a branch or a jump; NULL when it is not known. */
static const struct code_line *target_of(const struct search *s, const struct code_line *l)
{
    bool computed = l->insn.cls == INSN_JALR;
    return code_at(s->code, computed ? line_of(s, l)->target : insn_target(&l->insn, l->address));
}

static uint64_t stays(const struct code_line *l)
{
    return 1u + l->cost[CORE_CYCLES].extra;
}

static uint64_t jumps(const struct code_line *l)
{
    return stays(l) + l->cost[CORE_CYCLES].taken;
}

static unsigned steps_of_branch(const struct search *s, const struct code_line *l, struct step steps[2])
{
    const struct profile_at *at = profile_at(s->p, l->address);
    const struct code_line *target = target_of(s, l);
    unsigned count = 0;
    if (at->count > at->taken)
        count +=
            add_step(&steps[count], NULL, code_at(s->code, l->address + l->insn.size), stays(l), at->count - at->taken);
    if (at->taken)
        count += add_step(&steps[count], NULL, target, jumps(l) + landing(target), at->taken);
    return count;
}

/* Where an executed line went in the run: two ways at most. */
static unsigned steps_from(const struct search *s, const struct code_line *l, struct step steps[2])
{
    const struct code_line *next = code_at(s->code, l->address + l->insn.size);
    const struct code_line *target = target_of(s, l);
    const struct profile_at *at = profile_at(s->p, l->address);
    if (!at)
        return 0;
    if (l->flags & CODE_BRANCH)
        return steps_of_branch(s, l, steps);
    if (l->flags & (CODE_RETURN | CODE_MRET))
        return add_step(&steps[0], NULL, NULL, jumps(l) + (l->flags & CODE_MRET ? s->landing : 0), at->count);
    if (!(l->flags & (CODE_CALL | CODE_JUMP)))
        return insn_leaves(&l->insn) ? 0 : add_step(&steps[0], NULL, next, stays(l), at->count);
    bool call = l->flags & CODE_CALL;
    (void)add_step(&steps[0], call ? target : NULL, call ? next : target,
                   jumps(l) + landing(target) + (call ? landing(next) : 0), at->count);
    steps[0].pointer = !target;
    return 1;
}

/* Behind the store that ends the decision which begins at a line of the same function; NULL behind the last. */
static const struct code_line *behind_decision(const struct search *s, const struct code_line *begin,
                                               const struct code_line *last)
{
    const struct code_line *end = s->code->list + s->code->count, *l = last ? last : s->code->list;
    for (; l < end; l++)
        if (l->function == begin->function && line_of(s, l)->ends == line_of(s, begin)->begins)
            return l + 1 < end ? l + 1 : NULL;
    return NULL;
}

/* How it goes on behind the decision that begins there: WAYS where it must not be met. */
static enum ways behind(const struct search *s, const struct code_line *begin, enum ways w)
{
    if (w == PLAIN || line_of(s, begin)->begins == UNCLEAR)
        return WAYS;
    if (line_of(s, begin)->begins != s->source)
        return w;
    return w == DECIDING ? PLAIN : WAYS;
}

/* ---- Is there a way, and how often can it have been gone: as often as the rarest step of it. */

static uint64_t fewer(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The step's callee in the way `within`, then the rest in the way `then`. */
static uint64_t part_comes(const struct search *s, const struct step *step, enum ways within, enum ways then)
{
    uint64_t through = step->callee ? line_of(s, step->callee)->comes[within] : within != DECIDING ? step->count : 0;
    uint64_t on = step->to ? line_of(s, step->to)->comes[then] : then != DECIDING ? step->count : 0;
    return fewer(step->count, fewer(through, on));
}

static uint64_t step_comes(const struct search *s, const struct step *step, enum ways w)
{
    return w == DECIDING ? more(part_comes(s, step, PASSING, DECIDING), part_comes(s, step, DECIDING, PLAIN))
                         : part_comes(s, step, w, w);
}

static uint64_t comes(const struct search *s, const struct code_line *l, enum ways w)
{
    struct step steps[2];
    uint64_t most = 0;
    if (line_of(s, l)->begins != NO_SOURCE) {
        for (const struct code_line *b = NULL; behind(s, l, w) < WAYS && (b = behind_decision(s, l, b));)
            most = more(most, line_of(s, b)->comes[behind(s, l, w)]);
        return most;
    }
    unsigned count = steps_from(s, l, steps);
    for (unsigned i = 0; i < count; i++)
        most = more(most, step_comes(s, &steps[i], w));
    return most;
}

static void forget_ways(struct search *s)
{
    for (unsigned i = 0; i < s->code->count; i++)
        for (enum ways w = 0; w < WAYS; w++) {
            s->lines[i].comes[w] = 0;
            s->lines[i].state[w] = UNSEEN;
        }
}

static void find_ways(struct search *s)
{
    bool changed = true;
    forget_ways(s);
    while (changed) {
        changed = false;
        for (unsigned i = s->code->count; i-- > 0;)
            for (enum ways w = 0; w < WAYS; w++) {
                uint64_t most = comes(s, &s->code->list[i], w);
                changed |= most > s->lines[i].comes[w];
                s->lines[i].comes[w] = most;
            }
    }
}

/* As often as the run decided for the source? Else they were made in a way that is not understood. */
static bool stores_found(const struct search *s)
{
    uint64_t begun = 0, ended = 0;
    for (unsigned i = 0; i < s->code->count; i++) {
        const struct profile_at *at = profile_at(s->p, s->code->list[i].address);
        begun += at && s->lines[i].begins == s->source ? at->count : 0;
        ended += at && s->lines[i].ends == s->source ? at->count : 0;
    }
    return fewer(begun, ended) >= s->p->sources[s->source].count;
}

/* ---- The longest. */

static int64_t longest(struct search *s, const struct code_line *l, enum ways w);

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* As part_comes(). A callee that has no plain way decides for others. */
static int64_t part_longest(struct search *s, const struct step *step, enum ways within, enum ways then)
{
    unsigned others = step->callee && !line_of(s, step->callee)->comes[PLAIN];
    int64_t most = step->callee ? longest(s, step->callee, within) : 0;
    s->passed += others;
    most += step->to ? longest(s, step->to, then) : 0;
    s->passed -= others;
    return most;
}

static int64_t step_longest(struct search *s, const struct step *step, enum ways w)
{
    const enum ways first[] = {w == PLAIN ? PLAIN : PASSING, DECIDING}, then[] = {w, PLAIN};
    int64_t most = NO_WAY;
    s->endless |= step->pointer;
    for (unsigned i = 0; i < (w == DECIDING ? 2u : 1u) && !s->endless; i++)
        if (part_comes(s, step, first[i], then[i]))
            most = larger(most, part_longest(s, step, first[i], then[i]));
    return (int64_t)step->cycles + most;
}

static int64_t around(struct search *s, const struct code_line *begin, enum ways w)
{
    enum ways on = behind(s, begin, w);
    unsigned others = on == DECIDING || on == PASSING;
    int64_t most = NO_WAY;
    s->passed += others;
    for (const struct code_line *b = NULL; on < WAYS && (b = behind_decision(s, begin, b));)
        if (line_of(s, b)->comes[on])
            most = larger(most, longest(s, b, on));
    s->passed -= others;
    return 1 + (int64_t)begin->cost[CORE_CYCLES].extra + most;
}

/* Only where there is a way. */
static int64_t longest(struct search *s, const struct code_line *l, enum ways w)
{
    struct line *line = line_of(s, l);
    struct step steps[2];
    if (line->state[w] == CLOSED)
        return line->most[w];
    if (line->state[w] == OPEN && s->passed > line->passed[w])
        return NO_WAY;
    if (line->state[w] == OPEN || s->endless) {
        s->endless = true;
        return NO_WAY;
    }
    line->state[w] = OPEN;
    line->passed[w] = s->passed;
    line->most[w] = line->begins != NO_SOURCE ? around(s, l, w) : NO_WAY;
    unsigned count = line->begins != NO_SOURCE ? 0 : steps_from(s, l, steps);
    for (unsigned i = 0; i < count; i++)
        if (step_comes(s, &steps[i], w))
            line->most[w] = larger(line->most[w], step_longest(s, &steps[i], w));
    line->state[w] = CLOSED;
    return line->most[w];
}

/* An interrupt comes back to behind the wfi that it ended. */
static uint32_t landing_behind_wfi(const struct code *code)
{
    uint32_t most = 0;
    for (unsigned i = 0; i + 1 < code->count; i++)
        if ((code->list[i].flags & CODE_WFI) && landing(&code->list[i + 1]) > most)
            most = (uint32_t)landing(&code->list[i + 1]);
    return most;
}

static struct interrupt longest_of(struct search *s, const struct code_line *first, unsigned entry)
{
    struct interrupt found = {.count = s->p->sources[s->source].count};
    s->endless = false;
    find_ways(s);
    if (first && stores_found(s))
        found.count = line_of(s, first)->comes[DECIDING];
    if (first && line_of(s, first)->comes[DECIDING]) {
        int64_t most = entry + (int64_t)landing(first) + longest(s, first, DECIDING);
        found.cycles = s->endless || most < 0 ? 0 : (uint64_t)most;
    }
    return found;
}

void interrupt_longest(struct interrupt found[MH_SOURCES], const struct code *code, const struct profile *p,
                       uint32_t vector, unsigned entry)
{
    struct search s = {.code = code, .p = p, .landing = landing_behind_wfi(code)};
    s.lines = must_have(code->count, sizeof *s.lines);
    mark_all(&s);
    for (s.source = 0; s.source < (int)MH_SOURCES; s.source++)
        found[s.source] = longest_of(&s, code_at(code, vector), entry);
    free(s.lines);
}
