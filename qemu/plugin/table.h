/*
 * The table of an image on a core: the core's times, and whose code is where.
 * memhelm writes it (host/mcu), one text file per run. What an instruction
 * costs follows from the bytes that QEMU translates, whoever wrote them there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MEMHELM_CORE_TABLE_H
#define MEMHELM_CORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"

/* Where the mcu goes from here shows at the next instruction. */
#define MH_INSN_LEAVES (CODE_BRANCH | CODE_JUMP | CODE_CALL | CODE_RETURN | \
                        CODE_MRET | CODE_WFI)
#define MH_INSN_MEMORY (CODE_LOAD | CODE_STORE)

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
    uint16_t flags;        /* enum code_flag */
    uint16_t extra;        /* cycles beyond one, each time */
    uint16_t taken_extra;  /* .. and when it jumps */
    uint16_t land_extra;   /* .. and when it is jumped to */
    uint8_t size;          /* bytes; 0: never translated */
    uint8_t cls;           /* enum core_row; CORE_CLASS_ROWS: of no function */
    bool entry;            /* the first of its function */
};

struct mh_function {
    uint32_t address, size;
};

struct mh_table {
    char core[64];
    uint32_t stack_from, stack_to;  /* the stack: [from, to) */
    uint16_t entry_extra;           /* cycles of taking an interrupt */
    uint16_t wake_extra;            /* .. and of one that ends a WFI */
    struct core_value values[CORE_ROWS];
    uint32_t rows;                  /* lines k */
    struct mh_function *function;   /* by address, none inside another */
    uint32_t functions, room;
    uint32_t hooks;                 /* the largest hook's index + 1 */
    char (*hook_name)[MH_HOOK_NAME]; /* by index: POLICY.KIND */
    struct mh_insn *page[1 << 20];  /* by bits 31..12 of pc; NULL: no code */
};

/* realloc() of 'count' things of 'size' bytes; it aborts where memory is short. */
void *mh_grown(void *old, size_t count, size_t size);

/*
 * Reads the file; false with a message on stderr that names file and line.
 */
bool mh_table_load(struct mh_table *t, const char *path);

/* The instruction at an address; the same place each time. */
struct mh_insn *mh_table_at(struct mh_table *t, uint32_t pc);

/* QEMU translates w->at[0] at the place of 'i': it is this from now on. */
void mh_table_translated(struct mh_table *t, struct mh_insn *i,
                         const struct cost_window *w);

/* Instructions of a page. */
#define MH_PAGE_INSNS 2048

#endif
