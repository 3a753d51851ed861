#include "kinds.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "record/access.h"

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
