/* What an instruction of LLVM's IR is to a recorder. */
#ifndef HOST_RECORD_PLUGIN_KINDS_H
#define HOST_RECORD_PLUGIN_KINDS_H

#include "code.h"

/** Sets opcode, kind, is_terminator, is_counted, is_memory and is_barrier by `value`. */
void kinds_set(struct code_instruction *i);

/** The function of this program that is called, or NULL. */
LLVMValueRef kinds_called(LLVMValueRef instruction);

/** Bytes of one access, as its type says; 0 of a barrier. */
uint32_t kinds_bytes(const struct code_instruction *i);

/** Is its operand `n` (part of) the address, or the value that is stored? Neither is the function that is called. */
bool kinds_is_address(const struct code_instruction *i, unsigned n);
bool kinds_is_value(const struct code_instruction *i, unsigned n);

#endif
