/* The code of an image: its functions and hooks, its instructions on a core. */
#ifndef HOST_MCU_CODE_H
#define HOST_MCU_CODE_H

#include <stdint.h>

#include "cost.h"
#include "elf_file.h"
#include "timing.h"

/* The functions of an image, from its symbols. */

struct function {
    const char *name; /**< valid until the image is closed */
    uint32_t address, size;
};

/** By address, none inside another; one without a size reaches to the next, or to the end of the code. */
struct functions {
    struct function *list;
    unsigned count;
};

/** -1: the image has no function symbols. `name` of the image stands in the error. */
int functions_find(struct functions *f, const struct elf *elf, const char *name, struct mh_error *err);
void functions_free(struct functions *f);

/** Number of the function that has `address`; `count` when none has. */
unsigned function_at(const struct functions *f, uint32_t address);

/** The value of the symbol `name`; false when there is none. */
bool symbol_value(const struct elf *elf, const char *name, uint32_t *value);

/* The policies of an image and their hooks, read from `fw_image` (firmware/image/common/fw.h,
 * firmware/policy/policy.h). */

enum { HOOKS_MAX = 256, HOOK_POLICY = 64, HOOK_KINDS = 8 /* members of struct policy behind its name */ };

struct hook {
    char policy[HOOK_POLICY]; /**< its name; what is no graphic character is '_' */
    const char *kind;         /**< member of struct policy: "init", "on_epoch", .. */
    uint32_t offset;          /**< of that member, bytes */
    uint32_t address;         /**< of the function */
};

/** In the order of the image's list, then of struct policy; those that are NULL are left out. */
struct hooks {
    struct hook list[HOOKS_MAX];
    unsigned count;
};

/** An image without the symbol `fw_image` has no hooks. -1 and `err` when it has, and its lists cannot be read. */
int hooks_find(struct hooks *h, const struct elf *elf, const char *name, struct mh_error *err);

/* The instructions of an image on a core: class, function, cycles. */

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

/** All instructions of the functions. */
void code_read(struct code *code, const struct elf *elf, const struct functions *f, const struct core *c);
void code_free(struct code *code);

/** The instruction at `address`; NULL when no function has one there. */
const struct code_line *code_at(const struct code *code, uint32_t address);

/** Adds `count` executions, `taken` of which jumped, to the counts of classes. */
void code_count(const struct code_line *l, uint64_t count, uint64_t taken, uint64_t rows[CORE_CLASS_ROWS]);

#endif
