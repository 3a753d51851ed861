/*
 * The program's code as the recorder needs it: what each instruction of LLVM's IR is, its number, the loops around it.
 * A function is looked at when it is launched first, and those that it calls with it. Numbers start at 1 and count all
 * instructions in reverse post-order of the blocks; the next function goes on from there.
 */
#ifndef HOST_RECORD_PLUGIN_CODE_H
#define HOST_RECORD_PLUGIN_CODE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "../access.h"
#include "../loops.h"

struct code_function;

struct code_block {
    const struct code_function *function;
    uint32_t number; /**< in reverse post-order */
    int loop;        /**< the innermost one around it, as a number for code_loop(), or LOOP_NONE */
    bool is_header;  /**< of that loop */
};

struct code_instruction {
    LLVMValueRef value;
    const struct code_block *block;
    struct code_function *calls; /**< of this program; NULL: none */
    uint32_t number;
    uint32_t mark; /**< for deps.c */
    LLVMOpcode opcode;
    uint8_t kind;       /**< enum record_kind, where `is_memory` or `is_barrier` */
    bool is_first;      /**< of its block */
    bool is_terminator; /**< of its block */
    bool is_counted;    /**< instructions that a GPU would not execute are not: phi, casts of pointers, debugging */
    bool is_memory;     /**< may access global memory */
    bool is_barrier;
};

struct code_function {
    LLVMValueRef value;
    struct code_instruction *instruction; /**< in order of numbers */
    uint32_t instructions;
    struct code_block *block;
    struct loops loops;
    int first_loop; /**< number of loops.loop[0] for code_loop() */
};

struct code_loop {
    const struct code_function *function;
    uint32_t header; /**< number of its header's first instruction */
    int parent;      /**< or LOOP_NONE */
};

/** Called for each function that is looked at, when all of its instructions are known. */
void code_on_function(void (*see)(const struct code_function *f));

/** The function; NULL: out of memory. */
const struct code_function *code_function(LLVMValueRef function);

/** NULL: of no function that was looked at. */
struct code_instruction *code_find(LLVMValueRef instruction);

const struct code_loop *code_loop(int number);

/** How many loops there are. */
int code_loops(void);

/** Is `block` in the loop? */
bool code_in_loop(const struct code_block *block, int loop);

/* What an instruction of LLVM's IR is to a recorder. */

/** Sets opcode, kind, is_terminator, is_counted, is_memory and is_barrier by `value`. */
void kinds_set(struct code_instruction *i);

/** The function of this program that is called, or NULL. */
LLVMValueRef kinds_called(LLVMValueRef instruction);

/** Bytes of one access, as its type says; 0 of a barrier. */
uint32_t kinds_bytes(const struct code_instruction *i);

/** Is its operand `n` (part of) the address, or the value that is stored? Neither is the function that is called. */
bool kinds_is_address(const struct code_instruction *i, unsigned n);
bool kinds_is_value(const struct code_instruction *i, unsigned n);

/* What memory instructions need of each other, for NAME.pcs.json. */

/**
 * Sets c->use, and the loads that address and value come from, through any number of registers but no further than the
 * nearest load of global memory. The caller frees the lists. False: out of memory.
 */
bool deps_find(const struct code_instruction *i, struct record_code *c);

#endif
