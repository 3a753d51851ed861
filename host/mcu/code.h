/* The instructions of an image on a core: class, function, cycles. */
#ifndef HOST_MCU_CODE_H
#define HOST_MCU_CODE_H

#include "cost.h"
#include "functions.h"
#include "timing.h"

struct code_line {
    uint32_t address;
    unsigned function; /**< number in the functions */
    unsigned flags;    /**< enum code_flag */
    struct insn insn;
    struct cost cost[CORE_BOUNDS];
};

/** By address; each function from its start to its end without a gap. */
struct code {
    struct code_line *list;
    unsigned count;
};

/** -1 when memory is short. `name` of the image stands in the error. */
int code_read(struct code *code, const struct elf *elf, const struct functions *f, const struct core *c,
              const char *name, struct mh_error *err);
void code_free(struct code *code);

/** The instruction at `address`; NULL when no function has one there. */
const struct code_line *code_at(const struct code *code, uint32_t address);

/** Adds `count` executions, `taken` of which jumped, to the counts of classes. */
void code_count(const struct code_line *l, uint64_t count, uint64_t taken, uint64_t rows[CORE_CLASS_ROWS]);

#endif
