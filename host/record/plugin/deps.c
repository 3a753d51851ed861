#include "deps.h"

#include <stdlib.h>

#include "kinds.h"
#include "record/access.h"

static bool uses(LLVMValueRef instruction, LLVMValueRef value)
{
    for (int n = 0; n < LLVMGetNumOperands(instruction); n++)
        if (LLVMGetOperand(instruction, (unsigned)n) == value)
            return true;
    return false;
}

/* Counted instructions between a load and its first use in its block; else as tests/data/README.md has it. */
static int32_t first_use(const struct code_instruction *load)
{
    const struct code_instruction *i = load;
    int32_t between = 0;

    if (load->kind == RECORD_STORE || load->is_barrier || !LLVMGetFirstUse(load->value))
        return -1;
    while (!i->is_terminator) {
        i++;
        if (uses(i->value, load->value))
            return between;
        between += i->is_counted;
    }
    return -2 - between;
}

/* Values that are still to be looked at. */
struct todo {
    LLVMValueRef *value;
    size_t count, room;
};

static bool add(struct todo *t, LLVMValueRef v)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        LLVMValueRef *more = realloc(t->value, room * sizeof *more);

        if (!more)
            return false;
        t->value = more;
        t->room = room;
    }
    t->value[t->count++] = v;
    return true;
}

static bool add_operands(struct todo *t, LLVMValueRef instruction)
{
    for (int n = 0; n < LLVMGetNumOperands(instruction); n++)
        if (!add(t, LLVMGetOperand(instruction, (unsigned)n)))
            return false;
    return true;
}

static bool append(uint32_t **list, uint32_t *count, uint32_t number)
{
    uint32_t *more = realloc(*list, (*count + 1) * sizeof *more);

    if (!more)
        return false;
    *list = more;
    more[(*count)++] = number;
    return true;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The loads of global memory that `t` comes from. */
static bool slice(struct todo *t, uint32_t **list, uint32_t *count)
{
    static uint32_t mark;

    mark++;
    while (t->count) {
        LLVMValueRef v = t->value[--t->count];
        struct code_instruction *i = LLVMIsAInstruction(v) ? code_find(v) : NULL;

        if (!i || i->mark == mark)
            continue;
        i->mark = mark;
        if (i->is_memory && i->kind != RECORD_STORE) {
            if (!append(list, count, i->number))
                return false;
        } else if (!add_operands(t, v)) {
            return false;
        }
    }
    if (*count)
        qsort(*list, *count, sizeof **list, by_number);
    return true;
}

static bool find(const struct code_instruction *i, bool (*is_part)(const struct code_instruction *, unsigned),
                 uint32_t **list, uint32_t *count)
{
    struct todo t = {0};
    bool good = true;

    for (int n = 0; n < LLVMGetNumOperands(i->value) && good; n++)
        if (is_part(i, (unsigned)n))
            good = add(&t, LLVMGetOperand(i->value, (unsigned)n));
    good = good && slice(&t, list, count);
    free(t.value);
    return good;
}

bool deps_find(const struct code_instruction *i, struct record_code *c)
{
    c->use = first_use(i);
    if (i->is_barrier)
        return true;
    return find(i, kinds_is_address, &c->address, &c->addresses) && find(i, kinds_is_value, &c->value, &c->values);
}
