/* What an instruction of the IR of LLVM is to a recorder, and what memory instructions need of each other. */
#include "code.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "../access.h"

enum { GLOBAL = 1, GENERIC = 4 /* address spaces of SPIR */ };

static bool is_global_pointer(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           (LLVMGetPointerAddressSpace(type) == GLOBAL || LLVMGetPointerAddressSpace(type) == GENERIC);
}

/* "" of what is no function. */
static const char *name_called(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    size_t length;

    return LLVMIsAFunction(f) ? LLVMGetValueName2(f, &length) : "";
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_barrier(const char *name)
{
    return begins(name, "_Z7barrier") || begins(name, "_Z18work_group_barrier") ||
           begins(name, "_Z17wait_group_events");
}

LLVMValueRef kinds_called(LLVMValueRef instruction)
{
    LLVMValueRef f;

    if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
        return NULL;
    f = LLVMGetCalledValue(instruction);
    return LLVMIsAFunction(f) && !LLVMIsDeclaration(f) ? f : NULL;
}

static bool has_global_argument(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (is_global_pointer(LLVMGetOperand(call, i)))
            return true;
    return false;
}

/* Built-in functions: vload4(), atomic_add(), read_imagef() .. */
static void set_call(struct code_instruction *i)
{
    const char *name = name_called(i->value);
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(i->value)) == LLVMVoidTypeKind;

    i->is_counted = !begins(name, "llvm.dbg.");
    i->is_barrier = is_barrier(name);
    i->is_memory = !i->is_barrier && i->is_counted && !kinds_called(i->value) && !strstr(name, "async_work_group") &&
                   has_global_argument(i->value);
    i->kind = i->is_barrier          ? RECORD_BARRIER
              : strstr(name, "atom") ? RECORD_ATOMIC
              : is_void              ? RECORD_STORE
                                     : RECORD_LOAD;
}

void kinds_set(struct code_instruction *i)
{
    i->opcode = LLVMGetInstructionOpcode(i->value);
    i->is_terminator = LLVMIsATerminatorInst(i->value) != NULL;
    i->is_counted = true;
    switch (i->opcode) {
    case LLVMPHI:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMAlloca:
        i->is_counted = false;
        return;
    case LLVMLoad:
        i->kind = RECORD_LOAD;
        i->is_memory = is_global_pointer(LLVMGetOperand(i->value, 0));
        return;
    case LLVMStore:
        i->kind = RECORD_STORE;
        i->is_memory = is_global_pointer(LLVMGetOperand(i->value, 1));
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        i->kind = RECORD_ATOMIC;
        i->is_memory = is_global_pointer(LLVMGetOperand(i->value, 0));
        return;
    case LLVMCall:
        set_call(i);
        return;
    default:
        return;
    }
}

uint32_t kinds_bytes(const struct code_instruction *i)
{
    bool stores = i->kind == RECORD_STORE;
    LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(i->value, 0) : i->value);
    LLVMModuleRef module = LLVMGetGlobalParent(i->block->function->value);

    if (i->is_barrier || !LLVMTypeIsSized(type))
        return 0;
    return (uint32_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);
}

static bool is_operand(const struct code_instruction *i, unsigned n)
{
    return n <
           (unsigned)(i->opcode == LLVMCall ? LLVMGetNumArgOperands(i->value) : (unsigned)LLVMGetNumOperands(i->value));
}

bool kinds_is_value(const struct code_instruction *i, unsigned n)
{
    if (!is_operand(i, n))
        return false;
    return i->kind == RECORD_STORE ? n == 0 : i->kind == RECORD_ATOMIC && n > 0;
}

bool kinds_is_address(const struct code_instruction *i, unsigned n)
{
    return is_operand(i, n) && !kinds_is_value(i, n);
}

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
