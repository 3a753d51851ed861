/*
 * What a run executed, from the core.json that QEMU's plugin leaves (qemu/plugin): each decision and each call of a
 * hook one by one, and where the longest of them spent its cycles.
 */
#ifndef HOST_BUDGET_PROFILE_PROFILE_H
#define HOST_BUDGET_PROFILE_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "mcu/code.h"
#include "memhelm/error.h"
#include "memhelm/registers.h"

/* Instruction mix: what was executed in a run, in the decisions for a source, or in the calls of a hook. */

/** Loads, stores and branches that are taken are classes. */
struct mix {
    uint64_t classes[CORE_CLASS_ROWS];
    uint64_t unknown; /**< instructions of no function of the image */
    uint64_t mmio;    /**< accesses beyond the mcu's own memory: of the loads and stores */
    uint64_t traps;   /**< interrupts that were taken */
};

/** Reads the mix of a core.json (qemu/plugin/out.h); false: it is none. */
bool mix_read(struct mix *m, const json_t *o);

/** All classes and what is unknown. */
uint64_t mix_instructions(const struct mix *m);

/** Instructions of the classes that were executed, by name. */
json_t *mix_classes_json(const uint64_t classes[CORE_CLASS_ROWS]);

/** `classes` (what is unknown among them, if there is any), `mmio`, `interrupts`. */
json_t *mix_json(const struct mix *m);

/** Of all samples. p99 is the smallest that 99 % do not exceed. */
struct spread {
    uint64_t min, p99, max;
    double mean;
};

/** What a function spent by itself, callees apart. `function` counts as functions_find() does. */
struct share {
    unsigned function;
    uint64_t instructions, cycles;
};

enum { SHARES = 32 };

/** Share of a node of the call tree. */
struct part {
    unsigned node;
    uint64_t instructions, cycles;
};

/**
 * All decisions for a source, or calls of a hook. Cycles of the mcu, bus stalls apart. A decision begins behind its
 * store to BEGIN and ends with the store to the source's DECISION register. A call begins with the hook's first
 * instruction and ends with its return, callees included; it lies within a decision. A file whose classes do not add up
 * to the instructions is refused.
 */
struct series {
    uint64_t count;
    struct spread instructions, cycles, stalls;
    struct mix mix, worst_mix;  /**< of all together; of the longest one */
    uint32_t stack_low;         /**< lowest address of the stack that was written; 0: none */
    struct share worst[SHARES]; /**< of the longest one, most cycles first; functions beyond SHARES are left out */
    unsigned worst_count;
    struct part *parts; /**< of the longest one: all nodes, by when they first called another or returned */
    unsigned part_count;
};

/** A node of the tree of calls: a function, called from its parent. Node 0 is the root and no function. */
struct profile_node {
    unsigned parent;
    int function;
    uint64_t calls, instructions, cycles, mmio;
    uint64_t decided; /**< of its cycles: those in decisions, if all of a source were as its longest one */
};

/** An instruction that was executed; `taken`: how often it jumped; `stack_low`: lowest it wrote there, 0: nothing. */
struct profile_at {
    uint32_t address;
    uint64_t count, taken, mmio;
    uint32_t stack_low;
};

struct profile {
    uint64_t instructions, traps;
    uint32_t stack_low; /**< lowest address of the stack that was written; 0: none */
    struct mix mix;     /**< of the whole run */
    struct series sources[MH_SOURCES];
    struct series hooks[HOOKS_MAX]; /**< counted as hooks_find() does */
    struct profile_node *nodes;     /**< parents before their children */
    unsigned node_count;
    struct profile_at *at; /**< by address */
    unsigned at_count;
};

/** Reads `path`; numbers of functions are below `functions`. NULL and `err` for a file that is damaged. */
struct profile *profile_read(const char *path, unsigned functions, struct mh_error *err);

/** Parses the text of such a file; `name` stands in errors. */
struct profile *profile_parse(const char *name, const char *text, unsigned functions, struct mh_error *err);
void profile_free(struct profile *p);

/** The instruction at `address`; NULL when it was never executed. */
const struct profile_at *profile_at(const struct profile *p, uint32_t address);

#endif
