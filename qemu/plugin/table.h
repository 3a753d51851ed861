/*
 * The table of an image on a core: what each instruction costs, and whose it
 * is. memhelm writes it (host/mcu), one text file per run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEMHELM_CORE_TABLE_H
#define MEMHELM_CORE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* Flags of an instruction, as in the file. */
enum {
    MH_INSN_LOAD = 1,
    MH_INSN_STORE = 2,
    MH_INSN_BRANCH = 4,
    MH_INSN_JUMP = 8,
    MH_INSN_CALL = 0x10,
    MH_INSN_RETURN = 0x20,
    MH_INSN_MRET = 0x40,
    MH_INSN_WFI = 0x80,
    MH_INSN_CHECK = 0x100, /* of a division */
    MH_INSN_MEMORY = MH_INSN_LOAD | MH_INSN_STORE,
    /* Where the mcu goes from here shows at the next instruction. */
    MH_INSN_LEAVES = MH_INSN_BRANCH | MH_INSN_JUMP | MH_INSN_CALL |
                     MH_INSN_RETURN | MH_INSN_MRET | MH_INSN_WFI,
};

/* Classes of instructions, without that of code that the file does not list. */
#define MH_MAX_CLASSES 31

#define MH_HOOK_NAME 128

#define MH_NO_FUNCTION (-1)
#define MH_NO_HOOK (-1)

struct mh_insn {
    uint64_t count;        /* executions */
    uint64_t taken;        /* of a branch; of a jump each execution */
    uint64_t mmio;         /* accesses beyond the memories */
    uint32_t pc;
    uint32_t stack_low;    /* lowest address of the stack it wrote */
    int32_t function;      /* index of the file's line f, MH_NO_FUNCTION */
    int32_t hook;          /* that begins here, MH_NO_HOOK */
    uint16_t flags;
    uint16_t extra;        /* cycles beyond one, each time */
    uint16_t taken_extra;  /* .. and when it jumps */
    uint16_t land_extra;   /* .. and when it is jumped to */
    uint8_t size;          /* bytes; 0: the file has no such line */
    uint8_t cls;           /* index of the file's line k */
    bool entry;            /* the first of its function */
};

struct mh_table {
    char core[64];
    uint32_t base, bytes;           /* range of addresses of code */
    uint32_t stack_from, stack_to;  /* the stack: [from, to) */
    uint32_t trap;                  /* address of the trap handler */
    uint16_t entry_extra;           /* cycles of taking an interrupt */
    uint16_t wake_extra;            /* .. and of one that ends a WFI */
    uint32_t classes;               /* lines k */
    uint32_t hooks;                 /* the largest hook's index + 1 */
    char (*hook_name)[MH_HOOK_NAME]; /* by index: POLICY.KIND */
    struct mh_insn *insn;           /* one per half word of the range */
    struct mh_insn unknown;         /* what it does not list: class 'classes' */
};

/*
 * Reads the file; false with a message on stderr that names file and line.
 */
bool mh_table_load(struct mh_table *t, const char *path);

/* The instruction at an address; &t->unknown where there is none. */
struct mh_insn *mh_table_at(struct mh_table *t, uint32_t pc);

#endif
